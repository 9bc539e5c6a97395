// engine/hot_loops.cpp: the second compilation of what has proved hot.
#include "engine/hot_loops.h"

#include <exception>
#include <limits>

#include "engine/compile.h"
#include "engine/stopwatch.h"
#include "engine/unit.h"

namespace splice::engine {
namespace {

void* compile_rest(Unit& unit, layout::HotLoop& loop, std::uint32_t index) {
  loop.rounds_left = std::numeric_limits<std::int64_t>::max();
  const Stopwatch watch;
  const auto compile = [&]() -> Result<std::unique_ptr<codegen::CodeUnit>> {
    if (Status room = require_room(unit.module); !room.ok()) return room;
    auto llvm = session();
    if (!llvm.ok()) return llvm.status();
    return (*llvm)->compile_rest(*unit.code, index, unit.module, unit.addresses,
                                 options_of_units());
  };
  auto rest = compile();
  unit.compile_ms += watch.ms();
  if (!rest.ok()) {
    unit.rest_problem = rest.status().message();
    if (rest.status().code() == ErrorCode::kResource)  // later, there may be more
      loop.rounds_left = options_of_units().hot_rounds;
    return nullptr;
  }
  unit.rests.push_back(std::move(*rest));
  loop.rest = unit.rests.back()->rest();
  loop.rounds_left = 0;
  return loop.rest;
}

}  // namespace
}  // namespace splice::engine

void* splice_rt_hot_loop(splice::engine::Unit* unit, splice::layout::HotLoop* loop,
                         std::uint32_t index) noexcept {
  namespace engine = splice::engine;
  if (!engine::has_stack_for_hot_loop()) {
    loop->rounds_left = engine::options_of_units().hot_rounds;
    return nullptr;
  }
  try {
    return engine::compile_rest(*unit, *loop, index);
  } catch (const std::exception&) {  // no memory
    return nullptr;
  }
}
