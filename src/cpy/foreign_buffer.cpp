// cpy/foreign_buffer.cpp
#include "cpy/foreign_buffer.h"

#include <string>

#include "cpy/numpy.h"
#include "mem/element_format.h"

namespace splice::cpy {

namespace {

/// The view that an exporter describes. Sizes of the protocol are Py_ssize_t, which is an int64.
Result<mem::BufferView> checked_view(const Py_buffer& buffer) {
  static_assert(sizeof(Py_ssize_t) == sizeof(std::int64_t));
  if (buffer.ndim < 0) return invalid_argument(std::to_string(buffer.ndim) + " dimensions");
  const auto rank = static_cast<std::size_t>(buffer.ndim);
  if (rank != 0 && buffer.shape == nullptr) return invalid_argument("dimensions without lengths");
  // Asked for by FORMAT: nothing means bytes.
  const Result<mem::ElementType> element =
      mem::element_of_format(buffer.format != nullptr ? buffer.format : "B");
  if (!element.ok()) return element.status();
  mem::ForeignLayout claimed;
  claimed.data = buffer.buf;
  claimed.element = *element;
  claimed.is_readonly = buffer.readonly != 0;
  claimed.item_size = buffer.itemsize;
  claimed.size = buffer.len;
  claimed.lengths = {buffer.shape, rank};
  // ctypes leaves them out.
  if (buffer.strides != nullptr) claimed.strides = {buffer.strides, rank};
  Result<mem::BufferView> view = mem::view_of(claimed);
  // Negative ones stand for none.
  for (std::size_t i = 0; view.ok() && buffer.suboffsets != nullptr && i < rank; ++i)
    if (buffer.suboffsets[i] >= 0)
      return unsupported("suboffset[" + std::to_string(i) + "]: elements behind pointers");
  return view;
}

void raise(PyObject* type, PyObject* exporter, const char* message) {
  PyErr_Format(type, "buffer of '%.100s': %s", Py_TYPE(exporter)->tp_name, message);
}

}  // namespace

ForeignBuffer::ForeignBuffer(PyObject* exporter) { open(exporter); }

void ForeignBuffer::open(PyObject* exporter) {
  if (const auto view = view_of_array(exporter)) {
    view_ = *view;
    array_ = Py_NewRef(exporter);
    return;
  }
  if (!PyObject_CheckBuffer(exporter)) {
    PyErr_Format(PyExc_TypeError, "'%.100s' is no buffer", Py_TYPE(exporter)->tp_name);
    return;
  }
  const bool is_exported = PyObject_GetBuffer(exporter, &buffer_, PyBUF_FULL_RO) == 0;
  if (!is_exported) buffer_.obj = nullptr;  // has no reference, whatever it was left at
  if (PyErr_Occurred()) return release();
  if (!is_exported) return raise(PyExc_BufferError, exporter, "refused without an exception");
  if (buffer_.obj == nullptr) return raise(PyExc_BufferError, exporter, "nobody keeps its memory");
  const Result<mem::BufferView> view = checked_view(buffer_);
  if (view.ok()) {
    view_ = *view;
    return;
  }
  release();
  raise(view.status().code() == ErrorCode::kInvalidArgument ? PyExc_BufferError : PyExc_ValueError,
        exporter, view.status().message().c_str());
}

void ForeignBuffer::release() {
  // Exporters may run Python code here, which must not see an exception that is on its way.
  PyObject* pending = PyErr_GetRaisedException();
  PyBuffer_Release(&buffer_);
  Py_CLEAR(array_);
  PyErr_SetRaisedException(pending);  // releasing cannot fail: drops what was left
}

}  // namespace splice::cpy
