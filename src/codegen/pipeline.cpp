#include "codegen/pipeline.h"

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/PassTimingInfo.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/StandardInstrumentations.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/DeadArgumentElimination.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/Inliner.h>
#include <llvm/Transforms/IPO/SCCP.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/CorrelatedValuePropagation.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/JumpThreading.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopDeletion.h>
#include <llvm/Transforms/Scalar/LoopIdiomRecognize.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>

#include <cstdlib>
#include <cstring>

#include "codegen/chunk_loops.h"
#include "codegen/split_results.h"
#include "codegen/unfold_recursion.h"

namespace splice::codegen {

namespace {

// Before inlining, which decides by the size of what is left.
void add_simplification(llvm::FunctionPassManager& fpm) {
  fpm.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  fpm.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  fpm.addPass(llvm::SimplifyCFGPass());
  fpm.addPass(llvm::InstCombinePass());
}

struct SplitResults : llvm::PassInfoMixin<SplitResults> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    if (!split_results(function)) return llvm::PreservedAnalyses::all();
    llvm::PreservedAnalyses kept;
    kept.preserveSet<llvm::CFGAnalyses>();
    return kept;
  }
};

struct ChunkLoops : llvm::PassInfoMixin<ChunkLoops> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    if (!chunk_loops(function)) return llvm::PreservedAnalyses::all();
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
    // In a large function this takes longer than the loops gain.
    constexpr unsigned kSmall = 300;
    const bool small = function.getInstructionCount() < kSmall;
    llvm::FunctionPassManager after;
    if (small) after.addPass(llvm::InstCombinePass());
    after.addPass(llvm::SimplifyCFGPass());
    llvm::LoopPassManager loops;
    loops.addPass(llvm::LICMPass(llvm::LICMOptions()));
    if (small) loops.addPass(llvm::IndVarSimplifyPass());
    after.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops), true));
    after.run(function, analyses);
    return llvm::PreservedAnalyses::none();
  }
};

struct Recursion : llvm::PassInfoMixin<Recursion> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
    const bool copied = copy_for_null_arguments(module);
    if (copied) {
      analyses.invalidate(module, llvm::PreservedAnalyses::none());
      llvm::ModulePassManager after;
      after.addPass(llvm::IPSCCPPass());
      llvm::FunctionPassManager simpler;
      add_simplification(simpler);
      after.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(simpler)));
      after.run(module, analyses);
    }
    return unfold_recursion(module) || copied ? llvm::PreservedAnalyses::none()
                                              : llvm::PreservedAnalyses::all();
  }
};

void add_loops(llvm::FunctionPassManager& fpm) {
  llvm::LoopPassManager first;
  first.addPass(llvm::LoopRotatePass());
  first.addPass(llvm::LICMPass(llvm::LICMOptions()));
  first.addPass(llvm::IndVarSimplifyPass());
  first.addPass(llvm::LoopIdiomRecognizePass());
  first.addPass(llvm::LoopDeletionPass());
  fpm.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(first), /*UseMemorySSA=*/true));
  fpm.addPass(ChunkLoops());
  fpm.addPass(llvm::LoopVectorizePass());
  // Peeling the first rounds (`if month < 3`) makes what depends on them the same in all others.
  fpm.addPass(llvm::LoopUnrollPass(llvm::LoopUnrollOptions(3)));
  fpm.addPass(llvm::InstCombinePass());
  fpm.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()), true));
}

}  // namespace

bool log_passes() {
  static const bool wanted = [] {
    const char* log = std::getenv("SPLICE_LOG");
    return log != nullptr && std::strstr(log, "passes") != nullptr;
  }();
  return wanted;
}

void optimise(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::PassInstrumentationCallbacks callbacks;
  const bool timed = log_passes();
  llvm::TimePassesHandler timing(timed);
  timing.registerCallbacks(callbacks);

  llvm::PipelineTuningOptions tuning;
  tuning.SLPVectorization = false;
  llvm::PassBuilder builder(&machine, tuning, {}, &callbacks);
  llvm::LoopAnalysisManager lam;
  llvm::FunctionAnalysisManager fam;
  llvm::CGSCCAnalysisManager cgam;
  llvm::ModuleAnalysisManager mam;
  // LLVM must not know any C library function: the program's `sin` is the one it named.
  fam.registerPass([&] {
    llvm::TargetLibraryInfoImpl library(machine.getTargetTriple());
    library.disableAllFunctions();
    return llvm::TargetLibraryAnalysis(library);
  });
  builder.registerModuleAnalyses(mam);
  builder.registerCGSCCAnalyses(cgam);
  builder.registerFunctionAnalyses(fam);
  builder.registerLoopAnalyses(lam);
  builder.crossRegisterProxies(lam, fam, cgam, mam);

  llvm::ModulePassManager passes;
  llvm::FunctionPassManager early;
  add_simplification(early);
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(early)));
  std::size_t bodies = 0;
  for (const llvm::Function& f : module) bodies += f.isDeclaration() ? 0 : 1;
  if (bodies > 1) {
    constexpr int kThreshold = 100;  // -O2 takes 225; most of a body is guards here
    passes.addPass(Recursion());
    passes.addPass(llvm::ModuleInlinerWrapperPass(llvm::getInlineParams(kThreshold)));
    passes.addPass(llvm::DeadArgumentEliminationPass());
    passes.addPass(llvm::GlobalDCEPass());
  }
  llvm::FunctionPassManager late;
  if (bodies > 1) {
    late.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    late.addPass(SplitResults());
  }
  // Flags that one path sets and the next block tests (does this int fit, is there an object) are
  // what the lowering of Python makes most of.
  late.addPass(llvm::JumpThreadingPass());
  late.addPass(llvm::CorrelatedValuePropagationPass());
  late.addPass(llvm::SimplifyCFGPass());
  add_loops(late);
  late.addPass(llvm::GVNPass());
  late.addPass(llvm::InstCombinePass());
  late.addPass(llvm::ADCEPass());
  late.addPass(llvm::SimplifyCFGPass(llvm::SimplifyCFGOptions().sinkCommonInsts(true)));
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(late)));
  passes.run(module, mam);
  if (timed) timing.print();
}

}  // namespace splice::codegen
