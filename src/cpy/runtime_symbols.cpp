#include "cpy/runtime_symbols.h"
#include "cpy/large_int.h"

#include <Python.h>

#include <string>
#include <unordered_map>

#include "cpy/math_table.h"
#include "cpy/runtime_math.h"
#include "cpy/runtime_number.h"
#include "cpy/thread_context.h"

namespace splice::cpy {

namespace {

/// Generated code counts in the low half. That of an immortal object which somebody counted in all
/// 64 bits (extensions from before 3.12 do) can come to 0 while the whole count does not.
void dealloc(PyObject* object) noexcept {
  if (Py_REFCNT(object) == 0) _Py_Dealloc(object);
}

std::unordered_map<std::string, void*> make_table() {
#define SPLICE_SYMBOL(name) {#name, reinterpret_cast<void*>(&name)}
  std::unordered_map<std::string, void*> table = {
      {"splice_rt_dealloc", reinterpret_cast<void*>(&dealloc)},
      // CPython's own functions, without a step in between.
      {"splice_rt_box_int", reinterpret_cast<void*>(&PyLong_FromLongLong)},
      {"splice_rt_box_float", reinterpret_cast<void*>(&PyFloat_FromDouble)},
      {"splice_rt_box_complex", reinterpret_cast<void*>(&PyComplex_FromDoubles)},
      SPLICE_SYMBOL(splice_rt_enter),
      SPLICE_SYMBOL(splice_rt_poll),
      SPLICE_SYMBOL(splice_rt_exit),
      SPLICE_SYMBOL(splice_rt_int_truediv),
      SPLICE_SYMBOL(splice_rt_int_floordiv),
      SPLICE_SYMBOL(splice_rt_int_mod),
      SPLICE_SYMBOL(splice_rt_int_mod_returns_dividend),
      SPLICE_SYMBOL(splice_rt_int_pow),
      SPLICE_SYMBOL(splice_rt_int_pow_mod),
      SPLICE_SYMBOL(splice_rt_int_lshift),
      SPLICE_SYMBOL(splice_rt_int_rshift),
      SPLICE_SYMBOL(splice_rt_int_round),
      SPLICE_SYMBOL(splice_rt_int_bit_count),
      SPLICE_SYMBOL(splice_rt_int_bit_length),
      SPLICE_SYMBOL(splice_rt_int_hash),
      SPLICE_SYMBOL(splice_rt_int_operator),
      SPLICE_SYMBOL(splice_rt_int_compare),
      SPLICE_SYMBOL(splice_rt_float_pow),
      SPLICE_SYMBOL(splice_rt_float_floordiv),
      SPLICE_SYMBOL(splice_rt_float_mod),
      SPLICE_SYMBOL(splice_rt_compare_int_float),
      SPLICE_SYMBOL(splice_rt_float_to_int),
      SPLICE_SYMBOL(splice_rt_float_round_int),
      SPLICE_SYMBOL(splice_rt_float_round),
      SPLICE_SYMBOL(splice_rt_float_is_integer),
      SPLICE_SYMBOL(splice_rt_complex_div),
      SPLICE_SYMBOL(splice_rt_complex_pow),
      SPLICE_SYMBOL(splice_rt_complex_abs),
      SPLICE_SYMBOL(splice_rt_call_float),
  };
#undef SPLICE_SYMBOL
  for (const MathFunction& f : math_functions()) {
    table.emplace(f.symbol, f.address);
    if (f.direct != nullptr) table.emplace(f.direct_symbol, f.direct);
  }
  return table;
}

}  // namespace

void* runtime_symbol(std::string_view name) {
  static const std::unordered_map<std::string, void*> table = make_table();
  const auto found = table.find(std::string(name));
  return found == table.end() ? nullptr : found->second;
}

}  // namespace splice::cpy
