#include "ir/verify_types.h"

#include <algorithm>

#include "ir/op_shape.h"

namespace splice::ir {
namespace {

constexpr std::int64_t kMaxSlotBytes = 1 << 20;

bool is_wide_int(Type t) { return is_int(t) && t != Type::kI1; }

bool fits_type(Type t, std::int64_t v) {
  switch (t) {
    case Type::kI1:
      return v == 0 || v == 1;
    case Type::kI8:
      return v == static_cast<std::int8_t>(v);
    case Type::kI16:
      return v == static_cast<std::int16_t>(v);
    case Type::kI32:
      return v == static_cast<std::int32_t>(v);
    case Type::kU8:
      return v == static_cast<std::uint8_t>(v);
    case Type::kU16:
      return v == static_cast<std::uint16_t>(v);
    case Type::kU32:
    case Type::kF32:
      return v == static_cast<std::uint32_t>(v);
    case Type::kPtr:
    case Type::kObj:
    case Type::kOwned:
      return v == 0;
    default:
      return true;
  }
}

class Check {
 public:
  Check(const Module& m, const Function& f, const Inst& i) : m_(m), f_(f), i_(i) {}

  std::string run() {
    if (!op_shape(i_.op).type && i_.op != Op::kCallRuntime && i_.type != op_shape(i_.op).fixed) {
      return "its type must be " + std::string(type_name(op_shape(i_.op).fixed));
    }
    rules();
    if (error_.empty() && !results_seen_) results({});
    return error_;
  }

 private:
  void fail(const std::string& what) {
    if (error_.empty()) error_ = what;
  }

  Type operand(std::size_t k) const { return f_.values[i_.args[k]]; }

  void operands_from(std::size_t first, const std::vector<Type>& types, bool exact = false) {
    if (i_.args.size() != first + types.size()) {
      return fail("needs " + std::to_string(first + types.size()) + " operands, has " +
                  std::to_string(i_.args.size()));
    }
    for (std::size_t k = 0; k < types.size(); ++k) {
      const Type got = operand(first + k);
      if (exact ? got == types[k] : accepts(types[k], got)) continue;
      return fail("operand " + std::to_string(first + k) + " is " + type_name(got) + ", not " +
                  type_name(types[k]));
    }
  }

  void operands(const std::vector<Type>& types) { operands_from(0, types); }

  void results(const std::vector<Type>& types) {
    results_seen_ = true;
    if (i_.results.size() != types.size()) {
      return fail("needs " + std::to_string(types.size()) + " results, has " +
                  std::to_string(i_.results.size()));
    }
    for (std::size_t k = 0; k < types.size(); ++k) {
      const Type got = f_.values[i_.results[k]];
      if (got == types[k]) continue;
      return fail("result " + std::to_string(k) + " is " + type_name(got) + ", not " +
                  type_name(types[k]));
    }
  }

  void need(bool ok, const char* what) {
    if (!ok) fail(what);
  }

  /// (T x count) -> T
  void same(std::size_t count) {
    operands(std::vector<Type>(count, i_.type));
    results({i_.type});
  }

