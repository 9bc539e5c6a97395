// mem/buffer_view.cpp
#include "mem/buffer_view.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace splice::mem {

namespace {

std::string at(std::string_view what, std::size_t dimension) {
  return std::string(what) + '[' + std::to_string(dimension) + ']';
}

std::string number(std::int64_t value) { return std::to_string(value); }

Status check_rank(const ForeignLayout& claimed) {
  const std::size_t rank = claimed.lengths.size();
  if (rank > kMaxRank)
    return unsupported(std::to_string(rank) + " dimensions, of which " + std::to_string(kMaxRank) +
                       " are the most");
  if (claimed.strides && claimed.strides->size() != rank)
    return invalid_argument(std::to_string(claimed.strides->size()) + " strides for " +
                            std::to_string(rank) + " dimensions");
  const auto size = static_cast<std::int64_t>(size_of(claimed.element));
  if (claimed.item_size != size)
    return invalid_argument("items of " + number(claimed.item_size) + " bytes, where " +
                            name_of(claimed.element) + " has " + number(size));
  return {};
}

/// Strides in C order, into `view`.
Status fill_strides(BufferView& view) {
  auto stride = static_cast<std::int64_t>(size_of(view.element));
  for (std::size_t i = view.rank; i-- > 0;) {
    view.strides[i] = stride;
    if (__builtin_mul_overflow(stride, view.lengths[i], &stride))
      return invalid_argument(at("length", i) + " makes more bytes than an int64 counts");
  }
  return {};
}

/// Sets the count. The bytes of all elements, if there were no gaps and none of them shared.
Result<std::int64_t> count_elements(BufferView& view) {
  const auto lengths = std::span(view.lengths).first(view.rank);
  for (std::size_t i = 0; i < view.rank; ++i)
    if (lengths[i] < 0) return invalid_argument(at("length", i) + " is " + number(lengths[i]));
  view.count = std::ranges::find(lengths, 0) != lengths.end() ? 0 : 1;
  auto size = view.count * static_cast<std::int64_t>(size_of(view.element));
  for (std::size_t i = 0; i < view.rank; ++i) {
    if (__builtin_mul_overflow(size, lengths[i], &size))
      return invalid_argument(at("length", i) + " makes more bytes than an int64 counts");
    view.count *= lengths[i];
  }
  return size;
}

/// Where the elements of a view that has some are.
Status check_addresses(const BufferView& view) {
  if (view.data == nullptr) return invalid_argument("elements at the address 0");
  const std::size_t alignment = align_of(view.element);
  const auto first = reinterpret_cast<std::uintptr_t>(view.data);
  if ((first & (alignment - 1)) != 0)
    return unsupported(std::string("elements that are not aligned: the first ") +
                       name_of(view.element) + " is not at a multiple of " +
                       std::to_string(alignment));
  std::int64_t low = 0;
  auto high = static_cast<std::int64_t>(size_of(view.element));
  for (std::size_t i = 0; i < view.rank; ++i) {
    if (view.lengths[i] == 1) continue;
    std::int64_t reach = 0;
    std::int64_t& end = view.strides[i] < 0 ? low : high;
    if (__builtin_mul_overflow(view.lengths[i] - 1, view.strides[i], &reach) ||
        __builtin_add_overflow(end, reach, &end))
      return invalid_argument(at("stride", i) + " leads further than an int64 counts");
    if ((static_cast<std::uint64_t>(view.strides[i]) & (alignment - 1)) != 0)
      return unsupported("elements that are not aligned: " + at("stride", i) + " is " +
                         number(view.strides[i]));
  }
  std::uintptr_t end = 0;
  if (first < -static_cast<std::uintptr_t>(low))
    return invalid_argument("elements below the address 0");
  if (__builtin_add_overflow(first, static_cast<std::uintptr_t>(high), &end))
    return invalid_argument("elements beyond the last address");
  return {};
}

Status check(const ForeignLayout& claimed, BufferView& view) {
  if (Status wrong = check_rank(claimed); !wrong.ok()) return wrong;
  view.data = static_cast<std::byte*>(claimed.data);
  view.element = claimed.element;
  view.is_readonly = claimed.is_readonly;
  view.rank = static_cast<std::uint8_t>(claimed.lengths.size());
  // Read once, whoever else may write there: what is checked is the copy.
  std::ranges::copy(claimed.lengths, view.lengths.begin());
  const Result<std::int64_t> size = count_elements(view);
  if (!size.ok()) return size.status();
  if (claimed.size && *claimed.size != *size)
    return invalid_argument(number(*claimed.size) + " bytes, where the lengths make " +
                            number(*size));
  if (claimed.strides)
    std::ranges::copy(*claimed.strides, view.strides.begin());
  else if (Status wrong = fill_strides(view); !wrong.ok())
    return wrong;
  return view.count != 0 ? check_addresses(view) : Status();
}

}  // namespace

Result<BufferView> view_of(const ForeignLayout& claimed) {
  BufferView view;
  if (Status wrong = check(claimed, view); !wrong.ok()) return wrong;
  return view;
}

}  // namespace splice::mem
