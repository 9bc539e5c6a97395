// ir/text_words.h: spelling that printer and parser share. Private to ir/text_*.cpp.
#pragma once

#include <string_view>

#include "ir/module.h"

namespace splice::ir::text {

inline constexpr Recipe::Kind kLastRecipe = Recipe::Kind::kEither;

constexpr const char* recipe_word(Recipe::Kind kind) {
  switch (kind) {
    case Recipe::Kind::kNull:
      return "null";
    case Recipe::Kind::kSymbol:
      return "symbol";
    case Recipe::Kind::kInt:
      return "int";
    case Recipe::Kind::kFloat:
      return "float";
    case Recipe::Kind::kBool:
      return "bool";
    case Recipe::Kind::kComplex:
      return "complex";
    case Recipe::Kind::kScalar:
      return "scalar";
    case Recipe::Kind::kObject:
      return "object";
    case Recipe::Kind::kTuple:
      return "tuple";
    case Recipe::Kind::kRange:
      return "range";
    case Recipe::Kind::kRangeIter:
      return "range.iter";
    case Recipe::Kind::kListIter:
      return "list.iter";
    case Recipe::Kind::kReversed:
      return "reversed";
    case Recipe::Kind::kEnumerate:
      return "enumerate";
    case Recipe::Kind::kZip:
      return "zip";
    case Recipe::Kind::kSlice:
      return "slice";
    case Recipe::Kind::kArrayView:
      return "array.view";
    case Recipe::Kind::kEither:
      return "either";
  }
  return "?";
}

constexpr bool recipe_has_items(Recipe::Kind kind) { return kind >= Recipe::Kind::kTuple; }

/// Characters of words and of names that need no quotes.
constexpr bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '$';
}

constexpr bool is_plain_name(std::string_view s) {
  if (s.empty()) return false;
  for (const char c : s) {
    if (!is_word_char(c)) return false;
  }
  return true;
}

}  // namespace splice::ir::text
