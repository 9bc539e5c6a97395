#include "opt/steady_headers.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "ir/dominators.h"
#include "ir/leaf.h"
#include "opt/edit.h"

namespace splice::opt {
namespace {

using ir::BlockId;
using ir::Function;
using ir::Inst;
using ir::kNone;
using ir::Module;
using ir::Op;
using ir::Type;
using ir::ValueId;

/// Python code may run, which may change what an array is. Polls are another matter.
bool may_change_headers(const Module& m, const Inst& inst) {
  switch (inst.op) {
    case Op::kCall:
      return !ir::is_leaf(m, m.functions[inst.index]);
    case Op::kCallRuntime:
      return !m.symbols[inst.index].pure && !m.symbols[inst.index].quiet;
    case Op::kPyDecref:
      return true;
    default:
      return false;
  }
}

class Pass {
 public:
  Pass(const Module& m, Function& f)
      : m_(m), f_(f), dominators_(f), replacements_(f.values.size()) {}

  bool run() {
    if (!reads_headers()) return false;
    find_meetings();
    end_.assign(f_.blocks.size(), 0);
    for (const BlockId b : dominators_.order()) block(b);
    if (removed_.empty()) return false;
    find_tests();
    replacements_.apply(f_);
    for (const Place& place : removed_) f_.blocks[place.block].insts[place.at].op = Op::kCount;
    // From the last: a block that is split keeps what is in front.
    for (auto poll = polls_.rbegin(); poll != polls_.rend(); ++poll) test_behind(*poll);
    for (auto& b : f_.blocks)
      std::erase_if(b.insts, [](const Inst& inst) { return inst.op == Op::kCount; });
    return true;
  }

 private:
  struct Place {
    BlockId block;
    std::size_t at;
  };
  /// A load that stays.
  struct Read {
    Place place;
    Inst load;
    ValueId array;
    bool direct;  ///< a field of the object itself
    std::uint32_t state;
    std::vector<Place> same;  ///< loads that take its result
  };
  struct Poll {
    Place place;
    std::uint32_t state;
    std::vector<std::size_t> tested;  ///< reads_
  };
  /// What a pointer into a header is.
  struct Header {
    ValueId array = kNone;
    bool direct = false;
    std::uint32_t state = kNone;  ///< in which it was read; kNone: it does not change
  };

  bool reads_headers() const {
    return std::any_of(f_.blocks.begin(), f_.blocks.end(), [](const ir::Block& b) {
      return std::any_of(b.insts.begin(), b.insts.end(),
                         [](const Inst& inst) { return inst.op == Op::kHeader; });
    });
  }

  /// Blocks in which several states meet: the dominance frontiers of what changes them, of these
  /// blocks too.
  void find_meetings() {
    std::vector<std::vector<BlockId>> frontiers(f_.blocks.size());
    for (const BlockId b : dominators_.order()) {
      const std::vector<BlockId>& before = dominators_.predecessors(b);
      if (before.size() < 2) continue;
      for (BlockId runner : before) {
        for (; runner != dominators_.idom(b); runner = dominators_.idom(runner))
          frontiers[runner].push_back(b);
      }
    }
    meets_.assign(f_.blocks.size(), false);
    std::vector<BlockId> work;
    for (const BlockId b : dominators_.order()) {
      const auto& insts = f_.blocks[b].insts;
      if (std::any_of(insts.begin(), insts.end(),
                      [&](const Inst& inst) { return may_change_headers(m_, inst); }))
        work.push_back(b);
    }
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      for (const BlockId next : frontiers[b]) {
        if (meets_[next]) continue;
        meets_[next] = true;
        work.push_back(next);
      }
    }
  }

  void block(BlockId b) {
    const auto& insts = f_.blocks[b].insts;
    std::uint32_t state = meets_[b] ? ++states_ : end_[dominators_.idom(b)];
    for (std::size_t i = 0; i < insts.size(); ++i) {
      const Inst& inst = insts[i];
      if (may_change_headers(m_, inst)) {
        state = ++states_;
      } else if (inst.op == Op::kHeader) {
        headers_[inst.results[0]] = {inst.args[0], true, kNone};
      } else if (inst.op == Op::kPoll) {
        polls_.push_back({{b, i}, state, {}});
      } else if (inst.op == Op::kLoad) {
        load({b, i}, inst, state);
      }
    }
    end_[b] = state;
  }

  void load(const Place& place, const Inst& inst, std::uint32_t state) {
    const ValueId base = replacements_.find(inst.args[0]);
    const auto header = headers_.find(base);
    if (header == headers_.end()) return;
    const auto& [array, direct, read_in] = header->second;
    if (!direct && read_in != state) return;
    const auto [known, added] =
        known_.try_emplace({direct ? array : base, inst.imm, inst.type, state}, reads_.size());
    if (!added && dominators_.dominates(reads_[known->second].place.block, place.block)) {
      Read& read = reads_[known->second];
      replacements_.set(inst.results[0], read.load.results[0]);
      read.same.push_back(place);
      removed_.push_back(place);
      return;
    }
    known->second = reads_.size();
    reads_.push_back({place, inst, array, direct, state, {}});
    reads_.back().load.args[0] = base;
    if (direct && inst.type == Type::kPtr) headers_[inst.results[0]] = {array, false, state};
  }

