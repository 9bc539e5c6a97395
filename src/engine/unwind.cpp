// engine/unwind.cpp: what an entry does when its body did not finish.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "cpy/frames.h"
#include "cpy/large_int.h"
#include "cpy/reserve.h"
#include "cpy/runtime_chaos.h"
#include "cpy/thread_context.h"
#include "engine/entry.h"
#include "engine/interpret.h"
#include "engine/materialise.h"
#include "engine/probation.h"
#include "engine/record.h"

namespace splice::engine {
namespace {

const ir::Exit& exit_of(const cpy::ExitRecord& record) {
  const auto* unit = static_cast<const Unit*>(record.unit);
  return unit->module.functions[record.function].exits[record.exit];
}

void count_exits(const cpy::TakenExits& taken) {
  for (const cpy::ExitRecord& record : taken.records())
    ++static_cast<Unit*>(record.unit)->exits_taken[record.function][record.exit];
}

/// Where a result was too large, code that is made from now on goes on with it.
void expect_large_results(const cpy::TakenExits& taken) {
  constexpr std::size_t kMost = 64;
  if (cpy::chaos_seed() != 0) return;  // the guards fail for no reason
  for (const cpy::ExitRecord& exit_record : taken.records()) {
    const ir::Exit& exit = exit_of(exit_record);
    auto* unit = static_cast<Unit*>(exit_record.unit);
    Record* record = unit->owner;
    if (exit.reason != pyfront::kLargeResult || exit.frames.empty() || record == nullptr) continue;
    const ir::ExitFrame& frame = exit.frames.back();
    const std::pair place{static_cast<PyCodeObject*>(unit->addresses[frame.code]),
                          static_cast<int>(frame.offset)};
    std::vector<std::pair<PyCodeObject*, int>>& large = record->large;
    if (large.size() == kMost || std::find(large.begin(), large.end(), place) != large.end())
      continue;
    large.push_back(place);
    const auto of_unit = [&](const auto& variant) { return variant->unit.get() == unit; };
    const auto variant = std::find_if(record->variants.begin(), record->variants.end(), of_unit);
    if (variant == record->variants.end()) continue;
    (*variant)->outdated = true;
    if (record->primary == variant->get()) record->primary = nullptr;
    install(*record);
  }
}

/// What owns the values of the records: callees borrow from their callers, so none of it is dropped
/// before the last frame is made.
using Owners = std::vector<std::unique_ptr<Materialiser>>;

/// Appends the frames of one record, outermost first. The exception that kept something from being
/// made, or null; new reference.
PyObject* append_frames(const cpy::ExitRecord& record, std::vector<cpy::FrameRecord>& frames,
                        Owners& owners) {
  const ir::Exit& exit = exit_of(record);
  if (exit.kind != ir::Exit::Kind::kFrames) return nullptr;
  Materialiser& values = *owners.emplace_back(
      std::make_unique<Materialiser>(*static_cast<const Unit*>(record.unit), exit, record.live));
  for (const ir::ExitFrame& frame : exit.frames) {
    cpy::FrameRecord& made = frames.emplace_back();
    made.code = reinterpret_cast<PyCodeObject*>(Py_NewRef(values.object(frame.code)));
    made.function = reinterpret_cast<PyFunctionObject*>(values.make(frame.function));
    made.offset = frame.offset;
    values.make_all(frame.locals, made.locals);
    values.make_all(frame.stack, made.stack);
  }
  return values.take_failure();
}

void drop_values(const cpy::ExitRecord& record) {
  const Materialiser owner(*static_cast<const Unit*>(record.unit), exit_of(record), record.live);
}

/// The unit whose stub began the call: that of the outermost record.
Unit* unit_of(const cpy::TakenExits& taken) {
  const auto& records = taken.records();
  return records.empty() ? nullptr : static_cast<Unit*>(records.back().unit);
}

PyObject* restart(layout::Context* ctx, PyObject* function, Record* record, PyObject* const* args,
                  std::size_t nargsf) {
  Unit* unit = nullptr;
  {
    const cpy::UseReserve use_reserve;
    cpy::TakenExits taken(ctx);
    count_exits(taken);
    unit = unit_of(taken);
  }
  const HeldUnits held(record, unit);
  if (record != nullptr) {
    ++record->restarts;
    note_wasted(*record);
  }
  if (PyObject* exception = cpy::take_handler_exception()) {
    PyErr_SetRaisedException(exception);
    return nullptr;
  }
  return interpret_complete(function, record, args, nargsf);
}

PyObject* resume(layout::Context* ctx, PyObject* function, Record* record) {
  std::vector<cpy::FrameRecord> frames;
  PyObject* failure = nullptr;
  Unit* unit = nullptr;
  {
    const cpy::UseReserve use_reserve;
    cpy::TakenExits taken(ctx);
    count_exits(taken);
    unit = unit_of(taken);
    const HeldUnits held(nullptr, unit);  // objects that are dropped here may run code
    const auto& records = taken.records();
    bool callee_is_called_again = false;
    Owners owners;
    for (auto it = records.rbegin(); it != records.rend(); ++it) {
      if (callee_is_called_again) {
        drop_values(*it);
        continue;
      }
      callee_is_called_again = exit_of(*it).drops_callees;
      cpy::ensure_memory();
      PyObject* exception = append_frames(*it, frames, owners);
      if (failure == nullptr)
        failure = exception;
      else
        Py_XDECREF(exception);
    }
    if (PyObject* exception = cpy::take_handler_exception()) Py_XSETREF(failure, exception);
    expect_large_results(taken);
  }
  const HeldUnits held(record, unit);
  if (record != nullptr) note_left(*record);
  const InterpreterScope scope(function, record);
  cpy::ensure_memory();
  // What could not be made is missing from here on: the innermost instruction is told.
  PyObject* result = cpy::run_frames(std::move(frames), failure);
  cpy::refill_reserve();
  return result;
}

}  // namespace
}  // namespace splice::engine

PyObject* splice_rt_unwind(splice::layout::Context* ctx, std::int32_t status, PyObject* function,
                           PyObject* const* args, std::size_t nargsf) {
  using namespace splice;
  using namespace splice::engine;
  cpy::ensure_memory();
  // An object that native code could not make: the interpreter tries again, and raises by itself.
  if (status == layout::kRestart || status == layout::kLeft) PyErr_Clear();
  ctx = cpy::context_of_exit(ctx);
  Record* record = find_record(function);
  switch (status) {
    case layout::kRestart:
      return restart(ctx, function, record, args, nargsf);
    case layout::kLeft:
      return resume(ctx, function, record);
    case layout::kBoxed:
      return static_cast<PyObject*>(std::exchange(ctx->boxed, nullptr));
    default:
      return nullptr;  // kRaised: the exception is set
  }
}
