// pyfront/observed.h: variables whose object the program can tell from an equal one.
#pragma once

#include <vector>

#include "pyfront/bytecode.h"

namespace splice::pyfront {

class Unit;

/// For each of `locals` variables, and behind them for the result of each instruction (of
/// remainders and calls): whether some use hands its object on (to a call, a container, a
/// result, `is`). What only arithmetic, comparisons and tests read is a value to the program:
/// whether two such variables are one object cannot be seen. Errs on the side of true. Functions
/// that are called by a global name are looked up, and the unit then depends on the name: of an
/// argument of math.sin only the value is seen, of one of a Python function what that one shows.
std::vector<bool> observed_locals(Unit& unit, PyFunctionObject* function, const Bytecode& bytecode);

}  // namespace splice::pyfront
