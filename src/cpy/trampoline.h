// cpy/trampoline.h: the private Python functions whose frames become rebuilt ones.
#pragma once

#include <Python.h>

#include "base/result.h"

namespace splice::cpy {

/// Supplies the next frame. Called by the monitoring callback with the fresh frame of a trampoline
/// (a Frame*) that `parent` called; turns it into the real one.
using FrameSource = void (*)(void* chain, void* frame);

/// Takes the tool id, makes the trampolines and arms them. Once; GIL held. Errors: kUnsupported.
Status init_trampolines();

/// A trampoline whose frame has room for a frame of `code`. Null when there is none: the frame is
/// too big or init_trampolines() failed. Borrowed.
PyObject* trampoline_for(PyCodeObject* code);

/// The next trampoline called on this thread from the frame `parent` gets its frame from `source`.
/// Nothing but that call may run on this thread in between.
void expect_frame(FrameSource source, void* chain, const void* parent);
/// Forgets what `chain` still expects on this thread.
void expect_nothing(const void* chain);

}  // namespace splice::cpy
