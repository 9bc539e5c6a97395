// engine/hooks.h: what start() was given, for the rest of the engine.
#pragma once

#include "engine/engine.h"

namespace splice::engine {

const Hooks& hooks();

}  // namespace splice::engine
