// engine/record.h: what the engine knows about each function it was asked to compile.
//
// A Record lives from the first jit() until its function dies (a function watcher tells), also
// while the function is given back, so that explain and stats can answer. GIL held for everything.
#pragma once

#include <Python.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/engine.h"
#include "engine/unit.h"
#include "pyfront/kind.h"

namespace splice::engine {

/// At most this many tuples of argument kinds are compiled for one function: the first ones at
/// their first call, the rest when their calls have taken some time.
inline constexpr std::size_t kMaxVariants = 32;
inline constexpr std::size_t kEagerVariants = 8;

/// One tuple of argument kinds: compiled, or why not.
struct Variant {
  std::vector<pyfront::Kind> kinds;
  std::unique_ptr<Unit> unit;  ///< null: stays in the interpreter because of `reason`
  std::string reason;
  int line = 0;
  bool given_back = false;            ///< has been native, and did not pay; `reason`
  std::vector<std::string> examples;  ///< per kind: what a kObject was at first; else empty
  std::uint64_t hits = 0;             ///< calls that came through the slow path
  bool waiting = false;               ///< not compiled yet, see kEagerVariants
  std::int64_t waited_ns = 0;         ///< what its calls have taken meanwhile
  std::uint32_t window_calls = 0;     ///< of the window of Probation that is counted
  std::uint32_t window_wasted = 0;
  bool outdated = false;  ///< to be compiled again at the next call: Record::large has grown
};

/// Counts a window of calls after many exits, to tell whether native code still pays.
struct Probation {
  bool active = false;
  std::uint32_t calls = 0;
  std::uint32_t wasted = 0;     ///< of these: left at once, or never got in
  std::uint64_t next_at = 256;  ///< events that start the next window
};

enum class State : std::uint8_t {
  kActive,     ///< compiled, or waiting for its first call
  kRefused,    ///< cannot be compiled at all; `reason`
  kGivenBack,  ///< was tried and does not pay; `reason`
  kOff,        ///< unjit()
};

struct Record {
  explicit Record(PyFunctionObject* f) : function(f) {}

  PyFunctionObject* function;  ///< borrowed: the record goes when it dies
  State state = State::kActive;
  JitOptions options;
  std::string reason;  ///< of kRefused, kGivenBack
  int line = 0;        ///< 0: the def line
  bool warned = false;
  bool compiling = false;
  bool has_been_native = false;
  bool foreign = false;    ///< somebody else has set the function's entry: it is left alone
  bool check_code = true;  ///< `__code__` is new: is it a kind of code that can be compiled?
  /// `func_version` from before the interpreter's entry was replaced, unless the function was
  /// changed since: with it the calls of it are specialised again.
  std::optional<std::uint32_t> version;

  /// Where a result of native code did not fit 64 bits. The code objects are not kept: at another
  /// one in the same place a result could only be large in vain.
  std::vector<std::pair<PyCodeObject*, int>> large;
  std::uint64_t exits_before = 0;  ///< of units that were replaced for it

  std::vector<std::unique_ptr<Variant>> variants;
  Variant* primary = nullptr;  ///< its stub is the function's entry

  std::uint32_t suspended = 0;  ///< threads that run it un-patched because recursion is scarce
  std::uint64_t slow_calls = 0;
  std::uint64_t interpreted = 0;  ///< of these: ran in the interpreter
  std::uint64_t waited = 0;       ///< of these: before anything was tried (engine/remade)
  std::uint64_t beyond = 0;       ///< of these: of other kinds than there may be
  bool counted = false;           ///< among the functions of its code that were compiled
  std::uint64_t restarts = 0;
  std::uint64_t wasted_total = 0;  ///< exits and misses since the last window
  std::uint64_t swap_at = 64;      ///< hits of another variant that make it the primary
  std::uint32_t invalidations = 0;
  std::string last_invalidation;
  Probation probation;
  /// For a comparison: native calls are counted, which takes an entry of its own, or (`resting`)
  /// the interpreter has the function for a while.
  bool counting = false;
  bool resting = false;
  std::uint64_t counted_calls = 0;
};

/// What the process has done, dead functions included.
struct Totals {
  std::uint64_t functions = 0;     ///< got native code
  std::uint64_t units = 0;         ///< were compiled
  std::uint64_t native_calls = 0;  ///< went into native code by the slow way; stubs count nothing
};
Totals& process_totals();

Record* find_record(PyObject* function);
Record& make_record(PyFunctionObject* function);
/// Called when the function dies. Retires its units.
void drop_record(PyFunctionObject* function);
const std::unordered_map<PyObject*, std::unique_ptr<Record>>& all_records();

/// The code object of the record's function.
PyCodeObject* code_of(const Record& record);
Variant* find_variant(Record& record, std::span<const pyfront::Kind> kinds);
/// Takes the variant out of the record and retires its unit.
void remove_variant(Record& record, Variant* variant);
/// Forgets what could not be compiled.
void forget_refusals(Record& record);
/// Unlinks every variant and forgets failures; the function starts anew.
void reset_variants(Record& record);
/// kGivenBack (or another final state) with a reason; restores the interpreter's entry.
void give_back(Record& record, State state, std::string reason, int line);

/// A stub that called splice_rt_miss or splice_rt_unwind counts as native code no more, but is
/// returned into. While one of these lives, reclaim() spares the units of the record, of which one
/// made the call, and `another`, which may have been retired already. Either may be null.
class HeldUnits {
 public:
  explicit HeldUnits(const Record* record, Unit* another = nullptr);
  ~HeldUnits();
  HeldUnits(const HeldUnits&) = delete;
  HeldUnits& operator=(const HeldUnits&) = delete;

 private:
  void hold(Unit* unit);

  std::array<Unit*, kMaxVariants + 1> units_;
  std::size_t count_ = 0;
};

/// Units wait here until no thread is inside native code.
void retire(std::unique_ptr<Unit> unit);
/// Frees retired units when that is safe. May run any code; never called from a watcher.
void reclaim();

}  // namespace splice::engine
