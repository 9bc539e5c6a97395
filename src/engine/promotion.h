// engine/promotion.h: finding the functions of a program that should be compiled.
//
// A ticker asks for looks at the program (cpy/look.h). A function that is seen running often enough
// becomes a candidate; its calls are counted; when promotion_rule.h says so, it is put under Splice
// as jit() would, without a word to the user. GIL held for everything but the ticker itself.
#pragma once

#include <Python.h>

namespace splice::engine {

/// The function dies: whatever is known of it stays for the report. Called for every function of
/// the process, from a watcher: runs nothing, and costs a few instructions for one never seen hot.
void forget_sampled(PyFunctionObject* function);

}  // namespace splice::engine
