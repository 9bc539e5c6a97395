// opt/pipeline.h: the passes, in order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "ir/module.h"
#include "layout/object_layout.h"

namespace splice::opt {

/// What one pass did to all functions of a module. SPLICE_LOG=passes prints it.
struct PassTime {
  const char* name = "";
  std::int64_t nanoseconds = 0;  ///< all runs together, without verification
  int runs = 0;
  int changes = 0;  ///< runs that changed their function
};

/// Optimises a module and lowers its py.* ops: what comes out is ready for codegen. Symbols may be
/// added at the end of m.symbols; ids of functions, exits and symbols stay. Fails with what the
/// verifier says about the input, or (kInternal) about a pass: after each one in builds without
/// NDEBUG, at the end otherwise. `times` gets one entry per pass, in the order of their first run.
Status optimize(ir::Module& m, const layout::ObjectLayout& layout,
                std::vector<PassTime>* times = nullptr);

/// Runs one pass, by its name ("fold_constants", ...), on all functions. For tests and tools.
Status run_pass(const std::string& name, ir::Module& m, const layout::ObjectLayout& layout);

}  // namespace splice::opt
