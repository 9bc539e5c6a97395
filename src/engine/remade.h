// engine/remade.h: function objects that are made from one code object again and again.
//
// A decorated nested function is a new function object each time the outer one runs, and each is
// compiled on its own. The first few of a code object are compiled at their first call, later ones
// after 1, 2, 4, ... interpreted calls, until such a call takes as long as compiling one did: then
// they have proved worth it, and the count starts again. Times are CPU time of the thread.
#pragma once

#include <Python.h>

#include <cstdint>

namespace splice::engine {

struct Record;

/// Whether the record's function, of which nothing has been compiled, has calls to wait for.
bool must_wait(const Record& record);
/// How many calls that would be; 0 for functions that are not made again and again.
std::uint64_t calls_before_compiling(const Record& record);

/// The record's function has been compiled, in `ns`. Counts once for each function.
void note_compiled(Record& record, std::int64_t ns);

/// A call of a function that waits, from here to the end of the scope.
class WaitingCall {
 public:
  explicit WaitingCall(Record& record);
  ~WaitingCall();
  WaitingCall(const WaitingCall&) = delete;
  WaitingCall& operator=(const WaitingCall&) = delete;

 private:
  PyCodeObject* code_;  ///< owned
  std::uint32_t compiled_;
  std::int64_t wall_start_ = 0;
  std::int64_t cpu_start_ = 0;
};

}  // namespace splice::engine
