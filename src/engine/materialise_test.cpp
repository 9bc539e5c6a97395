// engine/materialise_test.cpp: recipes of every kind.
#include "engine/materialise.h"

#include <algorithm>
#include <bit>
#include <string>

#include "cpy/lost.h"
#include "cpy/typed_list.h"
#include "engine/testing/failing_memory.h"
#include "engine/testing/python.h"

namespace splice::engine {
namespace {

using ir::Recipe;
using ir::Type;
using testing::Ref;
using testing::repr;
using testing::run;

std::uint64_t word(double value) { return std::bit_cast<std::uint64_t>(value); }
std::uint64_t word(PyObject* object) { return reinterpret_cast<std::uint64_t>(object); }

Recipe recipe(Recipe::Kind kind, std::uint32_t index = ir::kNone,
              std::uint32_t origin = ir::kNone) {
  Recipe made;
  made.kind = kind;
  made.index = index;
  made.origin = origin;
  return made;
}

Recipe aggregate(Recipe::Kind kind, std::vector<Recipe> items) {
  Recipe made = recipe(kind);
  made.items = std::move(items);
  return made;
}

/// Makes `recipes`; "repr, repr, ..." with NULL for null.
std::string made(const ir::Exit& exit, const std::vector<std::uint64_t>& words,
                 const std::vector<Recipe>& recipes, std::vector<PyObject*>* objects = nullptr) {
  Unit unit;
  unit.addresses = {Py_None};
  std::vector<PyObject*> out;
  {
    Materialiser values(unit, exit, words);
    values.make_all(recipes, out);
    EXPECT_EQ(values.take_failure(), nullptr);
  }
  std::string text;
  for (PyObject* object : out)
    text += (text.empty() ? "" : ", ") + (object == nullptr ? "NULL" : repr(object));
  if (objects != nullptr) {
    *objects = out;
  } else {
    for (PyObject* object : out) Py_XDECREF(object);
  }
  return text;
}

TEST(Materialise, Numbers) {
  ir::Exit exit;
  exit.live = {Type::kI64, Type::kC128, Type::kF64, Type::kI1};
  const std::vector<std::uint64_t> words = {static_cast<std::uint64_t>(-5), word(1.5), word(-2.0),
                                            word(0.25), 1};
  EXPECT_EQ(made(exit, words,
                 {recipe(Recipe::Kind::kNull), recipe(Recipe::Kind::kSymbol, 0),
                  recipe(Recipe::Kind::kInt, 0), recipe(Recipe::Kind::kComplex, 1),
                  recipe(Recipe::Kind::kFloat, 2), recipe(Recipe::Kind::kBool, 3)}),
            "NULL, None, -5, (1.5-2j), 0.25, True");
}

TEST(Materialise, EitherOfTwoNumbers) {
  ir::Exit exit;
  exit.live = {Type::kU8, Type::kF32, Type::kI1, Type::kI1};
  // What lies behind a narrow value in its word is none of it.
  const std::vector<std::uint64_t> words = {0xFFFFFF00 | 200, std::bit_cast<std::uint32_t>(0.5F), 1,
                                            0};
  Recipe first = recipe(Recipe::Kind::kInt, 0);
  const Recipe second = recipe(Recipe::Kind::kFloat, 1);
  first.present = 2;
  const Recipe is_first = aggregate(Recipe::Kind::kEither, {first, second});
  first.present = 3;
  const Recipe is_second = aggregate(Recipe::Kind::kEither, {first, second});
  Recipe is_neither = is_first;
  is_neither.present = 3;
  EXPECT_EQ(made(exit, words, {is_first, is_second, is_neither}), "200, 0.5, NULL");
}

TEST(Materialise, ANumberIsBoxedOnce) {
  ir::Exit exit;
  exit.live = {Type::kI64};
  std::vector<PyObject*> out;
  const Recipe twice = recipe(Recipe::Kind::kInt, 0);
  made(exit, {1u << 30}, {twice, aggregate(Recipe::Kind::kTuple, {twice}), twice}, &out);
  EXPECT_EQ(out[0], out[2]);
  EXPECT_EQ(out[0], PyTuple_GET_ITEM(out[1], 0));
  EXPECT_EQ(Py_REFCNT(out[0]), 3);
  for (PyObject* object : out) Py_DECREF(object);
}

TEST(Materialise, ANumberGoesBackAsTheObjectItCameFrom) {
  ir::Exit exit;
  exit.live = {Type::kF64, Type::kObj, Type::kObj};
  Ref origin(PyFloat_FromDouble(7.0));
  std::vector<PyObject*> out;
  made(exit, {word(7.0), word(origin.get()), 0},
       {recipe(Recipe::Kind::kFloat, 0, 1), recipe(Recipe::Kind::kFloat, 0, 2)}, &out);
  EXPECT_EQ(out[0], origin.get());
  EXPECT_NE(out[1], origin.get()) << "a null origin: it was computed";
  EXPECT_EQ(Py_REFCNT(origin.get()), 2);
  for (PyObject* object : out) Py_DECREF(object);
}

TEST(Materialise, Objects) {
  ir::Exit exit;
  exit.live = {Type::kObj, Type::kOwned, Type::kOwned};
  Ref borrowed = run("v = ['borrowed']", "v");
  Ref given = run("v = ['given']", "v");
  Ref unused = run("v = ['unused']", "v");
  Py_INCREF(given.get());
  Py_INCREF(unused.get());
  std::vector<PyObject*> out;
  made(exit, {word(borrowed.get()), word(given.get()), word(unused.get())},
       {recipe(Recipe::Kind::kObject, 0), recipe(Recipe::Kind::kObject, 1)}, &out);
  EXPECT_EQ(Py_REFCNT(borrowed.get()), 2);
  EXPECT_EQ(Py_REFCNT(given.get()), 2) << "ours, and the frame's";
  EXPECT_EQ(Py_REFCNT(unused.get()), 1) << "nobody asked for it: dropped";
  for (PyObject* object : out) Py_DECREF(object);
}

TEST(Materialise, ATypedListIsOneListWhereverItStands) {
  ir::Exit exit;
  exit.live = {Type::kOwned, Type::kObj, Type::kI64, Type::kOwned};
  const std::int64_t items[] = {4, 5};
  const auto typed = [&] {
    return splice_rt_typed_make(reinterpret_cast<PyObject*>(&cpy::int_list_type), items, 2);
  };
  PyObject* list = typed();
  PyObject* unused = typed();
  Py_INCREF(unused);
  std::vector<PyObject*> out;
  const Recipe object = recipe(Recipe::Kind::kObject, 0);
  // The second live value is the same list, which two variables were at a merge.
  EXPECT_EQ(made(exit, {word(list), word(list), 1, word(unused)},
                 {object, recipe(Recipe::Kind::kObject, 1),
                  aggregate(Recipe::Kind::kListIter, {object, recipe(Recipe::Kind::kInt, 2)})},
                 &out)
                .substr(0, 14),
            "[4, 5], [4, 5]");
  EXPECT_EQ(out[0], out[1]);
  EXPECT_EQ(Py_REFCNT(unused), 1);
  Py_DECREF(unused);
  PyList_Append(out[0], Py_None);
  Ref rest(PySequence_List(out[2]));
  EXPECT_EQ(repr(rest.get()), "[5, None]");
  for (PyObject* made_one : out) Py_DECREF(made_one);
}

TEST(Materialise, WhatCannotBeMadeIsLost) {
  ir::Exit exit;
  exit.live = {Type::kOwned, Type::kI64, Type::kF64, Type::kObj};
  const std::int64_t items[] = {4000, 5000};
  Ref given = run("v = ['given']", "v");
  ASSERT_TRUE(cpy::init_lost().ok());
  const Recipe list = recipe(Recipe::Kind::kObject, 0);
  const Recipe number = recipe(Recipe::Kind::kInt, 1);
  const std::vector<Recipe> recipes = {
      list,
      number,
      recipe(Recipe::Kind::kFloat, 2),
      recipe(Recipe::Kind::kObject, 3),
      aggregate(Recipe::Kind::kTuple, {recipe(Recipe::Kind::kObject, 3), number}),
      aggregate(Recipe::Kind::kListIter, {list, recipe(Recipe::Kind::kInt, 1)}),
      list,
      recipe(Recipe::Kind::kNull)};
  bool failed = true;
  for (long k = 0; failed; ++k) {
    ASSERT_LT(k, 50);
    PyObject* typed =
        splice_rt_typed_make(reinterpret_cast<PyObject*>(&cpy::int_list_type), items, 2);
    const std::vector<std::uint64_t> words = {word(typed), 1, word(0.5), word(given.get())};
    std::vector<PyObject*> out;
    PyObject* failure = nullptr;
    Unit unit;
    {
      const testing::FailingMemory memory(k);
      Materialiser values(unit, exit, words);
      values.make_all(recipes, out);
      failure = values.take_failure();
      failed = memory.has_failed();
    }
    ASSERT_EQ(out.size(), recipes.size());
    EXPECT_EQ(PyErr_Occurred(), nullptr);
    EXPECT_EQ(failure != nullptr, failed);
    EXPECT_TRUE(!failed || PyErr_GivenExceptionMatches(failure, PyExc_MemoryError));
    EXPECT_EQ(out[3], given.get());
    EXPECT_EQ(out[0], out[6]);
    EXPECT_EQ(out[7], nullptr);
    PyObject* lost = cpy::lost_object();
    EXPECT_TRUE(out[0] == lost || repr(out[0]) == "[4000, 5000]");
    EXPECT_TRUE(out[4] == lost || repr(out[4]) == "(['given'], 1)");
    EXPECT_TRUE(out[5] == lost || out[0] != lost) << "an iterator of nothing";
    EXPECT_EQ(std::count(out.begin(), out.end(), lost) > 0, failed);
    for (PyObject* object : out) Py_XDECREF(object);
    Py_XDECREF(failure);
    EXPECT_EQ(Py_REFCNT(given.get()), 1) << k;
  }
}

TEST(Materialise, EveryUseOfALostObjectRaises) {
  ASSERT_TRUE(cpy::init_lost().ok());
  Ref use = run(R"(
def uses(lost):
    import operator as o
    log = []
    for use in (
        lambda: lost.x, lambda: lost(), lambda: lost[0], lambda: len(lost), lambda: iter(lost),
        lambda: next(lost), lambda: not lost, lambda: lost == 1, lambda: 1 < lost,
        lambda: hash(lost), lambda: 1 in lost, lambda: repr(lost), lambda: f'{lost}',
        lambda: [] + lost, lambda: lost + [], lambda: 2 * lost, lambda: lost ** 2, lambda: -lost,
        lambda: int(lost), lambda: float(lost), lambda: range(lost), lambda: (1, 2)[lost],
        lambda: o.setitem(lost, 0, 1), lambda: o.delitem(lost, 0), lambda: setattr(lost, 'x', 1),
        lambda: o.iadd(lost, 1), lambda: 1 @ lost, lambda: '' + lost, lambda: lost.append(1),
        lambda: isinstance(lost, int), lambda: sorted(lost), lambda: {lost}, lambda: [*lost],
    ):
        try:
            use()
            log.append(use.__code__.co_firstlineno)
        except MemoryError:
            pass
    return log
)",
                "uses");
  Ref done(PyObject_CallOneArg(use.get(), cpy::lost_object()));
  EXPECT_EQ(repr(done.get()), "[]");
}

TEST(Materialise, Aggregates) {
  ir::Exit exit;
  exit.live = {Type::kI64, Type::kI64, Type::kI64};
  const std::vector<Recipe> parts = {recipe(Recipe::Kind::kInt, 0), recipe(Recipe::Kind::kInt, 1),
                                     recipe(Recipe::Kind::kInt, 2)};
  const std::vector<std::uint64_t> words = {3, 20, 4};
  EXPECT_EQ(made(exit, words,
                 {aggregate(Recipe::Kind::kTuple, parts), aggregate(Recipe::Kind::kRange, parts)}),
            "(3, 20, 4), range(3, 20, 4)");
  std::vector<PyObject*> out;
  made(exit, words, {aggregate(Recipe::Kind::kRangeIter, parts)}, &out);
  Ref rest(PySequence_List(out[0]));
  EXPECT_EQ(repr(rest.get()), "[3, 7, 11, 15, 19]");
  Py_DECREF(out[0]);
}

}  // namespace
}  // namespace splice::engine
