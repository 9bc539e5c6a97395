// pyfront/leaks.h: lists that the program cannot tell from an array of numbers.
//
// A list that a function makes, and that it only indexes, appends to, iterates over and so on, need
// not exist as an object: nobody else ever has it. Nor need its items, where nothing can tell
// whether two of them are one object. One pass over the bytecode finds such lists; what they hold
// is found while lowering (list_kinds.h).
#pragma once

#include <functional>
#include <vector>

#include "pyfront/bytecode.h"

namespace splice::pyfront {

/// Lists that meet in a variable are of one class: either all of them are typed or none. So are the
/// lists that lists of one class hold.
struct ListClasses {
  static constexpr int kNone = -1;
  /// What the lists of a class hold: numbers or so (depth 1), or lists, down to those of a class
  /// that holds numbers.
  struct Nesting {
    int depth = 1;
    int innermost = kNone;  ///< a class; at depth 1 this one
  };
  std::vector<int> made;         ///< by instruction: the class of the list that it makes
  std::vector<int> used;         ///< by instruction: the class of the lists that it works on
  std::vector<Nesting> nesting;  ///< by class
  /// Something is looked for by `in`, `index` or `count` among the items of such lists, or one of
  /// them elsewhere. A NaN is found there only as the same object, so lists of floats stay lists.
  bool searched = false;
};

/// What the static pass needs of the world around the bytecode.
struct Names {
  PyCodeObject* code;
  /// The function, type or module that a global name stands for, borrowed, or null.
  std::function<PyObject*(PyObject* name)> global;
  std::function<PyObject*(PyObject* module, PyObject* name)> attribute;
  /// observed_locals() of a function that is called.
  std::function<const std::vector<bool>&(PyFunctionObject* function)> observed;
};

/// Errs on the side of kNone. What the interpreter does behind an exit counts too: an exit makes
/// real lists, whose items are new objects.
ListClasses find_private_lists(const Bytecode& bytecode, const Names& names);

}  // namespace splice::pyfront
