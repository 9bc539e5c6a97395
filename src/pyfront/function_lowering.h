// pyfront/function_lowering.h: one function instance, lowered by abstract interpretation.
//
// Basic-block versioning: a bytecode position is lowered once per *shape* of the state that reaches
// it. A local that is an int in the first iteration and a float afterwards gives two versions of
// the loop, the first of which runs once; nothing is ever unified that CPython keeps apart. Edges
// wait until every edge from earlier bytecode has arrived, and are then merged where their shapes
// allow it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cpy/flat_buffer.h"
#include "cpy/numpy.h"
#include "cpy/numpy_ufunc.h"
#include "ir/builder.h"
#include "pyfront/abstract.h"
#include "pyfront/bytecode.h"
#include "pyfront/leaks.h"
#include "pyfront/numpy_values.h"
#include "pyfront/unit.h"

namespace splice::pyfront {

/// One shape of value that a function returns, and where its parts are in the IR results.
struct ResultKind {
  AbsVal shape;
  std::size_t first_result = 0;
  std::size_t result_count = 0;
};

class FunctionLowering {
 public:
  FunctionLowering(Unit& unit, std::uint32_t index, PyFunctionObject* function,
                   std::vector<AbsVal> params, const Role& role);

  bool prepare(std::string& error);
  bool matches(PyFunctionObject* function, const std::vector<AbsVal>& args, const Role& role) const;
  bool has_work() const { return !pending_.empty(); }
  /// Lowers the first pending position.
  void step();
  /// Completes returns and calls once all result kinds of all instances are known.
  void finish();

  /// C stack that its frame may take, where that is more than every limit leaves anyway; else 0.
  std::int64_t large_frame() const;
  /// True when some loop goes round natively.
  bool has_loop() const { return !goes_round_.empty(); }
  /// Set when native code would hardly be faster in calls from interpreted code: no loop that holds
  /// no other goes round, or there is next to nothing to do.
  std::optional<Bailout> doubt();
  /// For explain: "name(int, float) -> float | None", and a line for each list without objects.
  std::string signature();
  PyFunctionObject* function() const { return function_; }
  PyCodeObject* code() const { return code_; }
  std::uint32_t index() const { return index_; }
  const std::vector<ResultKind>& results() const { return results_; }
  const std::vector<AbsVal>& params() const { return params_; }
  /// Values for the parameters of the IR function, in order, made of `args` in `b`'s current block.
  void flatten_args(ir::Builder& b, const std::vector<AbsVal>& args, std::vector<ir::ValueId>& out);

 private:
  struct Edge {
    ir::BlockId block;  ///< unterminated; branches to the version that takes it
    State state;
  };
  struct Version {
    State shape;  ///< values are the arguments of `block`
    ir::BlockId block;
  };
  struct CallSite {
    ir::BlockId block;      ///< ends in the switch on the status
    std::size_t call_inst;  ///< of the call in that block
    std::uint32_t callee;
    State state;                                  ///< after the call, without its result
    int next;                                     ///< instruction behind the call
    std::vector<std::vector<ir::ValueId>> kinds;  ///< result values given out so far, by kind
    ir::ValueId status;
    bool gone = false;  ///< no path leads there any more
  };
  struct Return {
    ir::BlockId block;
    std::size_t kind;
    std::vector<ir::ValueId> values;
  };
  struct ExitSite {
    const char* reason;
    ir::ExitId exit;
    std::vector<ir::ValueId> live;
    std::vector<ir::ValueId> dropped;  ///< owned, in `live` too, but part of no frame
  };
  struct SliceParts {
    ir::ValueId values[3];    ///< start, stop, step, i64
    std::int64_t absent = 0;  ///< bit i: part i is None
  };
  struct Number {
    AbsVal::Tag tag = AbsVal::Tag::kNull;
    ir::ValueId value = ir::kNone;
    bool is_const = false;
    std::int64_t const_int = 0;  ///< when tag is kInt or kBool and is_const
    double const_float = 0;      ///< when tag is kFloat and is_const
  };

  // --- function_lowering.cpp: edges, versions, the main loop ---------------------------------
  void add_edge(int target, ir::BlockId block, State state);
  void lower_version(int at, Version version);
  /// Lowers one instruction. False when the block is finished.
  bool lower_inst(int at);
  /// The instructions that may leave or drop objects.
  bool lower_guarded(const PyInst& inst, int at);
  void flatten(ir::Builder& b, const AbsVal& shape, const AbsVal& v, std::vector<ir::ValueId>& out);
  /// Emits what the instruction does in `block`, which starts with the present state. What follows
  /// in other blocks sees nothing of it.
  void in_branch(ir::BlockId block, const std::function<void()>& body);
  int line_of(const PyInst& inst);
  void connect(Edge& edge, const Version& version, int at);
  /// Lets the version that is about to be made for `shape` replace one that it can stand for, whose
  /// head becomes one of its `edges`.
  void widen(int at, State& shape, std::vector<Edge>& edges);
  /// Drops pending edges and versions that no path from the entry reaches any more, and what was to
  /// follow in the block whose instructions are gone.
  void forget_unreachable(ir::BlockId emptied);
  /// flatten() that hands references over: a slot that owns takes one out of `free`, those of the
  /// state that ends here, or a new one.
  void pass(const AbsVal& shape, const AbsVal& v, std::vector<ir::ValueId>& free,
            std::vector<ir::ValueId>& out, bool nullable = false);

