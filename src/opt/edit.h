// opt/edit.h: edits of a function that several passes need. Internal to opt.
#pragma once

#include <vector>

#include "ir/module.h"

namespace splice::opt {

/// Values that stand for other values; apply() rewrites all uses at once. Chains are followed.
class Replacements {
 public:
  explicit Replacements(std::size_t values) : to_(values, ir::kNone) {}

  /// From now on `by` stands for `value`. No cycles.
  void set(ir::ValueId value, ir::ValueId by);
  ir::ValueId find(ir::ValueId value);
  bool empty() const { return count_ == 0; }
  void apply(ir::Function& function);

 private:
  std::vector<ir::ValueId> to_;  ///< kNone: itself
  std::size_t count_ = 0;
};

/// Removes the block arguments for which `dead[value]` holds, and what edges pass for them. Nothing
/// else may use them. Parameters (block 0) stay.
void remove_block_args(ir::Function& function, const std::vector<bool>& dead);

/// Makes of a `poll.br` the `br` to where it goes on when there was no request.
void remove_poll(ir::Inst& poll_br);

/// Removes blocks that no path from the entry reaches and renumbers the rest, in their order.
/// True when there were any.
bool remove_unreachable_blocks(ir::Function& function);

}  // namespace splice::opt
