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

struct Learned {
  ListKinds lists;
  StoredGlobals globals;

  void start() {
    lists.start();
    globals.start();
  }
  /// What was lowered since start() was based on less than is known by now.
  bool changed() const { return lists.changed() || globals.changed(); }
};

}  // namespace splice::pyfront
