// engine/tools_mode.h: how careful entries have to be because of tracing tools.
#pragma once

namespace splice::engine {

enum class ToolsMode {
  kFree,      ///< nobody watches the program
  kWatchful,  ///< a foreign tool exists and may switch events on unseen: entries ask at each call
  kTraced,    ///< a tool traces, or is about to: functions have the interpreter's entry
};

ToolsMode tools_mode();

/// Installs the audit hook and looks for tools that are there already. GIL held.
void start_watching_tools();

}  // namespace splice::engine
