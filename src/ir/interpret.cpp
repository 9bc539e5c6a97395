#include "ir/interpret.h"

#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <unordered_map>

#include "layout/context.h"

namespace splice::ir {
namespace {

constexpr std::size_t kSlotAlign = 16;

Status undefined(const std::string& what) { return invalid_argument("undefined: " + what); }

std::size_t bytes_of(Type t) {
  const auto bits = static_cast<std::size_t>(bit_width(t));
  return (bits + 7) / 8;
}

class Machine {
 public:
  Machine(const Module& m, Host& host, const InterpretOptions& options)
      : m_(m), host_(host), options_(options) {}

  Result<Outcome> call(std::uint32_t function, std::vector<Value> args, int depth);

  std::uint64_t steps = 0;

 private:
  friend class Frame;
  const Module& m_;
  Host& host_;
  const InterpretOptions& options_;
  std::map<std::uint64_t, std::size_t> slots_;  ///< address -> bytes, of all frames
};

/// One call in progress.
class Frame {
 public:
  Frame(Machine& machine, std::uint32_t index, int depth)
      : machine_(machine),
        index_(index),
        f_(machine.m_.functions[index]),
        depth_(depth),
        values_(f_.values.size()) {}

  ~Frame() {
    for (const auto& [inst, memory] : slots_) machine_.slots_.erase(slot_address(memory.get()));
  }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  Result<Outcome> run(std::vector<Value> args) {
    BlockId block = 0;
    while (!done_) {
      const Block& b = f_.blocks[block];
      for (std::size_t i = 0; i < b.args.size(); ++i) values_[b.args[i]] = args[i];
      const Target* next = nullptr;
      for (const Inst& inst : b.insts) {
        if (++machine_.steps > machine_.options_.max_steps) {
          return resource_error("too many steps");
        }
        if (Status s = step(inst, next); !s.ok()) return s;
        if (done_) break;
      }
      if (done_) break;
      if (next == nullptr) return internal_error("a block without a terminator");
      block = next->block;
      args = read(next->args);
    }
    return std::move(outcome_);
  }

 private:
  static std::uint64_t slot_address(const std::byte* memory) {
    const auto at = reinterpret_cast<std::uintptr_t>(memory);
    return (at + kSlotAlign - 1) / kSlotAlign * kSlotAlign;
  }

  std::vector<Value> read(std::span<const ValueId> ids) const {
    std::vector<Value> out;
    out.reserve(ids.size());
    for (const ValueId v : ids) out.push_back(values_[v]);
    return out;
  }

  const Value& arg(const Inst& inst, std::size_t i) const { return values_[inst.args[i]]; }

  void set(const Inst& inst, Value v) { values_[inst.results[0]] = v; }

  /// A value that decides something or goes outside.
  static Status need(const Value& v, const char* what) {
    return v.undefined ? undefined(what) : Status();
  }

  static Status need_all(std::span<const Value> values, const char* what) {
    for (const Value& v : values) {
      if (v.undefined) return undefined(what);
    }
    return {};
  }

