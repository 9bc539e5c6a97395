// First: it needs to be the one that includes Python.h.
#include "cpy/interpreter.h"

#include "cpy/tracing.h"

#include <atomic>
#include <cstring>
#include <string>

namespace splice::cpy {

namespace {

std::atomic<void (*)()> g_callback{nullptr};
constinit thread_local int t_own_registrations = 0;

// Called for every audit event of the process: the common case ends at the second compare.
int on_audit(const char* event, PyObject*, void*) {
  if (event[0] != 's' || event[1] != 'y' || event[2] != 's' || event[3] != '.') {
    return 0;
  }
  const char* name = event + 4;
  if (std::strcmp(name, "settrace") != 0 && std::strcmp(name, "setprofile") != 0 &&
      std::strcmp(name, "monitoring.register_callback") != 0) {
    return 0;
  }
  void (*callback)() = g_callback.load(std::memory_order_acquire);
  if (callback != nullptr && t_own_registrations == 0) {
    callback();
  }
  return 0;
}

#if SPLICE_KNOWN_INTERPRETER

constexpr std::uint8_t kForeign = static_cast<std::uint8_t>(~(1u << kToolId));

template <std::size_t n>
bool any_foreign(const std::uint8_t (&tools)[n]) {
  unsigned seen = 0;
  for (std::uint8_t t : tools) {
    seen |= t;
  }
  return (seen & kForeign) != 0;
}

#endif

/// A function of sys.monitoring that calls back when it has done its work.
struct Followed {
  const char* name;
  int flags;
  PyCFunction follow;
  PyMethodDef original = {};
  PyMethodDef definition = {};
};

void (*g_tools_callback)() = nullptr;  // guarded by the GIL

PyObject* after_change(PyObject* result) {
  if (result != nullptr && t_own_registrations == 0) g_tools_callback();
  return result;
}

PyObject* use_tool_id(PyObject* module, PyObject* const* args, Py_ssize_t count);
PyObject* free_tool_id(PyObject* module, PyObject* id);

Followed g_use_tool_id = {"use_tool_id", METH_FASTCALL,
                          reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(&use_tool_id))};
Followed g_free_tool_id = {"free_tool_id", METH_O, &free_tool_id};

PyObject* use_tool_id(PyObject* module, PyObject* const* args, Py_ssize_t count) {
  const auto original = reinterpret_cast<decltype(&use_tool_id)>(
      reinterpret_cast<void*>(g_use_tool_id.original.ml_meth));
  return after_change(original(module, args, count));
}

PyObject* free_tool_id(PyObject* module, PyObject* id) {
  return after_change(g_free_tool_id.original.ml_meth(module, id));
}

/// False when the function is not what this knows how to follow.
bool begin_to_follow(Followed& followed) {
  PyObject* monitoring = PySys_GetObject("monitoring");  // borrowed
  PyObject* found =
      monitoring != nullptr ? PyObject_GetAttrString(monitoring, followed.name) : nullptr;
  PyErr_Clear();
  if (found == nullptr) return false;
  auto* function = reinterpret_cast<PyCFunctionObject*>(found);
  const bool known =
      PyCFunction_CheckExact(found) != 0 && function->m_ml->ml_flags == followed.flags;
  if (known) {
    followed.original = followed.definition = *function->m_ml;
    followed.definition.ml_meth = followed.follow;
    function->m_ml = &followed.definition;
  }
  Py_DECREF(found);
  return known;
}

}  // namespace

bool tracing_active([[maybe_unused]] PyThreadState* ts) {
#if SPLICE_KNOWN_INTERPRETER
  return ts->c_tracefunc != nullptr || ts->c_profilefunc != nullptr ||
         any_foreign(ts->interp->monitors.tools);
#else
  return true;
#endif
}

bool tracing_active() { return tracing_active(PyThreadState_Get()); }

bool traced_locally([[maybe_unused]] PyCodeObject* code) {
#if SPLICE_KNOWN_INTERPRETER
  return code->_co_monitoring != nullptr && any_foreign(code->_co_monitoring->local_monitors.tools);
#else
  return true;
#endif
}

bool still_instrumented([[maybe_unused]] PyCodeObject* code) {
#if SPLICE_KNOWN_INTERPRETER
  return code->_co_monitoring != nullptr &&
         any_foreign(code->_co_monitoring->active_monitors.tools);
#else
  return true;
#endif
}

bool ends_of_c_calls_watched() {
#if SPLICE_KNOWN_INTERPRETER
  const auto& callables = PyThreadState_Get()->interp->monitoring_callables;
  // Those of sys.setprofile stay when it is over: tracing_active() tells when it is not.
  for (int tool = 0; tool < PY_MONITORING_SYS_PROFILE_ID; ++tool) {
    if (tool != kToolId && (callables[tool][PY_MONITORING_EVENT_C_RETURN] != nullptr ||
                            callables[tool][PY_MONITORING_EVENT_C_RAISE] != nullptr))
      return true;
  }
  return false;
#else
  return true;
#endif
}

bool inside_trace_callback([[maybe_unused]] PyThreadState* ts) {
#if SPLICE_KNOWN_INTERPRETER
  return ts->tracing != 0;
#else
  return true;
#endif
}

const volatile std::uint64_t* monitoring_version_address() {
#if SPLICE_KNOWN_INTERPRETER
  return monitoring_version_word(PyInterpreterState_Main());
#else
  static const std::uint64_t never = 0;
  return &never;
#endif
}

Status watch_tools(void (*callback)()) {
  if (g_tools_callback != nullptr) return {};
  g_tools_callback = callback;
  for (Followed* followed : {&g_use_tool_id, &g_free_tool_id})
    if (!begin_to_follow(*followed))
      return unsupported(std::string("sys.monitoring.") + followed->name + " cannot be followed");
  return {};
}

Status watch_tracing(void (*callback)()) {
  g_callback.store(callback, std::memory_order_release);
  static bool installed = false;  // guarded by the GIL
  if (installed) {
    return {};
  }
  if (PySys_AddAuditHook(on_audit, nullptr) != 0) {
    PyErr_Clear();
    return resource_error("another audit hook does not allow one more");
  }
  installed = true;
  return {};
}

OwnRegistration::OwnRegistration() { ++t_own_registrations; }
OwnRegistration::~OwnRegistration() { --t_own_registrations; }

}  // namespace splice::cpy
