// codegen/trial_rounds.h: rounds of a loop whose checks of computed floats come at the end.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include "codegen/llvm_ir.h"

namespace splice::codegen {

/// Rounds of the copy of a loop, one after the other: from `start` into the first of `blocks` and
/// at the end of `again` back to it or on to `after`, which has no other way in.
struct CopiedRounds {
  llvm::ArrayRef<llvm::BasicBlock*> blocks;  ///< all that can be reached; in reverse postorder
  llvm::BasicBlock* start = nullptr;
  llvm::BasicBlock* again = nullptr;
  llvm::BasicBlock* after = nullptr;
  llvm::PHINode* round = nullptr;       ///< 0, 1, ...
  llvm::Value* rounds = nullptr;        ///< how many there are when `start` is reached
  unsigned most = 0;                    ///< how many there can be
  llvm::BasicBlock* checked = nullptr;  ///< head of the loop as it was
  /// Of that head's phis: their values in front of the copy.
  llvm::ArrayRef<std::pair<llvm::PHINode*, llvm::Value*>> before;
  llvm::BasicBlock* large = nullptr;  ///< where a round goes on that has read a large int; or null
};

/// Where the only ways out of the rounds are those to `large` and the tests of floats for a warning
/// of NumPy (splice_rt_is_quiet), these leave them: the rounds are made without, and only collect
/// whether one would have failed. Then what they have stored is taken back and the loop as it was
/// makes them again. False, and nothing has changed, where there are other ways out, or stores that
/// could not be taken back.
bool check_afterwards(const CopiedRounds& rounds);

}  // namespace splice::codegen
