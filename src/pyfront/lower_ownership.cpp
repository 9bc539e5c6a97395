// pyfront/lower_ownership.cpp: references that the state holds, and when they go.
#include <algorithm>
#include <functional>

#include "cpy/runtime_list.h"
#include "pyfront/function_lowering.h"

namespace splice::pyfront {

using ir::Op;
using ir::Type;
using Tag = AbsVal::Tag;

namespace {

/// Replaces the reference `from` by `to` in every slot.
void rename(State& s, ir::ValueId from, ir::ValueId to) {
  const auto one = [&](AbsVal& v) {
    if (!refers_to(v, from)) return;
    for_each_part(v, [&](AbsVal& part) {
      if (part.reference() != from) return;
      (part.tag == Tag::kObject ? part.value : part.origin) = to;
    });
  };
  for (AbsVal& v : s.locals) one(v);
  for (AbsVal& v : s.stack) one(v);
}

void forget(std::vector<ir::ValueId>& ids, ir::ValueId v) {
  ids.erase(std::remove(ids.begin(), ids.end(), v), ids.end());
}

/// How slots hold a reference: as the origin of a number only (then it may be null at run time, and
/// its death runs no code), or as an object (null when the variable may be unbound).
struct Holding {
  bool object = false;
  bool typed = false;  ///< a typed list or an int: its death runs no code either
  bool table = false;  ///< a typed list of lists
  bool nullable = true;
};

Holding holding(const State& s, ir::ValueId reference) {
  Holding found;
  const auto look = [&](const AbsVal& v, bool unbound, const auto& self) -> void {
    unbound = unbound || v.may_be_unbound();
    if (v.items != nullptr) {
      for (const AbsVal& item : *v.items) self(item, unbound, self);
    } else if (v.tag == Tag::kObject && v.value == reference) {
      found.object = true;
      found.typed = is_typed_list(v) || v.type == &PyLong_Type;
      found.table = typed_item(v) == Tag::kObject;
      if (!unbound) found.nullable = false;
    }
  };
  for (const AbsVal& v : s.locals) look(v, false, look);
  for (const AbsVal& v : s.stack) look(v, false, look);
  return found;
}

}  // namespace

ir::ValueId FunctionLowering::take_reference(ir::Builder& b, ir::ValueId object, bool nullable) {
  if (!nullable) return b.py_incref(object);
  const ir::BlockId some = b.create_block();
  const ir::BlockId done = b.create_block("", {Type::kOwned});
  b.cond_br(b.compare(Op::kEq, object, b.null()), {done, {b.null(Type::kOwned)}}, {some, {}});
  b.set_block(some);
  b.br(done, {b.py_incref(object)});
  b.set_block(done);
  return b.block_arg(done, 0);
}

void FunctionLowering::own(ir::ValueId object) {
  const ir::ValueId owned = take_reference(b_, object, holding(state_, object).nullable);
  for (State* s : {&state_, &pre_}) {
    if (!s->refers_to(object)) continue;
    rename(*s, object, owned);
    forget(s->frail, object);
    s->owned.push_back(owned);
  }
  exit_sites_.clear();
}

bool FunctionLowering::live_at(int inst, std::size_t local) {
  if (code_->co_exceptiontable != nullptr && PyBytes_GET_SIZE(code_->co_exceptiontable) > 0 &&
      role_.consumer == Consumer::kNone)
    return true;  // a handler may read it
  if (live_.empty()) {
    const std::size_t n = bytecode_.insts.size();
    const auto locals = static_cast<std::size_t>(code_->co_nlocalsplus);
    live_.assign(n + 1, std::vector<bool>(locals, false));
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = n; i-- > 0;) {
        const PyInst& in = bytecode_.insts[i];
        std::vector<bool> live(locals, false);
        const auto merge = [&](std::size_t from) {
          for (std::size_t k = 0; k < live.size(); ++k) live[k] = live[k] || live_[from][k];
        };
        const bool falls_through = in.op != PyOp::kJump && in.op != PyOp::kJumpBackward &&
                                   in.op != PyOp::kReturnValue && in.op != PyOp::kReturnConst &&
                                   in.op != PyOp::kRaise;
        if (falls_through) merge(i + 1);
        if (in.target >= 0) merge(static_cast<std::size_t>(in.target));
        const auto slot = static_cast<std::size_t>(in.arg);
        switch (in.op) {
          case PyOp::kStoreFast:
            live[slot] = false;
            break;
          case PyOp::kLoadFast:
          case PyOp::kLoadFastCheck:
          case PyOp::kLoadFastAndClear:
          case PyOp::kDeleteFast:
          case PyOp::kMakeCell:
          case PyOp::kLoadDeref:
          case PyOp::kStoreDeref:
            live[slot] = true;
            break;
          case PyOp::kUnsupported:
            // What the interpreter does from here on is not followed.
            live.assign(live.size(), true);
            break;
          default:
            break;
        }
        if (live != live_[i]) {
          live_[i] = std::move(live);
          changed = true;
        }
      }
    }
  }
  return live_[static_cast<std::size_t>(inst)][local];
}

