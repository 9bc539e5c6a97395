// engine/symbols.h: addresses for the symbols of a module that the front end left open.
#pragma once

#include "base/result.h"
#include "engine/unit.h"

namespace splice::engine {

/// Fills every null of unit.addresses: the unit itself, the runtime of cpy and engine, and whatever
/// CPython or the C library export under that name. Errors: kNotFound.
Status bind_symbols(Unit& unit);

}  // namespace splice::engine
