// Arguments and the arguments that edges pass for them form a graph. A strongly connected part of
// it into which a single value comes from outside carries just that value; when several come in,
// the arguments without one from outside are looked at again by themselves. (Braun et al., "Simple
// and Efficient Construction of Static Single Assignment Form", section 3.2.)
//
// Why the value found dominates the argument: follow any path to the block backwards. Each edge
// passes the value itself, which is available there, or another argument of the part, whose block
// is on the path.

#include "opt/simplify_block_args.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "opt/edit.h"

namespace splice::opt {
namespace {

using ir::Block;
using ir::BlockId;
using ir::Function;
using ir::Inst;
using ir::kNone;
using ir::Op;
using ir::Target;
using ir::ValueId;

/// Parts within parts deeper than this are left alone, which bounds the time.
constexpr int kMaxDepth = 8;

class Pass {
 public:
  explicit Pass(Function& f) : f_(f) {}

  bool run() {
    if (!find_args()) return false;
    find_constants();
    solve();
    const bool replaced = replace();
    return remove_unread() || replaced;
  }

 private:
  bool find_args() {
    block_of_.assign(f_.values.size(), kNone);
    for (BlockId b = 1; b < f_.blocks.size(); ++b) {
      for (const ValueId v : f_.blocks[b].args) {
        block_of_[v] = b;
        any_ = true;
      }
    }
    return any_;
  }

  bool is_arg(ValueId v) const { return block_of_[v] != kNone; }

  /// Equal constants count as one value.
  void find_constants() {
    same_.resize(f_.values.size());
    for (ValueId v = 0; v < same_.size(); ++v) same_[v] = v;
    std::map<std::tuple<ir::Type, std::int64_t, std::int64_t>, ValueId> first;
    for (const Block& b : f_.blocks) {
      for (const Inst& inst : b.insts) {
        if (inst.op != Op::kConst) continue;
        const ValueId v = inst.results[0];
        const auto [known, added] = first.try_emplace({inst.type, inst.imm, inst.imm2}, v);
        same_[v] = known->second;
        if (added) constants_.emplace(v, inst);
      }
    }
  }

  /// What stands for `v` as far as is known.
  ValueId resolve(ValueId v) const {
    while (is_arg(v) && value_[v] != kNone) v = value_[v];
    return is_arg(v) ? v : same_[v];
  }

  void solve() {
    value_.assign(f_.values.size(), kNone);
    incoming_.resize(f_.values.size());
    state_.resize(f_.values.size());
    std::vector<ValueId> all;
    for (BlockId b = 1; b < f_.blocks.size(); ++b) {
      all.insert(all.end(), f_.blocks[b].args.begin(), f_.blocks[b].args.end());
    }
    for (const Block& b : f_.blocks) {
      for (const Target& t : b.insts.back().targets) {
        const auto& args = f_.blocks[t.block].args;
        for (std::size_t i = 0; i < args.size(); ++i) incoming_[args[i]].push_back(t.args[i]);
      }
    }
    find_parts(all, 0);
  }

  /// Tarjan's algorithm on the arguments in `members`; parts come out operands first.
  void find_parts(const std::vector<ValueId>& members, int depth) {
    const std::uint32_t round = ++rounds_;
    for (const ValueId v : members) {
      state_[v] = State{};
      state_[v].round = round;
    }
    struct Step {
      ValueId arg;
      std::size_t next;
    };
    std::vector<Step> path;
    std::vector<ValueId> open;
    std::uint32_t clock = 0;
    const auto enter = [&](ValueId v) {
      state_[v].index = state_[v].low = ++clock;
      state_[v].open = true;
      open.push_back(v);
      path.push_back({v, 0});
    };
    for (const ValueId start : members) {
      if (state_[start].index != 0) continue;
      enter(start);
      while (!path.empty()) {
        const ValueId v = path.back().arg;
        if (path.back().next < incoming_[v].size()) {
          const ValueId from = incoming_[v][path.back().next++];
          if (!is_arg(from) || state_[from].round != round) continue;
          if (state_[from].index == 0) {
            enter(from);
          } else if (state_[from].open) {
            state_[v].low = std::min(state_[v].low, state_[from].index);
          }
          continue;
        }
        path.pop_back();
        if (!path.empty()) {
          State& user = state_[path.back().arg];
          user.low = std::min(user.low, state_[v].low);
        }
        if (state_[v].low != state_[v].index) continue;
        const auto first = std::find(open.rbegin(), open.rend(), v).base() - 1;
        const std::vector<ValueId> part(first, open.end());
        open.erase(first, open.end());
        solve_part(part, depth);
      }
    }
  }

