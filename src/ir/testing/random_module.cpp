#include "ir/testing/random_module.h"

#include <string>

#include "ir/builder.h"
#include "ir/testing/random.h"
#include "ir/testing/random_values.h"
#include "ir/testing/test_host.h"

namespace splice::ir::testing {
namespace {

constexpr std::int64_t kCell = 16;
constexpr std::int64_t kSlotWords = 8;

/// Writes one function, statement by statement. Values of a nested region are forgotten when it
/// ends, which is what keeps every use dominated.
class Generator {
 public:
  Generator(Module& m, std::uint32_t function, Random& random, const RandomOptions& options)
      : b_(m, function), r_(random), o_(options) {}

  void run() {
    for (const ValueId v : b_.function().blocks[0].args) scope_.push_back(v);
    if (o_.memory) {
      slot_ = b_.slot(kSlotWords * 8);
      for (std::int64_t i = 0; i < kSlotWords; ++i) b_.store(slot_, b_.const_i64(i * 3), i * 8);
    }
    budget_ = o_.statements;
    while (budget_ > 0) statement(o_.depth);
    if (o_.exits && r_.chance(5)) return leave();
    const std::vector<Type> results = b_.function().results;
    Builder::Values values;
    for (const Type t : results) values.push_back(pick(t));
    b_.ret(values, static_cast<std::int64_t>(r_.below(3)));
  }

 private:
  Type random_type() {
    const std::size_t k = r_.below(12);
    if (k < 5) return Type::kI64;
    if (k < 6) return Type::kI1;
    if (k < 9) return o_.floats ? Type::kF64 : Type::kI64;
    if (k < 10) return o_.complex && o_.floats ? Type::kC128 : Type::kI64;
    if (!o_.narrow_ints) return Type::kI64;
    constexpr Type kNarrow[] = {Type::kI8,  Type::kI16, Type::kI32, Type::kU8,
                                Type::kU16, Type::kU32, Type::kU64, Type::kF32};
    const Type t = kNarrow[r_.below(std::size(kNarrow))];
    return t == Type::kF32 && !o_.floats ? Type::kI32 : t;
  }

  Type random_wide_int() {
    const Type t = random_type();
    return is_int(t) && t != Type::kI1 ? t : Type::kI64;
  }

  Type random_float() { return o_.narrow_ints && r_.chance(20) ? Type::kF32 : Type::kF64; }

  ValueId constant(Type t) {
    switch (t) {
      case Type::kF64:
        return b_.const_f64(random_double(r_));
      case Type::kF32:
        return b_.const_f32(static_cast<float>(random_double(r_)));
      case Type::kC128:
        return b_.const_c128(random_double(r_), random_double(r_));
      default:
        return b_.const_int(t, random_int(r_, t));
    }
  }

  /// A value of type `t` from the scope, or a new constant.
  ValueId pick(Type t) {
    if (!scope_.empty() && !r_.chance(15)) {
      const std::size_t start = r_.below(scope_.size());
      for (std::size_t i = 0; i < scope_.size(); ++i) {
        const ValueId v = scope_[(start + i) % scope_.size()];
        if (b_.type_of(v) == t) return v;
      }
    }
    return constant(t);
  }

  ValueId keep(ValueId v) {
    scope_.push_back(v);
    return v;
  }

  void statement(int depth) {
    --budget_;
    const std::size_t kind = r_.below(depth > 0 ? 20 : 16);
    switch (kind) {
      case 0:
      case 1:
      case 2:
        return int_op();
      case 3:
      case 4:
        return o_.floats ? float_op() : int_op();
      case 5:
        return complex_op();
      case 6:
        return checked_op();
      case 7:
        return compare_op();
      case 8: {
        const Type t = random_type();
        keep(b_.select(pick(Type::kI1), pick(t), pick(t)));
        return;
      }
      case 9:
        return convert_op();
      case 10:
      case 11:
        return memory_op();
      case 12:
        return o_.runtime ? runtime_call() : int_op();
      case 13:
        return call();
      case 14:
      case 15:
        return o_.exits ? guard() : compare_op();
      case 16:
        return branch(depth);
      case 17:
        return multiway(depth);
      default:
        return loop(depth);
    }
  }

