#include "cpy/foreign_buffer.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "cpy/testing/probe.h"

namespace splice::cpy {
namespace {

/// What the object `hostile` says of its memory, true or not.
struct Claims {
  Py_buffer buffer{};
  std::vector<Py_ssize_t> shape, strides, suboffsets;
  std::string format;
  int result = 0;
  bool is_owned = true;
  PyObject* raises = nullptr;             ///< set as an exception, borrowed
  PyObject* raises_at_release = nullptr;  ///< the same
};

Claims g_claims;
Py_ssize_t g_exports = 0;  // not released yet

int get_buffer(PyObject* self, Py_buffer* out, int flags) {
  const PyObject* wanted = self;
  EXPECT_EQ(flags, PyBUF_FULL_RO);
  EXPECT_FALSE(PyErr_Occurred());
  *out = g_claims.buffer;
  out->obj = g_claims.is_owned ? Py_NewRef(wanted) : nullptr;
  if (g_claims.result == 0 && g_claims.is_owned) ++g_exports;
  // Its reference, if it fails, is nobody's.
  if (g_claims.result != 0 && g_claims.is_owned) Py_DECREF(wanted);
  if (g_claims.raises != nullptr) PyErr_SetString(g_claims.raises, "by its exporter");
  return g_claims.result;
}

void release_buffer(PyObject*, Py_buffer*) {
  EXPECT_FALSE(PyErr_Occurred());
  --g_exports;
  if (g_claims.raises_at_release != nullptr)
    PyErr_SetString(g_claims.raises_at_release, "by its exporter, when released");
}

PyObject* new_hostile() {
  static PyType_Slot slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(get_buffer)},
                                {Py_bf_releasebuffer, reinterpret_cast<void*>(release_buffer)},
                                {0, nullptr}};
  static PyType_Spec spec = {"probe.Hostile", sizeof(PyObject), 0, Py_TPFLAGS_DEFAULT, slots};
  PyObject* type = PyType_FromSpec(&spec);
  PyObject* made = type != nullptr ? PyObject_CallNoArgs(type) : nullptr;
  Py_XDECREF(type);
  return made;
}

/// None, or integers of a tuple.
Py_ssize_t* numbers(PyObject* tuple, std::vector<Py_ssize_t>& out) {
  out.clear();
  if (tuple == Py_None) return nullptr;
  for (Py_ssize_t i = 0; i < PyTuple_Size(tuple); ++i)
    out.push_back(PyLong_AsSsize_t(PyTuple_GetItem(tuple, i)));
  return out.data();
}

PyObject* none_is_null(PyObject* o) { return o == Py_None ? nullptr : o; }

/// claim(address, len, itemsize, readonly, ndim, shape, strides, suboffsets, format, result, owned,
/// raises, raises_at_release): what `hostile` answers from now on.
PyObject* claim(PyObject*, PyObject* args) {
  Py_ssize_t address = 0;
  const char* format = nullptr;
  PyObject *shape = nullptr, *strides = nullptr, *suboffsets = nullptr, *raises = nullptr;
  PyObject* raises_at_release = nullptr;
  int is_owned = 1;
  Claims& all = g_claims;
  if (!PyArg_ParseTuple(args, "nnniiOOOzipOO", &address, &all.buffer.len, &all.buffer.itemsize,
                        &all.buffer.readonly, &all.buffer.ndim, &shape, &strides, &suboffsets,
                        &format, &all.result, &is_owned, &raises, &raises_at_release))
    return nullptr;
  all.buffer.buf = reinterpret_cast<void*>(address);
  all.buffer.shape = numbers(shape, all.shape);
  all.buffer.strides = numbers(strides, all.strides);
  all.buffer.suboffsets = numbers(suboffsets, all.suboffsets);
  all.format = format != nullptr ? format : "";
  all.buffer.format = format != nullptr ? all.format.data() : nullptr;
  all.is_owned = is_owned != 0;
  all.raises = none_is_null(raises);
  all.raises_at_release = none_is_null(raises_at_release);
  if (PyErr_Occurred()) return nullptr;
  Py_RETURN_NONE;
}

PyObject* exports(PyObject*, PyObject*) { return PyLong_FromSsize_t(g_exports); }

PyObject* tuple_of(const std::int64_t* values, std::size_t n) {
  PyObject* made = PyTuple_New(static_cast<Py_ssize_t>(n));
  for (std::size_t i = 0; made != nullptr && i < n; ++i)
    PyTuple_SET_ITEM(made, i, PyLong_FromLongLong(values[i]));
  return made;
}

PyObject* told(const ForeignBuffer& buffer) {
  const mem::BufferView& view = buffer.view();
  return Py_BuildValue(
      "(KsONNns)", reinterpret_cast<unsigned long long>(view.data), mem::name_of(view.element),
      view.is_readonly ? Py_True : Py_False, tuple_of(view.lengths.data(), view.rank),
      tuple_of(view.strides.data(), view.rank), view.count, std::string(buffer.format()).c_str());
}

constexpr const char* kHeld = "probe.held";

ForeignBuffer* held(PyObject* capsule) {
  return static_cast<ForeignBuffer*>(PyCapsule_GetPointer(capsule, kHeld));
}

/// A capsule that holds the object's memory.
PyObject* hold(PyObject*, PyObject* exporter) {
  auto buffer = std::make_unique<ForeignBuffer>(exporter);
  EXPECT_EQ(static_cast<bool>(*buffer), PyErr_Occurred() == nullptr);
  if (!*buffer) return nullptr;
  return PyCapsule_New(buffer.release(), kHeld, [](PyObject* capsule) {
    delete held(capsule);
    EXPECT_FALSE(PyErr_Occurred());
  });
}

/// address, element, is it read-only, lengths, strides, number of elements, format.
PyObject* look(PyObject*, PyObject* capsule) { return told(*held(capsule)); }

/// Drops what is held while `exception` is on its way; True when it still is afterwards.
PyObject* drop_raising(PyObject*, PyObject* args) {
  PyObject* capsule = nullptr;
  PyObject* exception = nullptr;
  if (!PyArg_ParseTuple(args, "OO", &capsule, &exception)) return nullptr;
  PyErr_SetNone(exception);
  delete held(capsule);
  PyCapsule_SetDestructor(capsule, nullptr);
  const bool is_same = PyErr_ExceptionMatches(exception) != 0;
  PyErr_Clear();
  return PyBool_FromLong(is_same);
}

PyMethodDef g_methods[] = {{"claim", claim, METH_VARARGS, nullptr},
                           {"exports", exports, METH_NOARGS, nullptr},
                           {"hold", hold, METH_O, nullptr},
                           {"look", look, METH_O, nullptr},
                           {"drop_raising", drop_raising, METH_VARARGS, nullptr},
                           {nullptr, nullptr, 0, nullptr}};

TEST(ForeignBuffer, EveryExporter) {
  testing::add_to_probe(g_methods);
  PyObject* hostile = new_hostile();
  ASSERT_NE(hostile, nullptr);
  ASSERT_EQ(PyModule_AddObjectRef(PyImport_AddModule("probe"), "hostile", hostile), 0);
  Py_DECREF(hostile);
  EXPECT_TRUE(testing::run_script("foreign_buffer_check.py"));
  EXPECT_EQ(g_exports, 0);
}

}  // namespace
}  // namespace splice::cpy
