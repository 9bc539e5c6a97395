// engine/hot_loops.cpp: the second compilation of what has proved hot.
#include "engine/hot_loops.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <optional>
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

/// With `hot_rounds`, 0: with all that makes loops fast, the code for `place`. Null when there is
/// none.
void* compile_again(Unit& unit, layout::HotLoop& loop, std::uint32_t place,
                    std::int64_t hot_rounds) {
  loop.rounds_left = std::numeric_limits<std::int64_t>::max();
  const bool baseline = (place & codegen::kBaselinePlace) != 0;
  const codegen::CodeUnit& first = baseline || unit.better == nullptr ? *unit.code : *unit.better;
  codegen::Options options = options_of_units();
  options.hot_rounds = hot_rounds;
  const CompileWatch watch;
  const auto compile = [&]() -> Result<std::unique_ptr<codegen::CodeUnit>> {
    if (Status room = require_room(unit.module); !room.ok()) return room;
    auto llvm = session();
    if (!llvm.ok()) return llvm.status();
    return (*llvm)->compile_rest(first, place, unit.module, unit.addresses, options);
  };
  auto rest = compile();
  unit.compile_ms += watch.ms();
  if (!rest.ok()) {
    unit.rest_problem = rest.status().message();
    if (rest.status().code() == ErrorCode::kResource)  // later, there may be more
      loop.rounds_left = loop.rounds;
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

struct Around {
  layout::HotLoop* loop = nullptr;
  std::uint32_t place = 0;
  bool is_entry = false;
};

/// The outermost place around this one that will soon be there again: to wait for it costs no more
/// than has been spent so far, if its rounds are alike and one of them is over. What goes on in the
/// middle of an inner loop enters those around it in the middle too, which keeps them from becoming
/// fast; and the start of each call stays as slow as it is.
std::optional<Around> soon_again(const Unit& unit, layout::HotLoop& loop, std::uint32_t place) {
  std::optional<Around> found;
  for (auto around = unit.code->around(place); around; around = unit.code->around(*around)) {
    // All of them lie in one array.
    layout::HotLoop& outer =
        *(&loop + (static_cast<std::ptrdiff_t>(*around) - static_cast<std::ptrdiff_t>(place)));
    const bool is_entry = !unit.code->around(*around).has_value();
    // A round counts when it is over, a call when it begins.
    if (outer.rounds - outer.rounds_left >= (is_entry ? 2 : 1)) found = {&outer, *around, is_entry};
  }
  return found;
}

/// What is hot goes on in what this returns; null: as before, for a while.
void* answer(Unit& unit, layout::HotLoop& loop, std::uint32_t place) {
  const bool handed_over = loop.rest != nullptr;
  const bool first_time = std::ranges::find(unit.deferred, place) == unit.deferred.end();
  const auto around = soon_again(unit, loop, place);
  if (around && around->is_entry && around->loop->rest == nullptr && (handed_over || first_time))
    compile_again(unit, *around->loop, around->place, /*hot_rounds=*/0);
  if (handed_over) {
    loop.rounds_left = 0;
    return loop.rest;
  }
  if (!around || !first_time)
    return compile_again(unit, loop, place, options_of_units().hot_rounds);
  unit.deferred.push_back(place);
  loop.rounds_left = loop.rounds;
  if (around->loop->rest == nullptr) around->loop->rounds_left = 0;
  return nullptr;
}

}  // namespace
}  // namespace splice::engine

void* splice_rt_hot_loop(splice::engine::Unit* unit, splice::layout::HotLoop* loop,
                         std::uint32_t index) noexcept {
  namespace engine = splice::engine;
  if (!engine::has_stack_for_hot_loop()) {
    loop->rounds_left = loop->rounds;
    return loop->rest;
  }
  try {
    return engine::answer(*unit, *loop, index);
  } catch (const std::exception&) {  // no memory
    return loop->rest;
  }
}
