// pyfront/leaks.cpp: how objects flow, and what becomes of the lists.
#include "pyfront/leaks.h"

#include <algorithm>
#include <numeric>

#include "cpy/typed_list.h"
#include "pyfront/leaks_pass.h"

namespace splice::pyfront {

namespace {

constexpr std::size_t kMaxInsts = 20000;

}  // namespace

namespace leaks {

bool add_all(Nodes& into, const Nodes& more) {
  bool grown = false;
  for (const int node : more) {
    const auto at = std::lower_bound(into.begin(), into.end(), node);
    if (at != into.end() && *at == node) continue;
    into.insert(at, node);
    grown = true;
  }
  return grown;
}

Pass::Pass(const Bytecode& bytecode, const Names& names)
    : bytecode_(bytecode),
      names_(names),
      nodes_(1 + kNodesPerInst * bytecode.insts.size()),
      parent_(nodes_.size()),
      rows_(nodes_.size(), ListClasses::kNone),
      locals_(static_cast<std::size_t>(names.code->co_nlocalsplus)),
      stacks_(bytecode.insts.size()),
      reached_(bytecode.insts.size(), false),
      containers_(bytecode.insts.size(), ListClasses::kNone) {
  std::iota(parent_.begin(), parent_.end(), 0);
  nodes_[kNamed].observed = true;
  for (int i = 0; i < names.code->co_argcount + names.code->co_kwonlyargcount; ++i)
    locals_[static_cast<std::size_t>(i)] = {kNamed};
}

ListClasses Pass::run() {
  reach(0, {});
  settle();
  return result();
}

void Pass::settle() {
  do {
    changed_ = false;
    for (at_ = 0; at_ < static_cast<int>(bytecode_.insts.size()); ++at_) {
      if (!reached_[static_cast<std::size_t>(at_)]) continue;
      stack_ = stacks_[static_cast<std::size_t>(at_)];
      enter_handler();
      const PyInst& inst = bytecode_.insts[static_cast<std::size_t>(at_)];
      if (step(inst)) reach(at_ + 1, stack_);
    }
    close();
  } while (changed_);
}

void Pass::reach(int target, const std::vector<Value>& stack) {
  const auto to = static_cast<std::size_t>(target);
  if (to >= stacks_.size()) return;
  std::vector<Value>& known = stacks_[to];
  if (!reached_[to]) {
    reached_[to] = changed_ = true;
    known = stack;
    return;
  }
  // Behind what is not followed the depth is not known. Items correspond from the top; what one
  // side lacks is read as something unknown.
  const std::size_t common = std::min(known.size(), stack.size());
  for (std::size_t i = common; i < stack.size(); ++i) observe(stack[stack.size() - 1 - i]);
  for (std::size_t i = common; i < known.size(); ++i) observe(known[known.size() - 1 - i]);
  if (common < known.size()) {
    known.erase(known.begin(), known.end() - static_cast<std::ptrdiff_t>(common));
    changed_ = true;
  }
  for (std::size_t i = 1; i <= common; ++i) merge(known[known.size() - i], stack[stack.size() - i]);
}

void Pass::merge(Value& into, const Value& other) {
  const auto update = [&](auto& field, auto value) {
    changed_ = changed_ || field != value;
    field = value;
  };
  grow(into.nodes, other.nodes);
  if (into.known != other.known) {
    // An object that was known has no node when it has no identity.
    update(into.known, nullptr);
  }
  if (into.method != other.method) update(into.method, -1);
  update(into.null, into.null && other.null);
  update(into.slice, into.slice || other.slice);
}

void Pass::enter_handler() {
  const Handler& handler = bytecode_.handler[static_cast<std::size_t>(at_)];
  if (handler.offset < 0) return;
  const auto first =
      std::find_if(bytecode_.insts.begin(), bytecode_.insts.end(),
                   [&](const PyInst& inst) { return inst.offset == handler.offset; });
  if (first == bytecode_.insts.end()) return;
  std::vector<Value> stack = stack_;
  stack.resize(std::min(stack.size(), static_cast<std::size_t>(handler.depth)));
  stack.insert(stack.end(), static_cast<std::size_t>(handler.pushed), named());
  reach(static_cast<int>(first - bytecode_.insts.begin()), stack);
}

Value Pass::pop() {
  if (stack_.empty()) return named();
  Value top = std::move(stack_.back());
  stack_.pop_back();
  return top;
}

int Pass::make(int k, Node::Kind kind, const Nodes& content) {
  const int id = 1 + kNodesPerInst * at_ + k;
  node(id).kind = kind;
  grow(node(id).content, content);
  return id;
}

void Pass::observe(const Value& v) {
  for (const int id : v.nodes) observe(id);
}

void Pass::observe(int id) {
  if (node(id).observed) return;
  node(id).observed = changed_ = true;
  observe_parts(id);
}

void Pass::observe_parts(int id) {
  if (node(id).kind == Node::Kind::kList) return leak(id);
  if (node(id).kind == Node::Kind::kItem) {
    for (const int list : Nodes(node(id).content)) leak(list);
    return;
  }
  observe(value_of(node(id).content));
  observe(value_of(node(id).held));
}

void Pass::leak(int list) {
  if (node(list).leaks) return;
  node(list).leaks = node(list).observed = changed_ = true;
}

int Pass::root(int list) {
  while (parent_[static_cast<std::size_t>(list)] != list)
    list = parent_[static_cast<std::size_t>(list)];
  return list;
}

Nodes Pass::lists_of(const Value& v) {
  Nodes lists;
  for (const int id : v.nodes)
    if (node(id).kind == Node::Kind::kList) lists.push_back(id);
  for (const int list : lists) join(lists[0], list);
  if (!lists.empty()) containers_[static_cast<std::size_t>(at_)] = lists[0];
  return lists;
}

void Pass::join(int a, int b) {
  if (root(a) == root(b)) return;
  parent_[static_cast<std::size_t>(root(a))] = root(b);
  changed_ = true;
}

void Pass::leak_lists(const Value& v) {
  for (const int id : v.nodes)
    if (node(id).kind == Node::Kind::kList) leak(id);
}

void Pass::use_number(const Value& v) {
  for (const int id : v.nodes) {
    const Node::Kind kind = node(id).kind;
    if (kind != Node::Kind::kNumber && kind != Node::Kind::kItem && id != kNamed) observe(id);
  }
}

void Pass::note_search(bool in_list, const Value& wanted) {
  searched_ =
      searched_ || in_list || std::any_of(wanted.nodes.begin(), wanted.nodes.end(), [&](int id) {
        return id != kNamed &&
               (node(id).kind == Node::Kind::kNumber || node(id).kind == Node::Kind::kItem);
      });
}

bool Pass::is_immediate(int id) {
  const auto is_list = [&](int item) { return node(item).kind == Node::Kind::kList; };
  return node(id).kind == Node::Kind::kItem &&
         std::all_of(node(id).content.begin(), node(id).content.end(), [&](int list) {
           const Nodes& items = node(list).content;
           return std::all_of(items.begin(), items.end(), is_list);
         });
}

bool Pass::is_list(const Value& v) {
  return !v.nodes.empty() && std::all_of(v.nodes.begin(), v.nodes.end(), [&](int id) {
    return node(id).kind == Node::Kind::kList || is_immediate(id);
  });
}

Nodes Pass::tuple_of(int k, const std::vector<Nodes>& parts) {
  const int made = make(k, Node::Kind::kView);
  node(made).parts.resize(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    grow(node(made).parts[i], parts[i]);
    grow(node(made).content, parts[i]);
  }
  return {made};
}

Nodes Pass::part_of(const Value& v, std::size_t i, std::size_t n) {
  Nodes part;
  for (const int id : v.nodes)
    add_all(part, node(id).parts.size() == n ? node(id).parts[i] : items_of(id));
  return part;
}

Nodes Pass::copy_of(const Nodes& lists) {
  const int made = make(0, Node::Kind::kList);
  for (const int list : lists) {
    grow(node(made).content, node(list).content);
    join(list, made);
  }
  return {made};
}

void Pass::extend(const Nodes& lists, const Nodes& more) {
  for (const int list : lists) {
    for (const int other : more) {
      grow(node(list).content, node(other).content);
      join(list, other);
    }
  }
}

void Pass::store(const Value& container, const Value& v) {
  const Nodes lists = lists_of(container);
  if (!is_list(container)) observe(v);
  keep(v);
  Nodes items;
  for (const int id : v.nodes)
    if (!is_immediate(id)) add_all(items, {id});
  for (const int list : lists) grow(node(list).content, items);
}

void Pass::keep(const Value& v) {
  Nodes pending = v.nodes;
  Nodes seen;
  while (!pending.empty()) {
    const int id = pending.back();
    pending.pop_back();
    if (node(id).parts.empty() || !add_all(seen, {id})) continue;
    leak_lists(value_of(node(id).content));
    pending.insert(pending.end(), node(id).content.begin(), node(id).content.end());
  }
}

Nodes Pass::items_of(const Value& v) {
  Nodes items;
  const Nodes lists = lists_of(v);
  if (!lists.empty()) items = {make(1, Node::Kind::kItem, lists)};
  for (const int id : v.nodes) add_all(items, items_of(id));
  return items;
}

Nodes Pass::items_of(int id) {
  switch (node(id).kind) {
    case Node::Kind::kList: {
      Nodes rows;
      for (const int item : node(id).content)
        if (node(item).kind == Node::Kind::kList) add_all(rows, {item});
      return rows;
    }
    case Node::Kind::kView:
    case Node::Kind::kRange:
      return node(id).content;
    case Node::Kind::kItem:
      return is_immediate(id) ? Nodes{} : Nodes{id};
    case Node::Kind::kNumber:  // or two sequences that were added
    case Node::Kind::kOther:
      break;
  }
  return {kNamed};
}

void Pass::returns(const Value& v) {
  for (const int id : v.nodes) {
    if (node(id).kind == Node::Kind::kNumber || is_immediate(id)) continue;
    if (node(id).kind != Node::Kind::kItem) {
      observe(id);
      continue;
    }
    for (const int list : node(id).content) {
      changed_ = changed_ || !node(list).returned;
      node(list).returned = true;
    }
  }
}

bool Pass::is_shared(int id, Nodes& seen) {
  if (std::find(seen.begin(), seen.end(), id) != seen.end()) return false;
  seen.push_back(id);
  const Node& n = node(id);
  if (n.observed) return true;
  if (n.kind == Node::Kind::kNumber || is_immediate(id)) return false;
  if (n.kind != Node::Kind::kItem) return true;
  return std::any_of(n.content.begin(), n.content.end(), [&](int list) {
    return node(list).leaks || std::any_of(node(list).content.begin(), node(list).content.end(),
                                           [&](int item) { return is_shared(item, seen); });
  });
}

ListClasses::Nesting Pass::nesting(int list) {
  ListClasses::Nesting found;
  found.innermost = root(list);
  while (rows_[static_cast<std::size_t>(found.innermost)] != ListClasses::kNone &&
         found.depth <= cpy::kMaxListDepth) {
    found.innermost = root(rows_[static_cast<std::size_t>(found.innermost)]);
    ++found.depth;
  }
  return found;
}

void Pass::close_nested() {
  std::fill(rows_.begin(), rows_.end(), ListClasses::kNone);
  std::vector<bool> others(nodes_.size(), false);  // classes that hold something else
  for (int id = 0; id < static_cast<int>(nodes_.size()); ++id) {
    if (node(id).kind != Node::Kind::kList) continue;
    for (const int item : node(id).content) {
      const auto holder = static_cast<std::size_t>(root(id));
      if (node(item).kind != Node::Kind::kList) {
        others[holder] = true;
        continue;
      }
      if (rows_[holder] == ListClasses::kNone) rows_[holder] = item;
      join(item, rows_[holder]);
    }
  }
  if (changed_) return;  // classes that were joined have two entries
  for (int id = 0; id < static_cast<int>(nodes_.size()); ++id) {
    if (node(id).kind != Node::Kind::kList) continue;
    const auto holder = static_cast<std::size_t>(root(id));
    if (rows_[holder] == ListClasses::kNone) continue;
    if (others[holder] || node(root(rows_[holder])).leaks || nesting(id).depth > cpy::kMaxListDepth)
      leak(id);
  }
}

void Pass::close() {
  // What an observer has may have got more parts since.
  for (int id = 0; id < static_cast<int>(nodes_.size()); ++id)
    if (node(id).observed) observe_parts(id);
  close_nested();
  for (int id = 0; id < static_cast<int>(nodes_.size()); ++id) {
    if (node(id).kind != Node::Kind::kList) continue;
    if (node(root(id)).leaks) leak(id);
    if (node(id).leaks) {
      leak(root(id));
      observe(value_of(node(id).content));
      continue;
    }
    // The item that is returned must be nobody else's, for it is made anew.
    Nodes seen;
    if (node(id).returned && std::any_of(node(id).content.begin(), node(id).content.end(),
                                         [&](int item) { return is_shared(item, seen); }))
      leak(id);
  }
}

ListClasses Pass::result() {
  ListClasses out;
  out.searched = searched_;
  const std::size_t n = bytecode_.insts.size();
  out.made.assign(n, ListClasses::kNone);
  out.used.assign(n, ListClasses::kNone);
  std::vector<int> numbers(nodes_.size(), ListClasses::kNone);
  const auto class_of = [&](int list) {
    if (node(root(list)).leaks) return ListClasses::kNone;
    int& number = numbers[static_cast<std::size_t>(root(list))];
    if (number == ListClasses::kNone) {
      number = static_cast<int>(out.nesting.size());
      out.nesting.push_back(nesting(list));
    }
    return number;
  };
  for (std::size_t i = 0; i < n; ++i) {
    const int id = 1 + kNodesPerInst * static_cast<int>(i);
    if (node(id).kind == Node::Kind::kList) out.made[i] = class_of(id);
    if (containers_[i] != ListClasses::kNone) out.used[i] = class_of(containers_[i]);
  }
  for (std::size_t i = 0; i < out.nesting.size(); ++i) {
    // A list that another one holds was made somewhere, so it has a number by now.
    out.nesting[i].innermost = class_of(out.nesting[i].innermost);
  }
  return out;
}

}  // namespace leaks

ListClasses find_private_lists(const Bytecode& bytecode, const Names& names) {
  if (bytecode.insts.size() > kMaxInsts) {
    ListClasses none;
    none.made.assign(bytecode.insts.size(), ListClasses::kNone);
    none.used = none.made;
    return none;
  }
  return leaks::Pass(bytecode, names).run();
}

}  // namespace splice::pyfront
