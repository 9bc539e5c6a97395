// codegen/testing/native_host.h: a runtime for machine code in tests, the counterpart of
// ir/testing/test_host.h. Its state belongs to the calling thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ir/module.h"
#include "layout/context.h"
#include "layout/hot_place.h"

namespace splice::codegen::testing {

/// What splice_rt_exit was told, with the words that generated code stored afterwards.
struct NativeExit {
  const void* unit = nullptr;
  std::uint32_t function = 0;
  std::uint32_t exit = 0;
  std::vector<std::uint64_t> live;
};

/// The Context that splice_rt_enter gives on this thread. Polls are always asked for.
layout::Context& context();

/// Forgets the exits. Every n-th poll from now on leaves; 0: none.
void reset(int leave_at_poll = 0);

/// Exits since reset(), in the order in which they were taken.
const std::vector<NativeExit>& exits();
/// Polls since reset().
int polls();

/// What &splice_unit is in test modules.
const void* unit_address();

/// Answers splice_rt_hot_place on this thread.
void on_hot_place(std::function<void*(layout::HotPlace*, std::uint32_t)> answer);

/// Addresses for all symbols: splice_*, those of ir/testing/test_host.h, C's `sin` and `pow`, and
/// some memory for objects and data. Null for unknown runtime functions.
std::vector<void*> bind(const ir::Module& module);

/// `text` parsed, with the splice_* symbols declared in front. Exits get a frame, which only the
/// verifier asks for. Ends the test program when the text is wrong.
ir::Module parse_module(const std::string& text);

}  // namespace splice::codegen::testing
