// First: it needs to be the one that includes Python.h.
#include "cpy/interpreter.h"

#include "cpy/main_program.h"

#include <cstdlib>

namespace splice::cpy {

namespace {

#if SPLICE_KNOWN_INTERPRETER

/// Py_RunMain goes by these fields; each is what the command line would have made of it.
bool describe(PyConfig& config, const MainProgram& program) {
  using Kind = MainProgram::Kind;
  auto name_if = [&](Kind kind) { return program.kind == kind ? program.name.c_str() : nullptr; };
  std::vector<wchar_t*> argv;
  for (const std::wstring& argument : program.argv) {
    argv.push_back(const_cast<wchar_t*>(argument.c_str()));
  }
  PyStatus status = PyConfig_SetString(&config, &config.run_filename, name_if(Kind::kFile));
  if (!PyStatus_Exception(status)) {
    status = PyConfig_SetString(&config, &config.run_module, name_if(Kind::kModule));
  }
  if (!PyStatus_Exception(status)) {
    status = PyConfig_SetString(&config, &config.run_command, name_if(Kind::kCommand));
  }
  if (!PyStatus_Exception(status)) {
    status = PyConfig_SetWideStringList(&config, &config.argv, static_cast<Py_ssize_t>(argv.size()),
                                        argv.data());
  }
  return !PyStatus_Exception(status);
}

/// Makes `ts` what it was before it ran any Python code. How much C recursion that leaves differs
/// between releases: a new thread state knows.
bool forget_frames(PyThreadState* ts) {
  PyThreadState* fresh = PyThreadState_New(ts->interp);
  if (fresh == nullptr) {
    return false;
  }
  current_frame(ts) = nullptr;
  ts->py_recursion_remaining = ts->py_recursion_limit;
  ts->c_recursion_remaining = fresh->c_recursion_remaining;
  PyThreadState_Clear(fresh);
  PyThreadState_Delete(fresh);
  return true;
}

#endif

}  // namespace

Status run_main_program([[maybe_unused]] const MainProgram& program) {
#if SPLICE_KNOWN_INTERPRETER
  PyThreadState* ts = PyThreadState_Get();
  if (!describe(ts->interp->config, program) || !forget_frames(ts)) {
    return resource_error("no memory to start the program");
  }
  // Py_RunMain wants to be the only main program of the interpreter.
  _PyInterpreterState_SetNotRunningMain(ts->interp);
  // The frames below are never returned to, so it does not matter that they are unlinked.
  std::exit(Py_RunMain());
#else
  return unsupported("this version of CPython is not known");
#endif
}

}  // namespace splice::cpy
