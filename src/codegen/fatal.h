// codegen/fatal.h: keeps LLVM's "fatal errors" from ending the process.
#pragma once

#include <functional>

#include "base/result.h"

namespace splice::codegen {

/// Runs `body`, in which LLVM is called. A fatal error inside LLVM comes back as kInternal (what
/// LLVM had allocated is lost), one for lack of memory as kResource. May be nested and used from
/// several threads; outside of it LLVM's fatal errors abort as they do by default.
Status run_guarded(const std::function<Status()>& body);

}  // namespace splice::codegen
