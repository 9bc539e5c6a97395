// engine/materialise.cpp: recipes.
#include "engine/materialise.h"

#include <bit>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "cpy/array_view.h"
#include "cpy/lost.h"
#include "cpy/numpy.h"
#include "cpy/typed_list.h"
#include "engine/aggregate.h"

namespace splice::engine {

using ir::Recipe;
using ir::Type;

namespace {

template <class T>
T read(const std::uint64_t* word) {
  T value;
  std::memcpy(&value, word, sizeof(T));
  return value;
}

double float_of(Type type, const std::uint64_t* word) {
  return type == Type::kF32 ? static_cast<double>(read<float>(word)) : read<double>(word);
}

PyObject* int_of(Type type, const std::uint64_t* word) {
  switch (type) {
    case Type::kI8:
      return PyLong_FromLong(read<std::int8_t>(word));
    case Type::kI16:
      return PyLong_FromLong(read<std::int16_t>(word));
    case Type::kI32:
      return PyLong_FromLong(read<std::int32_t>(word));
    case Type::kU8:
      return PyLong_FromLong(read<std::uint8_t>(word));
    case Type::kU16:
      return PyLong_FromLong(read<std::uint16_t>(word));
    case Type::kU32:
      return PyLong_FromUnsignedLong(read<std::uint32_t>(word));
    case Type::kU64:
      return PyLong_FromUnsignedLongLong(read<std::uint64_t>(word));
    case Type::kF32:
    case Type::kF64:
      return PyLong_FromDouble(float_of(type, word));
    default:
      return PyLong_FromLongLong(read<std::int64_t>(word));
  }
}

}  // namespace

Materialiser::Materialiser(const Unit& unit, const ir::Exit& exit,
                           std::span<const std::uint64_t> words)
    : unit_(unit), exit_(exit), words_(words) {
  std::uint32_t next = 0;
  for (Type type : exit.live) {
    at_.push_back(next);
    next += type == Type::kC128 ? 2 : 1;
  }
  SPLICE_CHECK(next == words.size(), "an exit record does not have the words its exit names");
}

Materialiser::~Materialiser() {
  Py_XDECREF(failure_);
  for (const auto& [number, object] : boxed_) Py_XDECREF(object);
  for (const auto& [number, object] : shared_) Py_XDECREF(object);
  for (std::size_t i = 0; i < at_.size(); ++i)
    if (exit_.live[i] == Type::kOwned) Py_XDECREF(live_object(static_cast<std::uint32_t>(i)));
}

PyObject* Materialiser::object(ir::SymbolId symbol) const {
  return static_cast<PyObject*>(unit_.addresses[symbol]);
}

PyObject* Materialiser::live_object(std::uint32_t index) const {
  return reinterpret_cast<PyObject*>(words_[at_[index]]);
}

void Materialiser::make_all(std::span<const Recipe> recipes, std::vector<PyObject*>& out) {
  out.reserve(recipes.size());
  for (const Recipe& recipe : recipes) {
    PyObject* made = make(recipe);
    if (made == nullptr && PyErr_Occurred()) {
      PyObject* exception = PyErr_GetRaisedException();
      if (failure_ == nullptr)
        failure_ = exception;
      else
        Py_DECREF(exception);
      made = Py_NewRef(cpy::lost_object());
    }
    out.push_back(made);
  }
}

PyObject* Materialiser::take_failure() { return std::exchange(failure_, nullptr); }

PyObject* Materialiser::make(const Recipe& recipe) {
  if (recipe.present != ir::kNone && words_[at_[recipe.present]] == 0) return nullptr;
  switch (recipe.kind) {
    case Recipe::Kind::kNull:
      return nullptr;
    case Recipe::Kind::kSymbol:
      return Py_NewRef(object(recipe.index));
    case Recipe::Kind::kInt:
    case Recipe::Kind::kFloat:
    case Recipe::Kind::kBool:
    case Recipe::Kind::kComplex:
    case Recipe::Kind::kScalar:
      return make_number(recipe);
    case Recipe::Kind::kObject:
      return make_object(live_object(recipe.index));
    case Recipe::Kind::kTuple:
    case Recipe::Kind::kRange:
    case Recipe::Kind::kRangeIter:
    case Recipe::Kind::kListIter:
    case Recipe::Kind::kReversed:
    case Recipe::Kind::kEnumerate:
    case Recipe::Kind::kZip:
    case Recipe::Kind::kSlice:
    case Recipe::Kind::kArrayView:
      break;
    case Recipe::Kind::kEither: {
      PyObject* first = make(recipe.items[0]);
      return first != nullptr || PyErr_Occurred() ? first : make(recipe.items[1]);
    }
  }
  if (recipe.index == ir::kNone) return make_aggregate(recipe);
  PyObject*& shared = shared_[recipe.index];
  if (shared == nullptr) shared = make_aggregate(recipe);
  return Py_XNewRef(shared);
}

PyObject* Materialiser::make_object(PyObject* object) {
  if (object == nullptr || !cpy::is_typed_list(Py_TYPE(object))) return Py_XNewRef(object);
  return lists_.of(object);
}

PyObject* Materialiser::make_number(const Recipe& recipe) {
  if (recipe.origin != ir::kNone) {
    if (PyObject* from = live_object(recipe.origin)) return Py_NewRef(from);
  }
  PyObject*& boxed = boxed_[{recipe.index, recipe.kind, recipe.symbol}];
  if (boxed == nullptr) {
    const std::uint64_t* word = &words_[at_[recipe.index]];
    switch (recipe.kind) {
      case Recipe::Kind::kInt:
        boxed = int_of(exit_.live[recipe.index], word);
        break;
      case Recipe::Kind::kFloat:
        boxed = PyFloat_FromDouble(float_of(exit_.live[recipe.index], word));
        break;
      case Recipe::Kind::kBool:
        boxed = PyBool_FromLong(word[0] != 0);
        break;
      case Recipe::Kind::kScalar: {
        auto* type = reinterpret_cast<PyTypeObject*>(object(recipe.symbol));
        boxed = exit_.live[recipe.index] == Type::kC128
                    ? cpy::make_complex_scalar(type, std::bit_cast<double>(word[0]),
                                               std::bit_cast<double>(word[1]))
                    : cpy::make_scalar(type, word);
        break;
      }
      default:
        boxed =
            PyComplex_FromDoubles(std::bit_cast<double>(word[0]), std::bit_cast<double>(word[1]));
    }
  }
  return Py_XNewRef(boxed);
}

PyObject* Materialiser::make_aggregate(const Recipe& recipe) {
  std::vector<PyObject*> items;
  items.reserve(recipe.items.size());
  for (const Recipe& part : recipe.items) {
    PyObject* item = make(part);
    if (item == nullptr && PyErr_Occurred()) {
      for (PyObject* made : items) Py_XDECREF(made);
      return nullptr;
    }
    items.push_back(item);
  }
  const auto n = static_cast<std::int64_t>(items.size());
  switch (recipe.kind) {
    case Recipe::Kind::kTuple:
      return splice_rt_make_tuple(items.data(), n);
    case Recipe::Kind::kRange:
      return splice_rt_make_range(items.data(), n);
    case Recipe::Kind::kRangeIter:
      return splice_rt_make_range_iter(items.data(), n);
    case Recipe::Kind::kListIter:
      return splice_rt_make_sequence_iter(items.data(), n);
    case Recipe::Kind::kReversed:
      return splice_rt_make_reversed_iter(items.data(), n);
    case Recipe::Kind::kEnumerate:
      return splice_rt_make_enumerate(items.data(), n);
    case Recipe::Kind::kSlice:
      return splice_rt_make_slice(items.data(), n);
    case Recipe::Kind::kArrayView:
      return cpy::make_array_view(items.data(), items.size());
    default:
      return splice_rt_make_zip(items.data(), n);
  }
}

}  // namespace splice::engine
