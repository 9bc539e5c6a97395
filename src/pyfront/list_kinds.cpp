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

}  // namespace

PyTypeObject* ListKinds::type_of(PyFunctionObject* function, int list_class) {
  const Key key{function, list_class};
  asked_.insert(key);
  const auto known = known_.find(key);
  return known != known_.end() ? known->second : nullptr;
}

void ListKinds::note(PyFunctionObject* function, int list_class, Tag item) {
  const Key key{function, list_class};
  PyTypeObject* type = list_of(item);
  const auto [known, added] = known_.try_emplace(key, type);
  if (!added && (known->second == type || known->second == nullptr)) return;
  if (!added) known->second = nullptr;
  // An unknown kind was answered as objects.
  changed_ = changed_ || (asked_.contains(key) && !(added && type == nullptr));
}

Tag typed_item(const AbsVal& v) {
  if (v.tag != Tag::kObject) return Tag::kNull;
  for (const Tag item : {Tag::kInt, Tag::kFloat, Tag::kBool})
    if (v.type == list_of(item)) return item;
  return Tag::kNull;
}

}  // namespace splice::pyfront
