// codegen/session.h: IR modules to machine code in this process.
//
// The only public header of codegen; no LLVM type appears in it. One Session per process
// (composition root: engine). compile() may be called from several threads and needs no GIL.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"
#include "ir/module.h"

namespace splice::codegen {

struct Options {
  int opt_level = 2;       ///< 0 = as lowered (tests), 2 = the tuned pipeline
  bool keep_text = false;  ///< keep LLVM IR and assembly for explain
  std::string cpu{};       ///< empty: the host's; "x86-64-v2", ... forces a lower path in tests
};

/// Machine code of one module. Destroying it frees the memory: nothing may still run in it.
class CodeUnit {
 public:
  virtual ~CodeUnit() = default;
  /// Address of an exported function; null when the module has no such function.
  virtual void* address(const std::string& function) const = 0;
  virtual const std::string& llvm_ir() const = 0;   ///< optimised; empty without keep_text
  virtual const std::string& assembly() const = 0;  ///< empty without keep_text
  virtual std::size_t code_bytes() const = 0;
};

class Session {
 public:
  static Result<std::unique_ptr<Session>> create();
  virtual ~Session() = default;
  /// `addresses` is parallel to module.symbols. The module must be verified and free of py.* ops.
  virtual Result<std::unique_ptr<CodeUnit>> compile(const ir::Module& module,
                                                    std::span<void* const> addresses,
                                                    const Options& options) = 0;
};

/// "22.1.8": of the LLVM that is linked in.
const char* llvm_version();

}  // namespace splice::codegen
