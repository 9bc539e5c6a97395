// What cpy/interpreter.h takes for granted about one interpreter's private structures.
#include "cpy/interpreter.h"

#include <type_traits>

#include "layout/context.h"

namespace {

using splice::cpy::Frame;

// Generated code reads 32 bits of the word it polls, and counts recursion in 32 bits.
#if PY_VERSION_HEX >= 0x030D0000
static_assert(sizeof(PyThreadState::eval_breaker) == 8);
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
static_assert(_PY_EVAL_EVENTS_MASK == splice::cpy::kEvalBreakerMask);
#else
static_assert(sizeof(_ceval_state::eval_breaker) == 4);
#endif
static_assert(std::is_same_v<decltype(PyThreadState::py_recursion_remaining), int>);
static_assert(std::is_same_v<decltype(PyThreadState::c_recursion_remaining), int>);

// Slots of a frame are the end of it, and its size in slots is what code objects count with.
static_assert(offsetof(Frame, localsplus) == FRAME_SPECIALS_SIZE * sizeof(PyObject*));
static_assert(sizeof(_Py_CODEUNIT) == 2);

// A tool id is a bit in the bytes that cpy/tracing.cpp reads.
static_assert(sizeof(_Py_GlobalMonitors::tools[0]) == 1);
static_assert(sizeof(_Py_LocalMonitors::tools[0]) == 1);

static_assert(std::is_standard_layout_v<splice::layout::Context>);

}  // namespace