  // --- lower_ownership.cpp: who keeps objects alive (see State)
  // -----------------------------------
  /// A new reference to `object` (kNone: to nothing); null-safe when `nullable`.
  ir::ValueId take_reference(ir::Builder& b, ir::ValueId object, bool nullable);
  /// Makes the state own `object`, which it holds without owning it. In front of the instruction's
  /// first guard only: exits describe the new owner.
  void own(ir::ValueId object);
  /// What is behind this instruction may drop or change what containers hold: frail references that
  /// go on being needed get an owner, others are forgotten.
  void barrier(int next);
  /// Drops what the state owns and no slot refers to any more. `after_effect`: the instruction has
  /// done something that can be seen, so it is too late to leave in front of it.
  void release_unreferenced(bool after_effect);
  /// Emits `body`, for a nullable object under a test.
  void if_not_null(ir::ValueId object, bool nullable, const std::function<void()>& body);
  /// Adds an SSA object that the state owns from now on.
  void adopt(ir::ValueId object) { state_.owned.push_back(object); }
  bool live_at(int inst, std::size_t local);

  // --- lower_identity.cpp
  // --------------------------------------------------------------------------
  /// The object that `value` is: borrowed, or made now and then owned by the state. Later uses of
  /// the same number or tuple give the same object. May guard.
  enum class Exits : std::uint8_t {
    kOwnIt,     ///< exits behind it hand the object over as what the value is
    kForgetIt,  ///< the instruction gives the object away; only "no memory" exits may follow
  };
  ir::ValueId object_for(const AbsVal& value, Exits exits = Exits::kOwnIt);
  ir::ValueId box_for(const AbsVal& number, Exits exits);
  ir::ValueId aggregate_for(const AbsVal& v, Exits exits);
  /// New reference to what is made of the items; null with an exception.
  ir::ValueId box_items(const AbsVal& v, Exits exits);
  /// `v` has become `object`, which the state owns.
  void own_as(const AbsVal& v, const AbsVal& object, Exits exits);
  /// What the state knows by now of a number or tuple that was copied out of it.
  AbsVal as_it_is_now(const AbsVal& v) const;
  /// Whether object_for() can make it one: not so iterators and slices.
  bool can_be_object(const AbsVal& v) const;
  bool has_certain_object(const AbsVal& v) const;
  /// Where slots of an edge hold one computed number, which a merge would forget.
  void share_at_merge(Edge& edge, int at);
  /// Emits `body`, which may guard, at the end of an edge to the instruction at `at`.
  void in_front_of(Edge& edge, int at, const std::function<void()>& body);
  /// Where a callee is given a number that this frame, or another argument, holds too.
  bool has_many_parts(const AbsVal& v);
  void share_arguments(PyFunctionObject* callee, std::vector<AbsVal>& args, std::size_t popped,
                       int next);
  /// Gives a number that stands in the result more than once its one object.
  void box_repeated(const AbsVal& v);
  /// Whether a live variable whose object can be seen, or a stack slot below the `operands` of this
  /// instruction, holds the number too.
  bool is_held_beside(const AbsVal& number, std::size_t operands, int next);
  /// a % b and a >> 0 may be `a` itself.
  void share_small_dividend(AbsVal a, const Number& b, AbsVal& rest);
  void share_unshifted(AbsVal a, const Number& count, AbsVal& shifted);
  /// Whether the program can tell if the result is the number `a`, which gets its object if it is
  /// seen elsewhere than in the `operands` of this instruction.
  bool operand_has_object(AbsVal& a, std::size_t operands);
  /// The same of all arguments of a call; one that is among them twice gets one object.
  void operands_have_objects(std::vector<AbsVal>& args, std::size_t operands);
  /// Where `is_same`, `result` is the object of `a`. `unlike`: a block from which it is not.
  void hand_back(const AbsVal& a, ir::BlockId unlike, const std::function<ir::ValueId()>& is_same,
                 AbsVal& result);
  /// The origin of a number that is one of two; kNone stands for none. Owned where it must be.
  ir::ValueId choose_origin(ir::ValueId cond, ir::ValueId yes, ir::ValueId no);

  // --- lower_exit.cpp
  // ------------------------------------------------------------------------------
  void guard(ir::ValueId cond, const char* reason);
  /// A guard that tells whether something has been done: it never fails for a test (SPLICE_CHAOS).
  void guard_done(ir::ValueId cond, const char* reason);
  /// guard_done() that a runtime function has made the new object.
  void check_made(ir::ValueId object, const char* reason = "no memory");
  /// Ends the block: the interpreter takes over in front of the current instruction.
  bool leave(const std::string& reason);
  const ExitSite& exit_site(const char* reason);
  ir::Recipe recipe(const AbsVal& v, ir::Exit& exit, std::vector<ir::ValueId>& live);
  ir::Exit make_exit(const State& state, const PyInst& inst, std::vector<ir::ValueId>& live);
  const char* intern(const std::string& text);

