#include "cpy/lost.h"

namespace splice::cpy {

namespace {

PyObject* no_memory(PyObject*) { return PyErr_NoMemory(); }
PyObject* no_memory(PyObject*, PyObject*) { return PyErr_NoMemory(); }
PyObject* no_memory(PyObject*, PyObject*, PyObject*) { return PyErr_NoMemory(); }
PyObject* no_memory_to_compare(PyObject*, PyObject*, int) { return PyErr_NoMemory(); }

template <class... Arguments>
int no_memory_for(Arguments...) {
  PyErr_NoMemory();
  return -1;
}

Py_hash_t no_memory_to_hash(PyObject*) { return no_memory_for(); }
Py_ssize_t no_memory_to_count(PyObject*) { return no_memory_for(); }

PyNumberMethods make_number_methods() {
  PyNumberMethods m{};
  for (binaryfunc* slot : {&m.nb_add, &m.nb_subtract, &m.nb_multiply, &m.nb_remainder, &m.nb_divmod,
                           &m.nb_lshift, &m.nb_rshift, &m.nb_and, &m.nb_xor, &m.nb_or,
                           &m.nb_floor_divide, &m.nb_true_divide, &m.nb_matrix_multiply}) {
    *slot = no_memory;
  }
  for (unaryfunc* slot : {&m.nb_negative, &m.nb_positive, &m.nb_absolute, &m.nb_invert, &m.nb_int,
                          &m.nb_float, &m.nb_index}) {
    *slot = no_memory;
  }
  m.nb_power = no_memory;
  m.nb_bool = no_memory_for;
  return m;
}

PyNumberMethods g_number = make_number_methods();
PySequenceMethods make_sequence_methods() {
  PySequenceMethods m{};
  m.sq_length = no_memory_to_count;
  m.sq_contains = no_memory_for;
  return m;
}

PySequenceMethods g_sequence = make_sequence_methods();
PyMappingMethods g_mapping = {no_memory_to_count, no_memory, no_memory_for};

PyTypeObject make_type() {
  PyTypeObject type{};
  Py_SET_REFCNT(&type, 1);
  type.tp_name = "splice.LostObject";
  type.tp_doc = PyDoc_STR("What stands for an object for which there was no memory.");
  type.tp_basicsize = sizeof(PyListObject);
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE;
  type.tp_repr = type.tp_str = type.tp_iter = type.tp_iternext = no_memory;
  type.tp_hash = no_memory_to_hash;
  type.tp_call = no_memory;
  type.tp_getattro = no_memory;
  type.tp_setattro = no_memory_for;
  type.tp_richcompare = no_memory_to_compare;
  type.tp_as_number = &g_number;
  type.tp_as_sequence = &g_sequence;
  type.tp_as_mapping = &g_mapping;
  return type;
}

PyTypeObject g_type = make_type();

// A list to instructions that take one for granted: so full that it cannot grow.
constexpr Py_ssize_t kFull = PY_SSIZE_T_MAX / static_cast<Py_ssize_t>(sizeof(PyObject*));
PyObject* g_no_item = nullptr;
PyListObject g_lost{};

}  // namespace

Status init_lost() {
  if (Py_TYPE(reinterpret_cast<PyObject*>(&g_lost)) != nullptr) {
    return {};
  }
  if (PyType_Ready(&g_type) < 0) {
    PyErr_Clear();
    return unsupported("the type of lost objects cannot be made");
  }
  auto* object = reinterpret_cast<PyObject*>(&g_lost);
  Py_SET_TYPE(object, &g_type);
  Py_SET_REFCNT(object, _Py_IMMORTAL_REFCNT);
  Py_SET_SIZE(reinterpret_cast<PyVarObject*>(&g_lost), kFull);
  g_lost.allocated = kFull;
  g_lost.ob_item = &g_no_item;
  return {};
}

PyObject* lost_object() { return reinterpret_cast<PyObject*>(&g_lost); }

}  // namespace splice::cpy
