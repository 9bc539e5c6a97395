// codegen/loop_bounds.h: which overflow checks of a loop cannot fail for some rounds.
#pragma once

#include <vector>

#include "codegen/llvm_ir.h"

namespace llvm {
class LoadInst;
class Loop;
class WithOverflowInst;
}  // namespace llvm

namespace splice::codegen {

/// If each of `small` lies in [-2^bits, 2^bits), or [0, 2^bits) if is_natural(), when the head of
/// the loop is reached, and what `loads` read in all rounds lies in [-2^bits, 2^bits), then none of
/// `checks`, which are all that the loop has, overflows in this round and the next `rounds - 1`.
struct LoopBounds {
  unsigned rounds = 0;
  unsigned bits = 0;
  std::vector<llvm::Value*> small;     ///< i64: arguments of the head, values from outside
  std::vector<llvm::LoadInst*> loads;  ///< i64
  std::vector<llvm::WithOverflowInst*> checks;
};

/// Unsigned divisions and shifts say that their operands are not negative: Python's are signed.
bool is_natural(const llvm::Value& v);

/// Looks for the biggest numbers for which that is so for `least` rounds, then for up to `most`
/// rounds (powers of two). Of what is read only `loads` may be asked to be small. `blocks` are
/// those of an innermost loop in reverse postorder. No rounds: some check may fail early even for
/// small numbers.
LoopBounds loop_bounds(const llvm::Loop& loop, llvm::ArrayRef<llvm::BasicBlock*> blocks,
                       llvm::ArrayRef<llvm::LoadInst*> loads, unsigned least, unsigned most);

}  // namespace splice::codegen
