// engine/interpret.h: running a call in the interpreter from inside an entry.
//
// An interpreter entered from a patched function is one more C level, where plain Python would use
// none. InterpreterScope keeps that from being seen: it gives the C recursion budget back what the
// extra level takes, and once a thread has many such levels on its stack it restores the function's
// own entry for as long as the call runs, so that deeper levels are inlined as usual.
#pragma once

#include <Python.h>

#include <cstddef>

namespace splice::engine {

struct Record;

/// The entry that every function has when nobody has patched it.
vectorcallfunc original_entry();
/// Reads it from a fresh function. False with an exception set.
bool find_original_entry();

/// False on a daemon thread that CPython ends at exit by unwinding through our frames: destructors
/// must not touch any Python object then.
bool attached();

class InterpreterScope {
 public:
  /// `record` may be null. Holds the function, and with it the record.
  InterpreterScope(PyObject* function, Record* record);
  ~InterpreterScope();
  InterpreterScope(const InterpreterScope&) = delete;
  InterpreterScope& operator=(const InterpreterScope&) = delete;

 private:
  PyObject* function_;
  Record* suspended_ = nullptr;
};

/// The call as the interpreter makes it.
PyObject* interpret(PyObject* function, Record* record, PyObject* const* args, std::size_t nargsf,
                    PyObject* kwnames);
/// The same for one value per parameter, keyword-only ones last.
PyObject* interpret_complete(PyObject* function, Record* record, PyObject* const* args,
                             std::size_t nargsf);

}  // namespace splice::engine
