// libFuzzer target: claims about foreign memory -> mem::element_of_format, mem::view_of.
//
//   clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -Isrc fuzz/buffer_view_fuzz.cpp
//       $(ls src/base/*.cpp src/mem/*.cpp | grep -v _test.cpp) -o buffer_view_fuzz
//   ./buffer_view_fuzz -max_total_time=60
//
// Any claim must end in an error with a message or in a view of which every corner, summed up in
// 128 bits, lies in the address space and is aligned, and whose bytes an int64 counts.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "base/check.h"
#include "mem/buffer_view.h"
#include "mem/element_format.h"

namespace {

using namespace splice;

/// Numbers out of the input; 0 after its end.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  std::uint8_t byte() { return take<std::uint8_t>(); }
  /// Small, near the ends of int64 or anything.
  std::int64_t number() {
    const std::uint8_t kind = byte();
    const auto small = static_cast<std::int64_t>(static_cast<std::int8_t>(byte()));
    if (kind % 4 == 0) return take<std::int64_t>();
    if (kind % 4 == 1)
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(small) << kind / 4);
    return small;
  }
  std::string_view text(std::size_t most) {
    const std::size_t n = size_ < most ? size_ : most;
    const std::string_view taken(reinterpret_cast<const char*>(data_), n);
    skip(n);
    return taken;
  }

 private:
  template <class T>
  T take() {
    T value{};
    const std::size_t n = size_ < sizeof(T) ? size_ : sizeof(T);
    std::memcpy(&value, data_, n);
    skip(n);
    return value;
  }
  void skip(std::size_t n) {
    data_ += n;
    size_ -= n;
  }

  const std::uint8_t* data_;
  std::size_t size_;
};

void check_corners(const mem::BufferView& view) {
  const auto align = static_cast<__int128>(mem::align_of(view.element));
  const auto size = static_cast<__int128>(mem::size_of(view.element));
  __int128 bytes = size;
  for (std::size_t i = 0; i < view.rank; ++i) bytes *= view.lengths[i];
  SPLICE_CHECK(bytes == view.count * size && bytes < __int128{1} << 63, "a wrong count");
  for (unsigned corner = 0; corner < 1U << view.rank; ++corner) {
    auto at = static_cast<__int128>(reinterpret_cast<std::uintptr_t>(view.data));
    for (std::size_t i = 0; i < view.rank; ++i)
      if ((corner >> i & 1U) != 0)
        at += static_cast<__int128>(view.lengths[i] - 1) * view.strides[i];
    SPLICE_CHECK(at >= 0 && at + size < __int128{1} << 64, "out of the memory");
    SPLICE_CHECK(at % align == 0, "not aligned");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const std::uint8_t rank = input.byte() % (mem::kMaxRank + 2);
  const std::uint8_t choices = input.byte();
  const std::string_view format = input.text(choices % 8);
  const Result<mem::ElementType> named = mem::element_of_format(format);
  SPLICE_CHECK(named.ok() || !named.status().message().empty(), "an error without a message");
  mem::ForeignLayout claimed;
  claimed.element = named.ok() ? *named : static_cast<mem::ElementType>(rank);
  const auto item = static_cast<std::int64_t>(mem::size_of(claimed.element));
  claimed.item_size = (choices & 8) != 0 ? input.number() : item;
  if ((choices & 16) != 0) claimed.size = input.number();
  claimed.data = reinterpret_cast<void*>(static_cast<std::uintptr_t>(input.number()) *
                                         ((choices & 32) != 0 ? 1 : 8));
  std::array<std::int64_t, mem::kMaxRank + 1> lengths{};
  std::array<std::int64_t, mem::kMaxRank + 1> strides{};
  for (std::size_t i = 0; i < rank; ++i) {
    lengths[i] = input.number();
    strides[i] = input.number();
  }
  claimed.lengths = std::span(lengths).first(rank);
  if ((choices & 64) != 0) claimed.strides = std::span(strides).first(rank);
  const Result<mem::BufferView> view = mem::view_of(claimed);
  if (!view.ok()) {
    SPLICE_CHECK(!view.status().message().empty(), "an error without a message");
    return 0;
  }
  if (view->count != 0) check_corners(*view);
  return 0;
}
