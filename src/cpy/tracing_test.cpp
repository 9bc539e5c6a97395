#include "cpy/tracing.h"

#include <gtest/gtest.h>

#include "cpy/testing/probe.h"

namespace splice::cpy {
namespace {

long calls = 0;
long changes = 0;

PyObject* active(PyObject*, PyObject*) { return PyBool_FromLong(tracing_active()); }
PyObject* local(PyObject*, PyObject* code) {
  return PyBool_FromLong(traced_locally(reinterpret_cast<PyCodeObject*>(code)));
}
PyObject* inside(PyObject*, PyObject*) {
  return PyBool_FromLong(inside_trace_callback(PyThreadState_Get()));
}
PyObject* audited(PyObject*, PyObject*) { return PyLong_FromLong(std::exchange(calls, 0)); }
PyObject* changed(PyObject*, PyObject*) { return PyLong_FromLong(std::exchange(changes, 0)); }
PyObject* version(PyObject*, PyObject*) {
  return PyLong_FromUnsignedLongLong(*monitoring_version_address());
}
PyObject* own_register(PyObject*, PyObject*) {
  const OwnRegistration own;
  PyObject* monitoring = PySys_GetObject("monitoring");
  return PyObject_CallMethod(monitoring, "register_callback", "iiO", 3, 1, Py_None);
}

PyMethodDef g_methods[] = {{"active", active, METH_NOARGS, nullptr},
                           {"local", local, METH_O, nullptr},
                           {"inside", inside, METH_NOARGS, nullptr},
                           {"audited", audited, METH_NOARGS, nullptr},
                           {"changed", changed, METH_NOARGS, nullptr},
                           {"version", version, METH_NOARGS, nullptr},
                           {"own_register", own_register, METH_NOARGS, nullptr},
                           {nullptr, nullptr, 0, nullptr}};

TEST(Tracing, SeesEveryKindOfTracer) {
  testing::add_to_probe(g_methods);
  ASSERT_TRUE(watch_tracing([] { ++calls; }).ok());
  ASSERT_TRUE(watch_tracing([] { ++calls; }).ok());  // no second hook
  ASSERT_TRUE(watch_tools([] { ++changes; }).ok());
  ASSERT_TRUE(watch_tools([] { ++changes; }).ok());  // not followed twice
  EXPECT_TRUE(testing::run_script("tracing_check.py"));
  EXPECT_TRUE(watch_tracing(nullptr).ok());
}

}  // namespace
}  // namespace splice::cpy
