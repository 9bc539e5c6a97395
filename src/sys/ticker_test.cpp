#include "sys/ticker.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

namespace splice::sys {
namespace {

using namespace std::chrono_literals;

std::atomic<int> g_ticks{0};
std::chrono::microseconds g_pause = 100us;

std::chrono::microseconds count() {
  ++g_ticks;
  return g_pause;
}

/// True once `n` ticks were seen; gives up after five seconds.
bool wait_for_ticks(int n) {
  for (int i = 0; i < 5000 && g_ticks < n; ++i) std::this_thread::sleep_for(1ms);
  return g_ticks >= n;
}

class TickerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    g_ticks = 0;
    g_pause = 100us;
  }
};

TEST_F(TickerTest, TicksUntilItIsStopped) {
  Ticker ticker;
  ASSERT_TRUE(ticker.start(count, 0us).ok());
  EXPECT_TRUE(ticker.running());
  EXPECT_TRUE(wait_for_ticks(3));
  ticker.stop();
  EXPECT_FALSE(ticker.running());
  const int seen = g_ticks;
  std::this_thread::sleep_for(5ms);
  EXPECT_EQ(g_ticks, seen);
}

TEST_F(TickerTest, WaitsAsLongAsTheTickSays) {
  g_pause = 1h;
  Ticker ticker;
  ASSERT_TRUE(ticker.start(count, 0us).ok());
  EXPECT_TRUE(wait_for_ticks(1));
  std::this_thread::sleep_for(5ms);
  EXPECT_EQ(g_ticks, 1);
  ticker.stop();  // does not wait for the hour to pass
}

TEST_F(TickerTest, StartsAgain) {
  Ticker ticker;
  for (int round = 1; round <= 3; ++round) {
    ASSERT_TRUE(ticker.start(count, 0us).ok());
    EXPECT_TRUE(wait_for_ticks(g_ticks + 1));
    ticker.stop();
  }
}

TEST_F(TickerTest, AForkedChildHasAStoppedOne) {
  Ticker ticker;
  ASSERT_TRUE(ticker.start(count, 0us).ok());
  const pid_t child = fork();
  if (child == 0) {
    const bool stopped = !ticker.running();
    ticker.stop();
    g_ticks = 0;
    const bool again = ticker.start(count, 0us).ok() && wait_for_ticks(1);
    _exit(stopped && again ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(ticker.running());
}

}  // namespace
}  // namespace splice::sys
