#include "sys/cpu.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace splice::sys {
namespace {

// The kernel's view, in /proc/cpuinfo, is the independent witness.
TEST(Cpu, AgreesWithTheKernel) {
  std::ifstream in("/proc/cpuinfo");
  std::string line;
  std::string flags;
  std::string model;
  while (std::getline(in, line)) {
    const auto value = [&] { return line.substr(line.find(':') + 1) + " "; };
    if (line.starts_with("flags") && flags.empty()) flags = value();
    if (line.starts_with("model name") && model.empty()) model = value();
  }
  ASSERT_FALSE(flags.empty());
  const auto has = [&](const char* flag) {
    return flags.find(" " + std::string(flag) + " ") != std::string::npos;
  };
  const Cpu& c = cpu();
  EXPECT_EQ(c.avx2, has("avx2"));
  EXPECT_EQ(c.fma, has("fma"));
  EXPECT_EQ(c.bmi2, has("bmi2"));
  EXPECT_EQ(c.f16c, has("f16c"));
  EXPECT_EQ(c.avx512_vnni, has("avx512_vnni"));
  EXPECT_EQ(c.level >= 4, has("avx512f") && has("avx512bw") && has("avx512cd") && has("avx512dq") &&
                              has("avx512vl"));
  EXPECT_EQ(c.level >= 2, has("sse4_2") && has("popcnt"));
  EXPECT_NE(model.find(c.name), std::string::npos) << model << " vs " << c.name;
}

}  // namespace
}  // namespace splice::sys
