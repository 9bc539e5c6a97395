// Which lists of a function nobody else ever has.
#include "pyfront/leaks.h"

#include <gtest/gtest.h>

#include "pyfront/unit.h"

namespace splice::pyfront {
namespace {

/// Classes of the lists that `body` makes, in the order of the bytecode: "0 0 1 -", "-" for those
/// that leak. The body is that of f(a, b, n) and may call g(x), which keeps x, and h(x), which does
/// not.
std::string classes(const std::string& body) {
  PyObject* globals = PyDict_New();
  PyDict_SetItemString(globals, "__builtins__", PyEval_GetBuiltins());
  const std::string source =
      "import math\ndef g(x):\n return x\ndef h(x):\n return x + 1\n"
      "def f(a, b, n):\n " +
      body + "\n";
  PyObject* done = PyRun_String(source.c_str(), Py_file_input, globals, globals);
  if (done == nullptr) PyErr_Print();
  Py_XDECREF(done);
  auto* function = reinterpret_cast<PyFunctionObject*>(PyDict_GetItemString(globals, "f"));
  if (function == nullptr) return "<error>";
  auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
  const auto decoded = [](PyCodeObject* of) {
    Bytecode bytecode;
    std::string error;
    EXPECT_TRUE(decode(of, bytecode, error)) << error;
    return bytecode;
  };
  Learned learned;
  Unit unit("test", learned);
  const Bytecode bytecode = decoded(code);
  const ListClasses lists = unit.private_lists(function, bytecode);
  std::string text;
  for (std::size_t i = 0; i < bytecode.insts.size(); ++i) {
    const PyInst& inst = bytecode.insts[i];
    if (inst.op != PyOp::kBuildList && lists.made[i] == ListClasses::kNone) continue;
    if (!text.empty()) text += " ";
    text += lists.made[i] == ListClasses::kNone ? "-" : std::to_string(lists.made[i]);
  }
  Py_DECREF(globals);
  return text;
}

TEST(Leaks, IndexedAndIteratedOver) {
  EXPECT_EQ(classes("xs = [a]\n xs[0] = b + 1\n return xs[0] + 1"), "0");
  EXPECT_EQ(classes("xs = [a, b]\n t = 0\n for x in xs:\n  t += x\n return t"), "0");
  EXPECT_EQ(classes("xs = [a + b]\n for i, x in enumerate(xs):\n  if x: return i\n return 0"), "0");
  EXPECT_EQ(classes("return sum([x * 2 for x in a])"), "0");
  EXPECT_EQ(classes("xs = []\n xs.append(n)\n xs.sort()\n del xs[0]\n return len(xs), not xs"),
            "0");
}

TEST(Leaks, GivenAway) {
  EXPECT_EQ(classes("xs = [a]\n return xs"), "-");
  EXPECT_EQ(classes("xs = [a]\n return (1, xs)"), "-");
  EXPECT_EQ(classes("xs = [a]\n g(xs)"), "-");
  EXPECT_EQ(classes("xs = [a]\n h(xs)"), "-");
  EXPECT_EQ(classes("xs = [a]\n b.append(xs)"), "-");
  EXPECT_EQ(classes("xs = [a]\n b[0] = xs"), "-");
  EXPECT_EQ(classes("xs = [a]\n return xs is b"), "-");
  EXPECT_EQ(classes("xs = [a]\n return xs == b"), "-");
  EXPECT_EQ(classes("xs = [a]\n return xs + b"), "-");
  EXPECT_EQ(classes("xs = [a]\n return xs[:]"), "-");
  EXPECT_EQ(classes("xs = [a]\n return iter(xs)"), "-");
  EXPECT_EQ(classes("xs = [a]\n return list(zip(xs, b))"), "-");
  EXPECT_EQ(classes("xs = [a]\n xs.extend(b)"), "-");
  EXPECT_EQ(classes("xs = [a]\n return lambda: xs"), "-");
  EXPECT_EQ(classes("xs = [a]\n with b: print(xs)"), "-");
}

TEST(Leaks, AliasesAreOneClass) {
  EXPECT_EQ(classes("xs = [a]\n ys = [b]\n xs, ys = ys, xs\n return xs[0] + 1"), "0 0");
  EXPECT_EQ(classes("xs = [a]\n ys = xs if n else [b]\n return ys[0] + 1"), "0 0");
  EXPECT_EQ(classes("xs = [a]\n ys = [b]\n return xs[0] + ys[0]"), "0 1");
  EXPECT_EQ(classes("xs = [a]\n ys = xs if n else [b]\n return ys"), "- -");
  EXPECT_EQ(classes("xs = [0] * n\n return xs[0] + 1"), "0 0");
  EXPECT_EQ(classes("xs = [0] * n\n return xs"), "-");
}

TEST(Leaks, ItemsWhoseIdentityCanBeSeen) {
  EXPECT_EQ(classes("xs = [a]\n return xs[0] is a"), "-");
  EXPECT_EQ(classes("xs = [a]\n return g(xs[0])"), "-");
  EXPECT_EQ(classes("xs = [a]\n return h(xs[0])"), "0");
  EXPECT_EQ(classes("xs = [a]\n b.append(xs.pop())"), "-");
  EXPECT_EQ(classes("xs = [a]\n for i, x in enumerate(xs): g(x)"), "-");
  EXPECT_EQ(classes("xs = [a]\n x = max(xs)\n return x, x"), "-");
}

TEST(Leaks, AnItemThatIsTheResult) {
  // New numbers are nobody else's, and small ones are always the same objects.
  EXPECT_EQ(classes("xs = [0] * n\n xs[0] = a + b\n return xs[n]"), "0 0");
  EXPECT_EQ(classes("xs = list(range(n))\n return xs[0]"), "0");
  EXPECT_EQ(classes("xs = [a]\n return xs[0]"), "-");
  EXPECT_EQ(classes("xs = [1000] * n\n return xs[0]"), "-");
  EXPECT_EQ(classes("c = a + b\n g(c)\n xs = [c]\n return xs[0]"), "-");
  EXPECT_EQ(classes("xs = [a]\n ys = [xs[0]]\n return ys[0]"), "- -");
  EXPECT_EQ(classes("xs = [a + b]\n ys = [xs[0]]\n return ys[0]"), "0 1");
}

TEST(Leaks, AroundExceptionHandlers) {
  EXPECT_EQ(classes("xs = [a]\n try:\n  return xs[0] + 1\n except IndexError:\n  return 0"), "0");
  EXPECT_EQ(classes("xs = [a]\n try:\n  return xs[0] + 1\n except IndexError:\n  return xs"), "-");
  EXPECT_EQ(classes("xs = [a]\n for x in xs:\n  n += sum([y + x for y in b])\n return n"), "0 1");
}

}  // namespace
}  // namespace splice::pyfront