  // --- values
  // ------------------------------------------------------------------------------------------
  bool number(const AbsVal& v, Number& out);
  ir::ValueId constant_value(PyObject* number, AbsVal::Tag tag);
  ir::ValueId origin_of(const AbsVal& v);
  ir::ValueId as_int(const Number& n);
  ir::ValueId as_float(const Number& n);
  ir::ValueId as_complex(const Number& n);
  ir::ValueId object_value(const AbsVal& v);
  /// Calls a runtime function that reports "the interpreter must do it" through an i64 slot.
  ir::ValueId call_failing(ir::SymbolId symbol, std::vector<ir::ValueId> args, const char* reason);
  AbsVal known_int(ir::ValueId v) { return AbsVal::number(AbsVal::Tag::kInt, v); }
  AbsVal known_float(ir::ValueId v) { return AbsVal::number(AbsVal::Tag::kFloat, v); }
  AbsVal known_bool(ir::ValueId v) { return AbsVal::number(AbsVal::Tag::kBool, v); }
  AbsVal known_complex(ir::ValueId v) { return AbsVal::number(AbsVal::Tag::kComplex, v); }
  AbsVal py_none() { return AbsVal::constant(Py_None); }
  /// Truth value as i1; kNone when only the interpreter can tell. Constants fold to an i1 constant.
  ir::ValueId truth(const AbsVal& v);
  /// -1 unknown, else the truth value known now.
  int known_truth(const AbsVal& v);
  /// Replaces the top `popped` stack items by the result; true, to end an instruction with.
  bool give(AbsVal result, std::size_t popped);

  // --- lower_arith.cpp
  // ---------------------------------------------------------------------------------
  bool binary_op(AbsVal a, AbsVal b, BinaryOperator op, AbsVal& out);
  bool int_op(const Number& a, const Number& b, BinaryOperator op, AbsVal& out);
  bool float_op(const Number& a, const Number& b, BinaryOperator op, AbsVal& out);
  static bool is_half(const Number& n) {
    return n.is_const && n.tag == AbsVal::Tag::kFloat && n.const_float == 0.5;
  }
  /// x ** 0.5: the square root where that is certain to be C's pow, which `power` makes elsewhere.
  ir::ValueId root_power(ir::ValueId x, const std::function<ir::ValueId()>& power);
  bool complex_op(const Number& a, const Number& b, BinaryOperator op, AbsVal& out);
  ir::ValueId checked(ir::Op op, ir::ValueId a, ir::ValueId b);
  void int_divmod(const Number& a, const Number& b, ir::ValueId* quotient, ir::ValueId* rest);
  ir::ValueId int_true_divide(const Number& a, const Number& b);
  bool int_power(const Number& a, const Number& b, AbsVal& out);
  bool negative(const AbsVal& v, AbsVal& out);
  bool positive(const AbsVal& v, AbsVal& out);
  bool invert(const AbsVal& v, AbsVal& out);

  // --- lower_large.cpp: ints that do not fit 64 bits
  // ---------------------------------------------------------------------------------
  /// BINARY_OP or COMPARE_OP of ints of which one, or the result, may be large. 1: done; 0: it
  /// ended the block, in two versions; -1: it is about others.
  int large_int_op(const PyInst& inst, int at);
  /// Ends the block with the result of objects, which may fit 64 bits or not.
  void give_large(const AbsVal& a, const AbsVal& b, BinaryOperator op, int at);
  ir::ValueId compare_large(const AbsVal& a, const AbsVal& b, int op);

  // --- lower_scalar.cpp: NumPy scalars, with NumPy's meaning (NEP 50)
  // -----------------------------------------------------------------------------
  struct Scalar {
    mem::ElementType element = mem::ElementType::kF64;
    ir::ValueId value = ir::kNone;
  };
  /// The NumPy scalar that `v` is, constants included.
  bool scalar(const AbsVal& v, Scalar& out);
  /// The type that an operation on `a` and `b` is done in, one of which is a NumPy scalar: Python
  /// numbers adapt to the other operand. False when it is none that native code has.
  bool operation_type(const AbsVal& a, const AbsVal& b, mem::ElementType& out);
  /// C's conversion, value preserving or not.
  ir::ValueId cast_element(ir::ValueId value, mem::ElementType from, mem::ElementType to);
  /// `v` as an operand of this type; guards that a Python number fits. kNone when it cannot be.
  ir::ValueId operand_as(const AbsVal& v, mem::ElementType to);
  /// A float as an f32, guarded that it does not overflow.
  ir::ValueId narrow_float(ir::ValueId value);
  /// A complex64 is carried as two float64: on its way through one a signalling NaN would lose its
  /// bits, and be told of too early. Leaves with a NaN float32 that becomes one.
  void guard_bits_kept(ir::ValueId narrow, mem::ElementType to);
  ir::ValueId exact(const LoadedElement& loaded);
  /// -1: not about NumPy scalars; 0: it ended the block; 1: `out` is the result.
  int scalar_op(const AbsVal& a, const AbsVal& b, BinaryOperator op, AbsVal& out);
  /// The same where native code does it; -1 where it would be a ufunc of NumPy.
  int scalar_arithmetic(const AbsVal& a, const AbsVal& b, mem::ElementType type, BinaryOperator op,
                        AbsVal& out);
  /// `op` as of splice_rt_complex_op().
  AbsVal scalar_complex_op(ir::ValueId x, ir::ValueId y, mem::ElementType type, char op);
  int scalar_int_op(ir::ValueId x, ir::ValueId y, mem::ElementType type, BinaryOperator op,
                    AbsVal& out);
  int scalar_float_op(ir::ValueId x, ir::ValueId y, mem::ElementType type, BinaryOperator op,
                      AbsVal& out);
  ir::ValueId scalar_shift(ir::ValueId x, ir::ValueId count, mem::ElementType type, bool left);
  int scalar_compare(const AbsVal& a, const AbsVal& b, int op, AbsVal& out);
  /// Of an uint64 and an int.
  AbsVal compare_unsigned(ir::ValueId x, const AbsVal& number, int op);
  int scalar_unary(const AbsVal& v, PyOp op, AbsVal& out);
  int scalar_abs(const AbsVal& v, AbsVal& out);
  /// type(v) of a NumPy scalar type.
  int scalar_of(mem::ElementType element, const AbsVal& v, AbsVal& out);
  /// Guards that NumPy does this to floats without a warning (splice_rt_is_quiet_f64).
  void guard_quiet(char op, ir::ValueId a, ir::ValueId b, ir::ValueId result);
  /// A scalar as the Python number that float() or operator.index() make of it; others as they are.
  AbsVal as_python_number(const AbsVal& v);
  /// `v`, an integer scalar as the int that it is.
  AbsVal as_python_int(const AbsVal& v);

