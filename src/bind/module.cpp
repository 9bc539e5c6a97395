// bind/module.cpp: the extension module splice._splice.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <nanobind/stl/wstring.h>

#include <cstring>
#include <string>
#include <vector>

#include "bind/errors.h"
#include "cpy/imports.h"
#include "cpy/main_program.h"
#include "engine/engine.h"

namespace nb = nanobind;

namespace {

using namespace splice;

/// `function` is what the Python side already took out of methods and the like.
PyObject* exact_function(nb::handle function, const char* caller) {
  if (!PyFunction_Check(function.ptr())) {
    PyErr_Format(PyExc_TypeError, "%s() needs a Python function, not %.200s", caller,
                 Py_TYPE(function.ptr())->tp_name);
    throw nb::python_error();
  }
  return function.ptr();
}

void checked(int result) {
  if (result < 0) throw nb::python_error();
}

nb::object owned(PyObject* result) {
  if (result == nullptr) throw nb::python_error();
  return nb::steal(result);
}

engine::Stage stage_of(const char* name) {
  struct Named {
    const char* name;
    engine::Stage stage;
  };
  static constexpr Named kStages[] = {
      {"summary", engine::Stage::kSummary}, {"types", engine::Stage::kTypes},
      {"ir", engine::Stage::kIr},           {"llvm", engine::Stage::kLlvm},
      {"asm", engine::Stage::kAsm},
  };
  for (const Named& named : kStages)
    if (std::strcmp(named.name, name) == 0) return named.stage;
  PyErr_Format(PyExc_ValueError,
               "stage must be 'summary', 'types', 'ir', 'llvm' or 'asm', not '%s'", name);
  throw nb::python_error();
}

cpy::MainProgram::Kind program_kind(const char* name) {
  using Kind = cpy::MainProgram::Kind;
  if (std::strcmp(name, "file") == 0) return Kind::kFile;
  if (std::strcmp(name, "module") == 0) return Kind::kModule;
  if (std::strcmp(name, "command") == 0) return Kind::kCommand;
  if (std::strcmp(name, "stdin") == 0) return Kind::kStdin;
  PyErr_Format(PyExc_ValueError, "no such kind of program: '%s'", name);
  throw nb::python_error();
}

}  // namespace

NB_MODULE(_splice, m) {
  m.doc() = "The native half of Splice; use the package `splice`.";
  if (!bind::add_exceptions(m.ptr())) throw nb::python_error();
  engine::Hooks hooks;
  hooks.not_compiled = &bind::tell_not_compiled;
  hooks.disabled = &bind::tell_disabled;
  if (Status status = engine::start(hooks); !status.ok())
    throw nb::import_error(status.message().c_str());

  m.def(
      "jit",
      [](nb::handle function, bool strict) {
        engine::JitOptions options;
        options.strict = strict;
        checked(engine::jit(exact_function(function, "jit"), options));
      },
      nb::arg("function"), nb::arg("strict"));
  m.def(
      "unjit",
      [](nb::handle function) { checked(engine::unjit(exact_function(function, "unjit"))); },
      nb::arg("function"));
  m.def(
      "explain",
      [](nb::handle function, const char* stage) {
        return owned(engine::explain(exact_function(function, "explain"), stage_of(stage)));
      },
      nb::arg("function"), nb::arg("stage"));
  m.def(
      "stats",
      [](nb::handle function) { return owned(engine::stats(exact_function(function, "stats"))); },
      nb::arg("function"));
  m.def("set_report", [](nb::handle report) { bind::set_report(report.ptr()); }, nb::arg("report"));
  m.def("start_promotion", [] { checked(engine::start_promotion()); });
  m.def("stop_promotion", [] { engine::stop_promotion(); });
  m.def("promotion_report", [] { return owned(engine::promotion_report()); });
  m.def(
      "watch_imports",
      [](const std::vector<std::string>& names, nb::handle callback) {
        const Status status = cpy::watch_imports(names, callback.ptr());
        if (status.ok()) return;
        bind::raise_status(status);
        throw nb::python_error();
      },
      nb::arg("names"), nb::arg("callback"));
  m.def(
      "run_main_program",
      [](const char* kind, const std::wstring& name, const std::vector<std::wstring>& argv) {
        const Status status = cpy::run_main_program({program_kind(kind), name, argv});
        bind::raise_status(status);
        throw nb::python_error();
      },
      nb::arg("kind"), nb::arg("name"), nb::arg("argv"));
  m.def("totals", [] { return owned(engine::totals()); });
  m.def("doctor", [] { return owned(engine::doctor()); });
}
