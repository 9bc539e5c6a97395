// engine/remade.h: function objects that are made from one code object again and again.
//
// A decorated nested function is a new function object each time the outer one runs, and each is
// compiled on its own. The first few of a code object are compiled at their first call, later ones
// after 1, 2, 4, ... interpreted calls, until such a call takes as long as compiling one did: then
// they have proved worth it, and the count starts again.
#pragma once

#include <Python.h>

#include <cstdint>

#include "engine/stopwatch.h"

namespace splice::engine {

/// Calls that a function of this code object has in the interpreter before it is compiled.
std::uint64_t calls_before_compiling(PyCodeObject* code);

/// A function of this code object was compiled for the first time, in `ms`.
void note_compiled(PyCodeObject* code, double ms);

/// A call of a function that waits; measured from here to the end of the scope.
class WaitingCall {
 public:
  explicit WaitingCall(PyCodeObject* code);
  ~WaitingCall();
  WaitingCall(const WaitingCall&) = delete;
  WaitingCall& operator=(const WaitingCall&) = delete;

 private:
  PyCodeObject* code_;  ///< owned
  Stopwatch watch_;
};

}  // namespace splice::engine
