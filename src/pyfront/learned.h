// pyfront/learned.h: what lowering a unit finds out too late, and keeps for lowering it again.
#pragma once

#include <set>
#include <utility>

#include "pyfront/list_kinds.h"

namespace splice::pyfront {

/// Globals that the unit assigns to: no constants while it runs.
class StoredGlobals {
 public:
  void start() { changed_ = false; }
  void note(PyObject* globals, PyObject* name) {
    changed_ = names_.insert({globals, name}).second || changed_;
  }
  bool contains(PyObject* globals, PyObject* name) const {
    return names_.contains({globals, name});
  }
  bool changed() const { return changed_; }

 private:
  std::set<std::pair<PyObject*, PyObject*>> names_;  ///< names are interned
  bool changed_ = false;
};

/// Instructions whose result did not fit 64 bits when the function ran.
class LargeResults {
 public:
  void insert(PyCodeObject* code, int offset) { places_.insert({code, offset}); }
  bool contains(PyCodeObject* code, int offset) const { return places_.contains({code, offset}); }

 private:
  std::set<std::pair<PyCodeObject*, int>> places_;
};

struct Learned {
  ListKinds lists;
  StoredGlobals globals;
  LargeResults large;

  void start() {
    lists.start();
    globals.start();
  }
  /// What was lowered since start() was based on less than is known by now.
  bool changed() const { return lists.changed() || globals.changed(); }
};

}  // namespace splice::pyfront
