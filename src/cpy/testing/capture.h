// cpy/testing/capture.h: probe functions that take frames away from the interpreter and run them.
#pragma once

namespace splice::cpy::testing {

/// Adds capture, last_capture, run, rebuild, by_hand, counts and on_instruction to `probe`.
void add_capture();

}  // namespace splice::cpy::testing
