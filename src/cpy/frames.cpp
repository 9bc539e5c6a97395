// First: it needs to be the one that includes Python.h.
#include "cpy/interpreter.h"

#include "cpy/frames.h"

#include <utility>

#include "base/check.h"
#include "cpy/call_site.h"
#include "cpy/frame_build.h"
#include "cpy/instrument.h"
#include "cpy/thread_context.h"
#include "cpy/tracing.h"
#include "cpy/trampoline.h"

namespace splice::cpy {

namespace {

bool g_by_hand = false;
RebuildCounts g_counts;

void drop(FrameRecord& record) {
  std::vector<PyObject*> locals = std::exchange(record.locals, {});
  std::vector<PyObject*> stack = std::exchange(record.stack, {});
  for (PyObject* object : stack) {
    Py_XDECREF(object);
  }
  for (PyObject* object : locals) {
    Py_XDECREF(object);
  }
  Py_XDECREF(reinterpret_cast<PyObject*>(std::exchange(record.function, nullptr)));
  Py_XDECREF(reinterpret_cast<PyObject*>(std::exchange(record.code, nullptr)));
}

#if SPLICE_KNOWN_INTERPRETER

struct Chain;

/// What a C callable that enters a frame by hand points to. The callable may outlive the chain (a
/// tracer can keep it), so the step is the capsule's and is told when the chain is gone.
struct Step {
  Chain* chain;
  std::size_t index;
};

struct Chain {
  Chain(std::vector<FrameRecord> r, PyObject* exception)
      : records(std::move(r)), raised(exception) {}
  ~Chain();
  Chain(const Chain&) = delete;
  Chain& operator=(const Chain&) = delete;

  std::vector<FrameRecord> records;
  PyObject* raised;              ///< by the innermost frame; owned; null when it goes on
  std::size_t next = 0;          ///< first record without a frame
  std::vector<PyObject*> steps;  ///< capsules; owned
};

constexpr const char kStepName[] = "splice.step";

Step* step_of(PyObject* capsule) {
  return static_cast<Step*>(PyCapsule_GetPointer(capsule, kStepName));
}

Chain::~Chain() {
  if (thread_state() == nullptr) {
    return;  // the process ends, and CPython unwinds a daemon thread that waited for the GIL
  }
  expect_nothing(this);
  for (PyObject* capsule : steps) {
    step_of(capsule)->chain = nullptr;
    Py_DECREF(capsule);
  }
  drop_frames(records);
  Py_XDECREF(raised);
}

/// Whether record `index` is entered with the exception.
bool raises(const Chain& chain, std::size_t index) {
  return chain.raised != nullptr && index + 1 == chain.records.size();
}

void enter_by_trampoline(void* opaque, void* frame);

/// Everything between a frame that has just been made and its first instruction.
void started(Chain& chain, Frame* frame) {
  ++chain.next;
  if (chain.next < chain.records.size() && chain.records[chain.next].code != nullptr) {
    expect_frame(enter_by_trampoline, &chain, frame);
  }
}

void enter_by_trampoline(void* opaque, void* frame) {
  Chain& chain = *static_cast<Chain*>(opaque);
  become_frame(static_cast<Frame*>(frame), chain.records[chain.next]);
  ++g_counts.by_trampoline;
  started(chain, static_cast<Frame*>(frame));
}

/// Runs the next record in an eval loop of its own.
PyObject* run_next(PyThreadState* ts, Chain& chain) {
  const Entry entry = raises(chain, chain.next) ? Entry::kRaise : Entry::kGoOn;
  Frame* frame = push_frame(ts, chain.records[chain.next], entry);
  if (frame == nullptr) {
    return nullptr;
  }
  started(chain, frame);
  if (entry == Entry::kRaise) {
    PyErr_SetRaisedException(std::exchange(chain.raised, nullptr));
  }
  return _PyEval_EvalFrameDefault(ts, frame, entry == Entry::kRaise ? 1 : 0);
}

PyObject* enter_by_hand(PyObject* self, PyObject* const*, Py_ssize_t, PyObject*) {
  const Step* step = step_of(self);
  if (step == nullptr || step->chain == nullptr || step->index != step->chain->next) {
    PyErr_SetString(PyExc_SystemError, "splice: this frame has been entered already");
    return nullptr;
  }
  Chain& chain = *step->chain;
  expect_nothing(&chain);
  ++g_counts.by_hand;
  PyThreadState* ts = thread_state();
  // A call between Python functions takes no C recursion, so this one must not be counted either,
  // as long as there is C stack in fact.
  const int units =
      stack_above_limit() > 0 ? kEvalRecursionUnits + 1 : 0;  // the eval loop's, and this C call's
  ts->c_recursion_remaining += units;
  PyObject* result = run_next(ts, chain);
  ts->c_recursion_remaining -= units;
  return result;
}

PyMethodDef g_enter_by_hand = {
    "_splice_frame", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(enter_by_hand)),
    METH_FASTCALL | METH_KEYWORDS, nullptr};

/// New reference to a callable that enters record `index`.
PyObject* make_hand(Chain& chain, std::size_t index) {
  auto* step = new Step{&chain, index};
  PyObject* capsule =
      PyCapsule_New(step, kStepName, [](PyObject* dying) { delete step_of(dying); });
  if (capsule == nullptr) {
    delete step;
    return nullptr;
  }
  chain.steps.push_back(capsule);
  return PyCFunction_New(&g_enter_by_hand, capsule);
}

bool trampolines_usable(PyThreadState* ts, const Chain& chain) {
  if (g_by_hand || inside_trace_callback(ts) || tracing_active(ts) ||
      _PyInterpreterState_GetEvalFrameFunc(ts->interp) != _PyEval_EvalFrameDefault) {
    return false;
  }
  for (const FrameRecord& record : chain.records) {
    if (traced_locally(record.code)) {
      return false;
    }
  }
  return true;
}

/// Puts the callables that enter the inner frames on the stacks of the outer ones. Drops arguments,
/// so it may run any code. False with an exception set.
bool prepare(PyThreadState* ts, Chain& chain) {
  const bool trampolines = chain.records.size() > 1 && trampolines_usable(ts, chain);
  for (std::size_t i = 0; i + 1 < chain.records.size(); ++i) {
    FrameRecord& record = chain.records[i];
    const CallSite site = call_site_at(record.code, record.offset);
    // A trampoline's frame has begun: it can only go on.
    PyObject* callable = trampolines && !raises(chain, i + 1)
                             ? Py_XNewRef(trampoline_for(chain.records[i + 1].code))
                             : nullptr;
    if (callable == nullptr) {
      callable = make_hand(chain, i + 1);
    }
    const bool done = callable != nullptr && replace_operands(record, site, callable);
    Py_XDECREF(callable);
    if (!done) {
      return false;
    }
  }
  return true;
}

Status wrong(const char* what) { return invalid_argument(std::string("splice: ") + what); }

#endif  // SPLICE_KNOWN_INTERPRETER

}  // namespace

