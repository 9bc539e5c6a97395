// pyfront/lower.h: a live Python function and the kinds of its arguments to an IR module.
//
// The front end reads the bytecode of the live code object (which *is* the running program), so
// every instruction boundary is an exit point whose locals and stack are known by construction.
// Call with the GIL held. Reads Python state (globals, cells, attributes of modules) and reports
// everything it relied on as dependencies; runs no Python code.
#pragma once

#include <Python.h>

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/module.h"
#include "pyfront/kind.h"

namespace splice::pyfront {

/// Why a function stays in the interpreter. Shown by splice.explain, counted, never raised by
/// itself.
struct Bailout {
  std::string reason;  ///< "uses `yield`", "argument 'x' is a dict", ...
  int line = 0;        ///< in the function's file; 0 when it concerns the whole function
};

/// Something the machine code assumes. `engine` arms a watcher and unlinks the unit when it
/// changes.
struct Dependency {
  enum class Kind { kDictKey, kFunction, kType };
  Kind kind;
  PyObject* object;  ///< dict, function or type; kept alive by Lowered::objects
  PyObject* key;     ///< kDictKey: the str key; else null
};

/// What the notes on exits begin with.
inline constexpr std::string_view kLeaves = "leaves to the interpreter: ";

/// What explain shows for one source line.
struct LineNote {
  int line;
  std::string text;  ///< "leaves: call to print" ...
};

struct Lowered {
  ir::Module module;
  std::string entry;               ///< name of the entry stub, a vectorcallfunc
  std::vector<void*> addresses;    ///< parallel to module.symbols; null: bound by the engine
                                   ///< (splice_unit and the splice_rt_* runtime)
  std::vector<PyObject*> objects;  ///< strong references, one per object named anywhere
  std::vector<Dependency> dependencies;
  std::vector<LineNote> notes;
  std::string types;  ///< text for explain(fn, "types")
  /// Set when little is won by calling it from interpreted code: where it leaves in its loops.
  std::optional<Bailout> doubt;
};

struct Request {
  PyObject* function = nullptr;  ///< borrowed, an exact PyFunction
  std::vector<Kind> args;        ///< one per parameter (positional order incl. keyword-only)
  /// The arguments of the call that caused the compilation, or empty. Borrowed; what containers
  /// hold is guessed by them and checked where it is read.
  std::vector<PyObject*> samples;
  /// Code objects and offsets of instructions that have left with kLargeResult.
  std::vector<std::pair<PyCodeObject*, int>> large = {};
};

/// The reason of exits at which a result did not fit 64 bits.
inline constexpr const char* kLargeResult = "a result beyond 64 bits";

/// On success the caller owns the references in `objects`.
std::variant<Lowered, Bailout> lower_function(const Request& request);

}  // namespace splice::pyfront
