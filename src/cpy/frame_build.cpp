// First: it needs to be the one that includes Python.h.
#include "cpy/interpreter.h"

#include "cpy/frame_build.h"

#include <algorithm>
#include <utility>

namespace splice::cpy {

#if SPLICE_KNOWN_INTERPRETER

namespace {

// As in CPython's pystate.c, which does not export the function that adds a chunk.
constexpr std::size_t kChunkBytes = 16 * 1024;
constexpr std::size_t kChunkOverhead = 1000;

PyObject** add_chunk(PyThreadState* ts, std::size_t slots) {
  std::size_t bytes = kChunkBytes;
  while (bytes < sizeof(PyObject*) * (slots + kChunkOverhead)) {
    bytes *= 2;
  }
  PyObjectArenaAllocator arenas;  // what _PyThreadState_PopFrame gives chunks back to
  PyObject_GetArenaAllocator(&arenas);
  auto* chunk = static_cast<_PyStackChunk*>(arenas.alloc(arenas.ctx, bytes));
  if (chunk == nullptr) {
    PyErr_NoMemory();
    return nullptr;
  }
  chunk->previous = ts->datastack_chunk;
  chunk->size = bytes;
  chunk->top = 0;
  if (ts->datastack_chunk != nullptr) {
    ts->datastack_chunk->top =
        static_cast<std::size_t>(ts->datastack_top - &ts->datastack_chunk->data[0]);
  }
  ts->datastack_chunk = chunk;
  ts->datastack_limit = reinterpret_cast<PyObject**>(reinterpret_cast<char*>(chunk) + bytes);
  // The first chunk of a thread is never freed: its first slot stays free, so that no frame begins
  // at the chunk's start, which is the sign to free it.
  PyObject** frame = &chunk->data[chunk->previous == nullptr ? 1 : 0];
  ts->datastack_top = frame + slots;
  return frame;
}

void fill(Frame* frame, FrameRecord& record) {
  PyObject** slot = std::copy(record.locals.begin(), record.locals.end(), frame->localsplus);
  slot = std::copy(record.stack.begin(), record.stack.end(), slot);
  frame->stacktop = static_cast<int>(slot - frame->localsplus);
  record.locals.clear();
  record.stack.clear();
}

/// A number of the exception table: six bits a byte, the highest group first.
std::ptrdiff_t read_number(const unsigned char*& at) {
  std::ptrdiff_t value = *at & 63;
  while ((*at++ & 64) != 0) {
    value = value << 6 | (*at & 63);
  }
  return value;
}

/// Where in the exception table the entry of a code unit is; -1: it has none.
std::ptrdiff_t handler_of(PyCodeObject* code, std::ptrdiff_t unit) {
  const auto* begin =
      reinterpret_cast<const unsigned char*>(PyBytes_AS_STRING(code->co_exceptiontable));
  const auto* end = begin + PyBytes_GET_SIZE(code->co_exceptiontable);
  for (const auto* at = begin; at < end;) {
    const std::ptrdiff_t entry = at - begin;
    const std::ptrdiff_t start = read_number(at);
    const std::ptrdiff_t size = read_number(at);
    read_number(at);  // the handler
    read_number(at);  // depth, and whether it wants to know the instruction
    if (start <= unit && unit < start + size) {
      return entry;
    }
  }
  return -1;
}

}  // namespace

Frame* push_frame(PyThreadState* ts, FrameRecord& record, Entry entry) {
  PyCodeObject* code = record.code;
  const auto slots = static_cast<std::size_t>(code->co_framesize);
  PyObject** place = nullptr;
  if (_PyThreadState_HasStackSpace(ts, code->co_framesize)) {
    place = std::exchange(ts->datastack_top, ts->datastack_top + slots);
  } else {
    place = add_chunk(ts, slots);
    if (place == nullptr) {
      return nullptr;
    }
  }
  auto* frame = reinterpret_cast<Frame*>(place);
  // Takes the reference to the function; takes one of its own to the code.
  _PyFrame_Initialize(frame, std::exchange(record.function, nullptr), nullptr, code,
                      code->co_nlocalsplus);
  fill(frame, record);
  const std::ptrdiff_t unit = record.offset / 2;
  if (entry == Entry::kRaise) {
    set_raise_point(frame, code, unit, handler_of(code, unit) == handler_of(code, unit - 1));
  } else {
    set_entry_point(frame, code, unit);
  }
  Py_DECREF(std::exchange(record.code, nullptr));
  return frame;
}

void become_frame(Frame* frame, FrameRecord& record) {
  PyCodeObject* old_code = frame_code(frame);
  PyObject* old_function = frame->f_funcobj;
  std::vector<PyObject*> old_locals(frame->localsplus, frame->localsplus + frame->stacktop);

  PyCodeObject* code = std::exchange(record.code, nullptr);
  PyFunctionObject* function = std::exchange(record.function, nullptr);
  set_frame_code(frame, code);
  frame->f_funcobj = reinterpret_cast<PyObject*>(function);
  frame->f_globals = function->func_globals;
  frame->f_builtins = function->func_builtins;
  fill(frame, record);
  set_jump_target(frame, code, record.offset / 2);

  for (PyObject* object : old_locals) {
    Py_XDECREF(object);
  }
  Py_DECREF(old_function);
  Py_DECREF(reinterpret_cast<PyObject*>(old_code));
}

#endif  // SPLICE_KNOWN_INTERPRETER

}  // namespace splice::cpy
