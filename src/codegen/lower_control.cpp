// Branches and returns.
#include <algorithm>
#include <set>

#include "codegen/function_lowering.h"

namespace splice::codegen {

using ir::Op;
using ir::Type;

llvm::BasicBlock* FunctionLowering::edge(const ir::Target& target, bool shared) {
  llvm::BasicBlock* from = builder_.GetInsertBlock();
  llvm::BasicBlock* to = blocks_[target.block];
  if (shared && !target.args.empty()) {
    // A phi has one value per predecessor: the second edge gets a block of its own.
    from = new_block("edge");
    llvm::BranchInst::Create(to, from);
  }
  std::size_t at = 0;
  for (ir::ValueId arg : target.args) {
    const Lowered value = use(arg);
    phis_[target.block][at++]->addIncoming(value.first, from);
    if (value.second != nullptr) phis_[target.block][at++]->addIncoming(value.second, from);
  }
  return shared && !target.args.empty() ? from : to;
}

void FunctionLowering::lower_control(const ir::Inst& inst) {
  switch (inst.op) {
    case Op::kBr:
      builder_.CreateBr(edge(inst.targets[0], false));
      return;
    case Op::kCondBr: {
      llvm::Value* cond = use1(inst, 0);
      llvm::BasicBlock* yes = edge(inst.targets[0], false);
      llvm::BasicBlock* no = edge(inst.targets[1], inst.targets[0].block == inst.targets[1].block);
      builder_.CreateCondBr(cond, yes, no);
      return;
    }
    case Op::kSwitch: {
      llvm::Value* value = use1(inst, 0);
      auto* type = llvm::cast<llvm::IntegerType>(value->getType());
      std::set<ir::BlockId> reached = {inst.targets.back().block};
      std::set<std::int64_t> seen;
      llvm::SwitchInst* out = builder_.CreateSwitch(value, edge(inst.targets.back(), false),
                                                    static_cast<unsigned>(inst.cases.size()));
      for (std::size_t i = 0; i < inst.cases.size(); ++i) {
        if (!seen.insert(inst.cases[i]).second) {
          return fail(ErrorCode::kInvalidArgument, "a switch has the same case twice");
        }
        const bool shared = !reached.insert(inst.targets[i].block).second;
        auto* label = llvm::ConstantInt::get(
            module_.context(),
            llvm::APInt(64, static_cast<std::uint64_t>(inst.cases[i])).trunc(type->getBitWidth()));
        out->addCase(label, edge(inst.targets[i], shared));
      }
      if (call_status_[inst.args[0]]) {
        // Calls finish nearly always: statuses below 0 are the ways of leaving.
        constexpr std::uint32_t kLikely = 2000;
        const bool any = std::any_of(inst.cases.begin(), inst.cases.end(),
                                     [](std::int64_t c) { return c >= 0; });
        llvm::SmallVector<std::uint32_t, 8> weights = {1};  // the default comes first
        for (std::int64_t c : inst.cases) weights.push_back(c >= 0 ? kLikely : 1);
        if (any) {
          out->setMetadata(llvm::LLVMContext::MD_prof,
                           llvm::MDBuilder(module_.context()).createBranchWeights(weights));
        }
      }
      return;
    }
    default:
      builder_.CreateUnreachable();
      return;
  }
}

void FunctionLowering::lower_return(const ir::Inst& inst) {
  llvm::SmallVector<llvm::Value*, 8> values;
  if (!source_.c_abi) values.push_back(builder_.getInt32(static_cast<std::uint32_t>(inst.imm)));
  for (ir::ValueId arg : inst.args) append_values(arg, values);
  if (values.empty()) {
    builder_.CreateRetVoid();
  } else if (source_.c_abi && values.size() == 1) {
    builder_.CreateRet(values[0]);
  } else {
    builder_.CreateAggregateRet(values.data(), static_cast<unsigned>(values.size()));
  }
}

}  // namespace splice::codegen
