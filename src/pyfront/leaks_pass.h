// pyfront/leaks_pass.h: the pass behind find_private_lists().
//
// Which objects may be on the stack and in the variables, by the instructions that make them
// (nodes). Variables have one set of nodes for the whole function, stack items one per instruction.
// Sets only grow; the pass is repeated until they do not.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "pyfront/leaks.h"

namespace splice::pyfront::leaks {

inline constexpr int kNodesPerInst = 4;
inline constexpr int kNamed =
    0;  ///< the node of objects that others have too, or that are not followed

using Nodes = std::vector<int>;  ///< sorted

/// What an instruction makes.
struct Node {
  enum class Kind : std::uint8_t {
    kOther,
    kNumber,  ///< what an operator gives: a new object
    kList,    ///< a list that may turn out to be private
    kRange,
    kView,  ///< a tuple or iterator: stands for what can be taken out of it
    kItem,  ///< a number out of the lists in `content`, a new one, or a tuple of such
  };
  Kind kind = Kind::kOther;
  bool observed = false;  ///< somebody else gets the object
  bool returned = false;  ///< lists: an item is the function's result
  bool leaks = false;     ///< lists
  Nodes content;
  std::vector<Nodes> parts;  ///< kView, of tuples whose items are told apart: `content` by position
  Nodes held;                ///< what else an observer gets with it
};

/// A stack item or variable.
struct Value {
  Nodes nodes;
  PyObject* known = nullptr;  ///< the only object that it can be
  int method = -1;            ///< a method of the item above: index into co_names
  bool null = false;
  bool slice = false;
};

/// True when `into` has grown.
bool add_all(Nodes& into, const Nodes& more);

inline Value value_of(Nodes nodes) {
  Value v;
  v.nodes = std::move(nodes);
  return v;
}

inline Value named(PyObject* known = nullptr) {
  Value v = value_of({kNamed});
  v.known = known;
  return v;
}

class Pass {
 public:
  Pass(const Bytecode& bytecode, const Names& names);

  ListClasses run();

 private:
  Node& node(int id) { return nodes_[static_cast<std::size_t>(id)]; }

  // --- flow ----------------------------------------------------------------------------------
  /// Repeats the pass over all instructions until nothing grows.
  void settle();
  /// `stack` arrives at an instruction.
  void reach(int target, const std::vector<Value>& stack);
  void merge(Value& into, const Value& other);
  void grow(Nodes& into, const Nodes& more) { changed_ = add_all(into, more) || changed_; }

  /// An exception in this instruction.
  void enter_handler();

  Value pop();
  void push(Value v, int n = 1) { stack_.insert(stack_.end(), static_cast<std::size_t>(n), v); }
  void push(Nodes nodes) { push(value_of(std::move(nodes))); }

  /// Node `k` of this instruction.
  int make(int k, Node::Kind kind, const Nodes& content = {});
  int number() { return make(2, Node::Kind::kNumber); }
  int counted() { return make(2, Node::Kind::kItem); }  ///< by range and enumerate

  // --- what becomes of values --------------------------------------------------------------------
  void observe(const Value& v);
  void observe(int id);
  void observe_parts(int id);
  void leak(int list);
  int root(int list);
  /// The lists among the nodes, which this instruction works on. They become one class.
  Nodes lists_of(const Value& v);
  void join(int a, int b);

  void leak_lists(const Value& v);
  /// An operation on numbers: everything else is observed.
  void use_number(const Value& v);
  /// `wanted` is looked for in a container, which is a list of ours or not.
  void note_search(bool in_list, const Value& wanted);

  /// Whether the only objects that this can be are ints and bools without identity: an item of
  /// lists that hold lists, or nothing else so far.
  bool is_immediate(int id);
  /// Whether every object with an identity that this can be is a list of ours.
  bool is_list(const Value& v);
  /// A list with the items of others, made by this instruction.
  Nodes copy_of(const Nodes& lists);
  /// A tuple of such items, made by this instruction.
  Nodes tuple_of(int k, const std::vector<Nodes>& parts);
  /// Item `i` of the `n` that `v` is unpacked into.
  Nodes part_of(const Value& v, std::size_t i, std::size_t n);

  /// `v` becomes an item of the container.
  void store(const Value& container, const Value& v);

  /// `v` gets into a variable or a list: a tuple must be one object from now on.
  void keep(const Value& v);

  /// What can be taken out of `v`: by an index, or by iterating.
  Nodes items_of(const Value& v);
  Nodes items_of(int id);

  void returns(const Value& v);

  /// Whether an object that this may be is also held by somebody outside.
  bool is_shared(int id, Nodes& seen);

  /// What follows from leaks and stores so far.
  void close();
  /// Lists that hold lists: those are of one class, and all of them leak when one does.
  void close_nested();
  ListClasses::Nesting nesting(int list);

  ListClasses result();

  // --- instructions ------------------------------------------------------------------------------
  bool step(const PyInst& inst);
  void binary(const PyInst& inst);
  void slice(const Value& container);
  /// `lists` get the items of `more`.
  void extend(const Nodes& lists, const Nodes& more);
  void attribute(const PyInst& inst);
  void call(const PyInst& inst);
  bool call_known(PyObject* callable, const std::vector<Value>& args);
  bool call_function(PyObject* callable, const std::vector<Value>& args);
  bool call_method(const std::string& name, const Value& self, const std::vector<Value>& args);

  const Bytecode& bytecode_;
  const Names& names_;
  std::vector<Node> nodes_;
  std::vector<int> parent_;  ///< of lists: union-find of classes
  std::vector<int> rows_;    ///< by class (its root): a list that its lists hold, or kNone
  std::vector<Nodes> locals_;
  std::vector<std::vector<Value>> stacks_;
  std::vector<bool> reached_;
  std::vector<int> containers_;  ///< a list that the instruction works on
  bool searched_ = false;        ///< ListClasses::searched
  bool changed_ = false;
  int at_ = 0;
  std::vector<Value> stack_;
};

}  // namespace splice::pyfront::leaks
