// First: it needs to be the one that includes Python.h.
#include "cpy/interpreter.h"

#include "cpy/poll.h"

#include "cpy/exit_storage.h"
#include "cpy/item_named.h"
#include "cpy/look.h"
#include "cpy/thread_context.h"
#include "cpy/tracing.h"

namespace splice::cpy {

namespace {

PyObject* g_empty_function = nullptr;  // `def f(): pass`

#if SPLICE_KNOWN_INTERPRETER

/// Why the polled word is set.
struct Reasons {
  bool any = false;
  bool gc = false;
  bool look = false;   ///< a look at the program, cpy/look.h
  bool other = false;  ///< signal, pending call, async exception, stop request
};

#if PY_VERSION_HEX >= 0x030D0000

Reasons read_reasons(PyThreadState* ts) {
  const std::uint32_t bits = *eval_breaker_word(ts) & kEvalBreakerMask;
  Reasons r;
  r.any = bits != 0;
  r.gc = (bits & _PY_GC_SCHEDULED_BIT) != 0;
  // The bit of pending calls is set for all threads, and one thread serves them.
  r.look = (bits & _PY_CALLS_TO_DO_BIT) != 0 && only_looks_wait(ts);
  std::uint32_t known = _PY_GIL_DROP_REQUEST_BIT | _PY_GC_SCHEDULED_BIT;
  if (r.look) {
    known |= _PY_CALLS_TO_DO_BIT;
  }
  r.other = (bits & ~known) != 0;
  return r;
}

#else

bool is_set(const _Py_atomic_int& word) {
  return __atomic_load_n(&word._value, __ATOMIC_RELAXED) != 0;
}

// One flag for everything; the reasons lie in words of their own.
Reasons read_reasons(PyThreadState* ts) {
  const _ceval_state& ceval = ts->interp->ceval;
  const _ceval_runtime_state& runtime = _PyRuntime.ceval;
  Reasons r;
  r.any = is_set(ceval.eval_breaker);
  r.gc = is_set(ceval.gc_scheduled);
  const bool main_thread = PyThread_get_thread_ident() == _PyRuntime.main_thread;
  r.other = (main_thread &&
             (is_set(runtime.signals_pending) || is_set(runtime.pending_mainthread.calls_to_do))) ||
            ts->async_exc != nullptr;
  if (is_set(ceval.pending.calls_to_do)) {
    r.look = only_looks_wait(ts);
    r.other = r.other || !r.look;
  }
  return r;
}

#endif

// The call that serves a collection must not be the one that raises RecursionError.
bool near_recursion_limit(PyThreadState* ts) {
  constexpr int kFew = 20;
  return ts->py_recursion_remaining < kFew || ts->c_recursion_remaining < kFew;
}

int raise_later(void* exception) {
  PyErr_SetRaisedException(static_cast<PyObject*>(exception));
  return -1;
}

// Something arrived between our look at the reasons and the collection, and was raised inside the
// empty function. It is put back where it came from, to be raised again in a true frame.
void redeliver(PyThreadState* ts) {
  PyObject* exception = PyErr_GetRaisedException();
  PyException_SetTraceback(exception, Py_None);
  if (PyThread_get_thread_ident() == _PyRuntime.main_thread &&
      Py_AddPendingCall(raise_later, exception) == 0) {
    return;
  }
  // Other threads only get asynchronous exceptions, which are made from a class.
  PyThreadState_SetAsyncExc(ts->thread_id, reinterpret_cast<PyObject*>(Py_TYPE(exception)));
  Py_DECREF(exception);
}

#endif  // SPLICE_KNOWN_INTERPRETER

int do_nothing(void*) { return 0; }

}  // namespace

Status init_poll() {
  if (g_empty_function != nullptr) {
    return {};
  }
  PyObject* globals = PyDict_New();
  PyObject* code = Py_CompileString("def _splice_collect(): pass\n", "<splice>", Py_file_input);
  PyObject* done = nullptr;
  // Finalizers run with this frame below them: what they import in C looks here for __import__.
  if (globals != nullptr && code != nullptr &&
      PyDict_SetItemString(globals, "__builtins__", PyEval_GetBuiltins()) == 0) {
    done = PyEval_EvalCode(code, globals, globals);
  }
  if (done != nullptr) {
    g_empty_function = Py_XNewRef(item_named(globals, "_splice_collect"));
  }
  Py_XDECREF(done);
  Py_XDECREF(code);
  Py_XDECREF(globals);
  if (g_empty_function == nullptr) {
    PyErr_Clear();
    return internal_error("the empty function that runs collections could not be made");
  }
  return {};
}

bool is_poll_function(PyObject* function) {
  return function != nullptr && function == g_empty_function;
}

Status test_eval_breaker() {
#if SPLICE_KNOWN_INTERPRETER
  if (PyThread_get_thread_ident() != _PyRuntime.main_thread) {
    return {};
  }
  PyThreadState* ts = PyThreadState_Get();
  if (Py_AddPendingCall(do_nothing, nullptr) != 0) {
    return {};  // the queue is full: somebody else's calls are waiting
  }
  const bool seen = (*eval_breaker_word(ts) & kEvalBreakerMask) != 0;
  const bool understood = read_reasons(ts).other;
  if (Py_MakePendingCalls() != 0) {
    PyErr_Clear();
  }
  if (!seen || !understood) {
    return unsupported("requests to the eval loop are not where this CPython version has them");
  }
#endif
  return {};
}

}  // namespace splice::cpy

std::int32_t splice_rt_poll(splice::layout::Context* ctx) {
#if SPLICE_KNOWN_INTERPRETER
  using namespace splice::cpy;
  auto* ts = static_cast<PyThreadState*>(ctx->tstate);
  // A request may come again while one is served; one that cannot be served stays set.
  for (int round = 0; round < 4; ++round) {
    const Reasons r = read_reasons(ts);
    if (r.other || tracing_active(ts) || ((r.gc || r.look) && near_recursion_limit(ts))) {
      return 1;
    }
    if ((r.gc || r.look) && g_empty_function != nullptr) {
      PyObject* none = PyObject_CallNoArgs(g_empty_function);
      if (none == nullptr) {
        redeliver(ts);
        return 1;
      }
      Py_DECREF(none);
    } else if (r.any) {
      // Also when no reason is left (3.12: it was another thread's): taking the GIL again makes
      // CPython compute the flag anew.
      PyEval_RestoreThread(PyEval_SaveThread());
    }
    if ((*ctx->eval_breaker & ctx->eval_breaker_mask) == 0) {
      return invalidated_since_entry(ctx) || tracing_active(ts) ? 1 : 0;
    }
  }
#else
  (void)ctx;
#endif
  return 1;
}

std::int32_t splice_rt_is_current(splice::layout::Context* ctx) noexcept {
#if SPLICE_KNOWN_INTERPRETER
  using namespace splice::cpy;
  if (!invalidated_since_entry(ctx) && !tracing_active(static_cast<PyThreadState*>(ctx->tstate)))
    return 1;
#else
  (void)ctx;
#endif
  return 0;
}
