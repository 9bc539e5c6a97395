// engine/entry.h: the entries of a function under Splice, and the calls that generated stubs make.
#pragma once

#include <Python.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "layout/context.h"

namespace splice::engine {

struct Record;

/// Gives the function the entry that its record asks for now: a stub, the engine's own entry, or
/// the interpreter's. Only this and replace_stub() set an entry.
void install(Record& record);
/// Where `old` is the function's entry, `better` takes its place. Does not look for tools: of these
/// the stub has to ask first.
void replace_stub(Record& record, vectorcallfunc old, vectorcallfunc better);
/// Quiet jit() of a function that is being called with `values`, one per parameter, keyword-only
/// ones last: compiled for their kinds first, and given an entry only then. False when there is no
/// native code; the record says why, and the function is as it was. Runs no Python code.
bool jit_now(PyFunctionObject* function, std::span<PyObject* const> values);
/// The record of a function that promotion looks at, made when there is none; null when somebody
/// else has set the function's entry.
Record* quiet_record(PyFunctionObject* function);
/// install() for all records: after tracing tools came or went.
void install_all();

}  // namespace splice::engine

extern "C" {
/// Called by an entry stub for a call it does not take: other arity, keywords, other kinds.
PyObject* splice_rt_miss(PyObject* function, PyObject* const* args, std::size_t nargsf,
                         PyObject* kwnames);
/// Called by an entry stub whose body returned a negative status.
PyObject* splice_rt_unwind(splice::layout::Context* ctx, std::int32_t status, PyObject* function,
                           PyObject* const* args, std::size_t nargsf);
}
