#include <string>
#include <unordered_map>

#include "ir/op_shape.h"
#include "ir/text.h"
#include "ir/text_cursor.h"
#include "ir/text_words.h"

namespace splice::ir {
namespace {

constexpr std::uint32_t kMaxId = 1u << 22;  ///< bounds the memory a few bytes of text can ask for
constexpr int kMaxDepth = 32;               ///< nesting of recipes
constexpr std::uint32_t kMaxIndex = 0xfffffffeu;

const std::unordered_map<std::string_view, Type>& types_by_name() {
  static const auto map = [] {
    std::unordered_map<std::string_view, Type> m;
    for (int i = 0; i <= static_cast<int>(Type::kOwned); ++i) {
      m.emplace(type_name(static_cast<Type>(i)), static_cast<Type>(i));
    }
    return m;
  }();
  return map;
}

const std::unordered_map<std::string_view, Op>& ops_by_name() {
  static const auto map = [] {
    std::unordered_map<std::string_view, Op> m;
    for (int i = 0; i < static_cast<int>(Op::kCount); ++i) {
      m.emplace(op_name(static_cast<Op>(i)), static_cast<Op>(i));
    }
    return m;
  }();
  return map;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : in_(text) {}

  Result<Module> run() {
    module_text();
    if (!in_.failed()) resolve_calls();
    if (in_.failed()) return invalid_argument(in_.error());
    return Result<Module>(std::move(m_));
  }

 private:
  /// A call whose callee may come later in the text.
  struct Call {
    std::size_t function, block, inst, position;
    std::string callee;
  };

  bool module_text() {
    if (!in_.expect_word("module") || !in_.quoted(m_.name)) return false;
    while (in_.accept_word("symbol")) {
      if (!symbol_text()) return false;
    }
    while (!in_.at_end()) {
      if (!in_.expect_word("func") || !function_text()) return false;
    }
    return true;
  }

  void resolve_calls() {
    for (const Call& c : calls_) {
      const auto found = functions_.find(c.callee);
      if (found == functions_.end()) {
        in_.fail_at(c.position, "no function @" + c.callee);
        return;
      }
      m_.functions[c.function].blocks[c.block].insts[c.inst].index = found->second;
    }
  }

  bool type(Type& out) {
    const std::size_t start = in_.position();
    std::string_view w;
    if (!in_.word(w)) return false;
    const auto found = types_by_name().find(w);
    if (found == types_by_name().end()) return in_.fail_at(start, "unknown type");
    out = found->second;
    return true;
  }

  bool type_list(std::vector<Type>& out) {
    if (!in_.expect('(')) return false;
    if (in_.accept(')')) return true;
    do {
      if (!type(out.emplace_back())) return false;
    } while (in_.accept(','));
    return in_.expect(')');
  }

  /// Optional `!line` or `!line:offset`.
  bool place(Loc& loc) {
    if (!in_.accept('!')) return !in_.failed();
    return int32(loc.line) && (!in_.accept(':') || int32(loc.offset));
  }

  bool int32(std::int32_t& out) {
    const std::size_t start = in_.position();
    std::int64_t v = 0;
    if (!in_.integer(v)) return false;
    if (v < INT32_MIN || v > INT32_MAX) return in_.fail_at(start, "number out of range");
    out = static_cast<std::int32_t>(v);
    return true;
  }

  bool symbol_text() {
    const std::size_t start = in_.position();
    Symbol s;
    if (!in_.name(s.name)) return false;
    const auto id = static_cast<SymbolId>(m_.symbols.size());
    if (!symbols_.emplace(s.name, id).second) return in_.fail_at(start, "symbol defined twice");
    if (in_.accept_word("object")) {
      s.kind = Symbol::Kind::kObject;
    } else if (in_.accept_word("data")) {
      s.kind = Symbol::Kind::kData;
    } else {
      s.kind = Symbol::Kind::kRuntime;
      if (!in_.expect_word("runtime")) return false;
      s.pure = in_.accept_word("pure");
      s.quiet = in_.accept_word("quiet");
      if (!type_list(s.params) || !arrow() || !type(s.result)) return false;
    }
    m_.symbols.push_back(std::move(s));
    return true;
  }

  bool arrow() { return in_.expect('-') && in_.expect('>'); }

  bool symbol_ref(SymbolId& out) {
    const std::size_t start = in_.position();
    std::string s;
    if (!in_.name(s)) return false;
    const auto found = symbols_.find(s);
    if (found == symbols_.end()) return in_.fail_at(start, "no symbol @" + s);
    out = found->second;
    return true;
  }

  bool function_text() {
    const std::size_t start = in_.position();
    Function f;
    if (!in_.name(f.name)) return false;
    const auto id = static_cast<std::uint32_t>(m_.functions.size());
    if (!functions_.emplace(f.name, id).second) return in_.fail_at(start, "function defined twice");
    if (!type_list(f.params) || !arrow() || !type_list(f.results)) return false;
    f.exported = in_.accept_word("exported");
    f.c_abi = in_.accept_word("c_abi");
    f.has_handlers = in_.accept_word("handlers");
    if (!in_.expect('{')) return false;
    defined_.clear();
    while (in_.accept_word("exit")) {
      if (!exit_text(f)) return false;
    }
    while (in_.accept('^')) {
      if (!block_text(f)) return false;
    }
    m_.functions.push_back(std::move(f));
    return in_.expect('}');
  }

  bool sequential(std::size_t expected, std::string_view what) {
    const std::size_t start = in_.position();
    std::uint32_t id = 0;
    if (!in_.index(id, kMaxId)) return false;
    return id == expected || in_.fail_at(start, what);
  }

  bool exit_text(Function& f) {
    if (!in_.expect('#') || !sequential(f.exits.size(), "exits must be numbered in order")) {
      return false;
    }
    Exit& e = f.exits.emplace_back();
    if (in_.accept_word("frames")) {
      e.kind = Exit::Kind::kFrames;
    } else if (!in_.expect_word("restart")) {
      return false;
    }
    if (!type_list(e.live) || !in_.quoted(e.reason) || !place(e.loc)) return false;
    e.drops_callees = in_.accept_word("drops_callees");
    if (!in_.accept('{')) return true;
    while (in_.accept_word("frame")) {
      ExitFrame& frame = e.frames.emplace_back();
      if (!symbol_ref(frame.code) || !function_of(frame) || !in_.expect('+') ||
          !int32(frame.offset) || !in_.expect('{')) {
        return false;
      }
      if (in_.accept_word("locals") && !recipes(frame.locals, 0)) return false;
      if (in_.accept_word("stack") && !recipes(frame.stack, 0)) return false;
      if (!in_.expect('}')) return false;
    }
    return in_.expect('}');
  }

  /// A symbol or a live object.
  bool function_of(ExitFrame& frame) {
    const bool live = in_.accept_word(text::recipe_word(Recipe::Kind::kObject));
    frame.function.kind = live ? Recipe::Kind::kObject : Recipe::Kind::kSymbol;
    if (live) return in_.index(frame.function.index, kMaxIndex);
    return symbol_ref(frame.function.index);
  }

  bool recipes(std::vector<Recipe>& out, int depth) {
    do {
      if (!recipe(out.emplace_back(), depth)) return false;
    } while (in_.accept(','));
    return !in_.failed();
  }

  bool recipe(Recipe& r, int depth) {
    if (depth > kMaxDepth) return in_.fail("recipes nested too deep");
    const std::size_t start = in_.position();
    std::string_view w;
    if (!in_.word(w)) return false;
    int kind = 0;
    while (w != text::recipe_word(static_cast<Recipe::Kind>(kind))) {
      if (++kind > static_cast<int>(text::kLastRecipe)) {
        return in_.fail_at(start, "unknown recipe");
      }
    }
    r.kind = static_cast<Recipe::Kind>(kind);
    if (text::recipe_has_items(r.kind)) {
      if (!in_.accept('(') && !(in_.index(r.index, kMaxIndex) && in_.expect('('))) return false;
      if (!in_.accept(')') && !(recipes(r.items, depth + 1) && in_.expect(')'))) return false;
    } else if (r.kind == Recipe::Kind::kSymbol) {
      if (!symbol_ref(r.index)) return false;
    } else if (r.kind != Recipe::Kind::kNull) {
      if (!in_.index(r.index, kMaxIndex)) return false;
      if (r.kind == Recipe::Kind::kScalar && !symbol_ref(r.symbol)) return false;
    }
    if (in_.accept_word("origin") && !in_.index(r.origin, kMaxIndex)) return false;
    return !in_.accept_word("present") || in_.index(r.present, kMaxIndex);
  }

  /// `%id: type` where the value is made.
  bool definition(Function& f, std::vector<ValueId>& out) {
    const std::size_t start = in_.position();
    std::uint32_t id = 0;
    Type t = Type::kVoid;
    if (!in_.expect('%') || !in_.index(id, kMaxId) || !in_.expect(':') || !type(t)) return false;
    if (id >= f.values.size()) {
      f.values.resize(id + 1, Type::kVoid);
      defined_.resize(id + 1, false);
    }
    if (defined_[id]) return in_.fail_at(start, "value defined twice");
    defined_[id] = true;
    f.values[id] = t;
    out.push_back(id);
    return true;
  }

  bool block_text(Function& f) {
    if (!sequential(f.blocks.size(), "blocks must be numbered in order")) return false;
    Block& b = f.blocks.emplace_back();
    if (in_.peek() == '"' && !in_.quoted(b.name)) return false;
    if (in_.accept('(')) {
      do {
        if (!definition(f, b.args)) return false;
      } while (in_.accept(','));
      if (!in_.expect(')')) return false;
    }
    if (!in_.expect(':')) return false;
    while (!in_.at_end() && in_.peek() != '^' && in_.peek() != '}') {
      if (!inst_text(f, b)) return false;
    }
    return true;
  }

  bool literal(Inst& inst) {
    switch (inst.type) {
      case Type::kF64:
        return in_.floating(64, inst.imm);
      case Type::kF32:
        return in_.floating(32, inst.imm);
      case Type::kC128:
        return in_.floating(64, inst.imm) && in_.expect(',') && in_.floating(64, inst.imm2);
      default:
        break;
    }
    if (is_pointer(inst.type) && in_.accept_word("null")) return true;
    return in_.integer(inst.imm);
  }

  bool inst_text(Function& f, Block& b) {
    Inst inst;
    if (in_.peek() == '%') {
      do {
        if (!definition(f, inst.results)) return false;
      } while (in_.accept(','));
      if (!in_.expect('=')) return false;
    }
    const std::size_t start = in_.position();
    std::string_view w;
    if (!in_.word(w)) return false;
    const auto found = ops_by_name().find(w);
    if (found == ops_by_name().end()) return in_.fail_at(start, "unknown op");
    inst.op = found->second;
    const OpShape& shape = op_shape(inst.op);
    inst.type = shape.fixed;
    if (shape.type && !type(inst.type)) return false;
    if (shape.type2 && !(in_.expect_word("from") && type(inst.type2))) return false;
    if (!index(shape.index, inst, f)) return false;
    if (inst.op == Op::kCallRuntime && !inst.results.empty()) {
      inst.type = f.values[inst.results[0]];
    }
    if (shape.imms > 0) {
      if (!in_.expect('[') || !in_.integer(inst.imm)) return false;
      if (shape.imms > 1 && !(in_.expect(',') && in_.integer(inst.imm2))) return false;
      if (!in_.expect(']')) return false;
    }
    if (inst.op == Op::kConst) {
      if (!literal(inst)) return false;
    } else if (!operands(inst)) {
      return false;
    }
    if (!place(inst.loc)) return false;
    b.insts.push_back(std::move(inst));
    return true;
  }

  bool index(IndexUse use, Inst& inst, const Function& f) {
    switch (use) {
      case IndexUse::kNone:
        return true;
      case IndexUse::kSymbol:
        return symbol_ref(inst.index);
      case IndexUse::kExit:
        return in_.expect('#') && in_.index(inst.index, kMaxIndex);
      case IndexUse::kFunction:
        break;
    }
    const std::size_t block = f.blocks.size() - 1;
    Call call{m_.functions.size(), block, f.blocks[block].insts.size(), in_.position(), {}};
    if (!in_.name(call.callee)) return false;
    calls_.push_back(std::move(call));
    return true;
  }

  bool value(std::vector<ValueId>& out) {
    std::uint32_t id = 0;
    if (!in_.expect('%') || !in_.index(id, kMaxId)) return false;
    out.push_back(id);
    return true;
  }

  bool target(Inst& inst) {
    Target& t = inst.targets.emplace_back();
    if (!in_.expect('^') || !in_.index(t.block, kMaxId)) return false;
    if (!in_.accept('(')) return true;
    do {
      if (!value(t.args)) return false;
    } while (in_.accept(','));
    return in_.expect(')');
  }

  /// Values and then targets, all with commas between. The first one stands on the line of the op:
  /// a `%` on the next line belongs to the next instruction.
  bool operands(Inst& inst) {
    const int wanted = op_shape(inst.op).targets;
    bool first = true;
    while (first ? in_.more_on_line() && in_.peek() != '!' : in_.accept(',')) {
      first = false;
      const char c = in_.peek();
      if (c == '%') {
        if (!inst.targets.empty()) return in_.fail("values come before targets");
        if (!value(inst.args)) return false;
      } else if (inst.op == Op::kSwitch) {
        if (!switch_target(inst)) return false;
      } else if (wanted > 0) {
        if (!target(inst)) return false;
      } else {
        return in_.fail("expected a value");
      }
    }
    return !in_.failed();
  }

  bool switch_target(Inst& inst) {
    if (inst.cases.size() < inst.targets.size()) return in_.fail("'else' must come last");
    if (!in_.accept_word("else")) {
      std::int64_t value = 0;
      if (!in_.integer(value)) return false;
      inst.cases.push_back(value);
    }
    return in_.expect(':') && target(inst);
  }

  text::Cursor in_;
  Module m_;
  std::unordered_map<std::string, SymbolId> symbols_;
  std::unordered_map<std::string, std::uint32_t> functions_;
  std::vector<Call> calls_;
  std::vector<bool> defined_;
};

}  // namespace

Result<Module> parse(std::string_view text) { return Parser(text).run(); }

}  // namespace splice::ir