  /// A poll tests all that was read in front of it and is used behind it. Where it tests a
  /// dimension, it has tested the fields of the object first: how many there are.
  void find_tests() {
    for (Poll& poll : polls_) {
      const std::vector<bool> behind = blocks_behind(poll.place.block);
      const auto in_front = [&](const Read& read) {
        if (read.state != poll.state) return false;
        return read.place.block == poll.place.block
                   ? read.place.at < poll.place.at
                   : dominators_.dominates(read.place.block, poll.place.block);
      };
      std::vector<ValueId> arrays;
      std::vector<std::size_t> others;
      for (std::size_t k = 0; k < reads_.size(); ++k) {
        const Read& read = reads_[k];
        const bool is_used = std::any_of(read.same.begin(), read.same.end(), [&](const Place& at) {
          return behind[at.block] || (at.block == poll.place.block && at.at > poll.place.at);
        });
        if (!is_used || !in_front(read)) continue;
        arrays.push_back(read.array);
        if (!read.direct) others.push_back(k);
      }
      if (arrays.empty()) continue;
      for (std::size_t k = 0; k < reads_.size(); ++k) {
        const Read& read = reads_[k];
        if (read.direct && in_front(read) &&
            std::find(arrays.begin(), arrays.end(), read.array) != arrays.end())
          poll.tested.push_back(k);
      }
      poll.tested.insert(poll.tested.end(), others.begin(), others.end());
    }
  }

  std::vector<bool> blocks_behind(BlockId from) const {
    std::vector<bool> seen(f_.blocks.size(), false);
    std::vector<BlockId> work{from};
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      for (const ir::Target& t : f_.blocks[b].insts.back().targets) {
        if (seen[t.block]) continue;
        seen[t.block] = true;
        work.push_back(t.block);
      }
    }
    return seen;
  }

  void test_behind(const Poll& poll) {
    if (poll.tested.empty()) return;
    const auto test = static_cast<BlockId>(f_.blocks.size());
    const BlockId rest = test + 1;
    f_.blocks.resize(f_.blocks.size() + 2);
    std::vector<Inst>& insts = f_.blocks[poll.place.block].insts;
    const auto behind = insts.begin() + static_cast<std::ptrdiff_t>(poll.place.at) + 1;
    f_.blocks[rest].insts.assign(std::make_move_iterator(behind),
                                 std::make_move_iterator(insts.end()));
    insts.erase(behind, insts.end());
    Inst& branch = insts.back();
    branch.op = Op::kPollBr;
    branch.targets = {{test, {}}, {rest, {}}};
    out_ = &f_.blocks[test].insts;
    loc_ = branch.loc;
    const auto second = std::find_if(poll.tested.begin(), poll.tested.end(),
                                     [&](std::size_t k) { return !reads_[k].direct; });
    guard_same({poll.tested.begin(), second}, branch);
    guard_same({second, poll.tested.end()}, branch);
    emit(Op::kBr, Type::kVoid, {}).targets.push_back({rest, {}});
  }

  void guard_same(const std::vector<std::size_t>& tested, const Inst& branch) {
    ValueId all = kNone;
    for (const std::size_t k : tested) {
      const Inst& read = reads_[k].load;
      Inst& again = emit(Op::kLoad, read.type, read.args);
      again.imm = read.imm;
      again.results = {new_value(read.type)};
      const ValueId same = new_value(Type::kI1);
      const ValueId value = again.results[0];
      emit(Op::kEq, read.type, {value, read.results[0]}).results = {same};
      if (all == kNone) {
        all = same;
        continue;
      }
      const ValueId both = new_value(Type::kI1);
      emit(Op::kAnd, Type::kI1, {all, same}).results = {both};
      all = both;
    }
    if (all == kNone) return;
    std::vector<ValueId> args{all};
    args.insert(args.end(), branch.args.begin(), branch.args.end());
    emit(Op::kGuard, Type::kVoid, std::move(args)).index = branch.index;
  }

  Inst& emit(Op op, Type t, std::vector<ValueId> args) {
    Inst& inst = out_->emplace_back();
    inst.op = op;
    inst.type = t;
    inst.loc = loc_;
    inst.args = std::move(args);
    return inst;
  }

  ValueId new_value(Type t) {
    f_.values.push_back(t);
    return static_cast<ValueId>(f_.values.size() - 1);
  }

  const Module& m_;
  Function& f_;
  const ir::Dominators dominators_;
  Replacements replacements_;
  /// Between two places of the same state no Python code runs but at polls.
  std::uint32_t states_ = 0;
  std::vector<bool> meets_;         ///< per block: it begins with a state of its own
  std::vector<std::uint32_t> end_;  ///< per block: its last state
  std::map<ValueId, Header> headers_;
  std::map<std::tuple<ValueId, std::int64_t, Type, std::uint32_t>, std::size_t> known_;
  std::vector<Read> reads_;  ///< definitions before uses
  std::vector<Poll> polls_;
  std::vector<Place> removed_;
  std::vector<Inst>* out_ = nullptr;
  ir::Loc loc_;
};

}  // namespace

bool steady_headers(const Module& m, Function& f) { return Pass(m, f).run(); }

}  // namespace splice::opt
