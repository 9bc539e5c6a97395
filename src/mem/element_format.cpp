// mem/element_format.cpp
#include "mem/element_format.h"

#include <bit>
#include <cstddef>
#include <optional>
#include <string>

namespace splice::mem {

namespace {

static_assert(sizeof(short) == 2 && sizeof(int) == 4 && sizeof(long) == 8 &&
              sizeof(long long) == 8 && sizeof(void*) == 8);

/// `is_native`: with the sizes of C.
std::optional<ElementType> number_of(char code, bool is_native) {
  using enum ElementType;
  switch (code) {
    case '?':
      return kBool;
    case 'b':
      return kI8;
    case 'B':
      return kU8;
    case 'h':
      return kI16;
    case 'H':
      return kU16;
    case 'i':
      return kI32;
    case 'I':
      return kU32;
    case 'l':
      return is_native ? kI64 : kI32;
    case 'L':
      return is_native ? kU64 : kU32;
    case 'q':
      return kI64;
    case 'Q':
      return kU64;
    case 'n':
      if (is_native) return kI64;
      break;
    case 'N':
      if (is_native) return kU64;
      break;
    case 'f':
      return kF32;
    case 'd':
      return kF64;
    default:
      break;
  }
  return std::nullopt;
}

std::optional<ElementType> complex_of(char code) {
  if (code == 'f') return ElementType::kC64;
  if (code == 'd') return ElementType::kC128;
  return std::nullopt;
}

const char* reason_against(char code) {
  switch (code) {
    case 'e':
      return "float16";
    case 'g':
      return "long double";
    case 'O':
      return "Python objects";
    case 'P':
    case '&':
    case 'X':
      return "pointers";
    case 'T':
      return "structures";
    case 'c':
    case 's':
    case 'p':
    case 'u':
    case 'w':
      return "characters";
    case 'x':
      return "padding";
    case '(':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
      return "several numbers in one element";
    default:
      return "no number of this machine";
  }
}

Status refused(std::string_view format, std::size_t at, const char* reason) {
  constexpr std::size_t kMost = 40;
  const bool is_long = format.size() > kMost;
  return unsupported("format '" + std::string(format.substr(0, kMost)) + (is_long ? "..." : "") +
                     "' at " + std::to_string(at) + ": " + reason);
}

}  // namespace

Result<ElementType> element_of_format(std::string_view format) {
  constexpr std::string_view kOrders = "@=<>!";
  constexpr bool kIsLittle = std::endian::native == std::endian::little;
  std::size_t at = 0;
  char order = '@';
  if (!format.empty() && kOrders.find(format[0]) != std::string_view::npos) order = format[at++];
  const bool is_complex = at < format.size() && format[at] == 'Z';
  if (is_complex) ++at;
  if (at == format.size()) return refused(format, at, "no type");
  const auto element = is_complex ? complex_of(format[at]) : number_of(format[at], order == '@');
  if (!element) return refused(format, at, reason_against(format[at]));
  if (at + 1 != format.size()) return refused(format, at + 1, "several numbers in one element");
  const bool is_swapped = kIsLittle ? order == '>' || order == '!' : order == '<';
  if (is_swapped && size_of(*element) != 1) return refused(format, 0, "another byte order");
  return *element;
}

}  // namespace splice::mem