  void int_op() {
    constexpr Op kOps[] = {Op::kAdd, Op::kSub, Op::kMul, Op::kAnd, Op::kOr,  Op::kXor,
                           Op::kDiv, Op::kRem, Op::kMod, Op::kShl, Op::kShr, Op::kNeg};
    const Op op = kOps[r_.below(std::size(kOps))];
    const Type t = random_wide_int();
    if (op == Op::kNeg) {
      keep(b_.unary(op, pick(t)));
      return;
    }
    ValueId right = pick(t);
    if (op == Op::kShl || op == Op::kShr) {
      right = b_.binary(Op::kAnd, right, b_.const_int(t, bit_width(t) - 1));
    } else if (op == Op::kDiv || op == Op::kRem) {
      // Odd, so not zero; its top bit cleared, so not -1.
      const Value top = int_value(t, std::int64_t{1} << (bit_width(t) - 1));
      const ValueId mask = b_.const_int(t, as_int(t, int_value(t, ~as_int(t, top))));
      right = b_.binary(Op::kOr, b_.binary(Op::kAnd, right, mask), b_.const_int(t, 1));
    }
    keep(b_.binary(op, pick(t), right));
  }

  void float_op() {
    constexpr Op kBinary[] = {Op::kAdd, Op::kSub, Op::kMul, Op::kDiv, Op::kRem, Op::kCopysign};
    constexpr Op kUnary[] = {Op::kNeg,   Op::kSqrt, Op::kFloor, Op::kCeil,
                             Op::kTrunc, Op::kRint, Op::kFabs};
    const Type t = random_float();
    if (r_.chance(8)) {
      keep(b_.fma(pick(t), pick(t), pick(t)));
    } else if (r_.chance(50)) {
      const Op op = kBinary[r_.below(std::size(kBinary))];
      const ValueId right = pick(t);
      keep(b_.binary(op, pick(t), op == Op::kCopysign ? without_nan(right) : right));
    } else {
      keep(b_.unary(kUnary[r_.below(std::size(kUnary))], pick(t)));
    }
  }

  /// The sign of a NaN must not get anywhere.
  ValueId without_nan(ValueId v) {
    const Type t = b_.type_of(v);
    const ValueId zero = t == Type::kF64 ? b_.const_f64(0) : b_.const_f32(0);
    return b_.select(b_.compare(Op::kEq, v, v), v, zero);
  }

  void complex_op() {
    if (!o_.complex || !o_.floats) return int_op();
    constexpr Op kOps[] = {Op::kAdd, Op::kSub, Op::kMul};
    switch (r_.below(5)) {
      case 0:
        keep(b_.make_complex(pick(Type::kF64), pick(Type::kF64)));
        break;
      case 1:
        keep(b_.real(pick(Type::kC128)));
        break;
      case 2:
        keep(b_.imag(pick(Type::kC128)));
        break;
      case 3:
        keep(b_.unary(Op::kNeg, pick(Type::kC128)));
        break;
      default:
        keep(b_.binary(kOps[r_.below(std::size(kOps))], pick(Type::kC128), pick(Type::kC128)));
    }
  }

  void checked_op() {
    constexpr Op kOps[] = {Op::kAddOv, Op::kSubOv, Op::kMulOv};
    const Type t = random_wide_int();
    const Builder::Checked c = b_.checked(kOps[r_.below(std::size(kOps))], pick(t), pick(t));
    keep(c.value);
    keep(c.flag);
  }

  void compare_op() {
    constexpr Op kOps[] = {Op::kEq, Op::kNe, Op::kLt, Op::kLe, Op::kGt, Op::kGe};
    const Type t = random_type();
    if (t == Type::kI1) {
      constexpr Op kLogic[] = {Op::kAnd, Op::kOr, Op::kXor};
      keep(b_.binary(kLogic[r_.below(3)], pick(t), pick(t)));
      return;
    }
    const std::size_t known = t == Type::kC128 ? 2 : std::size(kOps);
    keep(b_.compare(kOps[r_.below(known)], pick(t), pick(t)));
  }

