// cpy/imports.h: hearing of the import of a few modules.
#pragma once

#include <Python.h>

#include <string>
#include <vector>

#include "base/result.h"

namespace splice::cpy {

/// From now on `callback` (a new reference is taken) is called without arguments before one of the
/// modules `names` is imported for the first time, in the main interpreter; what it raises is
/// dropped. Once per process. By an audit hook, which cannot be removed; sys.meta_path, where the
/// program would see it, is not touched. Errors: kResource. GIL held.
Status watch_imports(std::vector<std::string> names, PyObject* callback);

}  // namespace splice::cpy
