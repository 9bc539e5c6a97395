// engine/compile.h: from a live function and the kinds of its arguments to a linked unit.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "codegen/session.h"
#include "engine/record.h"
#include "pyfront/kind.h"
#include "pyfront/lower.h"

namespace splice::engine {

/// Why a function like this one is never compiled; null when it may be.
const char* why_never_compiled(const PyFunctionObject* function);

/// Looks at the code object of the record's function when it is new. False: a kind of function
/// that is never compiled; the record is kRefused then.
bool check_code(Record& record);

/// Adds a variant for `kinds`, which the record does not have yet; `values` are the arguments they
/// are taken from. Never fails: a variant that could not be compiled has a reason. Runs no Python
/// code and leaves no exception.
Variant* compile_variant(Record& record, std::span<const pyfront::Kind> kinds,
                         std::span<PyObject* const> values);

/// The milliseconds that compiling a function, for which nobody asked, is going to take for these
/// arguments; or why it is not compiled: the front end refuses it, or doubts that it is worth it.
/// Runs no Python code and leaves no exception.
std::variant<double, pyfront::Bailout> cost_of_compiling(PyFunctionObject* function,
                                                         std::span<const pyfront::Kind> kinds,
                                                         std::span<PyObject* const> values);

/// Tells the user, by exception (strict, -1) or by a warning once per function (-1 when the
/// warnings filter turns it into an exception). May run Python code.
int report_not_compiled(Record& record, const std::string& reason, int line);

/// How units are compiled. A loop is hot after 2**20 rounds, counted over all calls; after
/// SPLICE_HOT_ROUNDS where the environment has it, and after two with SPLICE_CHAOS, so that tests
/// get through both. SPLICE_OPT_LEVEL=0 leaves LLVM's passes and ours on LLVM IR out: tests that
/// are not about them compile in a third of the time.
const codegen::Options& options_of_units();
/// Some passes of LLVM need time by the square of the blocks of a function, and nobody can
/// interrupt them: so large a module is compiled without.
bool is_large(const ir::Module& module);

/// Whether a compilation may begin here and now: LLVM ends the process when an allocation fails or
/// the stack does. Neither lasts: a call that finds too little is interpreted and the next one asks
/// again.
bool can_begin_to_compile();
/// The same for compiling what is hot again, in the middle of a call: that has more passes.
bool has_stack_to_compile_again();
/// An error when there may be too little memory to compile this module.
Status require_room(const ir::Module& module);

/// Optimised LLVM IR and assembly of a unit as if all loops were hot at once, made again because
/// units don't keep them.
Result<std::unique_ptr<codegen::CodeUnit>> compile_again_with_text(const Unit& unit);

/// The process-wide session, created by the first call.
Result<codegen::Session*> session();

/// Replaced by tests that bring their own IR.
using Lowering = std::variant<pyfront::Lowered, pyfront::Bailout> (*)(const pyfront::Request&);
void set_lowering_for_test(Lowering lowering);

}  // namespace splice::engine
