// cpy/foreign_buffer.h: the memory of Python objects, the one way in which it enters.
#pragma once

#include <Python.h>

#include <string_view>

#include "mem/buffer_view.h"

namespace splice::cpy {

/// Holds the memory of an object while it lives: of an exact, aligned ndarray in native byte order
/// by its own fields, of anything else by the buffer protocol (PEP 3118). Either is checked as a
/// whole, so that a view is one of mem/buffer_view.h. Cannot be moved: exporters keep pointers into
/// the Py_buffer.
///
/// Made and destroyed with the GIL held; both may run Python code of the exporter.
class ForeignBuffer {
 public:
  /// Without a view where the object's memory cannot be used; then an exception is set. TypeError:
  /// it is no buffer. BufferError: its claims cannot be true. ValueError: they can, but elements or
  /// layout are none of Splice's. Anything: its exporter raised that.
  explicit ForeignBuffer(PyObject* exporter);
  ~ForeignBuffer() { release(); }
  ForeignBuffer(const ForeignBuffer&) = delete;
  ForeignBuffer& operator=(const ForeignBuffer&) = delete;

  /// Whether there is a view.
  explicit operator bool() const { return array_ != nullptr || buffer_.obj != nullptr; }
  const mem::BufferView& view() const { return view_; }
  /// What the exporter calls its elements; of an ndarray read by its fields: nothing.
  std::string_view format() const { return buffer_.format != nullptr ? buffer_.format : ""; }

 private:
  void open(PyObject* exporter);
  void release();

  PyObject* array_ = nullptr;  ///< owned; the object, where it is such an ndarray
  Py_buffer buffer_{};
  mem::BufferView view_;
};

}  // namespace splice::cpy
