// engine/testing/own_body.h: functions whose IR a test brings itself.
#pragma once

#include <Python.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <variant>

#include "engine/compile.h"
#include "ir/text.h"
#include "pyfront/lower.h"

namespace splice::engine::testing {

/// A module with `own_body`, a function @body of one object, behind a stub that passes one argument
/// on without looking at it.
inline std::variant<pyfront::Lowered, pyfront::Bailout> lower_own_body(
    const std::string& own_body, const pyfront::Request& request) {
  const std::string text = R"(module "test"
symbol @splice_rt_enter runtime () -> ptr
symbol @splice_rt_unwind runtime (ptr, i32, obj, ptr, i64) -> obj.own
symbol @code object
symbol @function object
)" + own_body + R"(
func @entry(obj, ptr, i64, obj) -> (obj.own) exported c_abi {
^0 "entry"(%0: obj, %1: ptr, %2: i64, %3: obj):
  %4: ptr = call.rt @splice_rt_enter
  %5: obj = load obj [0] %1
  %6: obj.own, %7: i32 = call @body %4, %5
  switch i32 %7, 0: ^1, else: ^2
^1:
  ret [0] %6
^2:
  %8: obj.own = call.rt @splice_rt_unwind %4, %7, %0, %1, %2
  ret [0] %8
}
)";
  auto parsed = ir::parse(text);
  EXPECT_TRUE(parsed.ok()) << parsed.status().message();
  if (!parsed.ok()) return pyfront::Bailout{"the IR of a test does not parse", 0};
  pyfront::Lowered lowered;
  lowered.module = std::move(*parsed);
  lowered.entry = "entry";
  lowered.addresses.resize(lowered.module.symbols.size());
  auto* function = reinterpret_cast<PyFunctionObject*>(request.function);
  for (std::size_t i = 0; i < lowered.module.symbols.size(); ++i) {
    if (lowered.module.symbols[i].name == "code") lowered.addresses[i] = function->func_code;
    if (lowered.module.symbols[i].name == "function") lowered.addresses[i] = function;
  }
  lowered.objects = {Py_NewRef(function->func_code), Py_NewRef(request.function)};
  lowered.dependencies.push_back({pyfront::Dependency::Kind::kFunction, request.function, nullptr});
  return lowered;
}

}  // namespace splice::engine::testing
