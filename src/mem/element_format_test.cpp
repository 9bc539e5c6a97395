#include "mem/element_format.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace splice::mem {
namespace {

TEST(ElementFormat, Numbers) {
  using enum ElementType;
  const std::pair<const char*, ElementType> known[] = {
      {"?", kBool}, {"b", kI8},     {"B", kU8},    {"h", kI16},  {"H", kU16},   {"i", kI32},
      {"I", kU32},  {"l", kI64},    {"L", kU64},   {"q", kI64},  {"Q", kU64},   {"n", kI64},
      {"N", kU64},  {"f", kF32},    {"d", kF64},   {"Zf", kC64}, {"Zd", kC128}, {"@l", kI64},
      {"@n", kI64}, {"@Zd", kC128}, {"=l", kI32},  {"=L", kU32}, {"<l", kI32},  {"<q", kI64},
      {"<d", kF64}, {"<Zf", kC64},  {"=?", kBool}, {">b", kI8},  {"!B", kU8},   {">?", kBool}};
  for (const auto& [format, element] : known) {
    const auto found = element_of_format(format);
    ASSERT_TRUE(found.ok()) << found.status().message();
    EXPECT_EQ(*found, element) << format;
  }
}

TEST(ElementFormat, EverythingElse) {
  const std::pair<const char*, const char*> refused[] = {
      {"", "'' at 0: no type"},
      {"<", "'<' at 1: no type"},
      {"Z", "'Z' at 1: no type"},
      {">d", "'>d' at 0: another byte order"},
      {"!Zf", "at 0: another byte order"},
      {">h", "another byte order"},
      {"=n", "'=n' at 1: no number"},
      {"<N", "at 1: no number"},
      {"<<d", "at 1: no number"},
      {"d<", "at 1: several"},
      {"dd", "'dd' at 1: several"},
      {"3d", "'3d' at 0: several"},
      {"(2,3)d", "at 0: several"},
      {" d", "at 0: no number"},
      {"ZZd", "at 1: no number"},
      {"Zi", "at 1: no number"},
      {"Zg", "at 1: long double"},
      {"e", "'e' at 0: float16"},
      {"g", "long double"},
      {"O", "Python objects"},
      {"P", "pointers"},
      {"&d", "pointers"},
      {"X{}", "pointers"},
      {"T{d:x:}", "'T{d:x:}' at 0: structures"},
      {"c", "characters"},
      {"s", "characters"},
      {"w", "characters"},
      {"x", "padding"},
      {"\xff", "no number"},
  };
  for (const auto& [format, text] : refused) {
    const auto found = element_of_format(format);
    ASSERT_FALSE(found.ok()) << format;
    EXPECT_EQ(found.status().code(), ErrorCode::kUnsupported);
    EXPECT_NE(found.status().message().find(text), std::string::npos) << found.status().message();
  }
  const auto long_one = element_of_format("T{" + std::string(1 << 20, 'd') + "}");
  ASSERT_FALSE(long_one.ok());
  EXPECT_LT(long_one.status().message().size(), 100u);
}

}  // namespace
}  // namespace splice::mem