  // --- lower_either.cpp: a Python number or a NumPy scalar of the same value
  // -----------------------------------------------------------------------------
  /// A number that fits, as a scalar of `element` holds it.
  static ir::ValueId scalar_value(ir::Builder& b, const AbsVal& number, mem::ElementType element);
  static AbsVal scalar_part(const AbsVal& either);
  AbsVal python_part(const AbsVal& either);
  /// Locals that the loop at `header` uses in no way that depends on which of the two they are.
  const std::vector<bool>* may_be_either(int header);
  bool is_used_alike(int load) const;
  /// Whether what the comparison at `at` gives is only asked for its truth.
  bool is_only_tested(int at) const;
  /// Where operands of the instruction are either: 1: it is done; 0: it ended the block, in two
  /// versions; -1: it is done as if they were scalars, or there are none.
  int resolve_either(const PyInst& inst, int at);
  /// Ends the block: the instruction at `at` is lowered for each of the two.
  void split_either(const AbsVal& either, int at);
  /// Guards that the numbers of an edge fit what the version at `at` holds them as.
  void fit_numbers(Edge& edge, const State& shape, int at);

  // --- lower_array.cpp: exact ndarrays
  // -----------------------------------------------------------------------------
  bool is_array(const AbsVal& v) const;
  std::optional<cpy::ArrayFacts> guessed_facts(const AbsVal& array);
  /// What the array is, guessed and guarded; none, and the block is ended, when it is not known.
  std::optional<cpy::ArrayFacts> array_facts(const AbsVal& array);
  /// In front of a loop: guards what its arrays are and reads their headers, for all its rounds
  /// (opt/steady_headers).
  void look_at_arrays(int header);
  /// Guards what `is_like` tells of the object, once in each block.
  void guard_once(const AbsVal& v, const char* reason,
                  const std::function<ir::ValueId(ir::ValueId)>& is_like);
  ir::ValueId array_length(const AbsVal& array, int dimension);
  ir::ValueId array_stride(const AbsVal& array, int dimension);
  ir::ValueId array_flags(const AbsVal& array);
  void guard_writeable(const AbsVal& array);
  bool load_element(const AbsVal& array, const AbsVal& index, AbsVal& out);
  bool store_element(const AbsVal& array, const AbsVal& index, const AbsVal& value, int next);
  /// Of an array with one dimension the scalar, of others the view at `index`, which is in range.
  AbsVal array_item(const AbsVal& array, const cpy::ArrayFacts& facts, ir::ValueId index);
  /// What `array[index]` indexes by, a part for each dimension or group of them.
  static std::vector<AbsVal> index_parts(const AbsVal& index);
  /// Whether it counts, rather than to select or to slice.
  bool is_array_index(const AbsVal& part);
  /// The index counted from the front, guarded.
  ir::ValueId array_index(const AbsVal& array, int dimension, const AbsVal& part);
  /// Address of the element at an index for each dimension; kNone where that is not what they are.
  ir::ValueId element_address(const AbsVal& array, const cpy::ArrayFacts& facts,
                              const std::vector<AbsVal>& parts);
  ir::ValueId element_at(const AbsVal& array, const cpy::ArrayFacts& facts,
                         const std::vector<ir::ValueId>& indices);
  AbsVal load_scalar(ir::ValueId address, mem::ElementType element);
  /// `value` as an element that NumPy would store; kNone when only the interpreter can tell.
  ir::ValueId stored_element(const AbsVal& value, mem::ElementType element);
  /// -1: no attribute that native code knows; 0: it ended the block; 1: `out` is it.
  int array_attribute(const AbsVal& array, const std::string& name, AbsVal& out);

  // --- lower_flat.cpp: memoryview and array.array
  // -----------------------------------------------------------------------------
  bool is_flat(const AbsVal& v) const;
  std::optional<cpy::FlatFacts> guessed_flat(const AbsVal& v);
  /// What it is, guessed and guarded; none, and the block is ended, when it is not known.
  std::optional<cpy::FlatFacts> flat_facts(const AbsVal& v);
  ir::ValueId flat_length(const AbsVal& v);
  ir::ValueId flat_place(const AbsVal& v, const cpy::FlatFacts& facts, ir::ValueId index);
  /// Counted from the front, guarded; kNone when `index` is no int.
  ir::ValueId flat_index(const AbsVal& v, const AbsVal& index);
  /// The number at an index that is in range.
  AbsVal flat_item(const AbsVal& v, const cpy::FlatFacts& facts, ir::ValueId index);
  bool load_flat(const AbsVal& v, const AbsVal& index, AbsVal& out);
  /// `value` as it is stored; kNone when only the interpreter can tell.
  ir::ValueId flat_element(const AbsVal& value, const cpy::FlatFacts& facts);
  bool store_flat(const AbsVal& v, const AbsVal& index, const AbsVal& value);

