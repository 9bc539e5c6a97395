// First: it needs to be the one that includes Python.h.
#include "cpy/interpreter.h"

// Takes the frames of a running Python call away, as native code that leaves would hand them over:
// an INSTRUCTION event at the n-th step moves everything out of the frames and jumps over them back
// to where the call was made.
#include <csetjmp>
#include <cstring>
#include <utility>
#include <vector>

#include "cpy/call_site.h"
#include "cpy/frames.h"
#include "cpy/testing/capture.h"
#include "cpy/testing/probe.h"

namespace splice::cpy::testing {

namespace {

/// What the thread state was when the call was made.
struct ThreadImage {
  Frame* frame;
#if PY_VERSION_HEX < 0x030D0000
  _PyCFrame* cframe;
#endif
  int py_recursion, c_recursion, tracing, what_event;
  _PyErr_StackItem* exc_info;
  _PyStackChunk* chunk;
  PyObject** top;
  PyObject** limit;
};

struct Capture {
  bool armed = false;
  long step = 0;
  long target = -1;
  bool raises = false;         ///< at the target, instead of being taken
  PyObject* tables = nullptr;  ///< code -> (resume units as bytes of int32, depths likewise)
  ThreadImage image;
  std::jmp_buf back;
  std::vector<FrameRecord>* records = nullptr;
  PyObject* handled = nullptr;  ///< exception being handled at the point
  const char* skipped = nullptr;
};
Capture g_capture;

ThreadImage take_image(PyThreadState* ts) {
  ThreadImage image;
  image.frame = current_frame(ts);
#if PY_VERSION_HEX < 0x030D0000
  image.cframe = ts->cframe;
#endif
  image.py_recursion = ts->py_recursion_remaining;
  image.c_recursion = ts->c_recursion_remaining;
  image.tracing = ts->tracing;
  image.what_event = ts->what_event;
  image.exc_info = ts->exc_info;
  image.chunk = ts->datastack_chunk;
  image.top = ts->datastack_top;
  image.limit = ts->datastack_limit;
  return image;
}

void restore(PyThreadState* ts, const ThreadImage& image) {
#if PY_VERSION_HEX < 0x030D0000
  ts->cframe = image.cframe;
#endif
  current_frame(ts) = image.frame;
  ts->py_recursion_remaining = image.py_recursion;
  ts->c_recursion_remaining = image.c_recursion;
  ts->tracing = image.tracing;
  ts->what_event = image.what_event;
  ts->exc_info = image.exc_info;
  ts->datastack_chunk = image.chunk;
  ts->datastack_top = image.top;
  ts->datastack_limit = image.limit;
}

const std::int32_t* table_of(PyCodeObject* code, int which) {
  PyObject* pair = PyDict_GetItemWithError(g_capture.tables, reinterpret_cast<PyObject*>(code));
  if (pair == nullptr) {
    return nullptr;
  }
  return reinterpret_cast<const std::int32_t*>(PyBytes_AS_STRING(PyTuple_GET_ITEM(pair, which)));
}

/// Can this frame be taken? Sets `skipped` when not.
bool takeable(Frame* frame, bool innermost, std::int32_t* unit, int* depth) {
  PyCodeObject* code = frame_code(frame);
  const std::int32_t* resume = table_of(code, 0);
  const std::int32_t* depths = table_of(code, 1);
  if (resume == nullptr) {
    g_capture.skipped = "a frame of other code";
    return false;
  }
  if (frame->frame_obj != nullptr && Py_REFCNT(frame->frame_obj) > 1) {
    g_capture.skipped = "somebody holds the frame object";
    return false;
  }
  if (!innermost) {
    *unit = resume[frame_instr(frame) - _PyCode_CODE(code)];
    *depth = frame->stacktop - code->co_nlocalsplus;
    if (!is_call_site(code, 2 * *unit)) {
      g_capture.skipped = "not at a call";
      return false;
    }
    return true;
  }
  *depth = depths[*unit];
  *unit = resume[*unit];
  if (*depth < 0) {
    g_capture.skipped = "unknown depth";
    return false;
  }
  return true;
}

FrameRecord take(Frame* frame, std::int32_t unit, int depth, bool innermost) {
  FrameRecord record;
  PyCodeObject* code = frame_code(frame);
  record.code = code;
  record.function = reinterpret_cast<PyFunctionObject*>(frame->f_funcobj);
  record.offset = 2 * unit;
  PyObject** stack = frame->localsplus + code->co_nlocalsplus;
  record.locals.assign(frame->localsplus, stack);
  record.stack.assign(stack, stack + depth);
  if (!innermost) {
    // The call has taken its operands.
    const CallSite site = call_site_at(code, record.offset);
    for (int i = 0; i < site.operands; ++i) {
      record.stack.push_back(Py_NewRef(Py_None));
    }
    if (site.kind == CallSite::Kind::kCallKw) {
      record.stack.back() = PyTuple_New(0);
    }
  }
  Py_CLEAR(frame->f_locals);  // 3.12: what somebody last saw of the variables
  Py_XDECREF(reinterpret_cast<PyObject*>(std::exchange(frame->frame_obj, nullptr)));
  return record;
}

PyObject* on_instruction(PyObject*, PyObject* const* args, Py_ssize_t) {
  Capture& c = g_capture;
  if (!c.armed || c.step++ != c.target) {
    Py_RETURN_NONE;
  }
  c.armed = false;
  if (c.raises) {
    PyErr_SetNone(PyExc_MemoryError);  // a new one, while PyErr_NoMemory() may give one again
    return nullptr;
  }
  PyThreadState* ts = PyThreadState_Get();
  std::int32_t unit = static_cast<std::int32_t>(PyLong_AsLong(args[1])) / 2;
  struct Place {
    Frame* frame;
    std::int32_t unit;
    int depth;
  };
  static std::vector<Place> places;
  places.clear();
  for (Frame* f = current_frame(ts);; f = f->previous) {
    if (is_c_stack_frame(f)) {
      if (f->previous != c.image.frame) {
        c.skipped = "C code between the frames";
        Py_RETURN_NONE;
      }
      break;
    }
    Place place{f, unit, 0};
    if (!takeable(f, places.empty(), &place.unit, &place.depth)) {
      Py_RETURN_NONE;
    }
    places.push_back(place);
  }
  for (std::size_t i = places.size(); i-- > 0;) {
    c.records->push_back(take(places[i].frame, places[i].unit, places[i].depth, i == 0));
  }
  c.handled = Py_XNewRef(ts->exc_info->exc_value);
  std::longjmp(c.back, 1);
}

PyObject* run_captured(PyObject* function, PyObject* args) {
  // volatile-free on purpose: nothing in this frame changes between setjmp and longjmp.
  if (setjmp(g_capture.back) == 0) {
    return PyObject_Call(function, args, nullptr);
  }
  return nullptr;
}

std::vector<FrameRecord>* records_of(PyObject* capsule) {
  return static_cast<std::vector<FrameRecord>*>(PyCapsule_GetPointer(capsule, "records"));
}

// last_capture() -> (steps, why nothing could be taken or None).
PyObject* last_capture(PyObject*, PyObject*) {
  return Py_BuildValue("(lz)", g_capture.step, g_capture.skipped);
}

// capture(function, args, tables, target, raises=False) -> (records, handled), or None when the
// call ended by itself. Its exception passes through. With `raises` the target raises MemoryError.
PyObject* capture(PyObject*, PyObject* args) {
  PyObject* function;
  PyObject* call_args;
  PyObject* tables;
  long target;
  int raises = 0;
  if (!PyArg_ParseTuple(args, "OO!O!l|p", &function, &PyTuple_Type, &call_args, &PyDict_Type,
                        &tables, &target, &raises)) {
    return nullptr;
  }
  PyThreadState* ts = PyThreadState_Get();
  Capture& c = g_capture;
  c = Capture{};
  c.tables = tables;
  c.target = target;
  c.raises = raises != 0;
  c.image = take_image(ts);
  c.records = new std::vector<FrameRecord>;
  PyObject* handled_before = Py_XNewRef(ts->exc_info->exc_value);
  c.armed = true;
  PyObject* result = run_captured(function, call_args);
  c.armed = false;
  if (result == nullptr && c.records->empty()) {
    Py_XDECREF(handled_before);
    delete c.records;
    return nullptr;
  }
  if (result != nullptr) {
    Py_XDECREF(handled_before);
    delete c.records;
    Py_DECREF(result);
    Py_RETURN_NONE;
  }
  restore(ts, c.image);
  Py_XSETREF(ts->exc_info->exc_value, handled_before);
  PyObject* capsule = PyCapsule_New(c.records, "records", [](PyObject* dying) {
    drop_frames(*records_of(dying));
    delete records_of(dying);
  });
  return Py_BuildValue("(NN)", capsule, c.handled != nullptr ? c.handled : Py_NewRef(Py_None));
}

// run(records, handled, raises): rebuilds and runs the frames, while `handled` is being handled;
// with `raises` the innermost one with a MemoryError.
PyObject* run(PyObject*, PyObject* args) {
  PyObject* capsule;
  PyObject* handled;
  int raises;
  if (!PyArg_ParseTuple(args, "OOp", &capsule, &handled, &raises)) {
    return nullptr;
  }
  std::vector<FrameRecord> records = std::exchange(*records_of(capsule), {});
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (Status s = check_record(records[i], i + 1 < records.size()); !s.ok()) {
      drop_frames(records);
      return PyErr_Format(PyExc_AssertionError, "%s", s.message().c_str());
    }
  }
  PyThreadState* ts = PyThreadState_Get();
  _PyErr_StackItem* item = ts->exc_info;
  PyObject* before =
      std::exchange(item->exc_value, handled == Py_None ? nullptr : Py_NewRef(handled));
  PyObject* raised = nullptr;
  if (raises != 0) {
    PyErr_SetNone(PyExc_MemoryError);
    raised = PyErr_GetRaisedException();
  }
  PyObject* result = run_frames(std::move(records), raised);
  Py_XSETREF(item->exc_value, before);
  return result;
}

/// Sequence to slots; the type `object` itself stands for null.
std::vector<PyObject*> slots(PyObject* sequence) {
  std::vector<PyObject*> out;
  PyObject* fast = PySequence_Fast(sequence, "slots");
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(fast); ++i) {
    PyObject* item = PySequence_Fast_GET_ITEM(fast, i);
    out.push_back(item == reinterpret_cast<PyObject*>(&PyBaseObject_Type) ? nullptr
                                                                          : Py_NewRef(item));
  }
  Py_DECREF(fast);
  return out;
}

