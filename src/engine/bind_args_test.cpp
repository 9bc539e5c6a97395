// engine/bind_args_test.cpp: binding against what the interpreter itself makes of the same call.
#include "engine/bind_args.h"

#include <string>
#include <vector>

#include "engine/testing/python.h"

namespace splice::engine {
namespace {

using testing::Ref;
using testing::repr;
using testing::run;

/// "1, 2, None" of a call with `args` (a tuple of values) of which the last are named by `names`;
/// "declined" when the interpreter has to look at it.
std::string bound(PyObject* function, const std::string& args, const std::string& names = "") {
  Ref values = run("v = " + args, "v");
  Ref kwnames = run("v = " + (names.empty() ? "()" : names), "v");
  std::vector<PyObject*> array;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(values.get()); ++i)
    array.push_back(PyTuple_GET_ITEM(values.get(), i));
  const auto named = static_cast<std::size_t>(PyTuple_GET_SIZE(kwnames.get()));
  BoundArgs binding;
  const bool ok = binding.bind(reinterpret_cast<PyFunctionObject*>(function), array.data(),
                               array.size() - named, names.empty() ? nullptr : kwnames.get());
  EXPECT_EQ(PyErr_Occurred(), nullptr);
  if (!ok) return "declined";
  std::string text;
  for (std::size_t i = 0; i < binding.size(); ++i)
    text += (i == 0 ? "" : ", ") + repr(binding.data()[i]);
  return text;
}

TEST(BindArgs, Positional) {
  Ref f = run("def f(a, b): pass");
  EXPECT_EQ(bound(f.get(), "(1, 2)"), "1, 2");
  EXPECT_EQ(bound(f.get(), "(1,)"), "declined");
  EXPECT_EQ(bound(f.get(), "(1, 2, 3)"), "declined");
}

TEST(BindArgs, Keywords) {
  Ref f = run("def f(a, b, c=3): pass");
  EXPECT_EQ(bound(f.get(), "(1, 2)", "('b',)"), "1, 2, 3");
  EXPECT_EQ(bound(f.get(), "(1, 2)", "('b', 'a')"), "2, 1, 3");
  EXPECT_EQ(bound(f.get(), "(9, 1, 2)", "('c', 'a', 'b')"), "1, 2, 9");
  EXPECT_EQ(bound(f.get(), "(1, 2)", "('a',)"), "declined") << "given twice";
  EXPECT_EQ(bound(f.get(), "(1, 2)", "('d',)"), "declined") << "unknown";
  EXPECT_EQ(bound(f.get(), "(1,)", "('b',)"), "declined") << "a is missing";
}

TEST(BindArgs, KeywordsThatAreNotInterned) {
  Ref f = run("def f(a, b): pass");
  EXPECT_EQ(bound(f.get(), "(1, 2)", "(''.join(['', 'b']),)"), "1, 2");
}

TEST(BindArgs, StrSubclassesAreDeclined) {
  Ref f = run("def f(a, b): pass");
  EXPECT_EQ(bound(f.get(), "(1, 2)", "(type('S', (str,), {})('b'),)"), "declined");
}

TEST(BindArgs, PositionalOnlyNamesAreNoKeywords) {
  Ref f = run("def f(a, /, b): pass");
  EXPECT_EQ(bound(f.get(), "(1, 2)", "('b',)"), "1, 2");
  EXPECT_EQ(bound(f.get(), "(1, 2)", "('b', 'a')"), "declined");
}

TEST(BindArgs, KeywordOnly) {
  Ref f = run("def f(a, *, b, c=3): pass");
  EXPECT_EQ(bound(f.get(), "(1, 2)", "('b',)"), "1, 2, 3");
  EXPECT_EQ(bound(f.get(), "(1, 2, 4)", "('b', 'c')"), "1, 2, 4");
  EXPECT_EQ(bound(f.get(), "(1, 2)"), "declined");
  EXPECT_EQ(bound(f.get(), "(1,)"), "declined");
}

TEST(BindArgs, OddKwdefaultsAreDeclined) {
  Ref f = run("def f(a, *, b=2): pass\nf.__kwdefaults__ = {type('S', (str,), {})('b'): 5}");
  EXPECT_EQ(bound(f.get(), "(1,)"), "declined");
}

TEST(BindArgs, MoreDefaultsThanParameters) {
  Ref f = run("def f(a, b): pass\nf.__defaults__ = (7, 8, 9)");
  EXPECT_EQ(bound(f.get(), "(1,)"), "1, 9");
  EXPECT_EQ(bound(f.get(), "()"), "8, 9");
}

TEST(BindArgs, ManyParameters) {
  std::string names, values;
  for (int i = 0; i < 40; ++i) {
    names += "p" + std::to_string(i) + ", ";
    if (i < 39) values += std::to_string(i) + ", ";
  }
  Ref f = run("def f(" + names + "*, k=5): pass\nf.__defaults__ = (39,)");
  const std::string text = bound(f.get(), "(" + values + ")");
  EXPECT_EQ(text.substr(text.size() - 9), "38, 39, 5");
}

TEST(BindArgs, DefaultsStayAliveWhileBound) {
  Ref f = run("def f(a=[1, 2], *, k=[3]): pass");
  BoundArgs binding;
  ASSERT_TRUE(binding.bind(f.function(), nullptr, 0, nullptr));
  PyObject_SetAttrString(f.get(), "__defaults__", Py_None);
  PyObject_SetAttrString(f.get(), "__kwdefaults__", Py_None);
  EXPECT_EQ(repr(binding.data()[0]), "[1, 2]");
  EXPECT_EQ(repr(binding.data()[1]), "[3]");
}

TEST(BindArgs, Complete) {
  Ref f = run("def f(a, b=1): pass");
  Ref k = run("def f(a, *, b=1): pass");
  auto* code = reinterpret_cast<PyCodeObject*>(f.function()->func_code);
  EXPECT_TRUE(is_complete(code, 2, nullptr));
  EXPECT_FALSE(is_complete(code, 1, nullptr));
  Ref names = run("v = ('b',)", "v");
  EXPECT_FALSE(is_complete(code, 2, names.get()));
  EXPECT_FALSE(is_complete(reinterpret_cast<PyCodeObject*>(k.function()->func_code), 2, nullptr));
}

}  // namespace
}  // namespace splice::engine
