// cpy/runtime_symbols.h: name to address of the runtime functions this folder gives to generated
// code, for the engine to bind. splice_rt_miss and splice_rt_unwind are the engine's own; those of
// the math module are in cpy/math_table.h (runtime_symbol() knows them too).
#pragma once

#include <string_view>

namespace splice::cpy {

/// Null for an unknown name. Needs no GIL.
void* runtime_symbol(std::string_view name);

}  // namespace splice::cpy
