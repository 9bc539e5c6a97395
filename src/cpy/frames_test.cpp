#include "cpy/frames.h"

#include <gtest/gtest.h>

#include "cpy/testing/capture.h"
#include "cpy/testing/probe.h"

namespace splice::cpy {
namespace {

class Frames : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::add_capture();
    ASSERT_TRUE(self_test().ok()) << self_test().message();
    ASSERT_TRUE(trampoline_status().ok()) << trampoline_status().message();
  }
};

TEST_F(Frames, ResumeAtEveryInstruction) { EXPECT_TRUE(testing::run_script("frames_check.py")); }

TEST_F(Frames, LimitsThreadsAndTracers) { EXPECT_TRUE(testing::run_script("frames_limits.py")); }

}  // namespace
}  // namespace splice::cpy
