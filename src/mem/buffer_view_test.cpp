#include "mem/buffer_view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

namespace splice::mem {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

/// float64 elements at `data`.
struct Claim {
  std::vector<std::int64_t> lengths;
  std::optional<std::vector<std::int64_t>> strides = {};
  std::uintptr_t data = 1 << 20;
  ElementType element = ElementType::kF64;
  std::optional<std::int64_t> item_size = {};
  std::optional<std::int64_t> size = {};

  Result<BufferView> view() const {
    ForeignLayout layout;
    layout.data = reinterpret_cast<void*>(data);
    layout.element = element;
    layout.item_size = item_size.value_or(static_cast<std::int64_t>(size_of(element)));
    layout.size = size;
    layout.lengths = lengths;
    if (strides) layout.strides = *strides;
    return view_of(layout);
  }
};

void refused(const Claim& claim, ErrorCode code, const char* text) {
  const auto view = claim.view();
  ASSERT_FALSE(view.ok()) << text;
  EXPECT_EQ(view.status().code(), code) << view.status().message();
  EXPECT_NE(view.status().message().find(text), std::string::npos) << view.status().message();
}

TEST(BufferView, KeepsWhatWasClaimed) {
  const auto view = Claim{.lengths = {2, 3}, .strides = {{-24, 8}}, .size = 48}.view();
  ASSERT_TRUE(view.ok()) << view.status().message();
  EXPECT_EQ(view->data, reinterpret_cast<std::byte*>(1 << 20));
  EXPECT_EQ(view->element, ElementType::kF64);
  EXPECT_TRUE(view->is_readonly);
  EXPECT_EQ(view->rank, 2);
  EXPECT_EQ(view->count, 6);
  EXPECT_EQ(view->lengths[1], 3);
  EXPECT_EQ(view->strides[0], -24);
}

TEST(BufferView, WithoutStridesIsInCOrder) {
  const auto view = Claim{.lengths = {4, 1, 3}}.view();
  ASSERT_TRUE(view.ok());
  EXPECT_EQ(view->strides[0], 24);
  EXPECT_EQ(view->strides[1], 24);
  EXPECT_EQ(view->strides[2], 8);
  EXPECT_EQ(Claim{.lengths = {}}.view()->count, 1);
}

TEST(BufferView, ClaimsThatContradictEachOther) {
  constexpr auto kWrong = ErrorCode::kInvalidArgument;
  refused({.lengths = {3, -1}}, kWrong, "length[1] is -1");
  refused({.lengths = {0, kLeast}}, kWrong, "length[1]");
  refused({.lengths = {3}, .strides = {{8, 8}}}, kWrong, "2 strides for 1 dim");
  refused({.lengths = {3}, .item_size = 4}, kWrong, "items of 4 bytes, where float64 has 8");
  refused({.lengths = {3}, .item_size = 0}, kWrong, "items of 0 bytes");
  refused({.lengths = {3}, .item_size = -8}, kWrong, "items of -8 bytes");
  refused({.lengths = {3}, .size = 16}, kWrong, "16 bytes, where the lengths make 24");
  refused({.lengths = {3}, .size = -1}, kWrong, "-1 bytes");
  refused({.lengths = {3, 0}, .size = 8}, kWrong, "8 bytes, where the lengths make 0");
  refused({.lengths = {3}, .data = 0}, kWrong, "address 0");
}

TEST(BufferView, ArithmeticThatOverflows) {
  constexpr auto kWrong = ErrorCode::kInvalidArgument;
  refused({.lengths = {kMost}}, kWrong, "length[0]");
  refused({.lengths = {kMost, 2}, .strides = {{0, 0}}}, kWrong, "length[0]");
  refused({.lengths = {1LL << 31, 1LL << 31}}, kWrong, "length[1] makes more bytes");
  refused({.lengths = {1LL << 60, 0, 1LL << 60}}, kWrong, "length");  // of its own strides
  refused({.lengths = {3}, .strides = {{kMost & ~7}}}, kWrong, "stride[0] leads further");
  refused({.lengths = {3}, .strides = {{kLeast}}}, kWrong, "stride[0] leads further");
  refused({.lengths = {2, 2}, .strides = {{1LL << 62, 1LL << 62}}}, kWrong, "stride[1]");
  refused({.lengths = {2, 2, 2}, .strides = {{kLeast / 2, kLeast / 2, -8}}}, kWrong, "stride[2]");
  refused({.lengths = {2}, .strides = {{-(1 << 20) - 8}}}, kWrong, "below the address 0");
  refused({.lengths = {1}, .data = 0xffff'ffff'ffff'fff8}, kWrong, "beyond the last address");
  refused({.lengths = {2}, .strides = {{kLeast}}}, kWrong, "below the address 0");
  const std::uintptr_t high = 0xffff'ffff'ffff'fff0;
  EXPECT_TRUE((Claim{.lengths = {2}, .strides = {{kLeast}}, .data = high - 8}.view().ok()));
  EXPECT_TRUE((Claim{.lengths = {2}, .strides = {{-(1 << 20)}}}.view().ok()));
  // No element uses them.
  EXPECT_TRUE((Claim{.lengths = {0, 2}, .strides = {{kLeast, kMost}}, .data = 3}.view().ok()));
  EXPECT_TRUE((Claim{.lengths = {1}, .strides = {{kMost}}}.view().ok()));
}

TEST(BufferView, LayoutsThatAreNotTaken) {
  constexpr auto kNot = ErrorCode::kUnsupported;
  refused({.lengths = std::vector<std::int64_t>(9, 1)}, kNot, "9 dimensions");
  EXPECT_TRUE((Claim{.lengths = std::vector<std::int64_t>(8, 2)}.view().ok()));
  refused({.lengths = {2}, .data = (1 << 20) + 4}, kNot, "aligned");
  refused({.lengths = {2}, .strides = {{12}}}, kNot, "stride[0] is 12");
  refused({.lengths = {2, 2}, .strides = {{16, -9}}}, kNot, "stride[1] is -9");
  const std::uintptr_t half = (1 << 20) + 8;
  const Claim pair{.lengths = {2}, .strides = {{24}}, .data = half, .element = ElementType::kC128};
  EXPECT_TRUE(pair.view().ok());  // a complex number is aligned as its parts are
  EXPECT_TRUE((Claim{.lengths = {2}, .data = 12, .element = ElementType::kC64}.view().ok()));
  EXPECT_TRUE((Claim{.lengths = {2}, .data = 7, .element = ElementType::kBool}.view().ok()));
}

/// Random layouts over addresses that wrap around soon: view_of() agrees with all elements tried
/// one by one in 128 bits.
TEST(BufferView, AgreesWithEveryElement) {
  std::mt19937_64 random(20261130);
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  int taken = 0;
  for (int round = 0; round < 200'000; ++round) {
    Claim claim;
    claim.element = static_cast<ElementType>(below(kElementTypes));
    const auto size = static_cast<std::int64_t>(size_of(claim.element));
    claim.lengths.resize(static_cast<std::size_t>(below(4)));
    claim.strides.emplace();
    for (std::int64_t& length : claim.lengths) {
      length = below(4);
      const std::uint64_t one = below(8) == 0   ? 1ULL << (below(3) + 60)  // may wrap around
                                : below(8) == 0 ? 1
                                                : static_cast<std::uint64_t>(size);
      claim.strides->push_back(
          static_cast<std::int64_t>(one * static_cast<std::uint64_t>(below(9) - 4)));
    }
    const std::int64_t place = below(8) * (below(4) == 0 ? 1 : size);
    claim.data = static_cast<std::uintptr_t>(below(2) != 0 ? place : -1 - place) + 1;
    bool is_right = true;
    std::int64_t count = 0;
    std::vector<std::int64_t> index(claim.lengths.size());
    const auto step = [&] {  // to the next element; false after the last one
      for (std::size_t i = index.size(); i-- > 0;) {
        if (++index[i] < claim.lengths[i]) return true;
        index[i] = 0;
      }
      return false;
    };
    if (std::ranges::find(claim.lengths, 0) == claim.lengths.end()) do {
        __int128 address = static_cast<unsigned __int128>(claim.data);
        for (std::size_t i = 0; i < index.size(); ++i)
          address += static_cast<__int128>(index[i]) * (*claim.strides)[i];
        const __int128 end = address + size;
        is_right = is_right && address >= 0 && end < (__int128{1} << 64) && claim.data != 0 &&
                   address % static_cast<__int128>(align_of(claim.element)) == 0;
        ++count;
      } while (step());
    const auto view = claim.view();
    if (view.ok()) {
      ++taken;
      EXPECT_TRUE(is_right) << round;
      EXPECT_EQ(view->count, count) << round;
    } else if (is_right) {
      // Only what an int64 cannot count.
      EXPECT_NE(view.status().message().find("an int64"), std::string::npos)
          << view.status().message();
    }
  }
  EXPECT_GT(taken, 20'000);
}

}  // namespace
}  // namespace splice::mem
