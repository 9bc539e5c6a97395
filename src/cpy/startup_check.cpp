// First: it needs to be the one that includes Python.h.
#include "cpy/interpreter.h"

#include "cpy/frames.h"

#include <optional>

#include "cpy/call_site.h"
#include "cpy/item_named.h"
#include "cpy/lost.h"
#include "cpy/poll.h"
#include "cpy/runtime_math.h"
#include "cpy/thread_context.h"
#include "cpy/trampoline.h"

namespace splice::cpy {

namespace {

std::optional<Status> g_result;
Status g_trampolines;

#if SPLICE_KNOWN_INTERPRETER

constexpr const char kSource[] =
    "def inner(a, /, *, b=0):\n"
    "    c = [a]\n"
    "    return c, b\n"
    "def outer(x):\n"
    "    try:\n"
    "        return x, inner(x, b=x)\n"
    "    finally:\n"
    "        del x\n";

/// Byte offset of the call in `code`, prefixes included; -1 when there is none.
std::int32_t find_call(PyCodeObject* code) {
  for (std::int32_t unit = 0; unit < Py_SIZE(code); ++unit) {
    // A prefix belongs to the call: the first offset from which one is found.
    if (call_site_at(code, 2 * unit).kind != CallSite::Kind::kNone) {
      return 2 * unit;
    }
  }
  return -1;
}

FrameRecord record_of(PyObject* function) {
  FrameRecord record;
  record.function = reinterpret_cast<PyFunctionObject*>(Py_NewRef(function));
  record.code = reinterpret_cast<PyCodeObject*>(Py_NewRef(PyFunction_GET_CODE(function)));
  return record;
}

// `outer` as it stands at its call, `inner` at its beginning: the result must be (x, ([x], x)).
bool chain_works(PyObject* outer, PyObject* inner, PyObject* x) {
  std::vector<FrameRecord> records;
  records.push_back(record_of(outer));
  records.push_back(record_of(inner));
  records[0].offset = find_call(records[0].code);
  records[0].locals = {Py_NewRef(x)};
  const bool callable_first = kIs313;
  records[0].stack = {Py_NewRef(x), callable_first ? Py_NewRef(inner) : nullptr,
                      callable_first ? nullptr : Py_NewRef(inner), Py_NewRef(x), Py_NewRef(x)};
  const CallSite site = call_site_at(records[0].code, records[0].offset);
  if (site.kind == CallSite::Kind::kCallKw) {
    records[0].stack.push_back(Py_BuildValue("(s)", "b"));
  }
  records[1].locals = {Py_NewRef(x), Py_NewRef(x), nullptr};
  PyObject* result = run_frames(std::move(records));
  PyObject* wanted = Py_BuildValue("(O([O]O))", x, x, x);
  const bool same = result != nullptr && wanted != nullptr &&
                    PyObject_RichCompareBool(result, wanted, Py_EQ) == 1;
  Py_XDECREF(result);
  Py_XDECREF(wanted);
  PyErr_Clear();
  return same;
}

bool chain_works_without_leak(PyObject* globals) {
  PyObject* outer = item_named(globals, "outer");
  PyObject* inner = item_named(globals, "inner");
  PyObject* x = PyFloat_FromDouble(1.5);
  bool ok = outer != nullptr && inner != nullptr && x != nullptr;
  if (ok) {
    const Py_ssize_t before = Py_REFCNT(outer) + Py_REFCNT(inner);
    ok = chain_works(outer, inner, x) && Py_REFCNT(x) == 1 &&
         Py_REFCNT(outer) + Py_REFCNT(inner) == before;
  }
  Py_XDECREF(x);
  return ok;
}

Status test_frames() {
  PyObject* globals = PyDict_New();
  PyObject* code = Py_CompileString(kSource, "<splice>", Py_file_input);
  PyObject* done =
      globals != nullptr && code != nullptr ? PyEval_EvalCode(code, globals, globals) : nullptr;
  Status status;
  if (done != nullptr) {
    force_by_hand(true);
    const bool by_hand = chain_works_without_leak(globals);
    force_by_hand(false);
    const std::uint64_t before = rebuild_counts().by_trampoline;
    if (!by_hand || !chain_works_without_leak(globals)) {
      status = unsupported("frames cannot be rebuilt in this interpreter");
    } else if (g_trampolines.ok() && rebuild_counts().by_trampoline == before) {
      g_trampolines = unsupported("somebody traces this process, or has an eval loop of his own");
    }
  } else {
    PyErr_Clear();
    status = internal_error("the functions of the self-test could not be made");
  }
  Py_XDECREF(done);
  Py_XDECREF(code);
  Py_XDECREF(globals);
  return status;
}

Status test_layout() {
  if (Py_Version >> 16 != PY_VERSION_HEX >> 16) {
    return unsupported("built for another minor version of CPython");
  }
#if PY_VERSION_HEX >= 0x030D0000
  const _Py_DebugOffsets& told = _PyRuntime.debug_offsets;
  const auto& frame = told.interpreter_frame;
  const bool same = frame.previous == offsetof(Frame, previous) &&
                    frame.executable == offsetof(Frame, f_executable) &&
                    frame.instr_ptr == offsetof(Frame, instr_ptr) &&
                    frame.localsplus == offsetof(Frame, localsplus) &&
                    frame.owner == offsetof(Frame, owner) &&
                    told.thread_state.current_frame == offsetof(PyThreadState, current_frame) &&
                    told.thread_state.interp == offsetof(PyThreadState, interp);
  if (!same) {
    return unsupported("frames of this interpreter are laid out differently");
  }
#endif
  return {};
}

Status test_thread_state() {
  const auto* holder = static_cast<PyThreadState* const*>(thread_state_address());
  if (*holder != PyThreadState_Get()) {
    return unsupported("the GIL of this interpreter does not say which thread holds it");
  }
  return {};
}

Status run_all() {
  for (Status status :
       {test_layout(), test_thread_state(), init_lost(), init_math(), init_poll()}) {
    if (!status.ok()) {
      return status;
    }
  }
  if (Status status = test_eval_breaker(); !status.ok()) {
    return status;
  }
  g_trampolines = init_trampolines();
  return test_frames();
}

#else

Status run_all() { return unsupported("this version or build of CPython is not known"); }

#endif  // SPLICE_KNOWN_INTERPRETER

}  // namespace

Status self_test() {
  if (!g_result) {
    g_result = run_all();
  }
  return *g_result;
}

Status trampoline_status() { return g_trampolines; }

}  // namespace splice::cpy
