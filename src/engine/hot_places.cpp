// engine/hot_places.cpp: the second compilation of what has proved hot.
#include "engine/hot_places.h"

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
void* compile_again(Unit& unit, layout::HotPlace& hot, std::uint32_t place,
                    std::int64_t hot_rounds) {
  hot.rounds_left = std::numeric_limits<std::int64_t>::max();
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
      hot.rounds_left = hot.rounds;
    return nullptr;
  }
  hot.rest = (*rest)->rest();
  if (hot.rest == nullptr) {
    hot.rest = take_better(unit, std::move(*rest));
    if (hot.rest == nullptr) return nullptr;
  } else {
    unit.rests.push_back(std::move(*rest));
  }
  hot.rounds_left = 0;
  return hot.rest;
}

struct Around {
  layout::HotPlace* hot = nullptr;
  std::uint32_t place = 0;
  bool is_entry = false;
};

/// The outermost place around this one that will soon be there again: to wait for it costs no more
/// than has been spent so far, if its rounds are alike and one of them is over. What goes on in the
/// middle of an inner loop enters those around it in the middle too, which keeps them from becoming
/// fast; and the start of each call stays as slow as it is.
std::optional<Around> soon_again(const Unit& unit, layout::HotPlace& hot, std::uint32_t place) {
  std::optional<Around> found;
  for (auto around = unit.code->around(place); around; around = unit.code->around(*around)) {
    // All of them lie in one array.
    layout::HotPlace& outer =
        *(&hot + (static_cast<std::ptrdiff_t>(*around) - static_cast<std::ptrdiff_t>(place)));
    const bool is_entry = !unit.code->around(*around).has_value();
    // A round counts when it is over, a call when it begins.
    if (outer.rounds - outer.rounds_left >= (is_entry ? 2 : 1)) found = {&outer, *around, is_entry};
  }
  return found;
}

/// What is hot goes on in what this returns; null: as before, for a while.
void* answer(Unit& unit, layout::HotPlace& hot, std::uint32_t place) {
  const bool handed_over = hot.rest != nullptr;
  const bool first_time = std::ranges::find(unit.deferred, place) == unit.deferred.end();
  const auto around = soon_again(unit, hot, place);
  if (around && around->is_entry && around->hot->rest == nullptr && (handed_over || first_time))
    compile_again(unit, *around->hot, around->place, /*hot_rounds=*/0);
  if (handed_over) {
    hot.rounds_left = 0;
    return hot.rest;
  }
  if (!around || !first_time) return compile_again(unit, hot, place, options_of_units().hot_rounds);
  unit.deferred.push_back(place);
  hot.rounds_left = hot.rounds;
  if (!around->is_entry && around->hot->rest == nullptr) around->hot->rounds_left = 0;
  return nullptr;
}

}  // namespace
}  // namespace splice::engine

void* splice_rt_hot_place(splice::engine::Unit* unit, splice::layout::HotPlace* hot,
                          std::uint32_t place) noexcept {
  namespace engine = splice::engine;
  if (!engine::has_stack_to_compile_again()) {
    hot->rounds_left = hot->rounds;
    return hot->rest;
  }
  try {
    return engine::answer(*unit, *hot, place);
  } catch (const std::exception&) {  // no memory
    return hot->rest;
  }
}
