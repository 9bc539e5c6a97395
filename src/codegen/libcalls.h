// codegen/libcalls.h: the C library functions that LLVM's x86-64 code generator may call by itself,
// where the processor has no instruction for an op (fmod; floor and fma on older ones).
#pragma once

#include <string_view>

namespace splice::codegen {

/// Address of `name` in this process's own C library; null for any other name.
void* libcall_address(std::string_view name);

}  // namespace splice::codegen
