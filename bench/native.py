"""C contenders: compiled at bench time into an extension module, called with METH_FASTCALL.

The flags are those that a person would use who wants the best for this machine and the same floats
as CPython: -O3 -march=native, no contraction, no -ffast-math.
"""

from __future__ import annotations

import hashlib
import importlib.machinery
import importlib.util
import os
import shlex
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from types import ModuleType

from bench.report import OUTPUT

FLAGS = ("-O3", "-march=native", "-ffp-contract=off", "-fwrapv", "-fPIC", "-shared", "-w")

PRELUDE = r"""
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <complex.h>

static inline int64_t floor_div(int64_t a, int64_t b) {
  int64_t q = a / b;
  return q - ((a % b != 0) & ((a ^ b) < 0));
}
static inline int64_t floor_mod(int64_t a, int64_t b) {
  int64_t r = a % b;
  return r + ((r != 0 & ((r ^ b) < 0)) ? b : 0);
}
/* Items of lists, read as fast as public API allows: no error check for exact, compact ints. */
static inline int64_t as_int(PyObject* o) {
  return PyUnstable_Long_IsCompact((PyLongObject*)o)
             ? PyUnstable_Long_CompactValue((PyLongObject*)o)
             : PyLong_AsLongLong(o);
}
static inline double as_float(PyObject* o) { return PyFloat_AS_DOUBLE(o); }
static inline PyObject* item(PyObject* list, int64_t i) { return PyList_GET_ITEM(list, i); }
static inline void set_item(PyObject* list, int64_t i, PyObject* value) {
  PyObject* old = PyList_GET_ITEM(list, i);
  PyList_SET_ITEM(list, i, value);
  Py_DECREF(old);
}
static inline PyObject* filled(int64_t n, PyObject* value) {
  PyObject* list = PyList_New(n);
  for (int64_t i = 0; i < n; i++) PyList_SET_ITEM(list, i, Py_NewRef(value));
  Py_DECREF(value);
  return list;
}
/* The elements of an array, which is contiguous and outlives the call. */
static inline void* elements(PyObject* array) {
  Py_buffer view;
  if (PyObject_GetBuffer(array, &view, PyBUF_SIMPLE) < 0) return NULL;
  void* data = view.buf;
  PyBuffer_Release(&view);
  return data;
}
#define INT PyLong_FromLongLong
#define FLOAT PyFloat_FromDouble
"""

_UNBOX = {
    "int": ("int64_t", "PyLong_AsLongLong(args[{i}])"),
    "float": ("double", "PyFloat_AsDouble(args[{i}])"),
    "object": ("PyObject*", "args[{i}]"),
    "float64[]": ("double*", "elements(args[{i}])"),
    "int64[]": ("int64_t*", "elements(args[{i}])"),
    "int8[]": ("int8_t*", "elements(args[{i}])"),
    "uint8[]": ("uint8_t*", "elements(args[{i}])"),
    "uint32[]": ("uint32_t*", "elements(args[{i}])"),
}
_BOX = {
    "int": "PyLong_FromLongLong({call})",
    "float": "PyFloat_FromDouble({call})",
    "bool": "PyBool_FromLong({call})",
    "object": "{call}",
}


def build_function(source: str, name: str, result: str, args: Sequence[str]) -> object:
    """Compile `source` and return its C function `name` as a Python callable.

    `result` and `args` are of "int", "float", "bool" (result only), "object", and arguments
    "float64[]", "int64[]", "int8[]", "uint8[]", "uint32[]": arrays, of which C gets the elements. A function on objects gets
    borrowed references and returns a new one.
    """
    unbox = "".join(
        f"  {_UNBOX[kind][0]} a{i} = {_UNBOX[kind][1].format(i=i)};\n"
        for i, kind in enumerate(args)
    )
    call = f"{name}({', '.join(f'a{i}' for i in range(len(args)))})"
    wrapper = f"""
static PyObject* entry(PyObject* module, PyObject* const* args, Py_ssize_t count) {{
  if (count != {len(args)}) {{
    PyErr_SetString(PyExc_TypeError, "{name} takes {len(args)} arguments");
    return NULL;
  }}
{unbox}  if (PyErr_Occurred()) return NULL;
  return {_BOX[result].format(call=call)};
}}
"""
    methods = [(name, "entry", "METH_FASTCALL")]
    return getattr(build_module(PRELUDE + source + wrapper, methods), name)


def build_module(
    source: str, methods: Sequence[tuple[str, str, str]], includes: Sequence[str] = ()
) -> ModuleType:
    """Compile C text into an extension module with `methods`: (Python name, C name, flags).

    `includes` are folders of headers, besides Python's. Kept under `.build/bench/c` by content, so a second run compiles nothing.
    """
    folders = [f"-I{folder}" for folder in (sysconfig.get_path("include"), *includes)]
    command = [*shlex.split(os.environ.get("CC", "cc")), *FLAGS, *folders]
    rows = "".join(f'  {{"{p}", (PyCFunction)(void*){c}, {f}, NULL}},\n' for p, c, f in methods)
    body = source + f"\nstatic PyMethodDef methods[] = {{\n{rows}  {{NULL}}\n}};\n"
    key = hashlib.sha256((body + " ".join(command) + sys.version).encode()).hexdigest()[:16]
    module_name = f"bench_c_{key}"
    body += f"""
static struct PyModuleDef definition = {{
  PyModuleDef_HEAD_INIT, "{module_name}", NULL, -1, methods}};
PyMODINIT_FUNC PyInit_{module_name}(void) {{ return PyModule_Create(&definition); }}
"""
    folder = OUTPUT / "c"
    folder.mkdir(parents=True, exist_ok=True)
    library = folder / f"{module_name}.so"
    if not library.exists():
        text = folder / f"{module_name}.c"
        text.write_text(body)
        partial = folder / f"{module_name}.{os.getpid()}.tmp"
        subprocess.run([*command, str(text), "-o", str(partial), "-lm"], check=True)
        partial.replace(library)
    loader = importlib.machinery.ExtensionFileLoader(module_name, str(library))
    spec = importlib.util.spec_from_loader(module_name, loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module
