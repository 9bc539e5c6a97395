// codegen/function_lowering.h: one IR function to LLVM IR. Internal to codegen.
//
// One member function per family of ops, each family in its own lower_*.cpp. A c128 is two LLVM
// values all the way, so that no aggregate stands between LLVM and the arithmetic.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "codegen/llvm_ir.h"
#include "codegen/module_lowering.h"
#include "ir/module.h"

namespace splice::codegen {

/// LLVM's values for one IR value; `second` is the imaginary part of a c128, else null.
struct Lowered {
  llvm::Value* first = nullptr;
  llvm::Value* second = nullptr;
};

class FunctionLowering {
 public:
  FunctionLowering(ModuleLowering& module, std::uint32_t index);
  Status run();

 private:
  using Builder = llvm::IRBuilder<>;

  // lower_function.cpp: blocks, block arguments, dispatch
  void find_order();
  void make_blocks();
  void bind_parameters();
  void find_returned_only();
  void lower_block(ir::BlockId id);
  void lower(const ir::Inst& inst);
  void lower_constant(const ir::Inst& inst);
  llvm::Value* float_constant(const llvm::APFloat& value);

  // one file each
  void lower_arith(const ir::Inst& inst);
  void lower_complex_arith(const ir::Inst& inst);
  void lower_checked(const ir::Inst& inst);
  void lower_float_function(const ir::Inst& inst);
  void lower_compare(const ir::Inst& inst);
  void lower_convert(const ir::Inst& inst);
  void lower_memory(const ir::Inst& inst);
  void lower_control(const ir::Inst& inst);
  void lower_return(const ir::Inst& inst);
  void lower_call(const ir::Inst& inst);
  void lower_call_runtime(const ir::Inst& inst);
  void lower_exit(const ir::Inst& inst);
  void lower_poll(const ir::Inst& inst);
  /// An exit block that has named its live values.
  struct Leaving {
    llvm::BasicBlock* from = nullptr;
    ir::ExitId exit = 0;
    std::size_t words = 0;
  };
  void finish_exits();
  void leave_together(std::span<const Leaving> group, std::int32_t status);

  // values
  Lowered use(ir::ValueId id);
  llvm::Value* use1(const ir::Inst& inst, std::size_t i) { return use(inst.args[i]).first; }
  void define(const ir::Inst& inst, llvm::Value* first, llvm::Value* second = nullptr);
  ir::Type type_of(ir::ValueId id) const { return source_.values[id]; }
  llvm::Value* context_value();
  /// Load of a Context field that does not change while a function runs.
  llvm::Value* context_field(std::size_t offset, llvm::Type* type);
  void append_values(ir::ValueId id, llvm::SmallVectorImpl<llvm::Value*>& out);
  void tag_access(llvm::Instruction* access, ir::ValueId pointer, std::int64_t offset);

  // control
  /// Block to branch to for `target` out of the current one; `shared` when the same terminator
  /// already branches there, which a block with arguments cannot tell apart.
  llvm::BasicBlock* edge(const ir::Target& target, bool shared);
  /// Cold block that leaves by `inst.index` with the live values from operand `first` on.
  llvm::BasicBlock* exit_block(const ir::Inst& inst, std::size_t first);
  llvm::BasicBlock* new_block(const char* name);
  /// A runtime symbol that codegen itself needs; null, with an error set, when it is missing.
  llvm::GlobalValue* required_symbol(const char* name);

  void fail(ErrorCode code, const std::string& what);
  llvm::Type* scalar(ir::Type t) const { return module_.scalar(t); }

  ModuleLowering& module_;
  const std::uint32_t index_;
  const ir::Function& source_;
  llvm::Function* function_;
  Builder builder_;
  Status status_;

  std::vector<ir::BlockId> order_;         ///< reachable blocks, reverse post-order
  std::vector<llvm::BasicBlock*> blocks_;  ///< per BlockId; null when unreachable
  std::vector<std::vector<llvm::PHINode*>> phis_;
  std::vector<Lowered> values_;
  std::vector<MemoryClass> memory_;  ///< per ValueId: what a pointer points to
  std::vector<bool> call_status_;    ///< per ValueId: the status of a kCall
  std::vector<bool> returned_only_;  ///< per ValueId: no use but in kRet

  using ExitKey = std::pair<ir::ExitId, std::vector<ir::ValueId>>;
  std::map<ExitKey, llvm::BasicBlock*> exits_;
};

}  // namespace splice::codegen
