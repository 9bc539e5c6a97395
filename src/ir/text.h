// ir/text.h: the text form of a module, for people, golden files and fuzzers.
//
//   module "name"
//   symbol @Py_True object                       ; kinds: object, data, runtime
//   symbol @splice_rt_box_int runtime (i64) -> obj.own
//   func @f(i64, f64) -> (i64) exported {        ; and c_abi
//     exit #0 restart () "integer overflow" !3:14
//     exit #1 frames (i64, obj) "call to print" !4:20 {
//       frame @code @function +20 {
//         locals int 0 origin 1, null, tuple(symbol @None, object 1)
//         stack range.iter(int 0, symbol @ten, symbol @one)
//       }
//     }
//   ^0 "entry"(%0: i64, %1: f64):
//     %2: i64, %3: i1 = add.ov i64 %0, %0 !3:14
//     guard #0 %3
//     switch i64 %2, 1: ^1, 7: ^2(%2), else: ^3
//   }
//
// Immediates stand in brackets (`load i64 [16] %3`, `addr [8, 24] %1, %2`, `ret [0] %2`), a place
// is
// `!line` or `!line:offset`, names that are not plain are quoted (@"a b"), `;` starts a comment.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "ir/module.h"

namespace splice::ir {

/// Any module, verified or not. Text of a verified module parses back to the same module, but for
/// ids in Function::values past the last one that is defined.
std::string print(const Module& module);
std::string print(const Module& module, const Function& function);

/// Accepts any bytes. Errors start with "line:column: ". What it returns has the right shape but is
/// not verified: types, dominance and ids of values are for ir/verify.h.
Result<Module> parse(std::string_view text);

}  // namespace splice::ir
