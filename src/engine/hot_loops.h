// engine/hot_loops.h: units whose loops are compiled again once they have proved hot.
#pragma once

#include <chrono>
#include <cstdint>

#include "codegen/session.h"
#include "layout/hot_loop.h"

namespace splice::engine {

struct Unit;

/// How units are compiled. A loop is hot after 2**20 rounds; after SPLICE_HOT_ROUNDS where the
/// environment has it, and after two with SPLICE_CHAOS, so that tests get through both.
/// SPLICE_OPT_LEVEL=0 leaves LLVM's passes and ours on LLVM IR out: tests that are not about them
/// compile in a third of the time.
const codegen::Options& options_of_units();

class Stopwatch {
 public:
  double ms() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_)
        .count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace splice::engine

extern "C" {
/// Called by the `index`-th counting loop of a unit that has no rounds left: compiles what it goes
/// on with. Null when that fails; the loop does not ask again.
void* splice_rt_hot_loop(splice::engine::Unit* unit, splice::layout::HotLoop* loop,
                         std::uint32_t index);
}
