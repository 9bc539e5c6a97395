// pyfront/list_kinds.cpp
#include "pyfront/list_kinds.h"

#include "cpy/typed_list.h"

namespace splice::pyfront {

using Tag = AbsVal::Tag;

namespace {

PyTypeObject* list_of(Tag item) {
  switch (item) {
    case Tag::kInt:
      return &cpy::int_list_type;
    case Tag::kFloat:
      return &cpy::float_list_type;
    case Tag::kBool:
      return &cpy::bool_list_type;
    default:
      return nullptr;
  }
}

constexpr unsigned kObjects = 1;

constexpr unsigned bit(Tag item) { return 2U << static_cast<unsigned>(item); }

PyTypeObject* type_for(unsigned seen) {
  for (const Tag item : {Tag::kInt, Tag::kFloat, Tag::kBool})
    if (seen == bit(item)) return list_of(item);
  return nullptr;
}

}  // namespace

PyTypeObject* ListKinds::type_of(PyCodeObject* code, int list_class) {
  const Key key{code, list_class};
  asked_.insert(key);
  return type_for(seen_[key]);
}

void ListKinds::note(PyCodeObject* code, int list_class, Tag item) {
  const Key key{code, list_class};
  unsigned& seen = seen_[key];
  PyTypeObject* before = type_for(seen);
  seen |= list_of(item) != nullptr ? bit(item) : kObjects;
  changed_ = changed_ || (asked_.contains(key) && type_for(seen) != before);
}

bool ListKinds::is_mixed(PyCodeObject* code, int list_class) const {
  const auto seen = seen_.find({code, list_class});
  return seen != seen_.end() && seen->second == (bit(Tag::kInt) | bit(Tag::kFloat));
}

Tag typed_item(const AbsVal& v) { return v.tag == Tag::kObject ? typed_item(v.type) : Tag::kNull; }

Tag typed_item(const PyTypeObject* type) {
  for (const Tag item : {Tag::kInt, Tag::kFloat, Tag::kBool})
    if (type == list_of(item)) return item;
  if (cpy::row_type(type) != nullptr) return Tag::kObject;
  return Tag::kNull;
}

}  // namespace splice::pyfront
