// codegen/chunk_loops.h: rounds of a loop without overflow checks and polls, several at a time.
#pragma once

#include <vector>

#include "codegen/llvm_ir.h"

namespace llvm {
class DominatorTree;
class LoopInfo;
}  // namespace llvm

namespace splice::codegen {

/// An innermost loop of a few instructions becomes
///
///     chunk: if (the numbers it carries are small && nobody asked for a poll && ...)
///              some rounds of a copy without checks and polls; goto chunk
///            else the loop as it was
///
/// where "small" means that no overflow check of the copy could fail in so many rounds
/// (loop_bounds.h). Conditions that are the same in all rounds are tested in front of the chunk
/// too. After it has served a poll, the loop as it was goes back to the chunks. Runs before
/// vectorisation and unrolling, which the copy is for. True when anything changed.
bool chunk_loops(llvm::Function& function);

/// Headers of the loops that chunk_loops() would change. Brings loops into the form it needs.
std::vector<llvm::BasicBlock*> loops_to_chunk(llvm::Function& function);

}  // namespace splice::codegen
