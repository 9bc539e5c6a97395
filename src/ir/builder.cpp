#include "ir/builder.h"

#include <algorithm>
#include <bit>

namespace splice::ir {
namespace {

Inst make(Op op, Type type, std::vector<ValueId> args = {}) {
  Inst inst;
  inst.op = op;
  inst.type = type;
  inst.args = std::move(args);
  return inst;
}

Inst make_indexed(Op op, Type type, std::uint32_t index, std::vector<ValueId> args = {}) {
  Inst inst = make(op, type, std::move(args));
  inst.index = index;
  return inst;
}

}  // namespace

std::uint32_t add_function(Module& module, std::string name, std::vector<Type> params,
                           std::vector<Type> results, bool c_abi, bool exported) {
  const auto index = static_cast<std::uint32_t>(module.functions.size());
  Function& f = module.functions.emplace_back();
  f.name = std::move(name);
  f.c_abi = c_abi;
  f.exported = exported;
  f.params = std::move(params);
  f.results = std::move(results);
  Builder(module, index).create_block("entry", module.functions[index].params);
  return index;
}

SymbolId find_symbol(const Module& module, std::string_view name) {
  for (std::size_t i = 0; i < module.symbols.size(); ++i) {
    if (module.symbols[i].name == name) return static_cast<SymbolId>(i);
  }
  return kNone;
}

SymbolId add_symbol(Module& module, Symbol symbol) {
  if (const SymbolId known = find_symbol(module, symbol.name); known != kNone) return known;
  module.symbols.push_back(std::move(symbol));
  return static_cast<SymbolId>(module.symbols.size() - 1);
}

SymbolId add_object(Module& module, std::string name) {
  Symbol s;
  s.kind = Symbol::Kind::kObject;
  s.name = std::move(name);
  return add_symbol(module, std::move(s));
}

SymbolId add_data(Module& module, std::string name) {
  Symbol s;
  s.kind = Symbol::Kind::kData;
  s.name = std::move(name);
  return add_symbol(module, std::move(s));
}

SymbolId add_runtime(Module& module, std::string name, std::vector<Type> params, Type result,
                     bool pure) {
  Symbol s;
  s.kind = Symbol::Kind::kRuntime;
  s.name = std::move(name);
  s.pure = pure;
  s.params = std::move(params);
  s.result = result;
  return add_symbol(module, std::move(s));
}

BlockId Builder::create_block(std::string name, const std::vector<Type>& args) {
  // The types may live in this very function (its params): copy before anything grows.
  const std::vector<Type> types = args;
  const auto id = static_cast<BlockId>(function().blocks.size());
  function().blocks.emplace_back().name = std::move(name);
  for (Type t : types) add_block_arg(id, t);
  return id;
}

ValueId Builder::add_block_arg(BlockId block, Type type) {
  const ValueId v = new_value(type);
  function().blocks[block].args.push_back(v);
  return v;
}

bool Builder::terminated() {
  const auto& insts = function().blocks[block_].insts;
  return !insts.empty() && is_terminator(insts.back().op);
}

ExitId Builder::add_exit(Exit exit) {
  function().exits.push_back(std::move(exit));
  return static_cast<ExitId>(function().exits.size() - 1);
}

ValueId Builder::new_value(Type type) {
  function().values.push_back(type);
  return static_cast<ValueId>(function().values.size() - 1);
}

Inst& Builder::append(Inst inst, std::initializer_list<Type> results) {
  inst.loc = loc_;
  for (Type t : results) inst.results.push_back(new_value(t));
  auto& insts = function().blocks[block_].insts;
  insts.push_back(std::move(inst));
  return insts.back();
}

ValueId Builder::append_one(Inst inst, Type result) {
  return append(std::move(inst), {result}).results[0];
}

ValueId Builder::const_int(Type type, std::int64_t value) {
  Inst inst = make(Op::kConst, type);
  inst.imm = value;
  return append_one(std::move(inst), type);
}

ValueId Builder::const_f64(double value) {
  return const_int(Type::kF64, std::bit_cast<std::int64_t>(value));
}

ValueId Builder::const_f32(float value) {
  return const_int(Type::kF32, std::bit_cast<std::uint32_t>(value));
}

ValueId Builder::const_c128(double real, double imag) {
  Inst inst = make(Op::kConst, Type::kC128);
  inst.imm = std::bit_cast<std::int64_t>(real);
  inst.imm2 = std::bit_cast<std::int64_t>(imag);
  return append_one(std::move(inst), Type::kC128);
}

ValueId Builder::symbol(SymbolId symbol, Type type) {
  return append_one(make_indexed(Op::kSymbol, type, symbol), type);
}

ValueId Builder::undef(Type type) { return append_one(make(Op::kUndef, type), type); }

ValueId Builder::ctx() { return append_one(make(Op::kCtx, Type::kPtr), Type::kPtr); }

ValueId Builder::stack_address() {
  return append_one(make(Op::kStackAddress, Type::kPtr), Type::kPtr);
}

ValueId Builder::unary(Op op, ValueId a) {
  const Type t = type_of(a);
  return append_one(make(op, t, {a}), t);
}

ValueId Builder::binary(Op op, ValueId a, ValueId b) {
  const Type t = type_of(a);
  return append_one(make(op, t, {a, b}), t);
}

Builder::Checked Builder::checked(Op op, ValueId a, ValueId b) {
  const Type t = type_of(a);
  const Inst& inst = append(make(op, t, {a, b}), {t, Type::kI1});
  return {inst.results[0], inst.results[1]};
}

ValueId Builder::fma(ValueId a, ValueId b, ValueId c) {
  const Type t = type_of(a);
  return append_one(make(Op::kFma, t, {a, b, c}), t);
}

ValueId Builder::compare(Op op, ValueId a, ValueId b) {
  const Type ta = type_of(a);
  const Type tb = type_of(b);
  const Type t = is_pointer(ta) && is_pointer(tb) ? std::min(ta, tb) : ta;
  return append_one(make(op, t, {a, b}), Type::kI1);
}

ValueId Builder::select(ValueId cond, ValueId a, ValueId b) {
  const Type t = type_of(a);
  return append_one(make(Op::kSelect, t, {cond, a, b}), t);
}

ValueId Builder::not_(ValueId a) { return binary(Op::kXor, a, const_i1(true)); }

ValueId Builder::convert(ValueId a, Type to) {
  Inst inst = make(Op::kConvert, to, {a});
  inst.type2 = type_of(a);
  return append_one(std::move(inst), to);
}

ValueId Builder::bitcast(ValueId a, Type to) {
  Inst inst = make(Op::kBitcast, to, {a});
  inst.type2 = type_of(a);
  return append_one(std::move(inst), to);
}

ValueId Builder::make_complex(ValueId real, ValueId imag) {
  return append_one(make(Op::kComplex, Type::kC128, {real, imag}), Type::kC128);
}

ValueId Builder::real(ValueId a) {
  return append_one(make(Op::kReal, Type::kF64, {a}), Type::kF64);
}

ValueId Builder::imag(ValueId a) {
  return append_one(make(Op::kImag, Type::kF64, {a}), Type::kF64);
}

ValueId Builder::load(Type type, ValueId address, std::int64_t offset) {
  Inst inst = make(Op::kLoad, type, {address});
  inst.imm = offset;
  return append_one(std::move(inst), type);
}

void Builder::store(ValueId address, ValueId value, std::int64_t offset) {
  Inst inst = make(Op::kStore, type_of(value), {address, value});
  inst.imm = offset;
  append(std::move(inst));
}

ValueId Builder::slot(std::int64_t bytes) {
  Inst inst = make(Op::kSlot, Type::kPtr);
  inst.imm = bytes;
  return append_one(std::move(inst), Type::kPtr);
}

ValueId Builder::elements(ValueId address) {
  return append_one(make(Op::kElements, Type::kPtr, {address}), Type::kPtr);
}

ValueId Builder::header(ValueId array) {
  return append_one(make(Op::kHeader, Type::kPtr, {array}), Type::kPtr);
}

ValueId Builder::addr(ValueId base, ValueId index, std::int64_t scale, std::int64_t offset) {
  Inst inst = make(Op::kAddr, Type::kPtr, {base, index});
  inst.imm = scale;
  inst.imm2 = offset;
  return append_one(std::move(inst), Type::kPtr);
}

Builder::Values Builder::call(std::uint32_t callee, const Values& args) {
  Inst inst = make_indexed(Op::kCall, Type::kVoid, callee, args);
  const std::vector<Type> types = module_.functions[callee].results;
  for (Type t : types) inst.results.push_back(new_value(t));
  inst.results.push_back(new_value(Type::kI32));
  return append(std::move(inst)).results;
}

ValueId Builder::call_runtime(SymbolId symbol, const Values& args) {
  const Type t = module_.symbols[symbol].result;
  Inst inst = make_indexed(Op::kCallRuntime, t, symbol, args);
  if (t != Type::kVoid) return append_one(std::move(inst), t);
  append(std::move(inst));
  return kNone;
}

void Builder::guard(ValueId cond, ExitId exit, const Values& live) {
  Inst inst = make_indexed(Op::kGuard, Type::kVoid, exit, {cond});
  inst.args.insert(inst.args.end(), live.begin(), live.end());
  append(std::move(inst));
}

void Builder::poll(ExitId exit, const Values& live) {
  append(make_indexed(Op::kPoll, Type::kVoid, exit, live));
}

void Builder::poll_br(ExitId exit, const Values& live, Target served, Target unasked) {
  Inst inst = make_indexed(Op::kPollBr, Type::kVoid, exit, live);
  inst.targets = {std::move(served), std::move(unasked)};
  append(std::move(inst));
}

void Builder::br(BlockId block, const Values& args) {
  Inst inst = make(Op::kBr, Type::kVoid);
  inst.targets.push_back({block, args});
  append(std::move(inst));
}

void Builder::cond_br(ValueId cond, Target yes, Target no) {
  Inst inst = make(Op::kCondBr, Type::kVoid, {cond});
  inst.targets.push_back(std::move(yes));
  inst.targets.push_back(std::move(no));
  append(std::move(inst));
}

void Builder::switch_(ValueId value, Target otherwise) {
  Inst inst = make(Op::kSwitch, type_of(value), {value});
  inst.targets.push_back(std::move(otherwise));
  append(std::move(inst));
}

void Builder::add_case(BlockId block, std::int64_t value, Target target) {
  Inst& inst = terminator(block);
  inst.cases.push_back(value);
  inst.targets.insert(inst.targets.end() - 1, std::move(target));
}

void Builder::ret(const Values& values, std::int64_t status) {
  Inst inst = make(Op::kRet, Type::kVoid, values);
  inst.imm = status;
  append(std::move(inst));
}

void Builder::leave(ExitId exit, const Values& live) {
  append(make_indexed(Op::kLeave, Type::kVoid, exit, live));
}

void Builder::unreachable() { append(make(Op::kUnreachable, Type::kVoid)); }

ValueId Builder::py_type_is(ValueId object, SymbolId type) {
  return append_one(make_indexed(Op::kPyTypeIs, Type::kI1, type, {object}), Type::kI1);
}

Builder::Checked Builder::py_unbox_int(ValueId object) {
  const Inst& inst = append(make(Op::kPyUnboxInt, Type::kI64, {object}), {Type::kI64, Type::kI1});
  return {inst.results[0], inst.results[1]};
}

ValueId Builder::py_unbox_float(ValueId object) {
  return append_one(make(Op::kPyUnboxFloat, Type::kF64, {object}), Type::kF64);
}

ValueId Builder::py_unbox_bool(ValueId object) {
  return append_one(make(Op::kPyUnboxBool, Type::kI1, {object}), Type::kI1);
}

ValueId Builder::py_unbox_complex(ValueId object) {
  return append_one(make(Op::kPyUnboxComplex, Type::kC128, {object}), Type::kC128);
}

ValueId Builder::py_box_int(ValueId value) {
  return append_one(make(Op::kPyBoxInt, Type::kOwned, {value}), Type::kOwned);
}

ValueId Builder::py_box_float(ValueId value) {
  return append_one(make(Op::kPyBoxFloat, Type::kOwned, {value}), Type::kOwned);
}

ValueId Builder::py_box_bool(ValueId value) {
  return append_one(make(Op::kPyBoxBool, Type::kOwned, {value}), Type::kOwned);
}

ValueId Builder::py_box_complex(ValueId value) {
  return append_one(make(Op::kPyBoxComplex, Type::kOwned, {value}), Type::kOwned);
}

ValueId Builder::py_incref(ValueId object) {
  return append_one(make(Op::kPyIncref, Type::kOwned, {object}), Type::kOwned);
}

void Builder::py_decref(ValueId object) { append(make(Op::kPyDecref, Type::kVoid, {object})); }

}  // namespace splice::ir
