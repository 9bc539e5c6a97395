// cpy/tracing.h: is anybody watching the program, and who starts to.
#pragma once

#include <Python.h>

#include <cstdint>

#include "base/result.h"

namespace splice::cpy {

/// True while a trace or profile function is set on `ts`, or while any tool of sys.monitoring other
/// than ours has global events on (sys.settrace and sys.setprofile on any thread count as such).
/// Events that a tool set on single code objects are not seen: ask traced_locally. A few loads.
bool tracing_active(PyThreadState* ts);
/// The same for the current thread.
bool tracing_active();
/// True when another tool than ours has events on this code object alone.
bool traced_locally(PyCodeObject* code);
/// True when the code has instructions in it for another tool than ours, as of when it was last
/// called in the interpreter: the tool may have switched its events off since.
bool still_instrumented(PyCodeObject* code);
/// True when another tool has a callback for C_RETURN or C_RAISE, whether or not events are on.
bool ends_of_c_calls_watched();
/// True when `ts` is inside a trace, profile or monitoring callback: no events fire there.
bool inside_trace_callback(PyThreadState* ts);

/// The id of sys.monitoring that Splice uses.
inline constexpr int kToolId = 5;

/// Changes whenever events of any tool, trace or profile function are switched on or off for the
/// whole process. A word of the main interpreter; where its layout is not known one that never
/// does.
const volatile std::uint64_t* monitoring_version_address();

/// `callback` is called with the GIL held right after a tool of sys.monitoring came or went, but
/// not for our own. It must set no exception. Once per process. CPython has no event for it: the
/// two functions of sys.monitoring that do it stay the same objects, with another C function in
/// them. Errors: kUnsupported where they do not look as expected.
Status watch_tools(void (*callback)());

/// Installs an audit hook, once per process; it cannot be removed, and every audited operation
/// (`id` is one) pays for it: CPython makes the event's arguments only if there is a hook.
/// `callback` is called with the GIL held before sys.settrace, sys.setprofile (also by C code and
/// for other threads) or sys.monitoring.register_callback takes effect, but not for our own
/// registrations. It must set no exception. With null only the hook stays and does nothing.
Status watch_tracing(void (*callback)());

/// While one lives, audit events on this thread are our own doing.
class OwnRegistration {
 public:
  OwnRegistration();
  ~OwnRegistration();
  OwnRegistration(const OwnRegistration&) = delete;
  OwnRegistration& operator=(const OwnRegistration&) = delete;
};

}  // namespace splice::cpy
