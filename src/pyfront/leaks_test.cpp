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
  EXPECT_EQ(classes("xs = [a]\n xs[:] = b"), "-");
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

TEST(Leaks, WhatIsLearnedLate) {
  // The tuple is followed before the list that it holds.
  EXPECT_EQ(classes("while True:\n  n += 1\n  if n > 7: break\n  a = [1.0]\n return (a,)"), "-");
  EXPECT_EQ(classes("while True:\n  n += 1\n  if n > 7: break\n  a = [1.0]\n return g(a)"), "-");
  EXPECT_EQ(classes("while True:\n  n += 1\n  if n > 7: return (0, (n, a))\n  a = [1.0]"), "-");
}

TEST(Leaks, ListsOfLists) {
  EXPECT_EQ(classes("t = [[0] * n for _ in range(n)]\n t[0][1] = a + b\n return t[1][0] + 1"),
            "0 1 1");
  EXPECT_EQ(classes("t = []\n for i in range(n):\n  if t: t[-1].append(i)\n  t.append([])\n return "
                    "len(t)"),
            "0 1");
  EXPECT_EQ(classes("t = [[a], [b]]\n x = t[0]\n t[0] = t[1]\n t[1] = x\n return t[0][0] + 1"),
            "0 0 1");
  EXPECT_EQ(classes("t = [[[a]]]\n return t[0][0][0] + 1"), "0 1 2");
  EXPECT_EQ(classes("t = [[a]]\n for row in t:\n  for x in row: n += x\n return n"), "0 1");
  EXPECT_EQ(classes("t = [[a]]\n for i, (row, x) in enumerate(zip(t, b)): row[i] = x + 1\n"
                    " return t[0][0] + 1"),
            "0 1");
  EXPECT_EQ(classes("t = [[a]]\n for i, row in enumerate(t, n): row[i] = i\n return t[0][0] + 1"),
            "0 1");
  EXPECT_EQ(classes("t = [[0] * n]\n t[0][0] = a + b\n return t[0][0]"), "0 0 1");
  EXPECT_EQ(
      classes("t = []\n for i in range(n):\n  row = []\n  for j in range(n):\n"
              "   row.append(float(i * j) if i != j else 0.0)\n  t.append(row)\n"
              " for k in range(n):\n  r = t[k]\n  for i in range(n):\n   q = t[i]\n   x = q[k]\n"
              "   for j in range(n):\n    v = x + r[j]\n    if v < q[j]: q[j] = v\n"
              " s = 0.0\n for row in t:\n  for v in row: s += v\n return s"),
      "0 1");
}

TEST(Leaks, ListsOfListsGivenAway) {
  EXPECT_EQ(classes("t = [[a]]\n return t"), "- -");
  EXPECT_EQ(classes("t = [[a]]\n return t[0]"), "- -");
  EXPECT_EQ(classes("t = [[a]]\n g(t[0])"), "- -");
  EXPECT_EQ(classes("t = [[a]]\n for row in t: g(row)"), "- -");
  EXPECT_EQ(classes("row = [a]\n t = [row]\n g(row)\n return t[0][0] + 1"), "- -");
  EXPECT_EQ(classes("t = [[a]]\n return t[0] is b"), "- -");
  EXPECT_EQ(classes("t = [[a]]\n return [b] in t"), "0 1 -");
  EXPECT_EQ(classes("t = (x := ([a],))\n return n"), "-");
  EXPECT_EQ(classes("t = (n, (x := ([a],)))\n return n"), "-");
  EXPECT_EQ(classes("t = [(n, [a])]\n return n"), "- 0");
  EXPECT_EQ(classes("for i in b: a = (a, [n])\n return n"), "-");
  EXPECT_EQ(classes("t = [[a], b]\n return t[0][0] + 1"), "- -");
  EXPECT_EQ(classes("t = [[a], None]\n return len(t)"), "- -");
  EXPECT_EQ(classes("t = [b]\n t[0][0] = [a]\n return len(t)"), "0 -");
  EXPECT_EQ(classes("t = [b]\n t[0].append([a])\n return len(t)"), "- -");
  EXPECT_EQ(classes("t = [[[[a]]]]\n return len(t)"), "- - - -");
  EXPECT_EQ(classes("t = []\n t.append(t)\n return len(t)"), "-");
  EXPECT_EQ(classes("t = [[a]]\n x, y = t[0]\n return x"), "- -");
  EXPECT_EQ(classes("t = [[a]]\n x, = t[0]\n return (a == b).append(t)"), "- -");
}

TEST(Leaks, Copies) {
  EXPECT_EQ(classes("xs = [a]\n ys = xs[1:n]\n return ys[0] + 1"), "0 0");
  EXPECT_EQ(classes("xs = [a]\n ys = xs[::2]\n return ys[0] + 1"), "0 0");
  EXPECT_EQ(classes("xs = [a]\n ys = xs.copy()\n return ys[0] + 1"), "0 0");
  EXPECT_EQ(classes("xs = [a]\n ys = list(xs)\n zs = sorted(ys)\n return zs[0] + 1"), "0 0 0");
  EXPECT_EQ(classes("xs = [a]\n ys = [b]\n zs = xs + ys\n return zs[0] + 1"), "0 0 0");
  EXPECT_EQ(classes("xs = [a]\n xs += [b]\n return xs[0] + 1"), "0 0");
  EXPECT_EQ(classes("xs = [a]\n xs.extend([b])\n return xs[0] + 1"), "0 0");
  EXPECT_EQ(classes("xs = [a]\n return xs[1:][0] is a"), "-");
  EXPECT_EQ(classes("t = [[a]]\n u = t[:]\n return g(u[0])"), "- -");
  EXPECT_EQ(classes("xs = [a]\n return n in xs, xs.index(n), xs.count(n)"), "0");
}

TEST(Leaks, AroundExceptionHandlers) {
  EXPECT_EQ(classes("xs = [a]\n try:\n  return xs[0] + 1\n except IndexError:\n  return 0"), "0");
  EXPECT_EQ(classes("xs = [a]\n try:\n  return xs[0] + 1\n except IndexError:\n  return xs"), "-");
  EXPECT_EQ(classes("xs = [a]\n for x in xs:\n  n += sum([y + x for y in b])\n return n"), "0 1");
}

}  // namespace
}  // namespace splice::pyfront
