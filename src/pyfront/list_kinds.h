// pyfront/list_kinds.h: what the private lists of a unit hold (leaks.h).
//
// A list is made before it is known what will be stored in it. So the unit is lowered by what is
// known so far, and again as long as lowering finds more. Kinds are only added; more than one makes
// a list of objects.
#pragma once

#include <map>
#include <set>
#include <utility>

#include "pyfront/abstract.h"

namespace splice::pyfront {

class ListKinds {
 public:
  /// Forgets what was asked; all that was noted stays.
  void start() {
    asked_.clear();
    changed_ = false;
  }
  /// The typed list that lists of this class are; null for lists of objects.
  PyTypeObject* type_of(PyCodeObject* code, int list_class);
  /// Lists of this class hold a value with this number_tag().
  void note(PyCodeObject* code, int list_class, AbsVal::Tag item);
  /// Lists of this class hold ints and floats.
  bool is_mixed(PyCodeObject* code, int list_class) const;
  /// Something else was noted than an answer was based on.
  bool changed() const { return changed_; }

 private:
  using Key = std::pair<PyCodeObject*, int>;
  std::map<Key, unsigned> seen_;  ///< one bit for each kind of item
  std::set<Key> asked_;
  bool changed_ = false;
};

/// The kind of the items of a typed list, kObject for lists of lists; kNull for everything else.
AbsVal::Tag typed_item(const AbsVal& v);
AbsVal::Tag typed_item(const PyTypeObject* type);

}  // namespace splice::pyfront
