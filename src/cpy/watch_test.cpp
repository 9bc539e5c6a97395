#include "cpy/watch.h"

#include <gtest/gtest.h>

#include <utility>

#include "cpy/testing/probe.h"
#include "cpy/thread_context.h"

namespace splice::cpy {
namespace {

PyObject* g_fired = nullptr;  // list of the tokens that were called

void* token_of(PyObject* number) { return PyLong_AsVoidPtr(number); }

PyObject* answer(const Status& status) {
  return status.ok() ? Py_NewRef(Py_None)
                     : PyErr_Format(PyExc_ValueError, "%s", status.message().c_str());
}

PyObject* dict_key(PyObject*, PyObject* args) {
  PyObject *dict, *key, *token;
  if (!PyArg_ParseTuple(args, "OOO", &dict, &key, &token)) {
    return nullptr;
  }
  return answer(watch_dict_key(dict, key == Py_None ? nullptr : key, token_of(token)));
}
template <Status (*watch)(PyObject*, void*)>
PyObject* one(PyObject*, PyObject* args) {
  PyObject *object, *token;
  if (!PyArg_ParseTuple(args, "OO", &object, &token)) {
    return nullptr;
  }
  return answer(watch(object, token_of(token)));
}
PyObject* stop(PyObject*, PyObject* token) {
  unwatch(token_of(token));
  Py_RETURN_NONE;
}
/// Tokens called since the last time, sorted.
PyObject* fired(PyObject*, PyObject*) {
  PyObject* list = std::exchange(g_fired, PyList_New(0));
  PyList_Sort(list);
  return list;
}
PyObject* count(PyObject*, PyObject*) { return PyLong_FromSize_t(watch_count()); }
PyObject* epoch(PyObject*, PyObject*) { return PyLong_FromUnsignedLongLong(current_epoch()); }

PyMethodDef g_methods[] = {{"watch_dict_key", dict_key, METH_VARARGS, nullptr},
                           {"watch_function", one<watch_function>, METH_VARARGS, nullptr},
                           {"watch_type", one<watch_type>, METH_VARARGS, nullptr},
                           {"watch_code", one<watch_code>, METH_VARARGS, nullptr},
                           {"unwatch", stop, METH_O, nullptr},
                           {"fired", fired, METH_NOARGS, nullptr},
                           {"watch_count", count, METH_NOARGS, nullptr},
                           {"epoch", epoch, METH_NOARGS, nullptr},
                           {nullptr, nullptr, 0, nullptr}};

TEST(Watch, CallsBackBeforeTheChange) {
  testing::add_to_probe(g_methods);
  g_fired = PyList_New(0);
  ASSERT_TRUE(init_watchers().ok());
  ASSERT_TRUE(init_watchers().ok());
  set_watch_callback([](void* token) {
    EXPECT_FALSE(PyErr_Occurred());
    PyObject* number = PyLong_FromVoidPtr(token);
    PyList_Append(g_fired, number);
    Py_DECREF(number);
    unwatch(token);  // as the engine does
  });
  EXPECT_TRUE(testing::run_script("watch_check.py"));
  set_watch_callback(nullptr);
  EXPECT_EQ(watch_count(), 0u);
  Py_CLEAR(g_fired);
}

}  // namespace
}  // namespace splice::cpy
