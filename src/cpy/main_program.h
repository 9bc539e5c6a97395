// cpy/main_program.h: running a program as `python` itself runs it.
#pragma once

#include <Python.h>

#include <string>
#include <vector>

#include "base/result.h"

namespace splice::cpy {

/// What stands behind `python` on a command line, options aside.
struct MainProgram {
  enum class Kind {
    kFile,     ///< a source or .pyc file, a folder or a zip archive with a __main__.py
    kModule,   ///< -m
    kCommand,  ///< -c; the text ends in a newline
    kStdin,    ///< what comes on standard input, or the prompt when that is a terminal
  };
  Kind kind = Kind::kFile;
  std::wstring name;               ///< path, module or command
  std::vector<std::wstring> argv;  ///< as sys.argv begins: the path, "-m", "-c", "-" or ""
};

/// Runs the program with CPython's own main: imports, traceback, exit status, atexit and death by
/// signal are its work. Ends the process; returns only when the program could not be handed over.
/// No frame that is on this thread's stack now is visible to the program. The caller has made
/// sys.argv, sys.path, sys.modules and `__main__` what they are when an interpreter has just
/// started. GIL held, no exception set, main thread.
Status run_main_program(const MainProgram& program);

}  // namespace splice::cpy
