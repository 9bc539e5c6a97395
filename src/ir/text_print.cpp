#include <bit>
#include <charconv>
#include <cmath>

#include "ir/op_shape.h"
#include "ir/text.h"
#include "ir/text_words.h"

namespace splice::ir {
namespace {

/// Recipes nested deeper than this are cut with `...` so that broken data cannot exhaust the stack.
constexpr int kMaxDepth = 200;

class Printer {
 public:
  explicit Printer(const Module& module) : m_(module) {}

  std::string take() { return std::move(out_); }

  void module_text() {
    out_ += "module ";
    quoted(m_.name);
    out_ += '\n';
    for (const Symbol& s : m_.symbols) symbol_text(s);
    for (const Function& f : m_.functions) {
      out_ += '\n';
      function_text(f);
    }
  }

  void function_text(const Function& f) {
    out_ += "func ";
    name(f.name);
    type_list(f.params);
    out_ += " -> ";
    type_list(f.results);
    if (f.exported) out_ += " exported";
    if (f.c_abi) out_ += " c_abi";
    if (f.has_handlers) out_ += " handlers";
    out_ += " {\n";
    for (std::size_t i = 0; i < f.exits.size(); ++i) exit_text(f.exits[i], i);
    for (std::size_t i = 0; i < f.blocks.size(); ++i) block_text(f, i);
    out_ += "}\n";
  }

 private:
  void number(std::int64_t v) {
    char buffer[24];
    const auto r = std::to_chars(buffer, buffer + sizeof buffer, v);
    out_.append(buffer, r.ptr);
  }

  template <class F>
  void floating(F v, std::uint64_t bits) {
    char buffer[64];
    if (std::isfinite(v)) {
      const auto r = std::to_chars(buffer, buffer + sizeof buffer, v);
      out_.append(buffer, r.ptr);
      return;
    }
    const auto r = std::to_chars(buffer, buffer + sizeof buffer, bits, 16);
    out_ += "0x";
    out_.append(buffer, r.ptr);
  }

  void f64_bits(std::int64_t bits) {
    floating(std::bit_cast<double>(bits), static_cast<std::uint64_t>(bits));
  }

  void quoted(const std::string& s) {
    static constexpr char kHex[] = "0123456789abcdef";
    out_ += '"';
    for (const char c : s) {
      const auto u = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\') {
        out_ += '\\';
        out_ += c;
      } else if (u < 0x20 || u == 0x7f) {
        out_ += "\\x";
        out_ += kHex[u >> 4];
        out_ += kHex[u & 15];
      } else {
        out_ += c;
      }
    }
    out_ += '"';
  }

  void name(const std::string& s) {
    out_ += '@';
    if (text::is_plain_name(s)) {
      out_ += s;
    } else {
      quoted(s);
    }
  }

  void symbol_name(std::uint32_t i) {
    if (i < m_.symbols.size()) return name(m_.symbols[i].name);
    out_ += "@?";
    number(i);
  }

  void function_name(std::uint32_t i) {
    if (i < m_.functions.size()) return name(m_.functions[i].name);
    out_ += "@?";
    number(i);
  }

  void value(ValueId v) {
    out_ += '%';
    number(v);
  }

  void typed_value(const Function& f, ValueId v) {
    value(v);
    out_ += ": ";
    out_ += v < f.values.size() ? type_name(f.values[v]) : "?";
  }

  void type_list(const std::vector<Type>& types) {
    out_ += '(';
    for (std::size_t i = 0; i < types.size(); ++i) {
      if (i != 0) out_ += ", ";
      out_ += type_name(types[i]);
    }
    out_ += ')';
  }

  void place(const Loc& loc) {
    if (loc.line == 0 && loc.offset == -1) return;
    out_ += " !";
    number(loc.line);
    if (loc.offset == -1) return;
    out_ += ':';
    number(loc.offset);
  }

  void symbol_text(const Symbol& s) {
    out_ += "symbol ";
    name(s.name);
    switch (s.kind) {
      case Symbol::Kind::kObject:
        out_ += " object";
        break;
      case Symbol::Kind::kData:
        out_ += " data";
        break;
      case Symbol::Kind::kRuntime:
        out_ += " runtime ";
        if (s.pure) out_ += "pure ";
        if (s.quiet) out_ += "quiet ";
        type_list(s.params);
        out_ += " -> ";
        out_ += type_name(s.result);
        break;
    }
    out_ += '\n';
  }

  void recipe(const Recipe& r, int depth) {
    const char* word = text::recipe_word(r.kind);
    out_ += word;
    if (text::recipe_has_items(r.kind)) {
      if (r.index != kNone) {
        out_ += ' ';
        number(r.index);
      }
      out_ += '(';
      if (depth >= kMaxDepth) {
        out_ += "...";
      } else {
        for (std::size_t i = 0; i < r.items.size(); ++i) {
          if (i != 0) out_ += ", ";
          recipe(r.items[i], depth + 1);
        }
      }
      out_ += ')';
    } else if (r.kind == Recipe::Kind::kSymbol) {
      out_ += ' ';
      symbol_name(r.index);
    } else if (r.kind != Recipe::Kind::kNull) {
      out_ += ' ';
      number(r.index);
    }
    if (r.symbol != kNone) {
      out_ += ' ';
      symbol_name(r.symbol);
    }
    if (r.origin != kNone) {
      out_ += " origin ";
      number(r.origin);
    }
    if (r.present != kNone) {
      out_ += " present ";
      number(r.present);
    }
  }

