// engine/platform.h: is this an interpreter that Splice knows?
#pragma once

#include <string>

namespace splice::engine {

/// Why nothing can be compiled in this interpreter; empty when everything is as expected. Runs the
/// self-tests of cpy. Sets no exception.
std::string platform_objection();

}  // namespace splice::engine
