// engine/tools_mode.h: how careful entries have to be because of tracing tools.
#pragma once

namespace splice::engine {

enum class ToolsMode {
  kFree,      ///< nobody watches the program
  kWatchful,  ///< a foreign tool exists and may switch events on unseen: entries ask at each call
  kTraced,    ///< a tool traces, or is about to: functions have the interpreter's entry
};

/// Looks again if events were switched on or off since the last look.
ToolsMode tools_mode();

/// The version of the process's events (cpy::monitoring_version_address) at the last look. Entries
/// compare the two and come to tools_mode() where they differ.
const void* seen_events_address();

/// Begins to follow tools, and looks for those that are there already. An audit hook is installed
/// when the first tool is seen, and not before: it slows the whole program down. GIL held.
void start_watching_tools();

}  // namespace splice::engine
