#include "sys/cpu.h"

#include <cpuid.h>

#include <array>
#include <cstring>

namespace splice::sys {

namespace {

std::string brand() {
  std::array<unsigned, 12> words{};
  for (unsigned i = 0; i < 3; ++i) {
    unsigned* w = &words[i * 4];
    if (__get_cpuid(0x80000002u + i, w, w + 1, w + 2, w + 3) == 0) return "unknown";
  }
  char text[sizeof words + 1] = {};
  std::memcpy(text, words.data(), sizeof words);
  std::string name(text);
  const auto first = name.find_first_not_of(' ');
  const auto last = name.find_last_not_of(' ');
  return first == std::string::npos ? "unknown" : name.substr(first, last - first + 1);
}

// The compiler's runtime also asks the operating system which registers it saves.
Cpu detect() {
  __builtin_cpu_init();
  Cpu out;
  out.name = brand();
  if (__builtin_cpu_supports("x86-64-v2")) out.level = 2;
  if (__builtin_cpu_supports("x86-64-v3")) out.level = 3;
  if (__builtin_cpu_supports("x86-64-v4")) out.level = 4;
  out.avx2 = __builtin_cpu_supports("avx2") != 0;
  out.fma = __builtin_cpu_supports("fma") != 0;
  out.bmi2 = __builtin_cpu_supports("bmi2") != 0;
  out.f16c = __builtin_cpu_supports("f16c") != 0;
  out.avx512 = out.level == 4;
  out.avx512_vnni = __builtin_cpu_supports("avx512vnni") != 0;
  out.avx512_bf16 = __builtin_cpu_supports("avx512bf16") != 0;
  return out;
}

}  // namespace

const Cpu& cpu() {
  static const Cpu detected = detect();
  return detected;
}

}  // namespace splice::sys