  void convert_op() {
    Type from = random_type();
    Type to = random_type();
    if (from == Type::kC128) from = Type::kF64;
    if (to == Type::kC128) to = Type::kF64;
    if (!is_float(from) || is_float(to)) {
      if (from == Type::kI64 && r_.chance(30)) {
        keep(b_.bitcast(pick(from), Type::kU64));
      } else {
        keep(b_.convert(pick(from), to));
      }
      return;
    }
    if (to == Type::kI1) to = Type::kI64;
    // |x| below 100 fits every integer type, but for the sign of the unsigned ones.
    const ValueId x = is_unsigned_int(to) ? b_.unary(Op::kFabs, pick(from)) : pick(from);
    const ValueId limit = from == Type::kF64 ? b_.const_f64(100) : b_.const_f32(100);
    const ValueId zero = from == Type::kF64 ? b_.const_f64(0) : b_.const_f32(0);
    const ValueId small = b_.compare(Op::kLt, b_.unary(Op::kFabs, x), limit);
    keep(b_.convert(b_.select(small, x, zero), to));
  }

  void memory_op() {
    if (!o_.memory) return int_op();
    if (r_.chance(40)) {
      const auto at = static_cast<std::int64_t>(r_.below(kSlotWords)) * 8;
      if (r_.chance(50)) return b_.store(slot_, pick(Type::kI64), at);
      keep(b_.load(Type::kI64, slot_, at));
      return;
    }
    const ValueId index = b_.binary(Op::kAnd, pick(Type::kI64), b_.const_i64(kSlotWords - 1));
    const ValueId at = b_.addr(slot_, index, 8);
    if (r_.chance(50)) return b_.store(at, pick(Type::kI64));
    keep(b_.load(Type::kI64, at));
  }

  SymbolId runtime(const char* name) { return find_symbol(b_.module(), name); }

  void runtime_call() {
    switch (r_.below(o_.floats ? 5 : 3)) {
      case 0:
        keep(b_.call_runtime(runtime("test_mix"), {pick(Type::kI64), pick(Type::kI64)}));
        break;
      case 1:
        keep(b_.call_runtime(runtime("test_next"), {pick(Type::kI64)}));
        break;
      case 2:
        b_.call_runtime(runtime("test_log_int"), {pick(Type::kI64)});
        break;
      case 3:
        b_.call_runtime(runtime("test_log_float"), {pick(Type::kF64)});
        break;
      default:
        keep(b_.call_runtime(runtime("test_half"), {pick(Type::kF64)}));
    }
  }

  void call() {
    if (b_.function_index() == 0) return checked_op();
    const auto callee = static_cast<std::uint32_t>(r_.below(b_.function_index()));
    const std::vector<Type> params = b_.module().functions[callee].params;
    const std::vector<Type> results = b_.module().functions[callee].results;
    Builder::Values args;
    for (const Type t : params) args.push_back(pick(t));
    Builder::Values out = b_.call(callee, args);
    const ValueId failed = b_.compare(Op::kLt, out.back(), b_.const_i32(0));
    out.pop_back();
    // The results of a callee that left mean nothing: go on with constants.
    const BlockId next = b_.create_block("called", results);
    const BlockId left = b_.create_block("left");
    b_.cond_br(failed, {left, {}}, {next, out});
    b_.set_block(left);
    Builder::Values other;
    for (const Type t : results) other.push_back(constant(t));
    b_.br(next, other);
    enter(next);
  }

  /// Goes on in a block whose arguments join the scope.
  void enter(BlockId block) {
    b_.set_block(block);
    const std::vector<ValueId> args = b_.function().blocks[block].args;
    scope_.insert(scope_.end(), args.begin(), args.end());
  }

  Builder::Values some_values(std::size_t most) {
    Builder::Values values;
    for (std::size_t n = r_.below(most + 1); n > 0; --n) values.push_back(pick(random_type()));
    return values;
  }

  std::vector<Type> types_of(const Builder::Values& values) {
    std::vector<Type> types;
    for (const ValueId v : values) types.push_back(b_.type_of(v));
    return types;
  }

