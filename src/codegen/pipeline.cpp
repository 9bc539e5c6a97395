#include "codegen/pipeline.h"

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
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
#include <llvm/Transforms/Scalar/LoopLoadElimination.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>

#include <cstdlib>
#include <cstring>

#include "codegen/chunk_loops.h"
#include "codegen/loop_analysis.h"
#include "codegen/module_lowering.h"
#include "codegen/modulo.h"
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

/// Loops of a few rounds over arrays are written out, however large: most of a round are tests that
/// are the same in all rounds of the loop around, which becomes the innermost one.
struct UnrollShortLoop : llvm::PassInfoMixin<UnrollShortLoop> {
  llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager&,
                              llvm::LoopStandardAnalysisResults& analyses,
                              llvm::LPMUpdater& updater) {
    constexpr unsigned kMostRounds = 8;
    constexpr std::size_t kMostInstructions = 800;
    const unsigned rounds = analyses.SE.getSmallConstantMaxTripCount(&loop);
    if (rounds == 0 || rounds > kMostRounds || !loop.isInnermost()) {
      return llvm::PreservedAnalyses::all();
    }
    std::size_t size = 0;
    bool elements = false;
    for (const llvm::BasicBlock* block : loop.blocks()) {
      size += block->size();
      for (const llvm::Instruction& inst : *block) {
        elements = elements || (inst.mayReadFromMemory() && is_memory_of(kElementsMemory, inst));
      }
    }
    if (!elements || rounds * size > kMostInstructions) return llvm::PreservedAnalyses::all();
    llvm::UnrollLoopOptions options{};
    options.Count = rounds;
    options.Force = true;
    const std::string name = loop.getName().str();
    llvm::OptimizationRemarkEmitter remarks(loop.getHeader()->getParent());
    const llvm::LoopUnrollResult done =
        llvm::UnrollLoop(&loop, options, &analyses.LI, &analyses.SE, &analyses.DT, &analyses.AC,
                         &analyses.TTI, &remarks, /*PreserveLCSSA=*/true);
    if (done == llvm::LoopUnrollResult::Unmodified) return llvm::PreservedAnalyses::all();
    if (done == llvm::LoopUnrollResult::FullyUnrolled) updater.markLoopAsDeleted(loop, name);
    return llvm::getLoopPassPreservedAnalyses();
  }
};

struct UnrollShortLoops : llvm::PassInfoMixin<UnrollShortLoops> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    llvm::FunctionPassManager unroll;
    unroll.addPass(llvm::createFunctionToLoopPassAdaptor(UnrollShortLoop()));
    const llvm::PreservedAnalyses kept = unroll.run(function, analyses);
    if (kept.areAllPreserved()) return kept;
    // Each round asks again what the one before it has found out.
    llvm::FunctionPassManager after;
    after.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
    after.addPass(llvm::SimplifyCFGPass());
    after.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()), true));
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

struct CountChunkLoops : llvm::PassInfoMixin<CountChunkLoops> {
  CountChunkLoops(const HotPlaceRuntime& r, HotPlaces& to) : runtime(r), found(to) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    found = count_chunk_loops(module, runtime);
    return llvm::PreservedAnalyses::none();
  }

  const HotPlaceRuntime& runtime;
  HotPlaces& found;
};

struct ExpandModulos : llvm::PassInfoMixin<ExpandModulos> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    if (!expand_modulos(function)) return llvm::PreservedAnalyses::all();
    analyses.invalidate(function, llvm::PreservedAnalyses::none());
    // What is asked of divisors is the same in all rounds.
    llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()), true)
        .run(function, analyses);
    return llvm::PreservedAnalyses::none();
  }
};

/// Up to where loops are changed for the sake of speed alone.
void add_shortening(llvm::FunctionPassManager& fpm) {
  // Flags that one path sets and the next block tests (does this int fit, is there an object) are
  // what the lowering of Python makes most of.
  fpm.addPass(llvm::JumpThreadingPass());
  fpm.addPass(llvm::CorrelatedValuePropagationPass());
  fpm.addPass(llvm::SimplifyCFGPass());
  llvm::LoopPassManager first;
  first.addPass(llvm::LoopRotatePass());
  first.addPass(llvm::LICMPass(llvm::LICMOptions()));
  first.addPass(llvm::IndVarSimplifyPass());
  first.addPass(llvm::LoopIdiomRecognizePass());
  first.addPass(llvm::LoopDeletionPass());
  fpm.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(first), /*UseMemorySSA=*/true));
  fpm.addPass(UnrollShortLoops());
}

