// First: it needs to be the one that includes Python.h.
#include "cpy/interpreter.h"

#include "cpy/look.h"

#include <atomic>
#include <iterator>

#include "cpy/poll.h"

namespace splice::cpy {

#if SPLICE_KNOWN_INTERPRETER

namespace {

void (*g_callback)() = nullptr;  // guarded by the GIL
std::atomic<bool> g_waiting{false};

int on_look(void*) {
  g_waiting.store(false, std::memory_order_release);
  if (g_callback != nullptr) {
    g_callback();
  }
  return 0;
}

/// Where a C function was called. Compared, never followed. Guarded by the GIL.
struct NotedCall {
  const PyThreadState* thread = nullptr;
  const Frame* frame = nullptr;
  const _Py_CODEUNIT* at = nullptr;
};
NotedCall g_noted;

bool finalizing() {
#if PY_VERSION_HEX >= 0x030D0000
  return Py_IsFinalizing() != 0;
#else
  return _Py_IsFinalizing() != 0;
#endif
}

/// Whether every call that waits in `pending` is a look.
bool holds_only_looks(const _pending_calls& pending) {
#if PY_VERSION_HEX >= 0x030D0000
  int left = pending.npending;
#else
  int left = pending.last - pending.first;
  left += left < 0 ? NPENDINGCALLS : 0;
#endif
  for (int i = pending.first; left > 0;
       --left, i = (i + 1) % static_cast<int>(std::size(pending.calls))) {
    if (pending.calls[i].func != on_look) {
      return false;
    }
  }
  return true;
}

}  // namespace

void set_look(void (*callback)()) {
  g_callback = callback;
  g_waiting.store(false, std::memory_order_release);
}

bool request_look() {
  if (finalizing() || g_waiting.exchange(true, std::memory_order_acq_rel)) {
    return false;
  }
  // 0: any thread may serve it, not the main one alone.
  if (_PyEval_AddPendingCall(PyInterpreterState_Main(), on_look, nullptr, 0) == 0) {
    return true;
  }
  g_waiting.store(false, std::memory_order_release);
  return false;
}

Running running_now() {
  Frame* frame = python_frame(current_frame(thread_state()));
  Running running;
  if (frame == nullptr) {
    return running;
  }
  running.native = is_poll_function(frame->f_funcobj);
  if (!running.native && frame->f_funcobj != nullptr && PyFunction_Check(frame->f_funcobj)) {
    running.function = reinterpret_cast<PyFunctionObject*>(frame->f_funcobj);
  }
  return running;
}

void note_call() {
  PyThreadState* ts = thread_state();
  Frame* frame = python_frame(current_frame(ts));
  g_noted = {ts, frame, frame != nullptr ? frame_instr(frame) : nullptr};
}

bool in_noted_call() {
  if (g_noted.frame == nullptr) {
    return false;
  }
  PyThreadState* ts = PyInterpreterState_ThreadHead(PyInterpreterState_Main());
  while (ts != nullptr && ts != g_noted.thread) {
    ts = PyThreadState_Next(ts);
  }
  if (ts == nullptr) {
    return false;
  }
  // Not the frame on top: that one goes on behind the call.
  Frame* top = python_frame(current_frame(ts));
  for (Frame* f = top != nullptr ? top->previous : nullptr; f != nullptr; f = f->previous) {
    if (f == g_noted.frame) {
      return frame_instr(f) == g_noted.at;
    }
  }
  return false;
}

bool only_looks_wait(PyThreadState* ts) {
  return holds_only_looks(ts->interp->ceval.pending) &&
         holds_only_looks(_PyRuntime.ceval.pending_mainthread);
}

#else

void set_look(void (*)()) {}
bool request_look() { return false; }
Running running_now() { return {}; }
void note_call() {}
bool in_noted_call() { return false; }
bool only_looks_wait(PyThreadState*) { return false; }

#endif  // SPLICE_KNOWN_INTERPRETER

}  // namespace splice::cpy
