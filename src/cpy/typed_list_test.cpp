// Typed lists against the lists that they stand for.
#include "cpy/typed_list.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace splice::cpy {
namespace {

template <class T>
PyObject* make(PyTypeObject& type, const std::vector<T>& items) {
  return splice_rt_typed_make(reinterpret_cast<PyObject*>(&type), items.data(),
                              static_cast<std::int64_t>(items.size()));
}

PyObject* ints(const std::vector<std::int64_t>& items) { return make(int_list_type, items); }
PyObject* floats(const std::vector<double>& items) { return make(float_list_type, items); }

std::string repr(PyObject* object) {
  PyObject* text = PyObject_Repr(object);
  const std::string out = text != nullptr ? PyUnicode_AsUTF8(text) : "<error>";
  Py_XDECREF(text);
  return out;
}

/// repr() of the list that `typed` stands for; takes the reference.
std::string shown(PyObject* typed) {
  if (typed == nullptr) return "null";
  PyObject* list = RealLists().of(typed);
  const std::string out = repr(list);
  Py_XDECREF(list);
  Py_DECREF(typed);
  return out;
}

TEST(TypedList, StandsForAList) {
  EXPECT_EQ(shown(ints({1, -2, std::numeric_limits<std::int64_t>::min()})),
            "[1, -2, -9223372036854775808]");
  EXPECT_EQ(shown(floats({0.5, -0.0})), "[0.5, -0.0]");
  const bool flags[] = {true, false};
  EXPECT_EQ(shown(splice_rt_typed_make(reinterpret_cast<PyObject*>(&bool_list_type), flags, 2)),
            "[True, False]");
  EXPECT_EQ(shown(ints({})), "[]");
}

TEST(TypedList, Range) {
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(shown(splice_rt_typed_range(2, 8, 3)), "[2, 5]");
  EXPECT_EQ(shown(splice_rt_typed_range(2, 9, 3)), "[2, 5, 8]");
  EXPECT_EQ(shown(splice_rt_typed_range(2, -3, -2)), "[2, 0, -2]");
  EXPECT_EQ(shown(splice_rt_typed_range(5, 5, 1)), "[]");
  EXPECT_EQ(shown(splice_rt_typed_range(kMin, kMax, kMax)),
            "[-9223372036854775808, -1, 9223372036854775806]");
  EXPECT_EQ(shown(splice_rt_typed_range(kMax, kMin, kMin)), "[9223372036854775807, -1]");
  EXPECT_EQ(shown(splice_rt_typed_range(kMin, kMax, 1)), "null");
}

TEST(TypedList, Repeat) {
  PyObject* two = ints({1, 2});
  EXPECT_EQ(shown(splice_rt_typed_repeat(two, 3)), "[1, 2, 1, 2, 1, 2]");
  EXPECT_EQ(shown(splice_rt_typed_repeat(two, 0)), "[]");
  EXPECT_EQ(shown(splice_rt_typed_repeat(two, -5)), "[]");
  EXPECT_EQ(splice_rt_typed_repeat(two, std::int64_t{1} << 61), nullptr);
  EXPECT_EQ(splice_rt_typed_repeat(two, std::int64_t{1} << 50), nullptr) << "no such memory";
  EXPECT_EQ(PyErr_Occurred(), nullptr);
  PyObject* none = ints({});
  EXPECT_EQ(shown(splice_rt_typed_repeat(none, std::int64_t{1} << 62)), "[]");
  Py_DECREF(none);
  Py_DECREF(two);
}

TEST(TypedList, InsertRemoveGrow) {
  PyObject* list = ints({});
  std::vector<std::int64_t> model;
  for (std::int64_t i = 0; i < 200; ++i) {
    const std::int64_t at = i * 7 % 31 - 10;
    void* place = nullptr;
    ASSERT_EQ(splice_rt_typed_insert(list, at, &place), 0);
    *static_cast<std::int64_t*>(place) = i;
    const auto size = static_cast<std::int64_t>(model.size());
    const std::int64_t clipped = std::min(at < 0 ? std::max<std::int64_t>(0, at + size) : at, size);
    model.insert(model.begin() + clipped, i);
    if (i % 3 == 0) {
      const std::int64_t gone = i % static_cast<std::int64_t>(model.size());
      splice_rt_typed_remove_at(list, gone);
      model.erase(model.begin() + gone);
    }
  }
  ASSERT_EQ(splice_rt_typed_grow(list), 0);
  EXPECT_GT(reinterpret_cast<TypedList*>(list)->allocated, Py_SIZE(list));
  EXPECT_EQ(shown(list), shown(ints(model)));
}

TEST(TypedList, Extend) {
  PyObject* items = Py_BuildValue("(dd)", 1.5, -0.0);
  PyObject* list = floats({7.0});
  EXPECT_EQ(splice_rt_typed_extend(list, items), 0);
  EXPECT_EQ(shown(list), "[7.0, 1.5, -0.0]");
  Py_DECREF(items);
}

TEST(TypedList, SortAndReverse) {
  PyObject* list = ints({3, -1, 2});
  EXPECT_EQ(splice_rt_typed_sort(list), 0);
  splice_rt_typed_reverse(list);
  EXPECT_EQ(shown(list), "[3, 2, -1]");
  PyObject* zeros = floats({1.0, 0.0, -0.0, -1.0, -0.0, 0.0});
  EXPECT_EQ(splice_rt_typed_sort(zeros), 0);
  EXPECT_EQ(shown(zeros), "[-1.0, 0.0, -0.0, -0.0, 0.0, 1.0]");
  PyObject* nan = floats({1.0, NAN, 0.0});
  EXPECT_EQ(splice_rt_typed_sort(nan), 1);
  EXPECT_EQ(shown(nan), "[1.0, nan, 0.0]");
}

TEST(TypedList, Sums) {
  std::int64_t failed = 0;
  PyObject* list = ints({5, -7});
  EXPECT_EQ(splice_rt_typed_sum_ints(list, &failed), -2);
  EXPECT_EQ(failed, 0);
  Py_DECREF(list);
  list = ints({std::numeric_limits<std::int64_t>::max(), 1, -5});
  splice_rt_typed_sum_ints(list, &failed);
  EXPECT_EQ(failed, 1);
  Py_DECREF(list);
  // Against CPython's own sum().
  PyObject* sum = PyDict_GetItemString(PyEval_GetBuiltins(), "sum");
  for (const std::vector<double>& items : {std::vector<double>{-0.0},
                                           {0.1, 0.2, 0.3},
                                           {1e16, 1.0, -1e16},
                                           {1e308, 1e308, -1e308},
                                           {INFINITY, 1.0},
                                           {INFINITY, -INFINITY},
                                           {1.0, 1e100, 1.0, -1e100}}) {
    list = floats(items);
    PyObject* objects = RealLists().of(list);
    PyObject* wanted = PyObject_CallOneArg(sum, objects);
    PyObject* got = PyFloat_FromDouble(splice_rt_typed_sum_floats(list));
    EXPECT_EQ(repr(got), repr(wanted));
    Py_DECREF(got);
    Py_DECREF(wanted);
    Py_DECREF(objects);
    Py_DECREF(list);
  }
}

TEST(TypedList, BestAndTruth) {
  PyObject* list = floats({1.0, 3.0, NAN, 3.0, -0.0});
  EXPECT_EQ(splice_rt_typed_best(list, 1), 1);
  EXPECT_EQ(splice_rt_typed_best(list, 0), 4);
  EXPECT_EQ(splice_rt_typed_find_truth(list, 0), 4);
  EXPECT_EQ(splice_rt_typed_find_truth(list, 1), 0);
  Py_DECREF(list);
  list = floats({NAN, 1.0});
  EXPECT_EQ(splice_rt_typed_best(list, 1), 0) << "nothing is greater than a NaN";
  Py_DECREF(list);
}

}  // namespace
}  // namespace splice::cpy