  // --- lower_view.cpp: parts of arrays
  // -----------------------------------------------------------------------------
  struct ViewParts {
    ir::ValueId offset = ir::kNone;  ///< bytes; kNone: 0
    std::vector<AbsVal> lengths;
    std::vector<AbsVal> strides;
    bool is_dense = true;  ///< elements of the last dimension are neighbours
  };
  AbsVal constant_int(std::int64_t value);
  ir::ValueId view_part(const AbsVal& view, std::size_t part);
  void step_into(ViewParts& view, ir::ValueId index, ir::ValueId stride);
  void keep_dimension(ViewParts& view, const AbsVal& array, const cpy::ArrayFacts& facts,
                      int dimension);
  bool slice_dimension(ViewParts& view, const AbsVal& array, const cpy::ArrayFacts& facts,
                       int dimension, const AbsVal& slice);
  /// array[parts] where that is a view. False when the block was ended.
  bool view_at(const AbsVal& array, const cpy::ArrayFacts& facts, const std::vector<AbsVal>& parts,
               AbsVal& out);
  AbsVal new_view(const AbsVal& array, const cpy::ArrayFacts& facts, const ViewParts& view);
  /// array[parts] = value, which ends the instruction.
  bool assign_part(const AbsVal& array, const std::vector<AbsVal>& parts, const AbsVal& value,
                   std::size_t popped, int next);
  /// view[...] = value, likewise.
  bool assign_view(const AbsVal& view, const AbsVal& value, std::size_t popped, int next);

  // --- lower_numpy.cpp: functions of NumPy
  // -----------------------------------------------------------------------------
  /// -1, 0, 1 as call_builtin.
  int call_numpy(PyObject* callable, const std::vector<AbsVal>& args, PyObject* keywords, int next,
                 AbsVal& out);
  /// The same of a method of the array args[0].
  int call_array_method(PyObject* method, const std::vector<AbsVal>& args, PyObject* keywords,
                        int next, AbsVal& out);
  /// A shape whose NumPy integers are ints.
  AbsVal lengths(const AbsVal& shape);
  /// A small array like `array`, and one like `copy` in the order that a copy of `original` has;
  /// borrowed, null when not known.
  PyObject* array_sample(const AbsVal& array);
  PyObject* in_order_of(PyObject* original, PyObject* copy);
  /// What a C function of NumPy makes of small arguments of these kinds; null when it is no array
  /// that native code knows.
  PyObject* sample_result(PyObject* callable, const std::vector<AbsVal>& args);
  /// The array that it makes of them, which is like `sample`.
  AbsVal call_numpy_builtin(PyObject* callable, const std::vector<AbsVal>& args, PyObject* sample,
                            int next);
  /// Fills an array of such elements. False when the block was ended.
  bool fill_array(const AbsVal& array, const AbsVal& value, mem::ElementType element);

  // --- lower_ufunc.cpp: NumPy's universal functions on scalars
  // -----------------------------------------------------------------------------
  /// -1, 0, 1 as call_builtin; apply_ufunc() for an operator that NumPy has it do.
  int call_ufunc(PyObject* ufunc, const std::vector<AbsVal>& args, AbsVal& out);
  int apply_ufunc(PyObject* ufunc, const std::vector<AbsVal>& args, AbsVal& out);
  /// Where the operands of a loop of it lie, outputs behind the inputs, after a guarded call.
  ir::ValueId call_loop(PyObject* ufunc, const cpy::UfuncLoop& loop,
                        const std::vector<ir::ValueId>& inputs);

  // --- lower_compare.cpp
  // ---------------------------------------------------------------------------------
  bool compare(const AbsVal& a, const AbsVal& b, int op, AbsVal& out);
  ir::ValueId compare_numbers(const Number& a, const Number& b, int op);
  ir::ValueId compare_int_float(ir::ValueId i, const Number& n, ir::ValueId f, int op);
  bool identity(const AbsVal& a, const AbsVal& b, bool negate, AbsVal& out);
  bool contains(const AbsVal& item, const AbsVal& container, bool negate, AbsVal& out);
  bool branch_on(const AbsVal& v, bool jump_if, const PyInst& inst, int at);
  void branch(ir::ValueId cond, int yes, int no);

