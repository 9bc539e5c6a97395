// codegen/pipeline.h: the LLVM passes that run on a module, in an order chosen by measuring.
#pragma once

#include "codegen/hot_places.h"
#include "codegen/llvm_ir.h"

namespace llvm {
class TargetMachine;
}

namespace splice::codegen {

/// True with SPLICE_LOG=passes in the environment: the time of each pass goes to stderr.
bool log_passes();

/// Optimises in place.
void optimise(llvm::Module& module, llvm::TargetMachine& machine);

/// The same, but small loops count their rounds instead of running in chunks (hot_places.h);
/// returns what they go on with.
HotPlaces optimise_first(llvm::Module& module, llvm::TargetMachine& machine,
                         const HotPlaceRuntime& runtime);

/// Optimises what make_rest() made, of a module as lowered or of one that has been through the
/// first passes of optimise_first().
void optimise_rest(llvm::Module& module, llvm::TargetMachine& machine, bool as_lowered);

}  // namespace splice::codegen
