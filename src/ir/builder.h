// ir/builder.h: appends blocks and instructions to one function of a module.
//
// The Builder keeps references to nothing but the module: blocks, terminators and targets may be
// changed as plain data behind its back (the Python front end adds cases to a switch and arguments
// to edges long after it made them). Nothing is checked here; ir/verify.h is the judge. Ids stay
// valid when more is added. The module may get more functions and symbols meanwhile.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/module.h"

namespace splice::ir {

/// Adds an empty function and returns its index; block 0 is made with the parameters as arguments.
std::uint32_t add_function(Module& module, std::string name, std::vector<Type> params,
                           std::vector<Type> results, bool c_abi = false, bool exported = false);

/// kNone when the module has no symbol of that name.
SymbolId find_symbol(const Module& module, std::string_view name);
/// The symbol called `symbol.name`; added when the module has none of that name.
SymbolId add_symbol(Module& module, Symbol symbol);
SymbolId add_object(Module& module, std::string name);
SymbolId add_data(Module& module, std::string name);
SymbolId add_runtime(Module& module, std::string name, std::vector<Type> params, Type result,
                     bool pure = false);

class Builder {
 public:
  using Values = std::vector<ValueId>;
  /// A value and a flag: checked arithmetic (overflowed) and py.unbox.int (fits).
  struct Checked {
    ValueId value = kNone;
    ValueId flag = kNone;
  };

  Builder(Module& module, std::uint32_t function) : module_(module), function_(function) {}

  Module& module() { return module_; }
  Function& function() { return module_.functions[function_]; }
  std::uint32_t function_index() const { return function_; }

  // --- blocks -------------------------------------------------------------------------------
  /// Adds a block; does not move the insertion point.
  BlockId create_block(std::string name = {}, const std::vector<Type>& args = {});
  /// Adds an argument at the end of a block; edges that exist get theirs by patching the targets.
  ValueId add_block_arg(BlockId block, Type type);
  ValueId block_arg(BlockId block, std::size_t i) { return function().blocks[block].args[i]; }
  ValueId param(std::size_t i) { return block_arg(0, i); }
  /// Instructions are appended to this block from now on.
  void set_block(BlockId block) { block_ = block; }
  BlockId current_block() const { return block_; }
  /// True when the current block ends in a terminator.
  bool terminated();
  Block& block_data(BlockId block) { return function().blocks[block]; }
  /// The terminator of a block that has one.
  Inst& terminator(BlockId block) { return function().blocks[block].insts.back(); }
  Type type_of(ValueId value) { return function().values[value]; }

  /// Place given to every instruction from now on.
  void set_loc(Loc loc) { loc_ = loc; }
  Loc loc() const { return loc_; }

  ExitId add_exit(Exit exit);

  // --- constants ------------------------------------------------------------------------------
  ValueId const_int(Type type, std::int64_t value);
  ValueId const_i64(std::int64_t value) { return const_int(Type::kI64, value); }
  ValueId const_i32(std::int32_t value) { return const_int(Type::kI32, value); }
  ValueId const_i1(bool value) { return const_int(Type::kI1, value ? 1 : 0); }
  ValueId const_f64(double value);
  ValueId const_f32(float value);
  ValueId const_c128(double real, double imag);
  ValueId null(Type type = Type::kObj) { return const_int(type, 0); }
  ValueId symbol(SymbolId symbol, Type type = Type::kObj);
  ValueId undef(Type type);
  ValueId ctx();
  ValueId stack_address();

  // --- arithmetic: the type is that of the first operand --------------------------------------
  ValueId unary(Op op, ValueId a);
  ValueId binary(Op op, ValueId a, ValueId b);
  Checked checked(Op op, ValueId a, ValueId b);  ///< kAddOv, kSubOv, kMulOv
  ValueId fma(ValueId a, ValueId b, ValueId c);
  /// kEq .. kGe. Pointers of different types are compared as the weaker one (ptr < obj < obj.own).
  ValueId compare(Op op, ValueId a, ValueId b);
  ValueId select(ValueId cond, ValueId a, ValueId b);
  ValueId not_(ValueId a);  ///< i1: xor with true

  // --- conversion --------------------------------------------------------------------------------
  ValueId convert(ValueId a, Type to);
  ValueId bitcast(ValueId a, Type to);
  ValueId make_complex(ValueId real, ValueId imag);
  ValueId real(ValueId a);
  ValueId imag(ValueId a);

  // --- memory
  // --------------------------------------------------------------------------------------
  ValueId load(Type type, ValueId address, std::int64_t offset = 0);
  void store(ValueId address, ValueId value, std::int64_t offset = 0);
  ValueId slot(std::int64_t bytes);
  ValueId elements(ValueId address);
  ValueId header(ValueId array);
  ValueId addr(ValueId base, ValueId index, std::int64_t scale, std::int64_t offset = 0);

  // --- calls
  // -----------------------------------------------------------------------------------------
  /// The callee's results and, last, the status. In a c_abi function args[0] is the context.
  Values call(std::uint32_t function, const Values& args);
  /// kNone when the symbol returns nothing.
  ValueId call_runtime(SymbolId symbol, const Values& args);

  // --- leaving
  // -----------------------------------------------------------------------------------------
  void guard(ValueId cond, ExitId exit, const Values& live = {});
  void poll(ExitId exit, const Values& live = {});
  void poll_br(ExitId exit, const Values& live, Target served, Target unasked);

  // --- terminators
  // ----------------------------------------------------------------------------------------
  void br(BlockId block, const Values& args = {});
  void cond_br(ValueId cond, Target yes, Target no);
  /// Cases are added to terminator(block) or with add_case; `otherwise` stays the last target.
  void switch_(ValueId value, Target otherwise);
  /// Adds a case in front of the default of the switch that ends `block`.
  void add_case(BlockId block, std::int64_t value, Target target);
  void ret(const Values& values, std::int64_t status = 0);
  void leave(ExitId exit, const Values& live = {});
  void unreachable();

  // --- Python objects
  // ------------------------------------------------------------------------------------
  ValueId py_type_is(ValueId object, SymbolId type);
  Checked py_unbox_int(ValueId object);
  ValueId py_unbox_float(ValueId object);
  ValueId py_unbox_bool(ValueId object);
  ValueId py_unbox_complex(ValueId object);
  ValueId py_box_int(ValueId value);
  ValueId py_box_float(ValueId value);
  ValueId py_box_bool(ValueId value);
  ValueId py_box_complex(ValueId value);
  ValueId py_incref(ValueId object);
  void py_decref(ValueId object);

  /// Appends any instruction: gives it the current place and one new value per type in `results`.
  Inst& append(Inst inst, std::initializer_list<Type> results = {});

 private:
  ValueId new_value(Type type);
  ValueId append_one(Inst inst, Type result);

  Module& module_;
  std::uint32_t function_;
  BlockId block_ = 0;
  Loc loc_;
};

}  // namespace splice::ir
