// engine/tools_mode.cpp: debuggers, profilers and coverage that come and go.
#include "engine/tools_mode.h"

#include "cpy/thread_context.h"
#include "cpy/tracing.h"
#include "engine/entry.h"

namespace splice::engine {
namespace {

ToolsMode g_mode = ToolsMode::kFree;
std::uint64_t g_seen_events = 0;
bool g_look_pending = false;
/// Nothing tells that a tool has gone.
bool g_blind = false;

/// True when some id of sys.monitoring but ours is taken. Sets no exception.
bool foreign_tool_registered() {
  bool found = false;
  PyObject* monitoring = PySys_GetObject("monitoring");  // borrowed
  for (int id = 0; id < 6 && monitoring != nullptr && !found; ++id) {
    if (id == cpy::kToolId) continue;
    PyObject* tool = PyObject_CallMethod(monitoring, "get_tool", "i", id);
    found = tool != nullptr && tool != Py_None;
    Py_XDECREF(tool);
  }
  if (PyErr_Occurred()) PyErr_Clear();
  return found;
}

void tools_change();

void look() {
  g_seen_events = *cpy::monitoring_version_address();
  ToolsMode mode = ToolsMode::kFree;
  // CPython takes a function that has an entry of its own for one in C.
  if (cpy::tracing_active() || cpy::ends_of_c_calls_watched()) {
    mode = ToolsMode::kTraced;
  } else if (foreign_tool_registered()) {
    mode = ToolsMode::kWatchful;
  }
  if (mode != ToolsMode::kFree && !cpy::watch_tracing(&tools_change).ok()) g_blind = true;
  if (g_blind) mode = ToolsMode::kWatchful;
  if (mode == g_mode) return;
  g_mode = mode;
  install_all();
}

int look_later(void*) {
  g_look_pending = false;
  look();
  return 0;
}

/// A tool is about to start, change or stop. Which one shows only afterwards: until somebody has
/// looked, everything is interpreted.
void tools_change() {
  if (g_mode != ToolsMode::kTraced) {
    g_mode = ToolsMode::kTraced;
    install_all();
    cpy::bump_epoch();
  }
  if (!g_look_pending) g_look_pending = Py_AddPendingCall(&look_later, nullptr) == 0;
}

}  // namespace

ToolsMode tools_mode() {
  if (*cpy::monitoring_version_address() != g_seen_events && !g_look_pending) look();
  return g_mode;
}

const void* seen_events_address() { return &g_seen_events; }

void start_watching_tools() {
  if (!cpy::watch_tools(&tools_change).ok() && !cpy::watch_tracing(&tools_change).ok())
    g_blind = true;
  look();
}

}  // namespace splice::engine
