// cpy/frame_build.h: one record to one frame. Include cpy/interpreter.h first.
#pragma once

#include "cpy/frames.h"
#include "cpy/interpreter.h"

namespace splice::cpy {

#if SPLICE_KNOWN_INTERPRETER

/// How the eval loop enters a frame: at its instruction, or with an exception that this raised.
enum class Entry : std::uint8_t { kGoOn, kRaise };

/// Pushes a frame for the record on the data stack of `ts`, ready for the eval loop, and moves the
/// record's references into it. Null with MemoryError set; the record is unchanged then.
Frame* push_frame(PyThreadState* ts, FrameRecord& record, Entry entry);

/// Turns `frame`, whose eval loop waits for a monitoring callback, into the record's frame: moves
/// the references in, drops what was there. The frame must have room for co_framesize of the code.
void become_frame(Frame* frame, FrameRecord& record);

#endif

}  // namespace splice::cpy
