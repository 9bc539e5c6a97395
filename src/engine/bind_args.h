// engine/bind_args.h: the arguments of a call as one value per parameter.
//
// What the interpreter does at the start of a call, for the calls that are unusual for an entry
// stub but correct: keywords, defaults, keyword-only parameters. Runs no Python code and sets no
// exception: a call that is wrong, or that could run code while it is bound (keywords that are not
// exact str), is declined, and the interpreter then makes of it what it makes of it.
#pragma once

#include <Python.h>

#include <array>
#include <cstddef>
#include <memory>

namespace splice::engine {

/// Values in parameter order, keyword-only ones last. What the caller gave is borrowed from him;
/// defaults, which may be replaced while the call runs, are kept alive.
class BoundArgs {
 public:
  BoundArgs() = default;
  ~BoundArgs();
  BoundArgs(const BoundArgs&) = delete;
  BoundArgs& operator=(const BoundArgs&) = delete;

  /// False: the interpreter has to look at the call. GIL held.
  bool bind(PyFunctionObject* function, PyObject* const* args, std::size_t nargs,
            PyObject* kwnames);

  PyObject* const* data() const { return values_; }
  std::size_t size() const { return size_; }

 private:
  bool bind_keywords(PyCodeObject* code, PyObject* const* values, PyObject* kwnames);
  bool fill_defaults(PyFunctionObject* function, PyCodeObject* code);

  static constexpr std::size_t kInline = 16;
  std::array<PyObject*, kInline> inline_{};
  std::unique_ptr<PyObject*[]> heap_;
  PyObject** values_ = inline_.data();
  std::size_t size_ = 0;
  std::size_t positional_ = 0;    ///< from here on each value is an owned reference
  PyObject* defaults_ = nullptr;  ///< the tuple, owned, when one of its items is used
};

/// True when `nargs` positional arguments without keywords are one per parameter already.
bool is_complete(PyCodeObject* code, std::size_t nargs, PyObject* kwnames);

}  // namespace splice::engine

extern "C" {

/// For entry stubs of functions without keyword-only parameters, and calls with keywords or with
/// fewer values than parameters: calls the stub of `unit` again with one value per parameter.
/// `defaults` is the tuple that the stub was made for. A call that is not so simple is a miss.
PyObject* splice_rt_bind(PyObject* function, PyObject* const* args, std::size_t nargsf,
                         PyObject* kwnames, void* unit, PyObject* defaults);

}  // extern "C"
