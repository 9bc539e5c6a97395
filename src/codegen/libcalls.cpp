#include "codegen/libcalls.h"

#include <array>
#include <cmath>
#include <cstring>

namespace splice::codegen {

namespace {

struct Libcall {
  std::string_view name;
  void* address;
};

template <class F>
void* address_of(F* function) {
  return reinterpret_cast<void*>(function);
}

using Unary64 = double(double);
using Unary32 = float(float);
using Binary64 = double(double, double);
using Binary32 = float(float, float);
using Ternary64 = double(double, double, double);
using Ternary32 = float(float, float, float);

const std::array<Libcall, 15> kLibcalls = {{
    {"fmod", address_of<Binary64>(::fmod)},
    {"fmodf", address_of<Binary32>(::fmodf)},
    {"fma", address_of<Ternary64>(::fma)},
    {"fmaf", address_of<Ternary32>(::fmaf)},
    {"floor", address_of<Unary64>(::floor)},
    {"floorf", address_of<Unary32>(::floorf)},
    {"ceil", address_of<Unary64>(::ceil)},
    {"ceilf", address_of<Unary32>(::ceilf)},
    {"trunc", address_of<Unary64>(::trunc)},
    {"truncf", address_of<Unary32>(::truncf)},
    {"rint", address_of<Unary64>(::rint)},
    {"rintf", address_of<Unary32>(::rintf)},
    {"memcpy", address_of<void*(void*, const void*, std::size_t)>(std::memcpy)},
    {"memmove", address_of<void*(void*, const void*, std::size_t)>(std::memmove)},
    {"memset", address_of<void*(void*, int, std::size_t)>(std::memset)},
}};

}  // namespace

void* libcall_address(std::string_view name) {
  for (const Libcall& call : kLibcalls) {
    if (call.name == name) return call.address;
  }
  return nullptr;
}

}  // namespace splice::codegen
