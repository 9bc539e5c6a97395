// Loads, stores, stack slots and addresses.
#include "codegen/function_lowering.h"
#include "layout/context.h"

namespace splice::codegen {

using ir::Op;
using ir::Type;

namespace {

// Fields that splice_rt_enter sets and that stay the same until the thread leaves native code.
bool is_constant_field(std::int64_t offset) {
  using layout::Context;
  switch (static_cast<std::size_t>(offset)) {
    case offsetof(Context, tstate):
    case offsetof(Context, eval_breaker):
    case offsetof(Context, eval_breaker_mask):
    case offsetof(Context, py_recursion_remaining):
    case offsetof(Context, stack_limit):
      return true;
    default:
      return false;
  }
}

}  // namespace

void FunctionLowering::tag_access(llvm::Instruction* access, ir::ValueId pointer,
                                  std::int64_t offset) {
  const MemoryClass where = memory_[pointer];
  if (llvm::MDNode* tag = module_.memory_tag(where)) {
    access->setMetadata(llvm::LLVMContext::MD_tbaa, tag);
  }
  if (where == MemoryClass::kContext && is_constant_field(offset) &&
      llvm::isa<llvm::LoadInst>(access)) {
    access->setMetadata(llvm::LLVMContext::MD_invariant_load, module_.empty_node());
  }
}

llvm::Value* FunctionLowering::context_field(std::size_t offset, llvm::Type* type) {
  llvm::Value* at = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), context_value(),
                                                        static_cast<std::uint64_t>(offset));
  llvm::LoadInst* load = builder_.CreateLoad(type, at);
  load->setMetadata(llvm::LLVMContext::MD_tbaa, module_.memory_tag(MemoryClass::kContext));
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, module_.empty_node());
  return load;
}

void FunctionLowering::lower_memory(const ir::Inst& inst) {
  llvm::Type* byte = builder_.getInt8Ty();
  if (inst.op == Op::kSlot) {
    llvm::IRBuilder<>::InsertPointGuard restore(builder_);
    llvm::BasicBlock& entry = function_->getEntryBlock();
    builder_.SetInsertPoint(&entry, entry.begin());
    const auto size = static_cast<std::uint64_t>(inst.imm);
    llvm::AllocaInst* slot = builder_.CreateAlloca(llvm::ArrayType::get(byte, size));
    slot->setAlignment(llvm::Align(16));
    memory_[inst.results[0]] = MemoryClass::kOther;
    return define(inst, slot);
  }
  llvm::Value* base = use1(inst, 0);
  if (inst.op == Op::kElements || inst.op == Op::kHeader) {
    const bool header = inst.op == Op::kHeader;
    memory_[inst.results[0]] = header ? MemoryClass::kHeader : MemoryClass::kElements;
    return define(inst, base);
  }
  if (inst.op == Op::kAddr) {
    // An element address may be computed before its bounds test, but never by wrapping around.
    const auto wraps = llvm::GEPNoWrapFlags::noUnsignedSignedWrap();
    llvm::Value* offset = use1(inst, 1);
    if (inst.imm != 1)
      offset = builder_.CreateMul(offset, builder_.getInt64(inst.imm), "", false,
                                  /*HasNSW=*/true);
    llvm::Value* at = builder_.CreatePtrAdd(base, offset, "", wraps);
    if (inst.imm2 != 0) at = builder_.CreatePtrAdd(at, builder_.getInt64(inst.imm2), "", wraps);
    const MemoryClass where = memory_[inst.args[0]];
    if (where == MemoryClass::kOther || where == MemoryClass::kElements) {
      memory_[inst.results[0]] = where;
    }
    return define(inst, at);
  }

  const ir::ValueId pointer = inst.args[0];
  const auto offset = static_cast<std::uint64_t>(inst.imm);
  const auto address = [&](std::uint64_t more) {
    return offset + more == 0 ? base
                              : builder_.CreatePtrAdd(base, builder_.getInt64(offset + more), "",
                                                      llvm::GEPNoWrapFlags::noUnsignedSignedWrap());
  };
  const Type type = inst.type;
  const int parts = type == Type::kC128 ? 2 : 1;
  llvm::Type* stored = type == Type::kI1 ? byte : scalar(type);
  const llvm::Align align(module_.module().getDataLayout().getTypeStoreSize(stored));

  if (inst.op == Op::kStore) {
    const Lowered value = use(inst.args[1]);
    for (int part = 0; part < parts; ++part) {
      llvm::Value* v = part == 0 ? value.first : value.second;
      if (type == Type::kI1) v = builder_.CreateZExt(v, byte);
      const auto at = static_cast<std::uint64_t>(part) * sizeof(double);
      tag_access(builder_.CreateAlignedStore(v, address(at), align), pointer, inst.imm);
    }
    return;
  }
  Lowered value;
  for (int part = 0; part < parts; ++part) {
    const auto at = static_cast<std::uint64_t>(part) * sizeof(double);
    llvm::LoadInst* load = builder_.CreateAlignedLoad(stored, address(at), align);
    tag_access(load, pointer, inst.imm);
    (part == 0 ? value.first : value.second) = load;
  }
  if (type == Type::kI1) value.first = builder_.CreateIsNotNull(value.first);
  if (ir::is_pointer(type)) {
    const bool counter = memory_[pointer] == MemoryClass::kContext &&
                         inst.imm == offsetof(layout::Context, py_recursion_remaining);
    // What is reached from an object or from a field of the context is never the context itself.
    if (counter) {
      memory_[inst.results[0]] = MemoryClass::kCounter;
    } else if (memory_[pointer] == MemoryClass::kHeader && type == Type::kPtr) {
      memory_[inst.results[0]] = MemoryClass::kHeader;
    } else if (memory_[pointer] == MemoryClass::kOther || type != Type::kPtr) {
      memory_[inst.results[0]] = MemoryClass::kOther;
    }
  }
  define(inst, value.first, value.second);
}

}  // namespace splice::codegen