  Recipe recipe(const Builder::Values& live, int depth) {
    Recipe r;
    if (depth > 0 && r_.chance(15)) {
      r.kind = Recipe::Kind::kTuple;
      for (std::size_t n = r_.below(3); n > 0; --n) r.items.push_back(recipe(live, depth - 1));
      return r;
    }
    if (depth > 0 && r_.chance(10)) {
      std::vector<std::uint32_t> flags;
      for (std::uint32_t k = 0; k < live.size(); ++k)
        if (b_.type_of(live[k]) == Type::kI1) flags.push_back(k);
      const Recipe one = recipe(live, 0);
      const Recipe other = recipe(live, 0);
      const auto number = [](const Recipe& part) {
        return part.kind >= Recipe::Kind::kInt && part.kind <= Recipe::Kind::kScalar;
      };
      if (!flags.empty() && number(one) && number(other)) {
        r.kind = Recipe::Kind::kEither;
        r.items = {one, other};
        r.items[0].present = flags[r_.below(flags.size())];
        return r;
      }
    }
    if (live.empty() || r_.chance(20)) {
      r.kind = Recipe::Kind::kSymbol;
      r.index = add_object(b_.module(), "an object");
      return r;
    }
    r.index = static_cast<std::uint32_t>(r_.below(live.size()));
    switch (b_.type_of(live[r.index])) {
      case Type::kI64:
        r.kind = Recipe::Kind::kInt;
        break;
      case Type::kF64:
        r.kind = Recipe::Kind::kFloat;
        break;
      case Type::kI1:
        r.kind = Recipe::Kind::kBool;
        break;
      case Type::kC128:
        r.kind = Recipe::Kind::kComplex;
        break;
      case Type::kI8:
      case Type::kI16:
      case Type::kI32:
      case Type::kU8:
      case Type::kU16:
      case Type::kU32:
      case Type::kU64:
      case Type::kF32:
        r.kind = Recipe::Kind::kScalar;
        r.symbol = add_object(b_.module(), "an object");
        break;
      default:
        r = Recipe{};
    }
    return r;
  }

  /// The function of a frame: an object symbol, or one of the live objects.
  Recipe function(const Builder::Values& live) {
    Recipe r;
    r.kind = Recipe::Kind::kSymbol;
    r.index = add_object(b_.module(), "function");
    for (std::size_t k = 0; k < live.size(); ++k) {
      const Type type = b_.type_of(live[k]);
      if ((type != Type::kObj && type != Type::kOwned) || !r_.chance(30)) continue;
      r.kind = Recipe::Kind::kObject;
      r.index = static_cast<std::uint32_t>(k);
      break;
    }
    return r;
  }

  /// A new exit for these live values, which a restart drops.
  ExitId exit(Builder::Values& live) {
    Exit e;
    e.reason = "test \"exit\"";
    e.loc = {static_cast<std::int32_t>(r_.below(50)), -1};
    if (r_.chance(25)) {
      live.clear();
    } else {
      e.kind = Exit::Kind::kFrames;
      for (std::size_t n = 1 + r_.below(2); n > 0; --n) {
        ExitFrame& f = e.frames.emplace_back();
        f.code = add_object(b_.module(), "code");
        f.function = function(live);
        f.offset = static_cast<std::int32_t>(r_.below(40)) * 2;
        for (std::size_t k = r_.below(4); k > 0; --k) f.locals.push_back(recipe(live, 2));
        for (std::size_t k = r_.below(3); k > 0; --k) f.stack.push_back(recipe(live, 2));
      }
    }
    e.live = types_of(live);
    return b_.add_exit(std::move(e));
  }

  void guard() {
    Builder::Values live = some_values(4);
    const ExitId id = exit(live);
    ValueId cond = pick(Type::kI1);
    // Most guards hold: a condition that is true for almost every value.
    if (r_.chance(70)) {
      cond = b_.compare(Op::kNe, pick(Type::kI64), b_.const_i64(random_int(r_, Type::kI64)));
    }
    b_.set_loc({static_cast<std::int32_t>(r_.below(100)), static_cast<std::int32_t>(r_.below(9))});
    b_.guard(cond, id, live);
    if (r_.chance(30)) b_.guard(cond, id, live);
  }

