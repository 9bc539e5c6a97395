// opt/lower_py.h: turns the py.* ops into loads, stores, branches and calls of the runtime.
//
// Runtime functions it may ask for (added to the module's symbols when used; the engine binds
// them):
//   obj.own splice_rt_box_int(i64)           null with MemoryError set when there is no memory
//   obj.own splice_rt_box_float(f64)
//   obj.own splice_rt_box_complex(f64, f64)
//   void    splice_rt_dealloc(obj)           its reference count has just become 0
// and the objects Py_True and Py_False.
#pragma once

#include <cstdint>

#include "ir/module.h"
#include "layout/object_layout.h"

namespace splice::opt {

/// Lowers all py.* ops of one function. True when there were any. The function must be
/// verified.
bool lower_py(ir::Module& m, std::uint32_t function, const layout::ObjectLayout& layout);

}  // namespace splice::opt
