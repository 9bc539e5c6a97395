#include "opt/shrink_exits.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace splice::opt {
namespace {

using ir::Block;
using ir::Exit;
using ir::ExitFrame;
using ir::ExitId;
using ir::Function;
using ir::Inst;
using ir::kNone;
using ir::Op;
using ir::Recipe;
using ir::Type;
using ir::ValueId;

bool leaves(Op op) {
  return op == Op::kGuard || op == Op::kPoll || op == Op::kPollBr || op == Op::kLeave;
}
/// Operands in front of the live ones.
std::size_t first_live(const Inst& inst) { return inst.op == Op::kGuard ? 1 : 0; }

class Shrinking {
 public:
  Shrinking(const std::vector<const Inst*>& made_by, Exit& exit, const std::vector<Inst*>& users)
      : made_by_(made_by), exit_(exit), users_(users), place_(exit.live.size(), kNone) {}

  bool run() {
    for (ExitFrame& f : exit_.frames) for_each_recipe(f, [&](Recipe& r) { decide(r); });
    // Places of what is left; an owned reference is always passed on.
    std::uint32_t kept = 0;
    for (std::size_t k = 0; k < place_.size(); ++k) {
      if (place_[k] != kNone || exit_.live[k] == Type::kOwned) place_[k] = kept++;
    }
    if (kept == place_.size()) return changed_;
    for (ExitFrame& f : exit_.frames) for_each_recipe(f, [&](Recipe& r) { renumber(r); });
    for (Inst* user : users_) compact(user->args, first_live(*user));
    compact(exit_.live, 0);
    return true;
  }

 private:
  ValueId passed(const Inst& user, std::uint32_t k) const {
    return user.args[first_live(user) + k];
  }

  /// All users pass this constant.
  bool constant(std::uint32_t k, std::int64_t number) const {
    return std::all_of(users_.begin(), users_.end(), [&](const Inst* user) {
      const Inst* made = made_by_[passed(*user, k)];
      return made != nullptr && made->op == Op::kConst && made->imm == number;
    });
  }

  /// The first place at which all users pass the same borrowed object.
  std::uint32_t first_like(std::uint32_t k) const {
    if (exit_.live[k] != Type::kObj) return k;
    for (std::uint32_t j = 0; j < k; ++j) {
      if (exit_.live[j] == Type::kObj &&
          std::all_of(users_.begin(), users_.end(),
                      [&](const Inst* user) { return passed(*user, j) == passed(*user, k); })) {
        return j;
      }
    }
    return k;
  }

  void use(std::uint32_t& k) {
    const std::uint32_t first = first_like(k);
    changed_ = changed_ || first != k;
    k = first;
    place_[k] = 0;
  }

  void decide(Recipe& r) {
    if (r.present != kNone && constant(r.present, 0)) {
      r = Recipe{};
      changed_ = true;
      return;
    }
    if (r.present != kNone && constant(r.present, 1)) {
      r.present = kNone;
      changed_ = true;
    }
    if (r.kind == Recipe::Kind::kEither) {
      const std::uint32_t first = r.items[0].present;
      const bool is_first = constant(first, 1);
      if (is_first || constant(first, 0)) {
        const std::uint32_t present = r.present;
        r = Recipe(r.items[is_first ? 0 : 1]);
        r.present = present;
        changed_ = true;
      }
    }
    if (r.origin != kNone && exit_.live[r.origin] == Type::kObj && constant(r.origin, 0)) {
      r.origin = kNone;
      changed_ = true;
    }
    if (r.kind >= Recipe::Kind::kInt && r.kind <= Recipe::Kind::kObject) use(r.index);
    if (r.origin != kNone) use(r.origin);
    if (r.present != kNone) use(r.present);
    for (Recipe& item : r.items) decide(item);
  }

  void renumber(Recipe& r) {
    if (r.kind >= Recipe::Kind::kInt && r.kind <= Recipe::Kind::kObject) r.index = place_[r.index];
    if (r.origin != kNone) r.origin = place_[r.origin];
    if (r.present != kNone) r.present = place_[r.present];
    for (Recipe& item : r.items) renumber(item);
  }

  template <class T>
  void compact(std::vector<T>& all, std::size_t first) const {
    std::size_t to = first;
    for (std::size_t k = 0; k < place_.size(); ++k) {
      if (place_[k] != kNone) all[to++] = all[first + k];
    }
    all.resize(to);
  }

  const std::vector<const Inst*>& made_by_;
  Exit& exit_;
  const std::vector<Inst*>& users_;
  std::vector<std::uint32_t> place_;  ///< per live value; kNone: not used
  bool changed_ = false;
};

}  // namespace

bool shrink_exits(Function& f) {
  std::vector<const Inst*> made_by(f.values.size(), nullptr);
  std::vector<std::vector<Inst*>> users(f.exits.size());
  for (Block& b : f.blocks) {
    for (Inst& inst : b.insts) {
      for (const ValueId v : inst.results) made_by[v] = &inst;
      if (leaves(inst.op)) users[inst.index].push_back(&inst);
    }
  }
  bool changed = false;
  for (ExitId e = 0; e < f.exits.size(); ++e) {
    if (f.exits[e].kind != Exit::Kind::kFrames || users[e].empty()) continue;
    changed = Shrinking(made_by, f.exits[e], users[e]).run() || changed;
  }
  return changed;
}

}  // namespace splice::opt
