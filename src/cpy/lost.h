// cpy/lost.h: the object that stands in a rebuilt frame where memory for the real one had ended.
//
// The interpreter trusts the variables and operands of a frame: LOAD_FAST does not look for null,
// LIST_APPEND does not look at the type. So what is lost is neither left out nor some object: every
// use of the stand-in (iteration, attribute, item, call, truth, comparison, operator, append)
// raises MemoryError.
#pragma once

#include <Python.h>

#include "base/result.h"

namespace splice::cpy {

/// Prepares the stand-in. Once; GIL held. Errors: kUnsupported.
Status init_lost();
/// The stand-in; immortal. Borrowed.
PyObject* lost_object();

}  // namespace splice::cpy
