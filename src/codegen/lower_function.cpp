// Blocks, block arguments and the dispatch to the op families.
#include <algorithm>

#include "codegen/function_lowering.h"
#include "layout/context.h"

namespace splice::codegen {

FunctionLowering::FunctionLowering(ModuleLowering& module, std::uint32_t index)
    : module_(module),
      index_(index),
      source_(module.source().functions[index]),
      function_(module.function(index)),
      builder_(module.context()) {}

void FunctionLowering::fail(ErrorCode code, const std::string& what) {
  if (status_.ok()) status_ = Status(code, "function " + source_.name + ": " + what);
}

Status FunctionLowering::run() {
  const std::size_t blocks = source_.blocks.size();
  if (blocks == 0) return invalid_argument("function " + source_.name + " has no blocks");
  values_.resize(source_.values.size());
  memory_.assign(source_.values.size(), MemoryClass::kUnknown);
  call_status_.assign(source_.values.size(), false);
  find_order();
  find_returned_only();
  make_blocks();
  bind_parameters();
  for (ir::BlockId id : order_) {
    lower_block(id);
    if (!status_.ok()) return status_;
  }
  finish_exits();
  return status_;
}

// Depth first from the entry. Unreachable blocks are left out: their block arguments would be phis
// without predecessors.
void FunctionLowering::find_order() {
  std::vector<bool> seen(source_.blocks.size(), false);
  std::vector<std::pair<ir::BlockId, std::size_t>> stack = {{0, 0}};
  seen[0] = true;
  while (!stack.empty()) {
    auto& [id, next] = stack.back();
    const std::vector<ir::Target>& targets = source_.blocks[id].insts.back().targets;
    if (next == targets.size()) {
      order_.push_back(id);
      stack.pop_back();
      continue;
    }
    const ir::BlockId to = targets[next++].block;
    if (!seen[to]) {
      seen[to] = true;
      stack.emplace_back(to, 0);
    }
  }
  std::reverse(order_.begin(), order_.end());
}

void FunctionLowering::find_returned_only() {
  returned_only_.assign(source_.values.size(), true);
  for (const ir::Block& block : source_.blocks) {
    for (const ir::Inst& inst : block.insts) {
      if (inst.op != ir::Op::kRet) {
        for (ir::ValueId id : inst.args) returned_only_[id] = false;
      }
      for (const ir::Target& target : inst.targets) {
        for (ir::ValueId id : target.args) returned_only_[id] = false;
      }
    }
  }
}

// LLVM's entry block holds stack slots and branches to the first IR block, which may be a loop
// head.
void FunctionLowering::make_blocks() {
  blocks_.assign(source_.blocks.size(), nullptr);
  phis_.resize(source_.blocks.size());
  llvm::BasicBlock* entry = new_block("entry");
  for (ir::BlockId id : order_) {
    const ir::Block& block = source_.blocks[id];
    blocks_[id] = new_block("b");
    builder_.SetInsertPoint(blocks_[id]);
    for (ir::ValueId arg : block.args) {
      const ir::Type type = type_of(arg);
      const int parts = type == ir::Type::kC128 ? 2 : 1;
      Lowered value;
      for (int part = 0; part < parts; ++part) {
        llvm::PHINode* phi = builder_.CreatePHI(scalar(type), 2);
        phis_[id].push_back(phi);
        (part == 0 ? value.first : value.second) = phi;
      }
      values_[arg] = value;
      if (type == ir::Type::kObj || type == ir::Type::kOwned) memory_[arg] = MemoryClass::kOther;
    }
  }
  builder_.SetInsertPoint(entry);
}

void FunctionLowering::bind_parameters() {
  llvm::BasicBlock* entry = builder_.GetInsertBlock();
  unsigned at = source_.c_abi ? 0 : 1;
  for (llvm::PHINode* phi : phis_[0]) phi->addIncoming(function_->getArg(at++), entry);
  builder_.CreateBr(blocks_[0]);
}

void FunctionLowering::lower_block(ir::BlockId id) {
  builder_.SetInsertPoint(blocks_[id]);
  for (const ir::Inst& inst : source_.blocks[id].insts) {
    lower(inst);
    if (!status_.ok()) return;
  }
}

void FunctionLowering::lower(const ir::Inst& inst) {
  using ir::Op;
  switch (inst.op) {
    case Op::kConst:
    case Op::kSymbol:
    case Op::kUndef:
    case Op::kCtx:
    case Op::kStackAddress:
      return lower_constant(inst);
    case Op::kAdd:
    case Op::kSub:
    case Op::kMul:
    case Op::kDiv:
    case Op::kRem:
    case Op::kMod:
    case Op::kNeg:
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor:
    case Op::kShl:
    case Op::kShr:
      return lower_arith(inst);
    case Op::kAddOv:
    case Op::kSubOv:
    case Op::kMulOv:
      return lower_checked(inst);
    case Op::kSqrt:
    case Op::kFloor:
    case Op::kCeil:
    case Op::kTrunc:
    case Op::kRint:
    case Op::kFabs:
    case Op::kCopysign:
    case Op::kFma:
      return lower_float_function(inst);
    case Op::kEq:
    case Op::kNe:
    case Op::kLt:
    case Op::kLe:
    case Op::kGt:
    case Op::kGe:
      return lower_compare(inst);
    case Op::kSelect:
    case Op::kConvert:
    case Op::kBitcast:
    case Op::kComplex:
    case Op::kReal:
    case Op::kImag:
      return lower_convert(inst);
    case Op::kLoad:
    case Op::kStore:
    case Op::kSlot:
    case Op::kElements:
    case Op::kHeader:
    case Op::kAddr:
      return lower_memory(inst);
    case Op::kCall:
      return lower_call(inst);
    case Op::kCallRuntime:
      return lower_call_runtime(inst);
    case Op::kGuard:
    case Op::kLeave:
      return lower_exit(inst);
    case Op::kPoll:
    case Op::kPollBr:
      return lower_poll(inst);
    case Op::kBr:
    case Op::kCondBr:
    case Op::kSwitch:
    case Op::kUnreachable:
      return lower_control(inst);
    case Op::kRet:
      return lower_return(inst);
    default:
      return fail(ErrorCode::kInvalidArgument,
                  std::string(ir::op_name(inst.op)) + " was not lowered before codegen");
  }
}

void FunctionLowering::lower_constant(const ir::Inst& inst) {
  const ir::Type type = inst.type;
  const auto bits = static_cast<std::uint64_t>(inst.imm);
  switch (inst.op) {
    case ir::Op::kSymbol:
      define(inst, module_.symbol(inst.index));
      memory_[inst.results[0]] = MemoryClass::kOther;
      return;
    case ir::Op::kUndef: {
      // LLVM's undef may differ at each use and must not be branched on; frozen it is one value.
      // Results that no caller looks at cost nothing when they stay undefined.
      llvm::Value* any = llvm::UndefValue::get(scalar(type));
      if (!returned_only_[inst.results[0]]) any = builder_.CreateFreeze(any);
      return define(inst, any, type == ir::Type::kC128 ? any : nullptr);
    }
    case ir::Op::kCtx:
      define(inst, context_value());
      memory_[inst.results[0]] = MemoryClass::kContext;
      return;
    case ir::Op::kStackAddress: {
      llvm::Type* pointer = scalar(ir::Type::kPtr);
      return define(inst, builder_.CreateIntrinsic(llvm::Intrinsic::frameaddress, {pointer},
                                                   {builder_.getInt32(0)}));
    }
    default:
      break;
  }
  if (ir::is_pointer(type)) {
    llvm::Constant* address = builder_.getInt64(bits);
    define(inst, bits == 0 ? llvm::ConstantPointerNull::get(builder_.getPtrTy())
                           : llvm::ConstantExpr::getIntToPtr(address, builder_.getPtrTy()));
  } else if (ir::is_int(type)) {
    const auto width = scalar(type)->getIntegerBitWidth();
    define(inst, llvm::ConstantInt::get(module_.context(), llvm::APInt(64, bits).trunc(width)));
  } else if (type == ir::Type::kF32) {
    const llvm::APInt word = llvm::APInt(64, bits).trunc(32);
    define(inst, float_constant(llvm::APFloat(llvm::APFloat::IEEEsingle(), word)));
  } else {
    const auto f64 = [&](std::int64_t word) {
      const llvm::APInt wide(64, static_cast<std::uint64_t>(word));
      return float_constant(llvm::APFloat(llvm::APFloat::IEEEdouble(), wide));
    };
    llvm::Value* real = f64(inst.imm);
    define(inst, real, type == ir::Type::kC128 ? f64(inst.imm2) : nullptr);
  }
}

// LLVM folds inf - inf to a positive NaN, the processor makes a negative one, and a program can
// tell. So infinities and NaNs are read from memory that LLVM must take as it comes.
llvm::Value* FunctionLowering::float_constant(const llvm::APFloat& value) {
  llvm::Constant* constant = llvm::ConstantFP::get(module_.context(), value);
  if (value.isFinite()) return constant;
  llvm::LoadInst* load =
      builder_.CreateLoad(constant->getType(), module_.opaque_constant(constant));
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, module_.empty_node());
  return load;
}

