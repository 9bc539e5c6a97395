// ir/testing/random_values.h: values for tests, corner cases first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ir/evaluate.h"
#include "ir/module.h"
#include "ir/testing/random.h"

namespace splice::ir::testing {

/// Never a NaN.
double random_double(Random& random);
/// As Inst::imm holds it.
std::int64_t random_int(Random& random, Type type);

/// Arguments for a function with these parameters, many of them corner cases.
std::vector<Value> random_arguments(std::uint64_t seed, std::span<const Type> types);

/// Equal bits, or both NaN, or `expected` is undefined.
bool same_value(Type type, const Value& expected, const Value& actual);

}  // namespace splice::ir::testing
