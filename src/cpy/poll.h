// cpy/poll.h: set-up of what splice_rt_poll needs to serve a request for garbage collection.
#pragma once

#include <Python.h>

#include <cstdint>

#include "base/result.h"
#include "layout/context.h"

namespace splice::cpy {

/// Once at start, GIL held. Makes the empty Python function whose call runs a scheduled collection.
Status init_poll();

/// Whether it is that function: native code is polling.
bool is_poll_function(PyObject* function);

/// Checks on the running interpreter that the polled word is the one CPython sets. Main thread only
/// (elsewhere it returns ok untested). Sets no exception.
Status test_eval_breaker();

}  // namespace splice::cpy

extern "C" {

/// 0 when something has changed that the native code of this thread relies on: for calls of C code
/// that may have let other threads run.
std::int32_t splice_rt_is_current(splice::layout::Context* ctx) noexcept;
}
