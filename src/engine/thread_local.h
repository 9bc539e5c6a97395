// engine/thread_local.h: the engine's state of each thread, in one block.
//
// Static TLS: the slow path of a call is a few dozen instructions, and calls of __tls_get_addr
// would be a good part of them.
#pragma once

#include <Python.h>

namespace splice::engine {

class ProbationCall;

struct ThreadLocal {
  /// The call that dispatch() is passing to a stub. When the stub passes the same call back, the
  /// kinds did not say everything that the stub tests: the interpreter takes it.
  PyObject* passing_function = nullptr;
  PyObject* const* passing_args = nullptr;
  ProbationCall* probation = nullptr;  ///< innermost call that belongs to a window
  int fallback_depth = 0;              ///< interpreter levels entered from patched functions
};

extern __attribute__((tls_model("initial-exec"))) constinit thread_local ThreadLocal this_thread;

}  // namespace splice::engine