void FunctionLowering::barrier(int next) {
  if (state_.frail.empty()) return;
  // A number that nobody reads again needs no object; what is read again, and every other object,
  // needs an owner.
  for (std::size_t i = 0; i < state_.locals.size(); ++i) {
    AbsVal& v = state_.locals[i];
    if (!v.has_origin()) continue;
    if (!state_.is_frail(v.origin) || live_at(next, i)) continue;
    v.origin = ir::kNone;
  }
  for (const ir::ValueId object : std::vector(state_.frail)) {
    if (state_.refers_to(object))
      own(object);
    else
      forget(state_.frail, object);
  }
}

void FunctionLowering::if_not_null(ir::ValueId object, bool nullable,
                                   const std::function<void()>& body) {
  if (!nullable) return body();
  const ir::BlockId some = b_.create_block();
  const ir::BlockId done = b_.create_block();
  b_.cond_br(b_.compare(Op::kEq, object, b_.null(b_.type_of(object))), {done, {}}, {some, {}});
  b_.set_block(some);
  body();
  b_.br(done);
  b_.set_block(done);
}

void FunctionLowering::release_unreferenced(bool after_effect) {
  std::vector<ir::ValueId> dying;
  bool container = false;
  for (const ir::ValueId object : state_.owned) {
    if (state_.refers_to(object)) continue;
    dying.push_back(object);
    const Holding before = holding(pre_, object);
    container = container || (before.object && (!before.typed || before.table));
  }
  // With a container dies what was borrowed from it.
  for (const ir::ValueId object : std::vector(state_.frail))
    if (container && state_.refers_to(object)) own(object);
  // The last reference to something whose death may run code is the interpreter's to drop. All are
  // asked before the first one goes: a guard that fails hands every one of them over.
  for (const ir::ValueId object : dying) {
    const Holding before = holding(pre_, object);
    if (!before.object || before.typed || after_effect) continue;
    if_not_null(object, before.nullable, [&] {
      const ir::SymbolId may_drop = unit_.runtime("splice_rt_may_drop", {Type::kObj}, Type::kI32,
                                                  reinterpret_cast<void*>(&splice_rt_may_drop));
      const ir::ValueId ok = b_.call_runtime(may_drop, {object});
      guard(b_.compare(Op::kNe, ok, b_.const_i32(0)), "the death of an object");
    });
  }
  for (const ir::ValueId object : dying) {
    if_not_null(object, holding(pre_, object).nullable, [&] { b_.py_decref(object); });
    forget(state_.owned, object);
  }
  for (const ir::ValueId object : std::vector(state_.frail))
    if (!state_.refers_to(object)) forget(state_.frail, object);
}

}  // namespace splice::pyfront
