#include "sys/memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>

namespace splice::sys {
namespace {

TEST(Memory, WhatNoProcessCanHave) {
  EXPECT_TRUE(can_map(0));
  EXPECT_TRUE(can_map(1));
  EXPECT_TRUE(can_map(1 << 20));
  EXPECT_FALSE(can_map(SIZE_MAX));
  EXPECT_FALSE(can_map(std::size_t{1} << 60));
}

/// In a process with `room` bytes of address space left: whether it can map `wanted`.
bool can_map_with(std::size_t room, std::size_t wanted) {
  const pid_t child = fork();
  if (child == 0) {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit limit = {};
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + room;
    setrlimit(RLIMIT_AS, &limit);
    _exit(can_map(wanted) ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status) == 1;
}

TEST(Memory, WithinTheLimitOfTheProcess) {
  EXPECT_TRUE(can_map_with(64 << 20, 32 << 20));
  EXPECT_FALSE(can_map_with(64 << 20, 96 << 20));
}

}  // namespace
}  // namespace splice::sys
