// sys/cpu.h: what this processor can do, as far as Splice chooses code by it.
#pragma once

#include <string>

namespace splice::sys {

struct Cpu {
  std::string name;  ///< marketing name, as the processor gives it
  /// x86-64 micro-architecture level, 1 to 4, that processor and operating system both support.
  int level = 1;
  bool avx2 = false;
  bool fma = false;
  bool bmi2 = false;
  bool f16c = false;
  bool avx512 = false;  ///< F, BW, CD, DQ and VL
  bool avx512_vnni = false;
  bool avx512_bf16 = false;
};

/// Read once; the same for the life of the process.
const Cpu& cpu();

}  // namespace splice::sys
