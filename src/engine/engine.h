// engine/engine.h: the composition root: capture, optimise, compile, swap in place, leave again.
//
// All functions need the GIL. Functions that return a PyObject* or int follow CPython's rule: null
// or -1 with an exception set.
#pragma once

#include <Python.h>

#include <string>

#include "base/result.h"

namespace splice::engine {

struct JitOptions {
  bool strict = false;  ///< a function that cannot be compiled raises instead of being interpreted
  bool quiet = false;   ///< no word to the user about a function that is interpreted
};

/// How the engine speaks to the user; `bind` fills it in.
struct Hooks {
  /// Raises CompileError (strict, -1) or warns (0, or -1 when the filter makes it an exception).
  /// `line` 0 means the whole function. May run Python code.
  int (*not_compiled)(PyObject* function, const char* reason, int line, bool strict) = nullptr;
  /// Warns once that this interpreter is not one that Splice knows. 0 or -1.
  int (*disabled)(const char* reason) = nullptr;
};

/// Once, when the extension is imported. Errors: kUnsupported, this interpreter cannot be used at
/// all (a subinterpreter). An interpreter that is merely unknown starts fine and compiles nothing.
Status start(const Hooks& hooks);

/// Why nothing is compiled in this process; empty when everything works.
const std::string& disabled_reason();

/// Puts an exact Python function under Splice: from now on it is compiled when it is called. 0, or
/// -1 with an exception (strict, and it is known already that it cannot be compiled).
int jit(PyObject* function, const JitOptions& options);
/// The interpreter again. 0; functions that never were under Splice are left alone.
int unjit(PyObject* function);

/// Begins to look for functions worth compiling, in all threads; forked children go on with it.
/// Does nothing where nothing is compiled. 0, or -1 with an exception.
int start_promotion();
/// The look-out ends; what was promoted stays. Returns when the thread behind it has ended.
void stop_promotion();
/// New dict: `candidates`, the functions that were hot, and what became of them; `samples` and
/// `native_samples`, how often the program was looked at.
PyObject* promotion_report();

enum class Stage { kSummary, kTypes, kIr, kLlvm, kAsm };
/// New str.
PyObject* explain(PyObject* function, Stage stage);
/// New dict.
PyObject* stats(PyObject* function);
/// New dict: `functions` that got native code in this process, `units` of it, and `native_calls`:
/// of those only the ones that went through the slow way (first calls for kinds, other kinds).
PyObject* totals();
/// New dict: what this machine and interpreter offer.
PyObject* doctor();

}  // namespace splice::engine
