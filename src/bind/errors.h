// bind/errors.h: the exceptions of the package.
#pragma once

#include <Python.h>

#include "base/result.h"

namespace splice::bind {

/// Creates splice.Error and its family and adds them to the module. False with an exception set.
bool add_exceptions(PyObject* module);

/// Raises the exception that stands for `status`.
void raise_status(const Status& status);

/// The callable behind tell_not_compiled, which gets its arguments. Handed over beforehand, because
/// an import from C when it is needed would look for __import__ in the builtins of whoever runs
/// then.
void set_report(PyObject* report);

/// engine::Hooks::not_compiled and ::disabled.
int tell_not_compiled(PyObject* function, const char* reason, int line, bool strict);
int tell_disabled(const char* reason);

}  // namespace splice::bind
