// Calls of module functions (Splice convention) and of runtime symbols (C convention).
#include "codegen/function_lowering.h"

#include <llvm/Analysis/ValueTracking.h>

namespace splice::codegen {

using ir::Type;

void FunctionLowering::lower_call(const ir::Inst& inst) {
  const ir::Function& callee = module_.source().functions[inst.index];
  llvm::Function* target = module_.function(inst.index);
  if (callee.c_abi) {
    return fail(ErrorCode::kInvalidArgument, "call of " + callee.name + ", a plain C function");
  }
  // A C function hands over the context itself, as its first operand.
  llvm::SmallVector<llvm::Value*, 8> args;
  if (!source_.c_abi) args.push_back(context_value());
  for (ir::ValueId arg : inst.args) append_values(arg, args);
  llvm::CallInst* call = builder_.CreateCall(target, args);
  call->setAttributes(llvm::AttributeList::get(module_.context(), {}, {}, [&] {
    llvm::SmallVector<llvm::AttributeSet, 8> sets;
    for (unsigned i = 0; i < args.size(); ++i) {
      sets.push_back(target->getAttributes().getParamAttrs(i));
    }
    return sets;
  }()));

  unsigned at = 1;
  for (std::size_t i = 0; i < callee.results.size(); ++i) {
    Lowered value;
    value.first = builder_.CreateExtractValue(call, at++);
    if (callee.results[i] == Type::kC128) value.second = builder_.CreateExtractValue(call, at++);
    values_[inst.results[i]] = value;
    if (callee.results[i] == Type::kObj || callee.results[i] == Type::kOwned) {
      memory_[inst.results[i]] = MemoryClass::kOther;
    }
  }
  values_[inst.results.back()] = {builder_.CreateExtractValue(call, 0), nullptr};
  call_status_[inst.results.back()] = true;
}

void FunctionLowering::lower_call_runtime(const ir::Inst& inst) {
  const ir::Symbol& symbol = module_.source().symbols[inst.index];
  llvm::SmallVector<llvm::Value*, 8> args;
  for (ir::ValueId arg : inst.args) append_values(arg, args);
  auto* target = llvm::dyn_cast<llvm::Function>(module_.symbol(inst.index));
  if (target == nullptr || target->arg_size() != args.size()) {
    return fail(ErrorCode::kInvalidArgument,
                "call of symbol " + symbol.name + ", which is no function of that many arguments");
  }
  llvm::CallInst* call = builder_.CreateCall(target, args);
  call->setAttributes(target->getAttributes());
  call->addFnAttr(llvm::Attribute::NoBuiltin);
  // A C function that ends in a call then jumps, and needs no frame. The runtime keeps no address
  // of a stack slot.
  const auto on_stack = [](llvm::Value* v) {
    return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(v));
  };
  if (source_.c_abi && llvm::none_of(args, on_stack)) call->setTailCall();
  if (inst.results.empty()) return;
  if (symbol.name == "splice_rt_enter") memory_[inst.results[0]] = MemoryClass::kContext;
  if (symbol.result == Type::kC128) {
    return define(inst, builder_.CreateExtractValue(call, 0), builder_.CreateExtractValue(call, 1));
  }
  if (symbol.result == Type::kObj || symbol.result == Type::kOwned) {
    memory_[inst.results[0]] = MemoryClass::kOther;
  }
  define(inst, call);
}

}  // namespace splice::codegen