  void leave() {
    Builder::Values live = some_values(4);
    const ExitId id = exit(live);
    b_.leave(id, live);
  }

  /// Statements in `block`, then a jump to `next` with values of these types.
  void region(BlockId block, BlockId next, const std::vector<Type>& types, int depth) {
    const std::size_t size = scope_.size();
    b_.set_block(block);
    for (std::size_t n = r_.below(4); n > 0; --n) statement(depth - 1);
    if (o_.exits && r_.chance(6)) {
      leave();
    } else {
      Builder::Values values;
      for (const Type t : types) values.push_back(pick(t));
      b_.br(next, values);
    }
    scope_.resize(size);
  }

  std::vector<Type> some_types() {
    std::vector<Type> types;
    for (std::size_t n = r_.below(3); n > 0; --n) types.push_back(random_type());
    return types;
  }

  void branch(int depth) {
    const std::vector<Type> types = some_types();
    const BlockId next = b_.create_block("join", types);
    const BlockId yes = b_.create_block("then");
    if (r_.chance(30)) {
      Builder::Values values;
      for (const Type t : types) values.push_back(pick(t));
      b_.cond_br(pick(Type::kI1), {yes, {}}, {next, values});
      region(yes, next, types, depth);
    } else {
      const BlockId no = b_.create_block("else");
      b_.cond_br(pick(Type::kI1), {yes, {}}, {no, {}});
      region(yes, next, types, depth);
      region(no, next, types, depth);
    }
    enter(next);
  }

  void multiway(int depth) {
    const std::vector<Type> types = some_types();
    const BlockId next = b_.create_block("end", types);
    const BlockId otherwise = b_.create_block("default");
    const BlockId from = b_.current_block();
    const bool narrow = o_.narrow_ints && r_.chance(30);
    const ValueId low = b_.binary(Op::kAnd, pick(Type::kI64), b_.const_i64(3));
    b_.switch_(narrow ? b_.convert(low, Type::kI32) : low, {otherwise, {}});
    const std::int64_t cases = 1 + static_cast<std::int64_t>(r_.below(3));
    for (std::int64_t i = 0; i < cases; ++i) {
      const BlockId c = b_.create_block();
      b_.add_case(from, i, {c, {}});
      region(c, next, types, depth);
    }
    region(otherwise, next, types, depth);
    enter(next);
  }

  void loop(int depth) {
    const auto count = static_cast<std::int64_t>(1 + r_.below(6));
    std::vector<Type> types = some_types();
    types.insert(types.begin(), Type::kI64);
    const BlockId head = b_.create_block("head", types);
    const BlockId body = b_.create_block("body");
    const BlockId back = b_.create_block("back", types);
    const BlockId done = b_.create_block("done");
    Builder::Values start{b_.const_i64(0)};
    for (std::size_t i = 1; i < types.size(); ++i) start.push_back(pick(types[i]));
    b_.br(head, start);
    enter(head);
    const std::size_t with_args = scope_.size();
    const ValueId counter = b_.block_arg(head, 0);
    b_.cond_br(b_.compare(Op::kLt, counter, b_.const_i64(count)), {body, {}}, {done, {}});
    b_.set_block(body);
    for (std::size_t n = 1 + r_.below(4); n > 0; --n) statement(depth - 1);
    Builder::Values next{b_.binary(Op::kAdd, counter, b_.const_i64(1))};
    for (std::size_t i = 1; i < types.size(); ++i) next.push_back(pick(types[i]));
    if (r_.chance(60)) {
      b_.br(back, next);
      scope_.resize(with_args);  // what the head defines is known after the loop
      jump_back(head, back);
    } else {
      const BlockId other = b_.create_block("other", types);
      b_.cond_br(pick(Type::kI1), {back, next}, {other, next});
      scope_.resize(with_args);
      const ExitId id = jump_back(head, back);
      jump_back(head, other, id);
    }
    b_.set_block(done);
  }

