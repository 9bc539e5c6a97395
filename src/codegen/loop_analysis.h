// codegen/loop_analysis.h: what the passes over loops ask LLVM.
#pragma once

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>

#include "codegen/llvm_ir.h"

namespace splice::codegen {

/// The analyses that count rounds.
struct Counting {
  explicit Counting(llvm::Function& f);

  llvm::TargetLibraryInfoImpl none;
  llvm::TargetLibraryInfo library;
  llvm::AssumptionCache assumptions;
  llvm::DominatorTree dominators;
  llvm::LoopInfo loops;
  llvm::ScalarEvolution evolution;
};

/// Whether the access is to memory of this class, which overlaps with no other (MemoryClass).
bool is_memory_of(llvm::StringRef memory, const llvm::Instruction& access);

}  // namespace splice::codegen
