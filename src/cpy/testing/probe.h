// cpy/testing/probe.h: what the tests of this folder share: Python scripts that are run in the
// embedded interpreter and drive the C++ side through a module named `probe`.
#pragma once

#include <Python.h>

namespace splice::cpy::testing {

/// Adds functions to `probe`, which is in sys.modules. `methods` lives for ever.
void add_to_probe(PyMethodDef* methods);

/// Runs src/cpy/testing/<name> as a script. True when it ended without an exception; otherwise the
/// traceback is on stderr.
bool run_script(const char* name);

}  // namespace splice::cpy::testing