// rebuild([(function, offset, locals, stack)...]) -> what run_frames gives.
PyObject* rebuild(PyObject*, PyObject* list) {
  std::vector<FrameRecord> records;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); ++i) {
    PyObject *function, *locals, *stack;
    int offset;
    if (!PyArg_ParseTuple(PyList_GET_ITEM(list, i), "O!iOO", &PyFunction_Type, &function, &offset,
                          &locals, &stack)) {
      drop_frames(records);
      return nullptr;
    }
    FrameRecord& record = records.emplace_back();
    record.function = reinterpret_cast<PyFunctionObject*>(Py_NewRef(function));
    record.code = reinterpret_cast<PyCodeObject*>(Py_NewRef(PyFunction_GET_CODE(function)));
    record.offset = offset;
    record.locals = slots(locals);
    record.stack = slots(stack);
  }
  return run_frames(std::move(records));
}

PyObject* by_hand(PyObject*, PyObject* on) {
  force_by_hand(PyObject_IsTrue(on) == 1);
  Py_RETURN_NONE;
}

PyObject* counts(PyObject*, PyObject*) {
  const RebuildCounts n = rebuild_counts();
  return Py_BuildValue("(KKK)", n.chains, n.by_trampoline, n.by_hand);
}

PyMethodDef g_methods[] = {
    {"capture", capture, METH_VARARGS, nullptr},
    {"last_capture", last_capture, METH_NOARGS, nullptr},
    {"run", run, METH_VARARGS, nullptr},
    {"rebuild", rebuild, METH_O, nullptr},
    {"by_hand", by_hand, METH_O, nullptr},
    {"counts", counts, METH_NOARGS, nullptr},
    {"on_instruction", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(on_instruction)),
     METH_FASTCALL, nullptr},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

void add_capture() { add_to_probe(g_methods); }

}  // namespace splice::cpy::testing