void drop_frames(std::span<FrameRecord> records) {
  for (FrameRecord& record : records) {
    drop(record);
  }
}

void force_by_hand(bool on) { g_by_hand = on; }

RebuildCounts rebuild_counts() { return g_counts; }

#if SPLICE_KNOWN_INTERPRETER

Status check_record(const FrameRecord& record, bool inner) {
  const PyCodeObject* code = record.code;
  if (code == nullptr || record.function == nullptr) {
    return wrong("a frame has no function");
  }
  if ((code->co_flags & (CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR)) != 0 ||
      (code->co_flags & CO_OPTIMIZED) == 0) {
    return wrong("only frames of plain functions can be rebuilt");
  }
  if (record.locals.size() != static_cast<std::size_t>(code->co_nlocalsplus)) {
    return wrong("a frame has a wrong number of variables");
  }
  if (record.stack.size() > static_cast<std::size_t>(code->co_stacksize)) {
    return wrong("a frame has too many operands");
  }
  if (record.offset < 0 || record.offset % 2 != 0 || record.offset / 2 >= Py_SIZE(code)) {
    return wrong("a frame has an offset outside its code");
  }
  if (inner && !is_call_site(record.code, record.offset)) {
    return wrong("a frame with an inner frame is not at a call");
  }
  return {};
}

PyObject* run_frames(std::vector<FrameRecord> outermost_first, PyObject* raised) {
  Chain chain(std::move(outermost_first), raised);
  PyThreadState* ts = thread_state();
  const std::size_t count = chain.records.size();
  for (std::size_t i = 0; i < count; ++i) {
    // The call itself is looked at when its operands are replaced.
    if (Status status = check_record(chain.records[i], false); !status.ok()) {
      PyErr_SetString(PyExc_SystemError, status.message().c_str());
      return nullptr;
    }
  }
  if (count == 0) {
    PyErr_SetString(PyExc_SystemError, "splice: no frame to rebuild");
    return nullptr;
  }
  if (!prepare(ts, chain)) {
    return nullptr;
  }
  for (const FrameRecord& record : chain.records) {
    if (!refresh_instrumentation(ts, record.code)) {
      return nullptr;
    }
  }
  ++g_counts.chains;
  return run_next(ts, chain);
}

#else

Status check_record(const FrameRecord&, bool) {
  return unsupported("this version of CPython is not known");
}

PyObject* run_frames(std::vector<FrameRecord> outermost_first, PyObject* raised) {
  drop_frames(outermost_first);
  Py_XDECREF(raised);
  PyErr_SetString(PyExc_SystemError, "splice: frames of this version of CPython are not known");
  return nullptr;
}

#endif  // SPLICE_KNOWN_INTERPRETER

}  // namespace splice::cpy