  void solve_part(const std::vector<ValueId>& part, int depth) {
    const std::uint32_t id = ++parts_;
    for (const ValueId v : part) {
      state_[v].open = false;
      state_[v].part = id;
    }
    ValueId only = kNone;
    bool several = false;
    std::vector<ValueId> inner;
    for (const ValueId v : part) {
      bool from_outside = false;
      for (const ValueId from : incoming_[v]) {
        if (state_[from].part == id) continue;
        from_outside = true;
        const ValueId value = resolve(from);
        several = several || (only != kNone && only != value);
        only = value;
      }
      if (!from_outside) inner.push_back(v);
    }
    if (only == kNone) return;  // no path from the entry
    if (!several) {
      for (const ValueId v : part) value_[v] = only;
    } else if (!inner.empty() && depth < kMaxDepth) {
      find_parts(inner, depth + 1);
    }
  }

  bool replace() {
    Replacements replacements(f_.values.size());
    std::vector<bool> dead(f_.values.size(), false);
    bool changed = false;
    for (BlockId b = 1; b < f_.blocks.size(); ++b) {
      std::vector<Inst> constants;
      for (const ValueId v : f_.blocks[b].args) {
        const ValueId by = value_[v] == kNone ? kNone : resolve(v);
        if (by == kNone) continue;
        dead[v] = true;
        changed = true;
        const auto found = constants_.find(by);
        if (found == constants_.end()) {
          replacements.set(v, by);
          continue;
        }
        // The constants on the edges need not dominate this block: make it again, under the same
        // id.
        Inst constant = found->second;
        constant.results[0] = v;
        constants.push_back(std::move(constant));
      }
      auto& insts = f_.blocks[b].insts;
      insts.insert(insts.begin(), std::make_move_iterator(constants.begin()),
                   std::make_move_iterator(constants.end()));
    }
    if (!changed) return false;
    remove_block_args(f_, dead);
    replacements.apply(f_);
    for (ValueId v = 0; v < dead.size(); ++v) {
      if (dead[v]) block_of_[v] = kNone;
    }
    return true;
  }

  bool remove_unread() {
    std::vector<bool> read(f_.values.size(), false);
    std::vector<ValueId> work;
    const auto mark = [&](ValueId v) {
      if (!is_arg(v) || read[v]) return;
      read[v] = true;
      work.push_back(v);
    };
    // sources[v]: the arguments that edges pass for the argument v.
    std::vector<std::vector<ValueId>> sources(f_.values.size());
    for (const Block& b : f_.blocks) {
      for (const Inst& inst : b.insts) {
        for (const ValueId v : inst.args) mark(v);
      }
      for (const Target& t : b.insts.back().targets) {
        for (std::size_t i = 0; i < t.args.size(); ++i) {
          if (is_arg(t.args[i])) sources[f_.blocks[t.block].args[i]].push_back(t.args[i]);
        }
      }
    }
    while (!work.empty()) {
      const ValueId v = work.back();
      work.pop_back();
      for (const ValueId from : sources[v]) mark(from);
    }
    std::vector<bool> dead(f_.values.size(), false);
    bool changed = false;
    for (ValueId v = 0; v < dead.size(); ++v) {
      dead[v] = is_arg(v) && !read[v];
      changed = changed || dead[v];
    }
    if (changed) remove_block_args(f_, dead);
    return changed;
  }

  Function& f_;
  bool any_ = false;
  std::vector<BlockId> block_of_;  ///< of arguments, but for the parameters
  std::vector<ValueId> same_;      ///< first of the equal constants; itself for others
  std::unordered_map<ValueId, Inst> constants_;  ///< by the first of the equal ones
  std::vector<ValueId> value_;  ///< of arguments: what replaces them; kNone: nothing
  std::vector<std::vector<ValueId>> incoming_;  ///< of arguments: what edges pass
  struct State {
    std::uint32_t round = 0;  ///< of find_parts
    std::uint32_t index = 0;  ///< 0: not visited
    std::uint32_t low = 0;
    std::uint32_t part = 0;
    bool open = false;
  };
  std::vector<State> state_;
  std::uint32_t rounds_ = 0;
  std::uint32_t parts_ = 0;
};

}  // namespace

bool simplify_block_args(Function& f) { return Pass(f).run(); }

}  // namespace splice::opt
