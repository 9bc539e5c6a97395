#include "ir/verify.h"

#include <string>
#include <unordered_set>

#include "ir/dominators.h"
#include "ir/op_shape.h"
#include "ir/verify_types.h"

namespace splice::ir {
namespace {

bool valid_type(Type t) { return t <= Type::kOwned; }

class FunctionCheck {
 public:
  FunctionCheck(const Module& m, const Function& f) : m_(m), f_(f) {}

  Status run() {
    if (signature() && exits() && blocks() && definitions() && bodies()) dominance();
    if (error_.empty()) return {};
    return invalid_argument(error_);
  }

 private:
  /// Where a value is made: block and position (0 = argument, k + 1 = instruction k).
  struct Place {
    BlockId block = kNone;
    std::size_t position = 0;
  };

  bool fail(const std::string& what) {
    error_ = "function '" + f_.name + "': " + what;
    return false;
  }

  bool fail_in(BlockId b, const std::string& what) {
    error_ = "function '" + f_.name + "', " + block_text(b) + ": " + what;
    return false;
  }

  bool fail_at(BlockId b, std::size_t i, const std::string& what) {
    error_ = "function '" + f_.name + "', " + block_text(b) + ", instruction " + std::to_string(i) +
             " (" + op_name(f_.blocks[b].insts[i].op) + "): " + what;
    return false;
  }

  std::string block_text(BlockId b) const {
    std::string text = "block " + std::to_string(b);
    if (!f_.blocks[b].name.empty()) text += " '" + f_.blocks[b].name + "'";
    return text;
  }

  static std::string value_text(ValueId v) { return "value %" + std::to_string(v); }

  bool signature() {
    if (f_.blocks.empty()) return fail("it has no block");
    for (const Type t : f_.values) {
      if (!valid_type(t)) return fail("a value has an unknown type");
    }
    for (const auto* types : {&f_.params, &f_.results}) {
      for (const Type t : *types) {
        if (!valid_type(t) || t == Type::kVoid) return fail("a parameter or result has no type");
      }
    }
    if (f_.c_abi && f_.results.size() > 1) return fail("a c_abi function has at most one result");
    if (f_.c_abi && !f_.exits.empty()) return fail("a c_abi function has no exits");
    return true;
  }

  bool exits() {
    for (std::size_t i = 0; i < f_.exits.size(); ++i) {
      const std::string what = check_exit(m_, f_.exits[i]);
      if (!what.empty()) return fail("exit #" + std::to_string(i) + ": " + what);
    }
    return true;
  }

  bool blocks() {
    for (BlockId b = 0; b < f_.blocks.size(); ++b) {
      const auto& insts = f_.blocks[b].insts;
      if (insts.empty() || !is_terminator(insts.back().op)) {
        return fail_in(b, "it does not end in a terminator");
      }
      for (std::size_t i = 0; i + 1 < insts.size(); ++i) {
        if (is_terminator(insts[i].op)) return fail_at(b, i, "a terminator before the end");
      }
    }
    return true;
  }

  bool define(ValueId v, Place place) {
    if (v >= f_.values.size()) return fail_in(place.block, value_text(v) + " is out of range");
    if (f_.values[v] == Type::kVoid) return fail_in(place.block, value_text(v) + " has no type");
    if (made_[v].block != kNone) return fail_in(place.block, value_text(v) + " is defined twice");
    made_[v] = place;
    return true;
  }

  bool definitions() {
    made_.assign(f_.values.size(), Place{});
    for (BlockId b = 0; b < f_.blocks.size(); ++b) {
      for (const ValueId v : f_.blocks[b].args) {
        if (!define(v, {b, 0})) return false;
      }
      for (std::size_t i = 0; i < f_.blocks[b].insts.size(); ++i) {
        for (const ValueId v : f_.blocks[b].insts[i].results) {
          if (!define(v, {b, i + 1})) return false;
        }
      }
    }
    const auto& args = f_.blocks[0].args;
    if (args.size() != f_.params.size()) return fail_in(0, "its arguments are not the parameters");
    for (std::size_t i = 0; i < args.size(); ++i) {
      if (f_.values[args[i]] != f_.params[i]) {
        return fail_in(0, "the type of argument " + std::to_string(i) + " is not the parameter's");
      }
    }
    return true;
  }

  bool bodies() {
    for (BlockId b = 0; b < f_.blocks.size(); ++b) {
      for (std::size_t i = 0; i < f_.blocks[b].insts.size(); ++i) {
        const std::string what = inst(f_.blocks[b].insts[i]);
        if (!what.empty()) return fail_at(b, i, what);
      }
    }
    return true;
  }

  bool defined(ValueId v) const { return v < made_.size() && made_[v].block != kNone; }