  void rules() {
    const Type t = i_.type;
    switch (i_.op) {
      case Op::kConst:
        need(t != Type::kVoid, "a constant has a type");
        need(fits_type(t, i_.imm), "the immediate is outside the type");
        need(t == Type::kC128 || i_.imm2 == 0, "only c128 has a second immediate");
        return same(0);
      case Op::kSymbol:
        return symbol();
      case Op::kUndef:
        need(t != Type::kVoid, "undef has a type");
        return same(0);
      case Op::kCtx:
        need(!f_.c_abi, "a c_abi function has no context");
        return same(0);
      case Op::kStackAddress:
        return same(0);

      case Op::kAdd:
      case Op::kSub:
      case Op::kMul:
        need(is_wide_int(t) || is_float(t) || t == Type::kC128, "wrong type for this op");
        return same(2);
      case Op::kDiv:
      case Op::kRem:
        need(is_wide_int(t) || is_float(t), "wrong type for this op");
        return same(2);
      case Op::kMod:
        need(is_wide_int(t), "wrong type for this op");
        return same(2);
      case Op::kNeg:
        need(is_wide_int(t) || is_float(t) || t == Type::kC128, "wrong type for this op");
        return same(1);
      case Op::kAnd:
      case Op::kOr:
      case Op::kXor:
        need(is_int(t), "needs an integer type");
        return same(2);
      case Op::kShl:
      case Op::kShr:
        need(is_wide_int(t), "needs an integer type wider than i1");
        return same(2);
      case Op::kAddOv:
      case Op::kSubOv:
      case Op::kMulOv:
        need(is_wide_int(t), "needs an integer type wider than i1");
        operands({t, t});
        return results({t, Type::kI1});
      case Op::kSqrt:
      case Op::kFloor:
      case Op::kCeil:
      case Op::kTrunc:
      case Op::kRint:
      case Op::kFabs:
        need(is_float(t), "needs a float type");
        return same(1);
      case Op::kCopysign:
        need(is_float(t), "needs a float type");
        return same(2);
      case Op::kFma:
        need(is_float(t), "needs a float type");
        return same(3);
      case Op::kEq:
      case Op::kNe:
        need(t != Type::kVoid, "a comparison has a type");
        operands({t, t});
        return results({Type::kI1});
      case Op::kLt:
      case Op::kLe:
      case Op::kGt:
      case Op::kGe:
        need(is_wide_int(t) || is_float(t) || t == Type::kPtr, "values of this type have no order");
        operands({t, t});
        return results({Type::kI1});

      case Op::kSelect:
        need(t != Type::kVoid, "select has a type");
        operands({Type::kI1, t, t});
        return results({t});
      case Op::kConvert:
        need((is_int(t) || is_float(t)) && (is_int(i_.type2) || is_float(i_.type2)),
             "converts integers and floats only");
        need(!(t == Type::kI1 && is_float(i_.type2)), "a float cannot become i1");
        return cast();
      case Op::kBitcast:
        need(bit_width(t) != 0 && bit_width(t) == bit_width(i_.type2), "widths differ");
        return cast();
      case Op::kComplex:
        operands({Type::kF64, Type::kF64});
        return results({t});
      case Op::kReal:
      case Op::kImag:
        operands({Type::kC128});
        return results({t});

      case Op::kLoad:
        need(t != Type::kVoid, "a load has a type");
        operands({Type::kPtr});
        return results({t});
      case Op::kStore:
        need(t != Type::kVoid, "a store has a type");
        return operands({Type::kPtr, t});
      case Op::kSlot:
        need(i_.imm > 0 && i_.imm <= kMaxSlotBytes, "the size of a slot is 1 to 1048576");
        return same(0);
      case Op::kElements:
        operands({Type::kPtr});
        return results({t});
      case Op::kHeader:
        operands({Type::kObj});
        return results({t});
      case Op::kAddr:
        operands({Type::kPtr, Type::kI64});
        return results({t});

      case Op::kCall:
        return call();
      case Op::kCallRuntime:
        return call_runtime();

      case Op::kGuard:
        return leaving(1);
      case Op::kPoll:
      case Op::kPollBr:
      case Op::kLeave:
        return leaving(0);

      case Op::kBr:
        return operands({});
      case Op::kCondBr:
        return operands({Type::kI1});
      case Op::kSwitch:
        return switch_();
      case Op::kRet:
        return ret();
      case Op::kUnreachable:
        return operands({});

      case Op::kPyTypeIs:
        need(is_object_symbol(), "needs the symbol of a type");
        return python({Type::kObj}, {t});
      case Op::kPyUnboxInt:
        return python({Type::kObj}, {Type::kI64, Type::kI1});
      case Op::kPyUnboxFloat:
      case Op::kPyUnboxBool:
      case Op::kPyUnboxComplex:
      case Op::kPyIncref:
        return python({Type::kObj}, {t});
      case Op::kPyBoxInt:
        return python({Type::kI64}, {t});
      case Op::kPyBoxFloat:
        return python({Type::kF64}, {t});
      case Op::kPyBoxBool:
        return python({Type::kI1}, {t});
      case Op::kPyBoxComplex:
        return python({Type::kC128}, {t});
      case Op::kPyDecref:
        return python({Type::kOwned}, {});
      case Op::kCount:
        break;
    }
    fail("unknown op");
  }

  bool is_object_symbol() const { return m_.symbols[i_.index].kind == Symbol::Kind::kObject; }

  void python(const std::vector<Type>& in, const std::vector<Type>& out) {
    operands(in);
    results(out);
  }

  void symbol() {
    need(i_.type == Type::kPtr || (i_.type == Type::kObj && is_object_symbol()),
         "the address of a symbol is ptr, or obj when it is an object");
    same(0);
  }

  void cast() {
    operands({i_.type2});
    results({i_.type});
  }

  void call() {
    const Function& callee = m_.functions[i_.index];
    need(!callee.c_abi, "a c_abi function is not called with `call`");
    std::vector<Type> in = callee.params;
    if (f_.c_abi) in.insert(in.begin(), Type::kPtr);
    operands(in);
    std::vector<Type> out = callee.results;
    out.push_back(Type::kI32);
    results(out);
  }

  void call_runtime() {
    const Symbol& s = m_.symbols[i_.index];
    if (s.kind != Symbol::Kind::kRuntime) return fail("the symbol is not a runtime function");
    need(i_.type == s.result, "its type must be the symbol's result");
    operands(s.params);
    results(s.result == Type::kVoid ? std::vector<Type>{} : std::vector<Type>{s.result});
  }

  void leaving(std::size_t first) {
    need(!f_.c_abi, "a c_abi function cannot leave");
    if (first == 1 && (i_.args.empty() || operand(0) != Type::kI1)) {
      return fail("the condition must be i1");
    }
    operands_from(first, f_.exits[i_.index].live, true);
  }

  void switch_() {
    need(i_.type == Type::kI32 || i_.type == Type::kI64, "switches on i32 or i64");
    operands({i_.type});
    std::vector<std::int64_t> sorted = i_.cases;
    std::sort(sorted.begin(), sorted.end());
    need(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end(), "a case comes twice");
    for (const std::int64_t c : sorted) need(fits_type(i_.type, c), "a case is outside the type");
  }

  void ret() {
    operands_from(0, f_.results, true);
    if (f_.c_abi) return need(i_.imm == 0, "a c_abi function has no status");
    need(i_.imm >= 0 && i_.imm <= INT32_MAX, "the status of ret is not negative");
  }

  const Module& m_;
  const Function& f_;
  const Inst& i_;
  std::string error_;
  bool results_seen_ = false;
};

}  // namespace

bool accepts(Type expected, Type actual) {
  if (expected == actual) return true;
  if (expected == Type::kPtr) return is_object(actual);
  return expected == Type::kObj && actual == Type::kOwned;
}

std::string check_types(const Module& module, const Function& function, const Inst& inst) {
  return Check(module, function, inst).run();
}

}  // namespace splice::ir