  Status step(const Inst& inst, const Target*& next) {
    if (is_computation(inst.op)) return compute(inst);
    switch (inst.op) {
      case Op::kConst:
        set(inst, constant_value(inst));
        return {};
      case Op::kUndef:
        set(inst, {0, 0, true});
        return {};
      case Op::kCtx:
        set(inst, {machine_.host_.context(), 0, false});
        return {};
      case Op::kStackAddress:
        set(inst, {reinterpret_cast<std::uintptr_t>(&next), 0, false});
        return {};
      case Op::kSymbol: {
        Result<std::uint64_t> address = machine_.host_.symbol(machine_.m_, inst.index);
        if (!address.ok()) return address.status();
        set(inst, {*address, 0, false});
        return {};
      }
      case Op::kLoad:
      case Op::kStore:
        return access(inst);
      case Op::kSlot:
        return slot(inst);
      case Op::kElements:
      case Op::kHeader:
        set(inst, arg(inst, 0));
        return {};
      case Op::kAddr: {
        const Value& base = arg(inst, 0);
        const Value& index = arg(inst, 1);
        const std::uint64_t at = base.low + index.low * static_cast<std::uint64_t>(inst.imm) +
                                 static_cast<std::uint64_t>(inst.imm2);
        set(inst, {at, 0, base.undefined || index.undefined});
        return {};
      }
      case Op::kCall:
        return call(inst);
      case Op::kCallRuntime:
        return call_runtime(inst);
      case Op::kGuard:
        if (Status s = need(arg(inst, 0), "a guard on an undefined value"); !s.ok()) return s;
        return arg(inst, 0).low != 0 ? Status() : leave(inst, 1);
      case Op::kPoll:
        return machine_.host_.poll() ? leave(inst, 0) : Status();
      case Op::kPollBr:
        // The host runs nothing where it does not leave.
        next = &inst.targets[1];
        return machine_.host_.poll() ? leave(inst, 0) : Status();
      case Op::kLeave:
        return leave(inst, 0);
      case Op::kUnreachable:
        return undefined("an unreachable place is reached");
      case Op::kBr:
        next = &inst.targets[0];
        return {};
      case Op::kCondBr:
        next = &inst.targets[arg(inst, 0).low != 0 ? 0 : 1];
        return need(arg(inst, 0), "a branch on an undefined value");
      case Op::kSwitch: {
        const std::int64_t v = as_int(inst.type, arg(inst, 0));
        next = &inst.targets.back();
        for (std::size_t i = 0; i < inst.cases.size(); ++i) {
          if (inst.cases[i] == v) next = &inst.targets[i];
        }
        return need(arg(inst, 0), "a switch on an undefined value");
      }
      case Op::kRet:
        outcome_.status = static_cast<std::int32_t>(inst.imm);
        outcome_.results = read(inst.args);
        done_ = true;
        return {};
      default:
        return python(inst);
    }
  }

  Status compute(const Inst& inst) {
    Value args[3];
    for (std::size_t i = 0; i < inst.args.size() && i < 3; ++i) args[i] = arg(inst, i);
    Result<Evaluated> r = evaluate(inst, {args, inst.args.size()});
    if (!r.ok()) return r.status();
    set(inst, r->first);
    if (inst.results.size() > 1) values_[inst.results[1]] = r->second;
    return {};
  }

  Status python(const Inst& inst) {
    const std::vector<Value> args = read(inst.args);
    if (Status s = need_all(args, "an undefined operand of a Python op"); !s.ok()) return s;
    auto r = machine_.host_.python(machine_.m_, inst, args);
    if (!r.ok()) return r.status();
    if (r->size() != inst.results.size()) return internal_error("host: wrong number of results");
    for (std::size_t i = 0; i < r->size(); ++i) values_[inst.results[i]] = (*r)[i];
    return {};
  }

  bool in_slot(std::uint64_t at, std::size_t bytes) const {
    auto it = machine_.slots_.upper_bound(at);
    if (it == machine_.slots_.begin()) return false;
    --it;
    return at - it->first <= it->second && bytes <= it->second - (at - it->first);
  }

  Status access(const Inst& inst) {
    const bool write = inst.op == Op::kStore;
    if (Status s = need(arg(inst, 0), "access through an undefined address"); !s.ok()) return s;
    const std::uint64_t at = arg(inst, 0).low + static_cast<std::uint64_t>(inst.imm);
    const std::size_t bytes = bytes_of(inst.type);
    const std::size_t align = bytes > 8 ? 8 : bytes;
    if (at % align != 0) return undefined("access that is not aligned");
    if (!in_slot(at, bytes) && !machine_.host_.can_access(at, bytes, write)) {
      return undefined("access outside of known memory");
    }
    auto* const memory = reinterpret_cast<void*>(at);
    Value v;
    if (write) {
      v = arg(inst, 1);
      if (Status s = need(v, "store of an undefined value"); !s.ok()) return s;
      std::memcpy(memory, &v.low, bytes < 8 ? bytes : 8);
      if (bytes > 8) std::memcpy(static_cast<char*>(memory) + 8, &v.high, 8);
      return {};
    }
    std::memcpy(&v.low, memory, bytes < 8 ? bytes : 8);
    if (bytes > 8) std::memcpy(&v.high, static_cast<char*>(memory) + 8, 8);
    if (inst.type == Type::kI1 && v.low > 1) return undefined("load of an i1 that is not 0 or 1");
    set(inst, v);
    return {};
  }

