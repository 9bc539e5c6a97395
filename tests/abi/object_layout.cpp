// src/layout/object_layout.h against the headers of one interpreter: compiles, or says what
// differs.
#include "cpy/interpreter.h"

#include "internal/pycore_long.h"
#include "internal/pycore_object.h"
#include "layout/object_layout.h"

namespace {

using splice::layout::object_layout;

constexpr auto kLayout = *object_layout(PY_MINOR_VERSION);

static_assert(kLayout.minor == PY_MINOR_VERSION);
static_assert(sizeof(void*) == 8);

static_assert(kLayout.refcount == offsetof(PyObject, ob_refcnt));
static_assert(sizeof(PyObject::ob_refcnt) == 8);
static_assert(kLayout.type == offsetof(PyObject, ob_type));

// The rule kLow32Saturating. Increments: a low half of all ones stays. Decrements: an immortal
// object has a negative low half.
static_assert(kLayout.refcount_rule == splice::layout::RefcountRule::kLow32Saturating);
static_assert(static_cast<std::uint32_t>(_Py_IMMORTAL_REFCNT) == 0xffffffffu);

static_assert(kLayout.long_tag == offsetof(PyLongObject, long_value.lv_tag));
static_assert(sizeof(PyLongObject::long_value.lv_tag) == 8);
static_assert(kLayout.long_digits == offsetof(PyLongObject, long_value.ob_digit));
static_assert(kLayout.long_digit_bits == PyLong_SHIFT);
static_assert(kLayout.long_digit_bytes == sizeof(digit));
#ifdef _PyLong_NON_SIZE_BITS
static_assert(kLayout.long_size_shift == _PyLong_NON_SIZE_BITS);
#else
static_assert(kLayout.long_size_shift == NON_SIZE_BITS);
#endif
#ifdef _PyLong_SIGN_MASK
static_assert(kLayout.long_sign_mask == _PyLong_SIGN_MASK);
#else
static_assert(kLayout.long_sign_mask == SIGN_MASK);
#endif

static_assert(kLayout.float_value == offsetof(PyFloatObject, ob_fval));
static_assert(kLayout.complex_value == offsetof(PyComplexObject, cval.real));
static_assert(kLayout.complex_value + 8 == offsetof(PyComplexObject, cval.imag));

}  // namespace