void add_unrolling(llvm::FunctionPassManager& fpm, bool chunks) {
  if (chunks) fpm.addPass(ChunkLoops());
  fpm.addPass(llvm::LoopVectorizePass());
  fpm.addPass(llvm::LoopLoadEliminationPass());
  // Peeling the first rounds (`if month < 3`) makes what depends on them the same in all others.
  fpm.addPass(llvm::LoopUnrollPass(llvm::LoopUnrollOptions(3)));
  fpm.addPass(llvm::InstCombinePass());
  fpm.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()), true));
  fpm.addPass(ExpandModulos());
  fpm.addPass(llvm::GVNPass());
  fpm.addPass(llvm::InstCombinePass());
  fpm.addPass(llvm::ADCEPass());
  fpm.addPass(llvm::SimplifyCFGPass(llvm::SimplifyCFGOptions().sinkCommonInsts(true)));
}

/// Passes of one module.
class Pipeline {
 public:
  Pipeline(llvm::Module& module, llvm::TargetMachine& machine)
      : module_(module), timing_(log_passes()), builder_(&machine, tuning(), {}, &callbacks_) {
    timing_.registerCallbacks(callbacks_);
    // LLVM must not know any C library function: the program's `sin` is the one it named.
    functions_.registerPass([&] {
      llvm::TargetLibraryInfoImpl library(machine.getTargetTriple());
      library.disableAllFunctions();
      return llvm::TargetLibraryAnalysis(library);
    });
    builder_.registerModuleAnalyses(modules_);
    builder_.registerCGSCCAnalyses(components_);
    builder_.registerFunctionAnalyses(functions_);
    builder_.registerLoopAnalyses(loops_);
    builder_.crossRegisterProxies(loops_, functions_, components_, modules_);
  }

  /// What belongs in front of all changes of loops.
  void add_early() {
    llvm::FunctionPassManager early;
    add_simplification(early);
    add(std::move(early));
    std::size_t bodies = 0;
    for (const llvm::Function& f : module_) bodies += f.isDeclaration() ? 0 : 1;
    llvm::FunctionPassManager late;
    if (bodies > 1) {
      constexpr int kThreshold = 100;  // -O2 takes 225; most of a body is guards here
      passes_.addPass(Recursion());
      passes_.addPass(llvm::ModuleInlinerWrapperPass(llvm::getInlineParams(kThreshold)));
      passes_.addPass(llvm::DeadArgumentEliminationPass());
      passes_.addPass(llvm::GlobalDCEPass());
      late.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
      late.addPass(SplitResults());
    }
    add_shortening(late);
    add(std::move(late));
  }

  void add(llvm::FunctionPassManager&& fpm) {
    passes_.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(fpm)));
  }

  template <class Pass>
  void add_module_pass(Pass pass) {
    passes_.addPass(std::move(pass));
  }

  void add_late(bool chunks) {
    llvm::FunctionPassManager late;
    add_unrolling(late, chunks);
    add(std::move(late));
  }

  void run() {
    passes_.run(module_, modules_);
    if (log_passes()) timing_.print();
  }

 private:
  static llvm::PipelineTuningOptions tuning() {
    llvm::PipelineTuningOptions options;
    options.SLPVectorization = false;
    return options;
  }

  llvm::Module& module_;
  llvm::PassInstrumentationCallbacks callbacks_;
  llvm::TimePassesHandler timing_;
  llvm::PassBuilder builder_;
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager components_;
  llvm::ModuleAnalysisManager modules_;
  llvm::ModulePassManager passes_;
};

}  // namespace

bool log_passes() {
  static const bool wanted = [] {
    const char* log = std::getenv("SPLICE_LOG");
    return log != nullptr && std::strstr(log, "passes") != nullptr;
  }();
  return wanted;
}

void optimise(llvm::Module& module, llvm::TargetMachine& machine) {
  Pipeline pipeline(module, machine);
  pipeline.add_early();
  pipeline.add_late(/*chunks=*/true);
  pipeline.run();
}

HotPlaces optimise_first(llvm::Module& module, llvm::TargetMachine& machine,
                         const HotPlaceRuntime& runtime) {
  HotPlaces found;
  Pipeline pipeline(module, machine);
  pipeline.add_early();
  pipeline.add_module_pass(CountChunkLoops(runtime, found));
  pipeline.add_late(/*chunks=*/false);
  pipeline.run();
  return found;
}

void optimise_rest(llvm::Module& module, llvm::TargetMachine& machine, bool as_lowered) {
  Pipeline pipeline(module, machine);
  pipeline.add_module_pass(llvm::GlobalDCEPass());
  if (as_lowered) {
    pipeline.add_early();
  } else {
    llvm::FunctionPassManager joined;
    joined.addPass(llvm::InstCombinePass());
    joined.addPass(llvm::SimplifyCFGPass());
    pipeline.add(std::move(joined));
  }
  pipeline.add_late(/*chunks=*/true);
  pipeline.run();
}

}  // namespace splice::codegen
