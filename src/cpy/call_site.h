// cpy/call_site.h: what stands on the value stack at a call instruction.
#pragma once

#include <Python.h>

#include <cstdint>

#include "cpy/frames.h"

namespace splice::cpy {

struct CallSite {
  enum class Kind : std::uint8_t {
    kNone,    ///< no call
    kCall,    ///< CALL (on 3.12 also with KW_NAMES in front)
    kCallKw,  ///< CALL_KW, 3.13: the names are the top of the stack
    kCallEx,  ///< CALL_FUNCTION_EX
  };
  Kind kind = Kind::kNone;
  int operands = 0;  ///< stack slots that the call takes
};

/// Reads the instruction at byte `offset`, behind its prefixes. kNone also, with MemoryError set,
/// where the bytes of the code cannot be had.
CallSite call_site_at(PyCodeObject* code, std::int32_t offset);

/// Makes the call of a record that stands at `site` one of `callable`, with operands of the same
/// shape that keep nothing alive. False with an exception set.
bool replace_operands(FrameRecord& record, const CallSite& site, PyObject* callable);

}  // namespace splice::cpy
