// engine/unit.h: one compiled module: its machine code and everything it stands on.
//
// The symbol `splice_unit` of a module is the address of its Unit, so generated code that leaves
// names the Unit without a look-up. Owned by the variant it was made for while it is linked, then
// by the list of retired units until no thread can return into it. GIL held for everything.
#pragma once

#include <Python.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "codegen/session.h"
#include "ir/module.h"
#include "pyfront/lower.h"

namespace splice::engine {

struct Record;

struct Unit {
  Unit() = default;
  ~Unit();  ///< drops the references; may run any code
  Unit(const Unit&) = delete;
  Unit& operator=(const Unit&) = delete;

  Record* owner = nullptr;  ///< null once unlinked
  bool valid = true;        ///< no assumption has fired
  std::uint32_t held = 0;   ///< calls whose return address may be in its stub; see HeldUnits

  ir::Module module;             ///< as given to codegen; its exits describe the frames
  std::vector<void*> addresses;  ///< parallel to module.symbols
  std::vector<PyObject*> objects;
  std::vector<pyfront::Dependency> dependencies;
  std::vector<pyfront::LineNote> notes;
  std::string types;
  std::string entry;  ///< name of the function that `stub` is the code of
  /// What it began with, and the whole module again, once that proved hot. Calls may be in either
  /// as long as the unit lives.
  std::unique_ptr<codegen::CodeUnit> code;
  std::unique_ptr<codegen::CodeUnit> better;
  std::vector<std::unique_ptr<codegen::CodeUnit>> rests;  ///< what hot places go on with
  std::string rest_problem;                               ///< why the last of them has none
  std::vector<std::uint32_t> deferred;  ///< hot places for which one around them was taken
  vectorcallfunc stub = nullptr;
  double compile_ms = 0;

  /// Times each exit was taken: [function][exit].
  std::vector<std::vector<std::uint64_t>> exits_taken;

  std::uint64_t total_exits() const;
  std::size_t code_bytes() const;  ///< with what hot places go on with
};

/// The exit of `unit` taken most often. False when none was.
bool hottest_exit(const Unit& unit, const ir::Exit** exit, std::uint64_t* taken);

}  // namespace splice::engine
