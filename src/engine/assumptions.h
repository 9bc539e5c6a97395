// engine/assumptions.h: what units rely on, and what happens when it changes.
#pragma once

#include "base/result.h"
#include "engine/record.h"

namespace splice::engine {

/// Creates the watchers. Errors: kResource, no watcher id is free.
Status start_assumptions();

/// Watches every dependency of the unit. Errors: as the watchers report them; the unit must not be
/// linked then.
Status arm(Unit& unit);
/// Stops watching. Harmless for a unit that was not armed.
void disarm(Unit& unit);

}  // namespace splice::engine