  /// Goes from `back` to the head of the loop, past a poll perhaps, and gives its exit. That is a
  /// copy of `like`, if given, at another place.
  ExitId jump_back(BlockId head, BlockId back, ExitId like = kNone) {
    b_.set_block(back);
    const Builder::Values args = b_.function().blocks[back].args;
    ExitId id = like;
    if (like != kNone) {
      Exit copy = b_.function().exits[like];
      for (ExitFrame& f : copy.frames) f.offset = 2;
      id = b_.add_exit(std::move(copy));
    } else if (o_.exits && r_.chance(60)) {
      Builder::Values live = args;
      id = exit(live);
    }
    if (id != kNone) {
      const bool restart = b_.function().exits[id].kind == Exit::Kind::kRestart;
      const Builder::Values live = restart ? Builder::Values{} : args;
      if (r_.chance(30)) {
        b_.poll_br(id, live, {head, args}, {head, args});
        return id;
      }
      b_.poll(id, live);
    }
    b_.br(head, args);
    return id;
  }

  Builder b_;
  Random& r_;
  const RandomOptions& o_;
  std::vector<ValueId> scope_;
  ValueId slot_ = kNone;
  int budget_ = 0;
};

std::vector<Type> random_types(Random& r, const RandomOptions& o, std::size_t least) {
  std::vector<Type> types;
  for (std::size_t n = least + r.below(4); n > 0; --n) {
    const std::size_t k = r.below(10);
    types.push_back(k < 5                             ? Type::kI64
                    : k < 6                           ? Type::kI1
                    : k < 9 && o.floats               ? Type::kF64
                    : k == 9 && o.floats && o.complex ? Type::kC128
                                                      : Type::kI64);
  }
  return types;
}

void add_entry(Module& m, std::uint32_t callee) {
  const std::vector<Type> params = m.functions[callee].params;
  const std::vector<Type> results = m.functions[callee].results;
  const auto index = add_function(m, "run", {Type::kPtr, Type::kPtr}, {Type::kI32}, /*c_abi=*/true,
                                  /*exported=*/true);
  Builder b(m, index);
  Builder::Values args{b.call_runtime(find_symbol(m, "splice_rt_enter"), {})};
  for (std::size_t i = 0; i < params.size(); ++i) {
    args.push_back(b.load(params[i], b.param(0), static_cast<std::int64_t>(i) * kCell));
  }
  const Builder::Values out = b.call(callee, args);
  b.store(b.param(1), b.convert(out.back(), Type::kI64));
  const BlockId finished = b.create_block("finished");
  const BlockId left = b.create_block("left");
  b.cond_br(b.compare(Op::kLt, out.back(), b.const_i32(0)), {left, {}}, {finished, {}});
  b.set_block(finished);
  for (std::size_t i = 0; i < results.size(); ++i) {
    b.store(b.param(1), out[i], static_cast<std::int64_t>(i + 1) * kCell);
  }
  b.ret({out.back()});
  b.set_block(left);
  b.ret({out.back()});
}

}  // namespace

Module random_module(std::uint64_t seed, const RandomOptions& options) {
  Random random(seed);
  Module m;
  m.name = "random " + std::to_string(seed);
  if (options.runtime) declare_runtime(m);
  add_data(m, "splice_unit");
  add_runtime(m, "splice_rt_exit", {Type::kPtr, Type::kPtr, Type::kU32, Type::kU32, Type::kU32},
              Type::kPtr);
  add_runtime(m, "splice_rt_poll", {Type::kPtr}, Type::kI32);
  add_runtime(m, "splice_rt_enter", {}, Type::kPtr);
  add_runtime(m, "splice_rt_hot_place", {Type::kPtr, Type::kPtr, Type::kU32}, Type::kPtr);
  for (int i = 0; i < options.functions; ++i) {
    const auto index = add_function(m, "f" + std::to_string(i), random_types(random, options, 0),
                                    random_types(random, options, 1));
    Generator(m, index, random, options).run();
  }
  add_entry(m, static_cast<std::uint32_t>(m.functions.size() - 1));
  return m;
}

}  // namespace splice::ir::testing
