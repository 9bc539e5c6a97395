#include "ir/text_cursor.h"

#include <bit>
#include <charconv>

#include "ir/text_words.h"

namespace splice::ir::text {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

template <class F, class Bits>
bool read_float(std::string_view chars, std::int64_t& out) {
  const char* const first = chars.data();
  const char* const last = first + chars.size();
  if (chars.starts_with("0x")) {
    Bits bits = 0;
    const auto r = std::from_chars(first + 2, last, bits, 16);
    out = static_cast<std::int64_t>(bits);
    return r.ec == std::errc() && r.ptr == last;
  }
  F value = 0;
  const auto r = std::from_chars(first, last, value);
  out = static_cast<std::int64_t>(std::bit_cast<Bits>(value));
  return r.ec == std::errc() && r.ptr == last;
}

}  // namespace

bool Cursor::fail_at(std::size_t at, std::string_view what) {
  if (failed()) return false;
  std::size_t line = 1;
  std::size_t column = 1;
  for (std::size_t i = 0; i < at && i < text_.size(); ++i) {
    ++column;
    if (text_[i] == '\n') {
      ++line;
      column = 1;
    }
  }
  error_ = std::to_string(line) + ":" + std::to_string(column) + ": " + std::string(what);
  return false;
}

bool Cursor::fail(std::string_view what) { return fail_at(position(), what); }

std::size_t Cursor::position() {
  skip();
  return at_;
}

void Cursor::skip() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++at_;
    } else if (c == ';') {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    } else {
      return;
    }
  }
}

bool Cursor::at_end() { return peek() == 0 && at_ >= text_.size(); }

char Cursor::peek() {
  skip();
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool Cursor::more_on_line() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r')) {
    ++at_;
  }
  return at_ < text_.size() && text_[at_] != '\n' && text_[at_] != ';';
}

bool Cursor::accept(char c) {
  if (failed() || at_end() || peek() != c) return false;
  ++at_;
  return true;
}

std::string_view Cursor::peek_word() {
  skip();
  std::size_t end = at_;
  while (end < text_.size() && is_word_char(text_[end])) ++end;
  return text_.substr(at_, end - at_);
}

bool Cursor::accept_word(std::string_view w) {
  if (failed() || peek_word() != w) return false;
  at_ += w.size();
  return true;
}

bool Cursor::expect(char c) { return accept(c) || fail(std::string("expected '") + c + "'"); }

bool Cursor::expect_word(std::string_view w) {
  return accept_word(w) || fail("expected '" + std::string(w) + "'");
}

bool Cursor::word(std::string_view& out) {
  if (failed()) return false;
  out = peek_word();
  if (out.empty()) return fail("expected a word");
  at_ += out.size();
  return true;
}

bool Cursor::quoted(std::string& out) {
  const std::size_t start = position();
  if (!expect('"')) return false;
  out.clear();
  while (at_ < text_.size()) {
    const char c = text_[at_++];
    if (c == '"') return true;
    if (c != '\\') {
      out += c;
      continue;
    }
    const char e = at_ < text_.size() ? text_[at_++] : '\0';
    if (e == '"' || e == '\\') {
      out += e;
    } else if (e == 'x' && at_ + 1 < text_.size() && hex_digit(text_[at_]) >= 0 &&
               hex_digit(text_[at_ + 1]) >= 0) {
      out += static_cast<char>(hex_digit(text_[at_]) * 16 + hex_digit(text_[at_ + 1]));
      at_ += 2;
    } else {
      return fail_at(at_ - 1, "bad escape in a quoted text");
    }
  }
  return fail_at(start, "quoted text without an end");
}

bool Cursor::name(std::string& out) {
  if (!expect('@')) return false;
  if (at_ < text_.size() && text_[at_] == '"') return quoted(out);
  std::string_view w;
  if (!word(w)) return false;
  out = std::string(w);
  return true;
}

std::string_view Cursor::number_chars() {
  skip();
  std::size_t end = at_;
  if (end < text_.size() && text_[end] == '-') ++end;
  while (end < text_.size()) {
    const char c = text_[end];
    // The sign of a decimal exponent belongs to the number.
    const bool exponent_sign = (c == '-' || c == '+') && text_[end - 1 + (end == 0)] == 'e';
    if (!is_word_char(c) && !exponent_sign) break;
    ++end;
  }
  return text_.substr(at_, end - at_);
}

bool Cursor::integer(std::int64_t& out) {
  if (failed()) return false;
  const std::string_view chars = number_chars();
  const auto r = std::from_chars(chars.data(), chars.data() + chars.size(), out);
  if (chars.empty() || r.ec != std::errc() || r.ptr != chars.data() + chars.size()) {
    return fail("expected an integer");
  }
  at_ += chars.size();
  return true;
}

bool Cursor::index(std::uint32_t& out, std::uint32_t limit) {
  const std::size_t start = position();
  std::int64_t value = 0;
  if (!integer(value)) return false;
  if (value < 0 || value > static_cast<std::int64_t>(limit)) {
    return fail_at(start, "number out of range");
  }
  out = static_cast<std::uint32_t>(value);
  return true;
}

bool Cursor::floating(int bits, std::int64_t& out) {
  if (failed()) return false;
  const std::string_view chars = number_chars();
  const bool ok = bits == 32 ? read_float<float, std::uint32_t>(chars, out)
                             : read_float<double, std::uint64_t>(chars, out);
  if (!ok) return fail("expected a floating-point number");
  at_ += chars.size();
  return true;
}

}  // namespace splice::ir::text
