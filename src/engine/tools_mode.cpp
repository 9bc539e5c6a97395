// engine/tools_mode.cpp: debuggers, profilers and coverage that come and go.
#include "engine/tools_mode.h"

#include "cpy/thread_context.h"
#include "cpy/tracing.h"
#include "engine/entry.h"

namespace splice::engine {
namespace {

ToolsMode g_mode = ToolsMode::kFree;
bool g_look_pending = false;

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

void look() {
  ToolsMode mode = ToolsMode::kFree;
  // CPython takes a function that has an entry of its own for one in C.
  if (cpy::tracing_active() || cpy::ends_of_c_calls_watched()) {
    mode = ToolsMode::kTraced;
  } else if (foreign_tool_registered()) {
    mode = ToolsMode::kWatchful;
  }
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

ToolsMode tools_mode() { return g_mode; }

void start_watching_tools() {
  // Without the hook there is no way to know: then every entry asks.
  if (!cpy::watch_tracing(&tools_change).ok()) g_mode = ToolsMode::kWatchful;
  look();
}

}  // namespace splice::engine
