// engine/unit.cpp: the life of a compiled module.
#include "engine/unit.h"

#include <utility>

namespace splice::engine {

Unit::~Unit() {
  code.reset();  // nothing may run in it any more: the caller saw to that
  rests.clear();
  for (PyObject* object : std::exchange(objects, {})) Py_DECREF(object);
}

std::uint64_t Unit::total_exits() const {
  std::uint64_t sum = 0;
  for (const auto& function : exits_taken)
    for (std::uint64_t taken : function) sum += taken;
  return sum;
}

std::size_t Unit::code_bytes() const {
  std::size_t sum = code->code_bytes() + (better != nullptr ? better->code_bytes() : 0);
  for (const auto& rest : rests) sum += rest->code_bytes();
  return sum;
}

bool hottest_exit(const Unit& unit, const ir::Exit** exit, std::uint64_t* taken) {
  *taken = 0;
  for (std::size_t f = 0; f < unit.exits_taken.size(); ++f) {
    for (std::size_t e = 0; e < unit.exits_taken[f].size(); ++e) {
      if (unit.exits_taken[f][e] <= *taken) continue;
      *taken = unit.exits_taken[f][e];
      *exit = &unit.module.functions[f].exits[e];
    }
  }
  return *taken != 0;
}

}  // namespace splice::engine
