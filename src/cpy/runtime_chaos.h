// cpy/runtime_chaos.h: guards that fail although they need not, to test the ways out.
//
// With SPLICE_CHAOS=N in the environment (N > 0) every guard and poll of generated code fails once,
// at one of its first executions; N chooses at which. Compiled code then is slower and leaves
// everywhere, and must still do what CPython does.
#pragma once

#include <cstdint>

namespace splice::cpy {

/// N of SPLICE_CHAOS, 0 when off. Read once.
std::uint64_t chaos_seed();
/// A number for a guard that is about to be compiled. GIL held.
std::int64_t new_chaos_site();

}  // namespace splice::cpy

extern "C" {

/// 0 when the guard `site` has to fail now, else 1. GIL held.
std::int32_t splice_rt_chaos(std::int64_t site) noexcept;

}  // extern "C"
