// cpy/imports.h: hearing of the import of a few modules.
#pragma once

#include <Python.h>

#include <string>
#include <vector>

#include "base/result.h"

namespace splice::cpy {

/// From now on `callback` (a new reference is taken) is called without arguments soon after the
/// import of one of the modules `names` has begun, in the main interpreter: by a pending call,
/// which runs before the module's own second line. What it raises is dropped. Once per process. By
/// a watch on sys.modules: an audit hook would slow the program down, and sys.meta_path, where the
/// program would see it, is not touched. Errors: kResource. GIL held.
Status watch_imports(std::vector<std::string> names, PyObject* callback);

}  // namespace splice::cpy
