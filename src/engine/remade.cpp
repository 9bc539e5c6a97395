#include "engine/remade.h"

#include <algorithm>

namespace splice::engine {
namespace {

/// Functions of one code object that are compiled at once.
constexpr std::uint32_t kAtOnce = 8;
constexpr std::uint32_t kMostDoublings = 30;

struct History {
  std::uint32_t compiled = 0;  ///< functions, since one of them proved worth it
  double ms = 0;               ///< of the last one
};

void free_history(void* history) { delete static_cast<History*>(history); }

/// Negative: there is none left, and nobody waits.
Py_ssize_t extra_index() {
  static const Py_ssize_t index = PyUnstable_Eval_RequestCodeExtraIndex(free_history);
  return index;
}

History* find_history(PyCodeObject* code) {
  void* found = nullptr;
  if (extra_index() < 0) return nullptr;
  if (PyUnstable_Code_GetExtra(reinterpret_cast<PyObject*>(code), extra_index(), &found) < 0) {
    PyErr_Clear();
    return nullptr;
  }
  return static_cast<History*>(found);
}

}  // namespace

std::uint64_t calls_before_compiling(PyCodeObject* code) {
  const History* history = find_history(code);
  if (history == nullptr || history->compiled < kAtOnce) return 0;
  return std::uint64_t{1} << std::min(history->compiled - kAtOnce, kMostDoublings);
}

void note_compiled(PyCodeObject* code, double ms) {
  History* history = find_history(code);
  if (history == nullptr) {
    if (extra_index() < 0) return;
    history = new History;
    if (PyUnstable_Code_SetExtra(reinterpret_cast<PyObject*>(code), extra_index(), history) < 0) {
      PyErr_Clear();
      delete history;
      return;
    }
  }
  ++history->compiled;
  history->ms = ms;
}

WaitingCall::WaitingCall(PyCodeObject* code) : code_(code) { Py_INCREF(code_); }

WaitingCall::~WaitingCall() {
  if (History* history = find_history(code_); history != nullptr && watch_.ms() >= history->ms)
    history->compiled = 0;
  Py_DECREF(code_);
}

}  // namespace splice::engine
