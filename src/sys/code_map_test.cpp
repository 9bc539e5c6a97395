#include "sys/code_map.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

namespace splice::sys {
namespace {

std::string read(const std::string& path) {
  std::ifstream in(path);
  std::stringstream all;
  all << in.rdbuf();
  return all.str();
}

TEST(CodeMap, FindsTheFunctionAroundAnAddress) {
  CodeMap map("");
  static char code[64];
  map.add({code + 16, 16, "inner"});
  map.add({code + 40, 8, "last"});
  EXPECT_FALSE(map.find(code + 15));
  ASSERT_TRUE(map.find(code + 16));
  EXPECT_EQ(map.find(code + 31)->name, "inner");
  EXPECT_FALSE(map.find(code + 32));
  EXPECT_EQ(map.find(code + 47)->name, "last");
  map.remove(code + 16);
  EXPECT_FALSE(map.find(code + 16));
  EXPECT_EQ(map.size(), 1u);
}

TEST(CodeMap, WritesPerfLines) {
  const std::string prefix = testing::TempDir() + "splice-perf-";
  const std::string path = prefix + std::to_string(::getpid()) + ".map";
  std::ofstream(path) << "left over from an older process\n";
  CodeMap map(prefix);
  map.add({reinterpret_cast<void*>(0x1000), 0x20, "f.<locals>.g"});
  map.add({reinterpret_cast<void*>(0x2000), 0x30, "two\nlines"});
  EXPECT_EQ(read(path), "1000 20 f.<locals>.g\n2000 30 two?lines\n");

  const pid_t child = ::fork();
  if (child == 0) {
    map.add({reinterpret_cast<void*>(0x3000), 1, "child"});
    ::_exit(0);
  }
  ASSERT_GT(child, 0);
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  const std::string child_path = prefix + std::to_string(child) + ".map";
  EXPECT_EQ(read(child_path), "1000 20 f.<locals>.g\n2000 30 two?lines\n3000 1 child\n");
  EXPECT_EQ(read(path).find("child"), std::string::npos);
  ::unlink(path.c_str());
  ::unlink(child_path.c_str());
}

}  // namespace
}  // namespace splice::sys
