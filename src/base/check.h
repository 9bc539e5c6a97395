// base/check.h: SPLICE_CHECK, for broken invariants of our own (never for user input).
#pragma once

namespace splice {

/// Prints file, line and text to stderr and aborts. Never reached from user input.
[[noreturn]] void check_failed(const char* file, int line, const char* what);

}  // namespace splice

#define SPLICE_CHECK(cond, what) \
  ((cond) ? (void)0 : ::splice::check_failed(__FILE__, __LINE__, what))