Lowered FunctionLowering::use(ir::ValueId id) {
  Lowered value = values_[id];
  if (value.first == nullptr) {
    fail(ErrorCode::kInternal, "value " + std::to_string(id) + " is used before it is defined");
    value.first = value.second = llvm::PoisonValue::get(scalar(type_of(id)));
  }
  return value;
}

void FunctionLowering::define(const ir::Inst& inst, llvm::Value* first, llvm::Value* second) {
  values_[inst.results[0]] = {first, second};
}

void FunctionLowering::append_values(ir::ValueId id, llvm::SmallVectorImpl<llvm::Value*>& out) {
  const Lowered value = use(id);
  out.push_back(value.first);
  if (value.second != nullptr) out.push_back(value.second);
}

llvm::Value* FunctionLowering::context_value() {
  if (!source_.c_abi) return function_->getArg(0);
  fail(ErrorCode::kInvalidArgument, "a C function has no context of its own");
  return llvm::PoisonValue::get(builder_.getPtrTy());
}

llvm::BasicBlock* FunctionLowering::new_block(const char* name) {
  return llvm::BasicBlock::Create(module_.context(), name, function_);
}

llvm::GlobalValue* FunctionLowering::required_symbol(const char* name) {
  const ir::SymbolId id = find_symbol(module_.source(), name);
  if (id == ir::kNone) {
    fail(ErrorCode::kInvalidArgument, std::string("the module lacks the symbol ") + name);
    return nullptr;
  }
  return module_.symbol(id);
}

}  // namespace splice::codegen
