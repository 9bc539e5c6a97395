// codegen/session.h: IR modules to machine code in this process.
//
// The only public header of codegen; no LLVM type appears in it. One Session per process
// (composition root: engine). compile() may be called from several threads and needs no GIL.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "ir/module.h"

namespace splice::codegen {

struct Options {
  int opt_level = 2;       ///< 0 = as lowered (tests), 2 = the tuned pipeline
  bool keep_text = false;  ///< keep LLVM IR and assembly for explain
  std::string cpu{};       ///< empty: the host's; "x86-64-v2", ... forces a lower path in tests
  /// Rounds after which a small loop is compiled again, with all that makes loops fast and takes
  /// long to compile; 0: at once. The module must have the symbol splice_rt_hot_place.
  std::int64_t hot_rounds = 0;
  /// Code that is compiled five times as fast and is two to five times slower. What proves hot in
  /// it is compiled again with all passes. Needs hot_rounds.
  bool baseline = false;
};

/// Set in the numbers of what counts in baseline code.
inline constexpr std::uint32_t kBaselinePlace = 1u << 31;

/// Machine code of one module. Destroying it frees the memory: nothing may still run in it.
class CodeUnit {
 public:
  virtual ~CodeUnit() = default;
  /// Address of an exported function; null when the module has no such function.
  virtual void* address(const std::string& function) const = 0;
  /// Of compile_rest(): the address for layout::HotPlace::rest. Null for other units.
  virtual void* rest() const = 0;
  /// Of a place that counts in baseline code the one that counts around it: of a loop the loop
  /// around it, of an outermost loop and of a function that calls itself the entry. None of the
  /// entry, and in other code.
  virtual std::optional<std::uint32_t> around(std::uint32_t place) const = 0;
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
  /// What the `place`-th place that counts in `first` goes on with: rest(), or where that is null
  /// the exported function, and all that the module exports, compiled better. `first` comes from
  /// compile() with hot_rounds, the same module, addresses and options; or it is such a result. The
  /// result may outlive `first`.
  virtual Result<std::unique_ptr<CodeUnit>> compile_rest(const CodeUnit& first, std::uint32_t place,
                                                         const ir::Module& module,
                                                         std::span<void* const> addresses,
                                                         const Options& options) = 0;
};

/// "22.1.8": of the LLVM that is linked in.
const char* llvm_version();

}  // namespace splice::codegen