  void recipes(const char* word, const std::vector<Recipe>& list) {
    if (list.empty()) return;
    out_ += "      ";
    out_ += word;
    for (std::size_t i = 0; i < list.size(); ++i) {
      out_ += i == 0 ? " " : ", ";
      recipe(list[i], 0);
    }
    out_ += '\n';
  }

  void exit_text(const Exit& e, std::size_t id) {
    out_ += "  exit #";
    number(static_cast<std::int64_t>(id));
    out_ += e.kind == Exit::Kind::kRestart ? " restart " : " frames ";
    type_list(e.live);
    out_ += ' ';
    quoted(e.reason);
    place(e.loc);
    if (e.drops_callees) out_ += " drops_callees";
    if (!e.frames.empty()) {
      out_ += " {\n";
      for (const ExitFrame& f : e.frames) {
        out_ += "    frame ";
        symbol_name(f.code);
        out_ += ' ';
        if (f.function.kind == Recipe::Kind::kSymbol)
          symbol_name(f.function.index);
        else
          recipe(f.function, 0);
        out_ += " +";
        number(f.offset);
        out_ += " {\n";
        recipes("locals", f.locals);
        recipes("stack", f.stack);
        out_ += "    }\n";
      }
      out_ += "  }";
    }
    out_ += '\n';
  }

  void block_text(const Function& f, std::size_t id) {
    const Block& b = f.blocks[id];
    out_ += '^';
    number(static_cast<std::int64_t>(id));
    if (!b.name.empty()) {
      out_ += ' ';
      quoted(b.name);
    }
    if (!b.args.empty()) {
      out_ += '(';
      for (std::size_t i = 0; i < b.args.size(); ++i) {
        if (i != 0) out_ += ", ";
        typed_value(f, b.args[i]);
      }
      out_ += ')';
    }
    out_ += ":\n";
    for (const Inst& inst : b.insts) inst_text(f, inst);
  }

  void literal(const Inst& inst) {
    out_ += ' ';
    if (inst.type == Type::kF64) {
      f64_bits(inst.imm);
    } else if (inst.type == Type::kF32) {
      floating(std::bit_cast<float>(static_cast<std::uint32_t>(inst.imm)),
               static_cast<std::uint32_t>(inst.imm));
    } else if (inst.type == Type::kC128) {
      f64_bits(inst.imm);
      out_ += ", ";
      f64_bits(inst.imm2);
    } else if (is_pointer(inst.type) && inst.imm == 0) {
      out_ += "null";
    } else {
      number(inst.imm);
    }
  }

  void target(const Target& t) {
    out_ += '^';
    number(t.block);
    if (t.args.empty()) return;
    out_ += '(';
    for (std::size_t i = 0; i < t.args.size(); ++i) {
      if (i != 0) out_ += ", ";
      value(t.args[i]);
    }
    out_ += ')';
  }

  void inst_text(const Function& f, const Inst& inst) {
    out_ += "  ";
    for (std::size_t i = 0; i < inst.results.size(); ++i) {
      if (i != 0) out_ += ", ";
      typed_value(f, inst.results[i]);
    }
    if (!inst.results.empty()) out_ += " = ";
    const OpShape& shape = op_shape(inst.op);
    out_ += shape.name;
    if (shape.type) {
      out_ += ' ';
      out_ += type_name(inst.type);
    }
    if (shape.type2) {
      out_ += " from ";
      out_ += type_name(inst.type2);
    }
    index(shape.index, inst.index);
    if (shape.imms > 0) {
      out_ += " [";
      number(inst.imm);
      if (shape.imms > 1) {
        out_ += ", ";
        number(inst.imm2);
      }
      out_ += ']';
    }
    if (inst.op == Op::kConst) literal(inst);
    const char* separator = " ";
    for (ValueId v : inst.args) {
      out_ += separator;
      value(v);
      separator = ", ";
    }
    for (std::size_t i = 0; i < inst.targets.size(); ++i) {
      out_ += separator;
      separator = ", ";
      if (inst.op == Op::kSwitch) {
        if (i + 1 == inst.targets.size()) {
          out_ += "else: ";
        } else {
          number(i < inst.cases.size() ? inst.cases[i] : 0);
          out_ += ": ";
        }
      }
      target(inst.targets[i]);
    }
    place(inst.loc);
    out_ += '\n';
  }

  void index(IndexUse use, std::uint32_t i) {
    switch (use) {
      case IndexUse::kNone:
        return;
      case IndexUse::kSymbol:
        out_ += ' ';
        return symbol_name(i);
      case IndexUse::kFunction:
        out_ += ' ';
        return function_name(i);
      case IndexUse::kExit:
        out_ += " #";
        return number(i);
    }
  }

  const Module& m_;
  std::string out_;
};

}  // namespace

std::string print(const Module& module) {
  Printer p(module);
  p.module_text();
  return p.take();
}

std::string print(const Module& module, const Function& function) {
  Printer p(module);
  p.function_text(function);
  return p.take();
}

}  // namespace splice::ir
