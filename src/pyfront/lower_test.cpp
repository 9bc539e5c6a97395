// pyfront/lower_test.cpp: what the front end makes of live functions. Machine code is compared with
// CPython by tests/conformance and fuzz; here the IR must be valid and of the expected shape.
#include "pyfront/lower.h"

#include <gtest/gtest.h>

#include "cpy/runtime_math.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace splice::pyfront {
namespace {

class LowerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(cpy::init_math().ok());
    globals_ = PyDict_New();
    PyDict_SetItemString(globals_, "__builtins__", PyEval_GetBuiltins());
  }
  void TearDown() override { Py_CLEAR(globals_); }

  PyObject* define(const char* source, const char* name = "f") {
    PyObject* r = PyRun_String(source, Py_file_input, globals_, globals_);
    if (r == nullptr) PyErr_Print();
    EXPECT_NE(r, nullptr);
    Py_XDECREF(r);
    return PyDict_GetItemString(globals_, name);
  }

  /// IR text, or "bailout: reason".
  std::string lower(PyObject* function, std::vector<Kind> args,
                    std::vector<PyObject*> samples = {}) {
    Request request{function, std::move(args), std::move(samples)};
    auto result = lower_function(request);
    EXPECT_EQ(PyErr_Occurred(), nullptr);
    if (auto* bailout = std::get_if<Bailout>(&result)) return "bailout: " + bailout->reason;
    auto& lowered = std::get<Lowered>(result);
    const Status status = ir::verify(lowered.module);
    const std::string text = ir::print(lowered.module);
    EXPECT_TRUE(status.ok()) << status.message() << "\n" << text;
    EXPECT_EQ(lowered.addresses.size(), lowered.module.symbols.size());
    for (PyObject* o : lowered.objects) Py_DECREF(o);
    return text;
  }

  PyObject* globals_ = nullptr;
};

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST_F(LowerTest, AddsIntsWithOverflowCheck) {
  const std::string text = lower(define("def f(a, b):\n return a + b\n"), {Kind::kInt, Kind::kInt});
  EXPECT_TRUE(has(text, "add.ov i64")) << text;
  EXPECT_TRUE(has(text, "guard")) << text;
  EXPECT_TRUE(has(text, "splice_entry")) << text;
}

TEST_F(LowerTest, LoopStartsAsIntAndGoesOnAsFloat) {
  const std::string text =
      lower(define("def f(n, x):\n s = 0\n for i in range(n):\n  s += x\n return s\n"),
            {Kind::kInt, Kind::kFloat});
  // Zero iterations give the int, others the float: two result kinds.
  EXPECT_TRUE(has(text, "ret [0]")) << text;
  EXPECT_TRUE(has(text, "ret [1]")) << text;
}

TEST_F(LowerTest, RecursionKnowsItsOwnResult) {
  const std::string text = lower(
      define("def f(n):\n if n < 2:\n  return n\n return f(n - 1) + f(n - 2)\n"), {Kind::kInt});
  EXPECT_TRUE(has(text, "call @f")) << text;
}

TEST_F(LowerTest, MutualRecursion) {
  define("def g(n):\n return True if n == 0 else f(n - 1)\n", "g");
  const std::string text =
      lower(define("def f(n):\n return False if n == 0 else g(n - 1)\n"), {Kind::kInt});
  EXPECT_FALSE(has(text, "bailout")) << text;
}

TEST_F(LowerTest, GeneratorBailsOut) {
  EXPECT_EQ(lower(define("def f(n):\n yield n\n"), {Kind::kInt}), "bailout: it is a generator");
}

TEST_F(LowerTest, ColdPartsBecomeExits) {
  const std::string text =
      lower(define("def f(n):\n if n < 0:\n  raise ValueError('negative')\n return n * 2\n"),
            {Kind::kInt});
  EXPECT_TRUE(has(text, "a call of ValueError")) << text;
}

TEST_F(LowerTest, KeywordsAndDefaults) {
  define("def g(a, b=2, *, c=3.5):\n return a * b + c\n", "g");
  const std::string text =
      lower(define("def f(x):\n return g(x) + g(x, c=x) + g(b=1, a=2)\n"), {Kind::kInt});
  EXPECT_FALSE(has(text, "do not fit")) << text;
  EXPECT_FALSE(has(text, "bailout")) << text;
}

TEST_F(LowerTest, MathOfConstantsAndNumbers) {
  const std::string text =
      lower(define("import math\ndef f(x):\n return math.sqrt(x) + math.sin(x) * math.pi\n"),
            {Kind::kFloat});
  EXPECT_TRUE(has(text, "sqrt f64")) << text;
  EXPECT_TRUE(has(text, "splice_libm_sin")) << text;
}

TEST_F(LowerTest, ReadsListItemsInPlace) {
  PyObject* sample = PyRun_String("[1.5, 2.5]", Py_eval_input, globals_, globals_);
  const std::string text = lower(
      define("def f(a):\n s = 0.0\n for i in range(len(a)):\n  s += a[i]\n for x in a:\n  s += x\n"
             " return s\n"),
      {Kind::kList}, {sample});
  EXPECT_FALSE(has(text, "decref")) << text;  // reading keeps nothing alive
  EXPECT_TRUE(has(text, "py.unbox.float")) << text;
  Py_DECREF(sample);
}

TEST_F(LowerTest, ItemThatLivesOnGetsAnOwner) {
  PyObject* sample = PyRun_String("[1.5, 2.5]", Py_eval_input, globals_, globals_);
  const std::string text = lower(
      define("def f(a):\n best = a[0]\n for x in a:\n  if x > best:\n   best = x\n return best\n"),
      {Kind::kList}, {sample});
  EXPECT_TRUE(has(text, "incref")) << text;
  EXPECT_TRUE(has(text, "decref")) << text;
  Py_DECREF(sample);
}

TEST_F(LowerTest, BuildsAndWritesLists) {
  const std::string text =
      lower(define("def f(n):\n p = [True] * n\n for i in range(n):\n  p[i] = False\n"
                   " q = [i * i for i in range(n)]\n q.append(n)\n q[0], q[1] = q[1], q[0]\n"
                   " for i, (x, y) in enumerate(zip(p, q)):\n  q[i] = i if x else y\n return q\n"),
            {Kind::kInt});
  EXPECT_FALSE(has(text, "bailout")) << text;
  EXPECT_TRUE(has(text, "ret [0]")) << text;
}

TEST_F(LowerTest, TypesThatNeverSettleLeave) {
  const std::string text = lower(
      define("def f(n):\n t = ()\n while n:\n  t = (t, n)\n  n -= 1\n return n\n"), {Kind::kInt});
  EXPECT_TRUE(has(text, "keep changing")) << text;
}

}  // namespace
}  // namespace splice::pyfront