  std::string inst(const Inst& inst) const {
    if (inst.op >= Op::kCount) return "unknown op";
    if (!valid_type(inst.type) || !valid_type(inst.type2)) return "unknown type";
    const OpShape& shape = op_shape(inst.op);
    if (!index_in_range(shape.index, inst.index)) return "its index is out of range";
    for (const ValueId v : inst.args) {
      if (!defined(v)) return value_text(v) + " is not defined";
    }
    const std::string what = targets(inst, shape);
    return what.empty() ? check_types(m_, f_, inst) : what;
  }

  bool index_in_range(IndexUse use, std::uint32_t i) const {
    switch (use) {
      case IndexUse::kNone:
        return true;
      case IndexUse::kSymbol:
        return i < m_.symbols.size();
      case IndexUse::kFunction:
        return i < m_.functions.size();
      case IndexUse::kExit:
        return i < f_.exits.size();
    }
    return false;
  }

  std::string targets(const Inst& inst, const OpShape& shape) const {
    if (inst.op == Op::kSwitch) {
      if (inst.targets.size() != inst.cases.size() + 1) return "one target per case and a default";
    } else if (inst.targets.size() != shape.targets || !inst.cases.empty()) {
      return "wrong number of targets or cases";
    }
    for (const Target& t : inst.targets) {
      if (t.block >= f_.blocks.size()) return "a target is out of range";
      if (t.block == 0) return "an edge goes to the entry block";
      const auto& params = f_.blocks[t.block].args;
      const std::string name = block_text(t.block);
      if (t.args.size() != params.size()) {
        return "passes " + std::to_string(t.args.size()) + " values to " + name + ", which takes " +
               std::to_string(params.size());
      }
      for (std::size_t k = 0; k < params.size(); ++k) {
        if (!defined(t.args[k])) return value_text(t.args[k]) + " is not defined";
        const Type got = f_.values[t.args[k]];
        const Type want = f_.values[params[k]];
        if (got != want) {
          return "passes " + std::string(type_name(got)) + " as argument " + std::to_string(k) +
                 " of " + name + ", which is " + type_name(want);
        }
      }
    }
    return {};
  }

  bool dominance() {
    const Dominators dominators(f_);
    for (BlockId b = 0; b < f_.blocks.size(); ++b) {
      for (std::size_t i = 0; i < f_.blocks[b].insts.size(); ++i) {
        const Inst& inst = f_.blocks[b].insts[i];
        for (const ValueId v : inst.args) {
          if (!available(dominators, v, b, i)) return unavailable(v, b, i);
        }
        for (const Target& t : inst.targets) {
          for (const ValueId v : t.args) {
            if (!available(dominators, v, b, i)) return unavailable(v, b, i);
          }
        }
      }
    }
    return true;
  }

  bool unavailable(ValueId v, BlockId b, std::size_t i) {
    return fail_at(b, i, value_text(v) + " may be used before it is defined");
  }

  bool available(const Dominators& dominators, ValueId v, BlockId b, std::size_t i) const {
    const Place& place = made_[v];
    if (place.block == b) return place.position <= i;
    // No path leads to an unreachable block, so anything dominates it.
    if (!dominators.reachable(b)) return true;
    return dominators.reachable(place.block) && dominators.dominates(place.block, b);
  }

  const Module& m_;
  const Function& f_;
  std::vector<Place> made_;
  std::string error_;
};

Status check_symbol(const Symbol& s) {
  const std::string where = "symbol '" + s.name + "': ";
  if (s.kind > Symbol::Kind::kData) return invalid_argument(where + "unknown kind");
  if (!valid_type(s.result)) return invalid_argument(where + "unknown type");
  if (s.kind != Symbol::Kind::kRuntime &&
      (s.pure || s.quiet || !s.params.empty() || s.result != Type::kVoid)) {
    return invalid_argument(where + "only runtime functions have a signature");
  }
  for (const Type t : s.params) {
    if (!valid_type(t) || t == Type::kVoid) return invalid_argument(where + "unknown type");
  }
  return {};
}

}  // namespace

Status verify(const Module& module) {
  std::unordered_set<std::string> names;
  for (const Symbol& s : module.symbols) {
    if (s.name.empty()) return invalid_argument("a symbol has no name");
    if (!names.insert(s.name).second) {
      return invalid_argument("symbol '" + s.name + "': the name is used twice");
    }
    if (Status status = check_symbol(s); !status.ok()) return status;
  }
  for (const Function& f : module.functions) {
    if (f.name.empty()) return invalid_argument("a function has no name");
    if (!names.insert(f.name).second) {
      return invalid_argument("function '" + f.name + "': the name is used twice");
    }
  }
  for (const Function& f : module.functions) {
    if (Status status = FunctionCheck(module, f).run(); !status.ok()) return status;
  }
  return {};
}

}  // namespace splice::ir