  // --- lower_list.cpp
  // ----------------------------------------------------------------------------------
  bool load_item(const AbsVal& container, const AbsVal& index, AbsVal& out);
  bool store_item(int at);
  static constexpr const char* kItemType = "an item of another type";
  /// What an object read from a container (or another place, which `other_type` then names) is,
  /// guessed by `hint` and checked: the number in it or the object itself. Frail.
  AbsVal unpack_object(ir::ValueId object, PyObject* hint, const char* other_type = kItemType);
  /// Item at a position that is known to be in range. Of a str: new.
  AbsVal item_at(const AbsVal& container, ir::ValueId index, PyObject* hint);
  /// Objects like the items of a list that holds ints and floats; null for other containers.
  struct Mixed {
    PyObject* whole = nullptr;
    PyObject* fraction = nullptr;
  };
  Mixed mixed_items(const AbsVal& container);
  /// Pushes `object`, an int or a float, in two versions of what follows. Ends the block.
  bool give_either(ir::ValueId object, const Mixed& like, std::size_t popped, int next);
  /// An object like `v`, or null.
  PyObject* sample_of(const AbsVal& v);
  /// An object like the item of `container` at `index`; -1: like all of them, or null.
  PyObject* hint_at(const AbsVal& container, std::int64_t index);
  ir::ValueId sequence_size(const AbsVal& container);
  ir::ValueId item_pointer(const AbsVal& container, ir::ValueId index);
  /// Index counted from the front, guarded; kNone when `index` is no int.
  ir::ValueId checked_index(const AbsVal& container, const AbsVal& index);
  /// The same for a number, of a sequence of this size.
  ir::ValueId index_within(ir::ValueId size, const Number& index);
  bool store_byte(const AbsVal& container, const AbsVal& index, const AbsVal& value);
  /// Guards that dropping one reference to `object` runs no code.
  void guard_droppable(ir::ValueId object, PyObject* hint, const char* other_type = kItemType);
  /// A reference to `v` to give away, after `popped` operands have left the stack. An exit that is
  /// taken before give_away() still has it.
  ir::ValueId held_reference(const AbsVal& v, std::size_t popped);
  void give_away(ir::ValueId reference);
  /// The two in one, for what cannot fail.
  ir::ValueId new_reference(const AbsVal& v, std::size_t popped);
  bool give_new(ir::ValueId object, PyTypeObject* type, PyObject* sample);
  bool build_list(const PyInst& inst);
  bool list_append(const PyInst& inst, int at);
  bool list_extend(const PyInst& inst);
  bool append_to(const AbsVal& list, const AbsVal& item, std::size_t popped, int next);
  /// -1, 0, 1 as call_builtin. args[0] is the list.
  int call_list_method(const char* name, const std::vector<AbsVal>& args, PyObject* keywords,
                       std::size_t popped, int at, AbsVal& out);
  /// An object of the kind that `v` will be, borrowed from the unit; null when not known.
  PyObject* make_sample(const AbsVal& v);
  /// Remembers in a sample of ours what its list holds.
  void note_item(PyObject* sample, const AbsVal& item);

  // --- lower_typed_list.cpp
  // --------------------------------------------------------------------------------
  /// The typed list that the current instruction should make of `items`, or null.
  PyTypeObject* typed_list_of(const std::vector<AbsVal>& items);
  /// The current instruction makes a list of objects that will hold ints and floats.
  bool will_be_mixed();
  /// The class of lists that the current instruction makes (or works on).
  int class_at(const std::vector<int>& classes) const;
  void note_in_class(int list_class, const AbsVal& item);
  /// What the current instruction does with the list needs a real one.
  void make_real(const AbsVal& list);
  /// `item` as a list of this type holds it. False when it is of another type.
  bool typed_value(const PyTypeObject* type, const AbsVal& item, ir::ValueId& value);
  /// The current instruction stores `item` in a list.
  void note_stored(const AbsVal& item);
  bool build_typed(PyTypeObject* type, const std::vector<AbsVal>& items);
  /// A typed list that was just made.
  AbsVal new_typed(ir::ValueId list, PyTypeObject* type);
  bool repeat_typed(const AbsVal& a, const AbsVal& b, AbsVal& out);
  /// As call_builtin, of list(range).
  int list_of_range(const AbsVal& range, AbsVal& out);
  AbsVal typed_item_at(const AbsVal& list, ir::ValueId index);
  bool store_typed(const AbsVal& list, const AbsVal& index, const AbsVal& value, int next);
  bool append_typed(const AbsVal& list, const AbsVal& item, std::size_t popped);
  bool extend_typed(const AbsVal& list, const AbsVal& items);
  bool extend_by_typed(const AbsVal& list, const AbsVal& items);
  bool concat_typed(const AbsVal& a, const AbsVal& b, AbsVal& out);
  AbsVal slice_typed(const AbsVal& list, const SliceParts& parts);
  AbsVal copy_typed(const AbsVal& list);
  void sort_typed(const AbsVal& list);
  bool sorted_typed(const AbsVal& list, AbsVal& out);
  /// Where the number lies that is searched for; kNone when the interpreter must search.
  ir::ValueId wanted_item(const AbsVal& list, const AbsVal& item);
  /// Its first index; the size when there is none.
  ir::ValueId find_typed(const AbsVal& list, ir::ValueId wanted);
  bool contains_typed(const AbsVal& item, const AbsVal& list, bool negate, AbsVal& out);
  void remove_typed(const AbsVal& list, ir::ValueId index);
  /// As call_builtin.
  int call_typed_method(const char* name, const std::vector<AbsVal>& args, int next, AbsVal& out);
  int typed_builtin(const char* name, const AbsVal& list, AbsVal& out);

