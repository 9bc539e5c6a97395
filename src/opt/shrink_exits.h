// opt/shrink_exits.h: leaves out live values that say nothing.
#pragma once

#include "ir/module.h"

namespace splice::opt {

/// Exits are most of the code. Where all guards, polls and leaves of an exit agree, an origin that
/// is null is no origin, a presence that is constant is decided, a borrowed object that is there
/// twice is passed once, and values that no recipe names are not passed at all. Numbers are never
/// merged: each live number is an object of its own when frames are rebuilt. True when something
/// changed. `f` must be verified.
bool shrink_exits(ir::Function& f);

}  // namespace splice::opt
