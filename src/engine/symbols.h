// engine/symbols.h: addresses for the symbols of a module that the front end left open.
#pragma once

#include "base/result.h"
#include "engine/unit.h"

namespace splice::engine {

/// Adds what codegen refers to by name: the unit, splice_rt_exit, splice_rt_poll,
/// splice_rt_hot_place.
void add_runtime_symbols(ir::Module& module);

/// Fills every null of unit.addresses: the unit itself, the runtime of cpy and engine, and whatever
/// CPython or the C library export under that name. Errors: kNotFound.
Status bind_symbols(Unit& unit);

}  // namespace splice::engine
