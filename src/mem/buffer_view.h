// mem/buffer_view.h: a checked view of memory that somebody else made.
//
// Who takes in foreign memory writes down what its owner claims (ForeignLayout); view_of() checks
// it once, and who has a BufferView trusts it from then on. A view owns nothing and copies no
// element: the memory is kept by whoever made the view.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/result.h"
#include "mem/element_type.h"

namespace splice::mem {

inline constexpr std::size_t kMaxRank = 8;

/// Made by view_of() only.
struct BufferView {
  std::byte* data = nullptr;  ///< element [0, ..., 0]; anything where there is no element
  ElementType element = ElementType::kU8;
  bool is_readonly = true;
  std::uint8_t rank = 0;
  std::int64_t count = 0;  ///< of elements
  std::array<std::int64_t, kMaxRank> lengths{};
  std::array<std::int64_t, kMaxRank> strides{};  ///< bytes; negative and 0 are strides too
};

/// What somebody claims of his memory. Nothing in it is trusted.
struct ForeignLayout {
  void* data = nullptr;  ///< element [0, ..., 0], not the lowest address
  ElementType element = ElementType::kU8;
  bool is_readonly = true;
  std::int64_t item_size = 0;             ///< bytes of an element
  std::optional<std::int64_t> size;       ///< bytes of all, where that is claimed too
  std::span<const std::int64_t> lengths;  ///< one for each dimension
  std::optional<std::span<const std::int64_t>> strides;  ///< bytes; none: C order, without gaps
};

/// Errors: kInvalidArgument where the claims cannot be true (they contradict each other, or
/// elements would lie outside the address space), kUnsupported where they can (more than kMaxRank
/// dimensions, elements that are not aligned). The message names the dimension.
///
/// Of a view that was made: the elements lie at data + the sums of index * stride, each at a
/// multiple of align_of(element); no such address wraps around, and neither the sums nor the bytes
/// of all elements overflow an int64. Strides of dimensions of length 1, and all where there is no
/// element, are what was claimed.
Result<BufferView> view_of(const ForeignLayout& claimed);

}  // namespace splice::mem
