// ir/text_cursor.h: reads the tokens of IR text. Private to ir/text_parse.cpp.
//
// Every reader skips blanks and comments first and returns false when what it wants is not there;
// the first failure is kept with its place and everything after it fails as well.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace splice::ir::text {

class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  bool failed() const { return !error_.empty(); }
  const std::string& error() const { return error_; }
  /// Remembers the first error, at the current token (or at `at`). Always returns false.
  bool fail(std::string_view what);
  bool fail_at(std::size_t at, std::string_view what);
  std::size_t position();

  bool at_end();
  /// Next character that is not blank; 0 at the end.
  char peek();
  /// True when something other than a comment follows on the current line.
  bool more_on_line();
  /// Takes `c` when it comes next; no error otherwise.
  bool accept(char c);
  /// Takes the word `w` when it comes next, whole; no error otherwise.
  bool accept_word(std::string_view w);
  bool expect(char c);
  bool expect_word(std::string_view w);
  /// A run of word characters, perhaps empty.
  std::string_view peek_word();
  bool word(std::string_view& out);
  /// "..." with the escapes \" \\ and \xNN.
  bool quoted(std::string& out);
  /// `@` and a plain or quoted name.
  bool name(std::string& out);
  bool integer(std::int64_t& out);
  /// A whole number not above `limit`.
  bool index(std::uint32_t& out, std::uint32_t limit);
  /// Decimal, or 0x and the bits. Result is the bits of a double (or float when `bits` is 32).
  bool floating(int bits, std::int64_t& out);

 private:
  void skip();
  /// The characters of a number at the cursor: sign, digits, letters and dots.
  std::string_view number_chars();

  std::string_view text_;
  std::size_t at_ = 0;
  std::string error_;
};

}  // namespace splice::ir::text
