#include "ir/verify_types.h"

namespace splice::ir {
namespace {

constexpr int kMaxRecipeDepth = 32;

class ExitCheck {
 public:
  ExitCheck(const Module& m, const Exit& e) : m_(m), e_(e) {}

  std::string run() {
    for (const Type t : e_.live) {
      if (t == Type::kVoid || t > Type::kOwned) return "a live value has no type";
    }
    if (e_.kind == Exit::Kind::kRestart) {
      return e_.live.empty() && e_.frames.empty() ? "" : "a restart has no live values, no frames";
    }
    if (e_.kind != Exit::Kind::kFrames) return "unknown kind of exit";
    if (e_.frames.empty()) return "it has no frame";
    for (const ExitFrame& f : e_.frames) {
      if (!object(f.code)) return "the code of a frame is not an object symbol";
      if (f.function.kind != Recipe::Kind::kSymbol && f.function.kind != Recipe::Kind::kObject)
        return "the function of a frame is no object";
      if (f.offset < 0 || f.offset % 2 != 0) return "the offset of a frame is not an instruction's";
      for_each_recipe(f, [&](const Recipe& r) { check(r, 0); });
    }
    return error_;
  }

 private:
  bool object(SymbolId s) const {
    return s < m_.symbols.size() && m_.symbols[s].kind == Symbol::Kind::kObject;
  }

  bool live(std::uint32_t i, Type t) const {
    return i < e_.live.size() && accepts(t, e_.live[i]) && is_object(t) == is_object(e_.live[i]);
  }

  /// That an int can be made of.
  bool live_number(std::uint32_t i) const {
    return i < e_.live.size() && is_number(e_.live[i]) && e_.live[i] != Type::kI1 &&
           e_.live[i] != Type::kC128;
  }

  static bool is_plain_number(const Recipe& r) {
    return r.kind >= Recipe::Kind::kInt && r.kind <= Recipe::Kind::kScalar;
  }

  void need(bool ok, const char* what) {
    if (!ok && error_.empty()) error_ = what;
  }

  void check(const Recipe& r, int depth) {
    using Kind = Recipe::Kind;
    if (!error_.empty()) return;
    bool number = false;
    switch (r.kind) {
      case Kind::kNull:
        break;
      case Kind::kSymbol:
        need(object(r.index), "a recipe names no object symbol");
        break;
      case Kind::kInt:
        number = true;
        need(live_number(r.index), "an int recipe needs a live integer or float");
        break;
      case Kind::kFloat:
        number = true;
        need(live(r.index, Type::kF64) || live(r.index, Type::kF32),
             "a float recipe needs a live float");
        break;
      case Kind::kBool:
        number = true;
        need(live(r.index, Type::kI1), "a bool recipe needs a live i1");
        break;
      case Kind::kComplex:
        number = true;
        need(live(r.index, Type::kC128), "a complex recipe needs a live c128");
        break;
      case Kind::kScalar:
        number = true;
        need(r.index < e_.live.size() && is_number(e_.live[r.index]),
             "a scalar recipe needs a live number");
        need(object(r.symbol), "a scalar recipe names no type");
        break;
      case Kind::kObject:
        need(live(r.index, Type::kObj), "an object recipe needs a live obj");
        break;
      case Kind::kTuple:
        items(r, depth);
        break;
      case Kind::kSlice:
        need(r.items.size() == 3, "a slice recipe has start, stop and step");
        items(r, depth);
        break;
      case Kind::kRange:
      case Kind::kRangeIter:
        need(r.items.size() == 3, "a range recipe has start, stop and step");
        for (const Recipe& item : r.items) {
          need(item.kind == Kind::kInt || item.kind == Kind::kSymbol || item.kind == Kind::kObject,
               "the parts of a range are ints");
        }
        items(r, depth);
        break;
      case Kind::kListIter:
      case Kind::kReversed:
      case Kind::kEnumerate:
        need(r.items.size() == 2, "this iterator has an object and a position");
        items(r, depth);
        break;
      case Kind::kArrayView:
        need(r.items.size() >= 5 && r.items.size() % 2 == 1,
             "a view has an array, four numbers, lengths and strides");
        items(r, depth);
        break;
      case Kind::kEither:
        need(r.items.size() == 2 && is_plain_number(r.items[0]) && is_plain_number(r.items[1]) &&
                 r.items[0].present != kNone && r.items[1].present == kNone,
             "an either recipe has two numbers, of which the first may be absent");
        items(r, depth);
        break;
      case Kind::kZip:
        need(!r.items.empty(), "zip has iterators");
        items(r, depth);
        break;
      default:
        need(false, "unknown kind of recipe");
    }
    need(r.origin == kNone || (number && live(r.origin, Type::kObj)),
         "the origin of a number is a live obj");
    need(r.present == kNone || live(r.present, Type::kI1), "presence is a live i1");
  }

  void items(const Recipe& r, int depth) {
    if (depth >= kMaxRecipeDepth) return need(false, "recipes are nested too deep");
    for (const Recipe& item : r.items) check(item, depth + 1);
  }

  const Module& m_;
  const Exit& e_;
  std::string error_;
};

}  // namespace

std::string check_exit(const Module& module, const Exit& exit) {
  return ExitCheck(module, exit).run();
}

}  // namespace splice::ir
