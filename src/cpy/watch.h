// cpy/watch.h: being told before something changes that compiled code relies on.
//
// One watcher id of CPython per kind; the table from objects to tokens is ours. A token is an
// opaque pointer of the caller. When something changes, all tokens that wait for it are taken out
// of the table, the invalidation epoch is bumped (cpy/thread_context.h), and the callback is called
// once per token, *before* the change. It runs inside whatever makes the change, so it must not run
// Python code nor raise; it may watch and unwatch. The same (object, key, token) is kept once.
// GIL held for everything.
//
// Known holes of CPython, to be closed by who relies on the value:
//   - 3.13: attribute stores to an instance are not seen in a watched instance __dict__.
//   - Writes to a class's dict behind its mappingproxy, and assignments to __class__, are not seen.
//   - Cells are never seen.
#pragma once

#include <Python.h>

#include "base/result.h"

namespace splice::cpy {

/// Takes the watcher ids. Once. Errors: kResource when no id is free. Sets no exception.
Status init_watchers();

/// `callback` gets each token. One for the process; null drops the tokens silently.
void set_watch_callback(void (*callback)(void* token));

/// `callback` hears of every function of the process, watched or not, that dies or of which a part
/// is about to change, after the watches of it have been called. It runs no Python code and sets no
/// exception.
using FunctionCallback = void (*)(PyFunction_WatchEvent event, PyFunctionObject* function);
void set_function_callback(FunctionCallback callback);

/// The value of `key` in `dict` changes, appears or disappears (the dict may be cleared or die).
/// An exact dict; `key` a str, of which the table keeps a reference. A null key means any change.
Status watch_dict_key(PyObject* dict, PyObject* key, void* token);
/// __code__, __defaults__ or __kwdefaults__ is assigned, the kwdefaults dict is changed in place,
/// or the function dies.
Status watch_function(PyObject* function, void* token);
/// The type or one of its bases is modified. Has no event for the type's death: the caller keeps
/// the type alive while it is watched. Gives the type a version tag, without which CPython is
/// silent; kResource when it has run out of them.
Status watch_type(PyObject* type, void* token);
/// The code object dies.
Status watch_code(PyObject* code, void* token);

/// Takes every watch of `token` back. Cheap when it has none.
void unwatch(void* token);

/// Watches in the tables, for tests and doctor().
std::size_t watch_count();

}  // namespace splice::cpy