  // --- lower_sequence.cpp
  // --------------------------------------------------------------------------------
  bool slice_parts(const std::vector<AbsVal>& bounds, SliceParts& out);
  bool get_slice(const AbsVal& container, const std::vector<AbsVal>& bounds, AbsVal& out);
  bool set_slice(const AbsVal& container, const std::vector<AbsVal>& bounds, const AbsVal& value,
                 std::size_t popped, int next);
  bool delete_item(int next);
  /// Replaces the sequence on top by its items, the first on top. A starred target takes what is
  /// between the first `before` and the last `after`.
  bool unpack(std::size_t before, std::size_t after, bool starred);
  /// Of an array, a memoryview or an array.array.
  bool unpack_elements(const AbsVal& v, std::size_t n, std::vector<AbsVal>& out);
  bool unpack_parts(const AbsVal& v, std::size_t before, std::size_t after, bool starred,
                    std::vector<AbsVal>& out);
  bool take_list(ir::ValueId sequence, ir::ValueId start, ir::ValueId n, AbsVal& out);
  bool can_repeat(const AbsVal& sequence, const AbsVal& count);
  bool repeat(const AbsVal& sequence, const AbsVal& count, AbsVal& out);
  /// An object like the list or other sequence that holds the items of both.
  PyObject* sample_of_both(const AbsVal& a, const AbsVal& b);
  bool can_concat(const AbsVal& a, const AbsVal& b);
  bool concat(const AbsVal& a, const AbsVal& b, AbsVal& out);
  bool in_place_op(const AbsVal& a, const AbsVal& b, BinaryOperator op, int next);
  bool extend_list(const AbsVal& list, const AbsVal& items);
  /// Whether the value may turn out to be plain (cpy/runtime_sequence.h).
  bool may_be_plain(const AbsVal& v);
  bool compare_plain(const AbsVal& a, const AbsVal& b, int op, AbsVal& out);
  /// `asked`, a runtime function of that name, tells whether the item is in the container.
  bool contains_plain(const char* symbol, std::int32_t (*asked)(PyObject*, PyObject*),
                      const AbsVal& item, const AbsVal& container, bool negate, AbsVal& out);
  /// Guards the answer of a runtime test: i1.
  ir::ValueId plain_answer(ir::ValueId answer);
  /// Guards that a runtime function has not failed.
  void succeed(ir::ValueId failed);
  /// A constant as the object that it is.
  AbsVal as_object(const AbsVal& v);

  // --- lower_plain_call.cpp
  // -------------------------------------------------------------------------------
  /// -1, 0, 1 as call_builtin.
  int call_plain(PyObject* callable, const std::vector<AbsVal>& args, PyObject* names, AbsVal& out);
  int sort_list(const AbsVal& list, const AbsVal& reverse, int next);
  int change_list(const char* name, const std::vector<AbsVal>& args, int next, AbsVal& out);
  /// Where the arguments lie as objects, for a vectorcall.
  ir::ValueId argument_array(const std::vector<AbsVal>& args);
  /// What an object is that certainly is of this type (an int: of 64 bits).
  AbsVal of_exact_type(ir::ValueId object, PyTypeObject* type, PyObject* sample);

  // --- lower_loop.cpp
  // ------------------------------------------------------------------------------------
  bool make_range(std::vector<AbsVal> args, AbsVal& out);
  struct RangeParts {
    Number start;  ///< of an iterator: the next item
    Number stop;
    Number step;
  };
  RangeParts range_parts(const AbsVal& range);
  /// kNone when its step is not known.
  ir::ValueId range_length(const AbsVal& range);
  int reversed_range(const AbsVal& range, AbsVal& out);
  bool range_item(const AbsVal& range, const AbsVal& index, AbsVal& out);
  bool get_iter(const AbsVal& v, AbsVal& out);
  bool for_iter(const PyInst& inst, int at);
  /// Whether the iterator has another item, without side effects; kNone when it is none of ours.
  ir::ValueId has_next(const AbsVal& iterator);
  /// The next item; `iterator` becomes the advanced one. Guards leave in front of FOR_ITER.
  AbsVal take_next(AbsVal& iterator);
  /// Moves the iterator of a sequence by one item.
  void advance(AbsVal& iterator);
  bool poll_and_jump(const PyInst& inst);
  /// Serves requests to the interpreter, or leaves in front of the instruction.
  void poll();
  /// Behind an instruction in which other threads may have run: leaves, in front of the next one,
  /// when something changed that this code relies on.
  void stay_if_current(int next);

  // --- lower_call.cpp
  // ------------------------------------------------------------------------------------
  bool load_attr(const PyInst& inst);
  bool call(const PyInst& inst, int at);
  /// Guards that `object` is `expected`, or a function that cannot be told from it when called.
  void guard_callable(ir::ValueId object, PyObject* expected);
  /// `function`: the callee at run time, when it is not certain which one of its kind. The result
  /// replaces `popped` stack items, in front of instruction `next`.
  bool call_python(PyFunctionObject* callee, ir::ValueId function, const std::vector<AbsVal>& args,
                   PyObject* keywords, std::size_t popped, int next, const Consumption& taken);
  bool bind_arguments(PyFunctionObject* callee, const std::vector<AbsVal>& args, PyObject* keywords,
                      std::vector<AbsVal>& out, std::string& error);
  void resume_call(CallSite& site, std::size_t kind);
  bool return_value(AbsVal v);
  /// Gives the call sites that wait for result kind `kind` of this function their continuation.
  void wake_callers(std::size_t kind);
  friend class Unit;

  // --- lower_global.cpp
  // ----------------------------------------------------------------------------------
  bool load_global(const PyInst& inst);
  bool store_global(const PyInst& inst, int next);
  bool has_plain_globals() const;
  /// The object, borrowed; null when there is none.
  ir::ValueId global_now(PyObject* name);
  AbsVal stored_global(PyObject* name);

  // --- lower_closure.cpp
  // ---------------------------------------------------------------------------------
  /// The cell in a local slot; null when there certainly is none.
  AbsVal cell_in(int slot) const;
  /// A cell that holds something like what `cell` will hold.
  static PyObject* sample_cell(const AbsVal& cell);
  static PyObject* sample_content(const AbsVal& cell);
  void note_content(PyObject* sample, const AbsVal& v);
  bool make_cell(const PyInst& inst);
  void copy_free_vars(int count);
  bool load_deref(const PyInst& inst);
  bool store_deref(const PyInst& inst, int next);
  bool make_function(const PyInst& inst);
  bool set_function_attribute(const PyInst& inst);
  /// Pops the value of an attribute and puts it into a new function.
  bool give_attribute(AbsVal& function, int attribute);
  /// Sample of the functions that are like `sample` and have this attribute; null when not known.
  PyObject* sample_with(PyObject* sample, int attribute, const AbsVal& value);

