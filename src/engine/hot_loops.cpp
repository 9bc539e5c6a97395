// engine/hot_loops.cpp: the second compilation of what has proved hot.
#include "engine/hot_loops.h"

#include <exception>
#include <limits>
#include <utility>

#include "engine/compile.h"
#include "engine/compile_watch.h"
#include "engine/entry.h"
#include "engine/unit.h"

namespace splice::engine {
namespace {

/// Calls from outside were hot: this one and those to come begin in the new code.
void* take_better(Unit& unit, std::unique_ptr<codegen::CodeUnit> better) {
  void* stub = better->address(unit.entry);
  if (stub == nullptr) return nullptr;
  unit.better = std::move(better);
  const vectorcallfunc old = std::exchange(unit.stub, reinterpret_cast<vectorcallfunc>(stub));
  if (unit.owner != nullptr) replace_stub(*unit.owner, old, unit.stub);
  return stub;
}

void* compile_rest(Unit& unit, layout::HotLoop& loop, std::uint32_t place) {
  loop.rounds_left = std::numeric_limits<std::int64_t>::max();
  const bool baseline = (place & codegen::kBaselinePlace) != 0;
  const codegen::CodeUnit& first = baseline || unit.better == nullptr ? *unit.code : *unit.better;
  const CompileWatch watch;
  const auto compile = [&]() -> Result<std::unique_ptr<codegen::CodeUnit>> {
    if (Status room = require_room(unit.module); !room.ok()) return room;
    auto llvm = session();
    if (!llvm.ok()) return llvm.status();
    return (*llvm)->compile_rest(first, place, unit.module, unit.addresses, options_of_units());
  };
  auto rest = compile();
  unit.compile_ms += watch.ms();
  if (!rest.ok()) {
    unit.rest_problem = rest.status().message();
    if (rest.status().code() == ErrorCode::kResource)  // later, there may be more
      loop.rounds_left = options_of_units().hot_rounds;
    return nullptr;
  }
  loop.rest = (*rest)->rest();
  if (loop.rest == nullptr) {
    loop.rest = take_better(unit, std::move(*rest));
    if (loop.rest == nullptr) return nullptr;
  } else {
    unit.rests.push_back(std::move(*rest));
  }
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
