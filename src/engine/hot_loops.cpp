// engine/hot_loops.cpp: the second compilation of what has proved hot.
#include "engine/hot_loops.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "cpy/runtime_chaos.h"
#include "engine/compile.h"
#include "engine/unit.h"

namespace splice::engine {
namespace {

constexpr std::int64_t kHotRounds = 1 << 20;

int opt_level() {
  const char* text = std::getenv("SPLICE_OPT_LEVEL");
  return text != nullptr && std::strcmp(text, "0") == 0 ? 0 : 2;
}

std::int64_t hot_rounds() {
  const char* text = std::getenv("SPLICE_HOT_ROUNDS");
  if (text != nullptr) return std::max<std::int64_t>(1, std::strtoll(text, nullptr, 10));
  return cpy::chaos_seed() != 0 ? 2 : kHotRounds;
}

}  // namespace

const codegen::Options& options_of_units() {
  static const codegen::Options options = {.opt_level = opt_level(), .hot_rounds = hot_rounds()};
  return options;
}

}  // namespace splice::engine

void* splice_rt_hot_loop(splice::engine::Unit* unit, splice::layout::HotLoop* loop,
                         std::uint32_t index) {
  namespace engine = splice::engine;
  loop->rounds_left = std::numeric_limits<std::int64_t>::max();
  const engine::Stopwatch watch;
  auto llvm = engine::session();
  if (!llvm.ok()) return nullptr;
  auto rest = (*llvm)->compile_rest(*unit->code, index, unit->module, unit->addresses,
                                    engine::options_of_units());
  unit->compile_ms += watch.ms();
  if (!rest.ok()) return nullptr;
  loop->rest = (*rest)->rest();
  loop->rounds_left = 0;
  unit->rests.push_back(std::move(*rest));
  return loop->rest;
}