  Status slot(const Inst& inst) {
    auto& memory = slots_[&inst];
    if (memory == nullptr) {
      const auto bytes = static_cast<std::size_t>(inst.imm);
      memory = std::make_unique<std::byte[]>(bytes + kSlotAlign);
      machine_.slots_[slot_address(memory.get())] = bytes;
    }
    set(inst, {slot_address(memory.get()), 0, false});
    return {};
  }

  Status call(const Inst& inst) {
    std::vector<Value> args = read(inst.args);
    if (f_.c_abi) args.erase(args.begin());  // the context; here it comes from the host
    Result<Outcome> r = machine_.call(inst.index, std::move(args), depth_ + 1);
    if (!r.ok()) return r.status();
    for (std::size_t i = 0; i + 1 < inst.results.size(); ++i) {
      values_[inst.results[i]] = r->status < 0 ? Value{0, 0, true} : r->results[i];
    }
    values_[inst.results.back()] = int_value(Type::kI32, r->status);
    return {};
  }

  Status call_runtime(const Inst& inst) {
    const std::vector<Value> args = read(inst.args);
    if (Status s = need_all(args, "an undefined argument of a runtime call"); !s.ok()) return s;
    Result<Value> r = machine_.host_.call(machine_.m_.symbols[inst.index], args);
    if (!r.ok()) return r.status();
    if (!inst.results.empty()) set(inst, *r);
    return {};
  }

  Status leave(const Inst& inst, std::size_t first) {
    done_ = true;
    const Exit& exit = f_.exits[inst.index];
    outcome_.status = exit.kind == Exit::Kind::kRestart ? layout::kRestart : layout::kLeft;
    outcome_.results.assign(f_.results.size(), Value{0, 0, true});
    return machine_.host_.leave({index_, inst.index, read(std::span(inst.args).subspan(first))});
  }

  Machine& machine_;
  const std::uint32_t index_;
  const Function& f_;
  const int depth_;
  std::vector<Value> values_;
  std::unordered_map<const Inst*, std::unique_ptr<std::byte[]>> slots_;
  Outcome outcome_;
  bool done_ = false;
};

Result<Outcome> Machine::call(std::uint32_t function, std::vector<Value> args, int depth) {
  if (depth > options_.max_depth) return resource_error("calls are nested too deep");
  return Frame(*this, function, depth).run(std::move(args));
}

}  // namespace

Result<std::uint64_t> Host::symbol(const Module& module, SymbolId symbol) {
  return not_found("symbol " + module.symbols[symbol].name);
}

Result<Value> Host::call(const Symbol& symbol, std::span<const Value>) {
  return not_found("runtime function " + symbol.name);
}

Result<std::vector<Value>> Host::python(const Module&, const Inst& inst, std::span<const Value>) {
  return unsupported(std::string("Python op ") + op_name(inst.op));
}

Status Host::leave(const ExitEvent&) { return {}; }
bool Host::poll() { return false; }
std::uint64_t Host::context() { return 0; }
bool Host::can_access(std::uint64_t, std::size_t, bool) { return false; }

Result<Outcome> interpret(const Module& module, std::uint32_t function, std::span<const Value> args,
                          Host& host, const InterpretOptions& options) {
  if (function >= module.functions.size()) return out_of_range("no such function");
  if (args.size() != module.functions[function].params.size()) {
    return invalid_argument("wrong number of arguments");
  }
  return Machine(module, host, options)
      .call(function, std::vector<Value>(args.begin(), args.end()), 0);
}

}  // namespace splice::ir
