// bind/errors.cpp: error codes to exceptions; the only place that knows both.
#include "bind/errors.h"

#include <algorithm>
#include <climits>
#include <cstddef>
#include <string>

namespace splice::bind {
namespace {

struct Exceptions {
  PyObject* error = nullptr;
  PyObject* compile_error = nullptr;
  PyObject* not_compiled_warning = nullptr;
  PyObject* of_code[8] = {};   ///< by ErrorCode
  PyObject* report = nullptr;  ///< owned
};

Exceptions& exceptions() {
  static Exceptions all;
  return all;
}

/// A class `splice.<name>` from splice.Error and `natural`, added to the module. Borrowed or null.
PyObject* add_class(PyObject* module, const char* name, const char* doc, PyObject* base,
                    PyObject* natural) {
  const std::string qualified = std::string("splice.") + name;
  PyObject* bases = natural == nullptr ? PyTuple_Pack(1, base) : PyTuple_Pack(2, base, natural);
  if (bases == nullptr) return nullptr;
  PyObject* made = PyErr_NewExceptionWithDoc(qualified.c_str(), doc, bases, nullptr);
  Py_DECREF(bases);
  if (made == nullptr || PyModule_AddObjectRef(module, name, made) < 0) return nullptr;
  return made;  // kept for ever
}

}  // namespace

bool add_exceptions(PyObject* module) {
  Exceptions& all = exceptions();
  all.error = add_class(module, "Error", "Base of everything that Splice itself raises.",
                        PyExc_Exception, nullptr);
  if (all.error == nullptr) return false;
  struct Family {
    ErrorCode code;
    const char* name;
    const char* doc;
    PyObject* natural;
  };
  const Family families[] = {
      {ErrorCode::kInvalidArgument, "InvalidArgumentError", "Malformed input.", PyExc_ValueError},
      {ErrorCode::kOutOfRange, "OutOfRangeError", "An index or value outside its limits.",
       PyExc_IndexError},
      {ErrorCode::kUnsupported, "UnsupportedError", "Well formed, but not handled here.",
       PyExc_NotImplementedError},
      {ErrorCode::kNotFound, "NotFoundError", "Something that was named does not exist.",
       PyExc_LookupError},
      {ErrorCode::kIo, "IoError", "Reading or writing failed.", PyExc_OSError},
      {ErrorCode::kResource, "ResourceError", "Out of memory, descriptors or address space.",
       PyExc_MemoryError},
      {ErrorCode::kInternal, "InternalError", "A fault of Splice.", PyExc_RuntimeError},
  };
  for (const Family& family : families) {
    PyObject* made = add_class(module, family.name, family.doc, all.error, family.natural);
    if (made == nullptr) return false;
    all.of_code[static_cast<std::size_t>(family.code)] = made;
  }
  all.compile_error =
      add_class(module, "CompileError",
                "A function that was decorated with `@jit(strict=True)` cannot be compiled.",
                all.error, PyExc_NotImplementedError);
  all.not_compiled_warning = add_class(
      module, "NotCompiledWarning",
      "A function that was given to `jit` stays in the interpreter; the message says why.",
      PyExc_UserWarning, nullptr);
  return all.compile_error != nullptr && all.not_compiled_warning != nullptr;
}

void raise_status(const Status& status) {
  PyObject* type = exceptions().of_code[static_cast<std::size_t>(status.code())];
  PyErr_SetString(type != nullptr ? type : exceptions().error, status.message().c_str());
}

void set_report(PyObject* report) {
  Py_INCREF(report);
  Py_XSETREF(exceptions().report, report);
}

int tell_not_compiled(PyObject* function, const char* reason, int line, bool strict) {
  // Rare, and it wants source lines: the words are made in Python, by frames that the program's
  // recursion limit does not count.
  constexpr int kFramesOfReport = 60;
  if (exceptions().report == nullptr) {  // `splice` itself is being imported
    if (strict) PyErr_SetString(exceptions().compile_error, reason);
    return strict ? -1 : 0;
  }
  PyThreadState* const ts = PyThreadState_Get();
  const int extra = std::min(kFramesOfReport, INT_MAX - ts->py_recursion_remaining);
  ts->py_recursion_remaining += extra;
  PyObject* done =
      PyObject_CallFunction(exceptions().report, "Osii", function, reason, line, strict ? 1 : 0);
  ts->py_recursion_remaining -= extra;
  Py_XDECREF(done);
  return done == nullptr ? -1 : 0;
}

int tell_disabled(const char* reason) {
  return PyErr_WarnFormat(exceptions().not_compiled_warning, 2,
                          "Splice compiles nothing in this process: %s", reason);
}

}  // namespace splice::bind