  // --- lower_generator.cpp
  // -------------------------------------------------------------------------------
  /// Who takes, with a constant beside it at most, the generator that the call at `at` makes of
  /// `popped` stack items.
  Consumption consumer_behind(int at, std::size_t popped) const;
  void start_consumer(State& state);
  /// Whether the consumer takes all values into a list.
  bool makes_list() const;
  bool begin_list();
  bool yield_value(int at);
  bool keep_best(const AbsVal& value, int at);
  bool add_to_sum(const AbsVal& value);
  ir::ValueId as_float_of(const AbsVal& v);
  ir::ValueId with_low_part(ir::ValueId sum, ir::ValueId low);
  bool end_if_decided(const AbsVal& value);
  bool end_consumer(int at);
  bool end_list(AbsVal& result, int at);
  /// The default of min or max where there was no value. False when that is certain.
  bool end_without_values();
  /// Whether the instruction may change an object that others see.
  bool changes_things(const PyInst& inst) const;

  // --- lower_builtin.cpp, lower_math.cpp
  // -------------------------------------------------------------------
  /// -1: not a call this front end knows; 0: it ended the block; 1: `out` is the result.
  int call_builtin(PyObject* callable, const std::vector<AbsVal>& args, AbsVal& out);
  int call_type(PyTypeObject* type, const std::vector<AbsVal>& args, AbsVal& out);
  int call_math(PyObject* callable, const std::vector<AbsVal>& args, AbsVal& out);
  ir::ValueId call_direct(ir::SymbolId direct, ir::SymbolId careful, std::vector<ir::ValueId> args,
                          const char* reason);
  int builtin_abs(AbsVal v, AbsVal& out);
  int builtin_round(const std::vector<AbsVal>& args, AbsVal& out);
  int builtin_divmod(const AbsVal& a, const AbsVal& b, AbsVal& out);
  int builtin_pow_mod(const std::vector<AbsVal>& args, AbsVal& out);
  int builtin_min_max(std::vector<AbsVal> args, bool is_max, AbsVal& out);
  int scalar_min_max(std::vector<AbsVal> args, bool is_max, AbsVal& out);
  int call_iterator_type(PyTypeObject* type, const std::vector<AbsVal>& args, AbsVal& out);
  bool is_mixed_min_max(PyObject* callable, const std::vector<AbsVal>& args);
  /// The best of `best` and the arguments from `next` on, in as many ways as it may have types.
  bool best_of(const std::vector<AbsVal>& args, AbsVal best, std::size_t next, bool is_max,
               std::size_t popped, int at);
  bool mixed_min_max(PyObject* callable, std::vector<AbsVal> args, std::size_t popped, int at);
  int builtin_len(const AbsVal& v, AbsVal& out);
  int builtin_isinstance(const AbsVal& v, const AbsVal& type, AbsVal& out);
  int float_to_int(ir::ValueId v, AbsVal& out);

  Unit& unit_;
  std::uint32_t index_;  ///< in the module and in the unit
  PyFunctionObject* function_;
  PyCodeObject* code_;
  std::vector<AbsVal> params_;
  Role role_;
  ir::ValueId function_value_ = ir::kNone;  ///< role_.any_closure: the function at run time
  Bytecode bytecode_;
  std::vector<bool> leader_;             ///< targets of jumps
  ListClasses lists_;                    ///< that need not be objects
  std::map<int, const char*> typed_;     ///< names of the typed lists made, by instruction
  std::vector<std::vector<bool>> live_;  ///< locals read later, by instruction; made on demand
  ir::Builder b_;
  ir::ValueId fail_slot_ = ir::kNone;
  ir::ValueId pair_slot_ = ir::kNone;               ///< 16 bytes for results in two parts
  std::set<std::int32_t> goes_round_;               ///< loop headers that are jumped back to
  std::map<std::int32_t, const char*> leaves_;      ///< instructions that leave, and why
  std::vector<ir::ValueId> like_facts_;             ///< arrays and buffers guarded in this block
  std::vector<ir::ValueId> certain_;                ///< origins that are never null
  std::map<int, std::vector<bool>> may_be_either_;  ///< by loop header; made on demand
  std::map<int, PyObject*> cells_;                  ///< samples, by local slot
  /// Objects made of aggregates, by the aggregate's number.
  std::vector<std::pair<ir::ValueId, AbsVal>> made_;

  std::map<int, std::vector<Edge>> pending_;
  std::map<int, std::vector<Version>> versions_;
  std::vector<CallSite> call_sites_;
  std::vector<Return> returns_;
  std::vector<ResultKind> results_;
  /// Call sites of other instances (instance, index there) that wait for result kinds of this one.
  std::vector<std::pair<std::uint32_t, std::size_t>> callers_;
  std::map<std::string, std::string> interned_;

  // The instruction being lowered.
  State state_;
  State pre_;  ///< the state in front of it: what exits describe
  const PyInst* inst_ = nullptr;
  std::vector<ExitSite> exit_sites_;
};

/// The comparison that Py_LT, ..., Py_GE asks for.
ir::Op compare_op(int op);
/// The comparison of b and a that a `op` b is.
int swapped(int op);
/// i1: the thread has `bytes` of C stack above the limit of native recursion.
ir::ValueId has_stack(ir::Builder& b, ir::ValueId ctx, std::int64_t bytes);

}  // namespace splice::pyfront
