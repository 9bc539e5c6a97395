#include "cpy/call_site.h"

#include <opcode.h>

namespace splice::cpy {

namespace {

constexpr bool kCallableFirst = PY_VERSION_HEX >= 0x030D0000;  // before NULL or self; 3.12: after

PyObject* empty_tuple() { return PyTuple_New(0); }

}  // namespace

CallSite call_site_at(PyCodeObject* code, std::int32_t offset) {
  CallSite site;
  // The plain code: without specialisation and without instrumentation. Cached by the code object.
  PyObject* bytes = PyCode_GetCode(code);
  if (bytes == nullptr) {
    return site;
  }
  const auto* at = reinterpret_cast<const unsigned char*>(PyBytes_AS_STRING(bytes));
  const Py_ssize_t size = PyBytes_GET_SIZE(bytes);
  int argument = 0;
  for (Py_ssize_t i = offset; i >= 0 && i + 1 < size; i += 2) {
    argument = argument << 8 | at[i + 1];
    if (at[i] == EXTENDED_ARG) {
      continue;
    }
#ifdef KW_NAMES
    if (at[i] == KW_NAMES) {
      argument = 0;
      continue;
    }
#endif
    if (at[i] == CALL) {
      site = {CallSite::Kind::kCall, 2 + argument};
    } else if (at[i] == CALL_FUNCTION_EX) {
      site = {CallSite::Kind::kCallEx, 3 + (argument & 1)};
    }
#ifdef CALL_KW
    if (at[i] == CALL_KW) {
      site = {CallSite::Kind::kCallKw, 3 + argument};
    }
#endif
    break;
  }
  Py_DECREF(bytes);
  return site;
}

bool replace_operands(FrameRecord& record, const CallSite& site, PyObject* callable) {
  std::vector<PyObject*>& stack = record.stack;
  if (site.kind == CallSite::Kind::kNone ||
      stack.size() < static_cast<std::size_t>(site.operands)) {
    if (PyErr_Occurred() == nullptr) {
      PyErr_SetString(PyExc_SystemError, "splice: a frame with an inner frame is not at a call");
    }
    return false;
  }
  PyObject* names = nullptr;
  if (site.kind == CallSite::Kind::kCallKw) {
    if (stack.back() == nullptr || !PyTuple_CheckExact(stack.back())) {
      PyErr_SetString(PyExc_SystemError, "splice: a keyword call has no names");
      return false;
    }
    names = Py_NewRef(stack.back());
  }
  std::vector<PyObject*> fresh;
  fresh.reserve(static_cast<std::size_t>(site.operands));
  fresh.push_back(kCallableFirst ? Py_NewRef(callable) : nullptr);
  fresh.push_back(kCallableFirst ? nullptr : Py_NewRef(callable));
  bool made = true;
  if (site.kind == CallSite::Kind::kCallEx) {
    fresh.push_back(empty_tuple());
    made = fresh.back() != nullptr;
    if (made && site.operands == 4) {
      fresh.push_back(PyDict_New());
      made = fresh.back() != nullptr;
    }
  } else {
    while (fresh.size() < static_cast<std::size_t>(site.operands)) {
      fresh.push_back(Py_NewRef(Py_None));
    }
    if (names != nullptr) {
      Py_SETREF(fresh.back(), names);
    }
  }
  if (!made) {
    for (PyObject* object : fresh) {
      Py_XDECREF(object);
    }
    return false;
  }
  // Arguments must not stay here: a real call has moved them into the callee, which may drop them.
  const std::size_t base = stack.size() - fresh.size();
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    std::swap(stack[base + i], fresh[i]);
  }
  for (PyObject* object : fresh) {
    Py_XDECREF(object);
  }
  return true;
}

bool is_call_site(PyCodeObject* code, std::int32_t offset) {
  const bool call = call_site_at(code, offset).kind != CallSite::Kind::kNone;
  if (!call) {
    PyErr_Clear();
  }
  return call;
}

}  // namespace splice::cpy
