// engine/platform.cpp: the checks at start, and what `splice doctor` says.
#include "engine/platform.h"

#include <string>

#include "codegen/session.h"
#include "cpy/frames.h"
#include "cpy/tracing.h"
#include "engine/compile.h"
#include "engine/dict.h"
#include "engine/engine.h"
#include "layout/object_layout.h"
#include "sys/cpu.h"

namespace splice::engine {
namespace {

#ifdef Py_GIL_DISABLED
constexpr bool kFreeThreaded = true;
#else
constexpr bool kFreeThreaded = false;
#endif

// Compared by value: gcc 12 warns about a constant address that is compared with null.
constexpr bool kKnownLayout = PY_MINOR_VERSION == 12 || PY_MINOR_VERSION == 13;

std::string running_version() { return std::string(Py_GetVersion()).substr(0, 6); }

PyObject* works(const Status& status) {
  return text(status.ok() ? "works" : "off: " + status.message());
}

std::string cpu_text() {
  const sys::Cpu& cpu = sys::cpu();
  return cpu.name + " (x86-64-v" + std::to_string(cpu.level) + ")";
}

}  // namespace

std::string platform_objection() {
  if (kFreeThreaded) return "free-threaded builds of CPython are not supported";
  if constexpr (!kKnownLayout)
    return "CPython " + running_version() + " is not a version that Splice knows";
  const unsigned long same_minor = 0xffff0000ul;
  if ((Py_Version & same_minor) != (PY_VERSION_HEX & same_minor))
    return "this Splice was built for CPython " PY_VERSION ", not for " + running_version();
  return cpy::self_test().message();
}

PyObject* doctor() {
  PyObject* dict = PyDict_New();
  if (dict == nullptr) return nullptr;
  const Result<codegen::Session*> llvm = session();
  const bool fine = disabled_reason().empty() && llvm.ok();
  if (put(dict, "compiles", PyBool_FromLong(fine)) &&
      put(dict, "switched_off",
          disabled_reason().empty() ? Py_NewRef(Py_None) : text(disabled_reason())) &&
      put(dict, "cpu", text(cpu_text())) &&
      put(dict, "llvm", text(llvm.ok() ? codegen::llvm_version() : llvm.status().message())) &&
      put(dict, "frame_rebuilding", works(cpy::self_test())) &&
      put(dict, "frames_by_trampoline", works(cpy::trampoline_status())) &&
      put(dict, "monitoring_tool_id", PyLong_FromLong(cpy::kToolId)) &&
      put(dict, "tracing_now", PyBool_FromLong(cpy::tracing_active())))
    return dict;
  Py_DECREF(dict);
  return nullptr;
}

}  // namespace splice::engine
