// codegen/link.h: a relocatable object to code in this process, with JITLink.
//
// JITLink is used without an ORC session: a unit names everything it needs by index and nothing
// links against a unit by name, so there is no symbol table to keep, lock or leak into.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace llvm {
class MemoryBuffer;
}

namespace splice::codegen {

/// In place of an index: the function is what a hot place goes on with.
inline constexpr std::uint32_t kRestOfFunction = 0xfffffffeu;

/// Where one function of the module landed.
struct PlacedFunction {
  std::uint32_t index = 0;
  char* address = nullptr;
  std::size_t size = 0;
};

/// Code in executable memory; freed when this dies.
class LinkedCode {
 public:
  virtual ~LinkedCode() = default;
  virtual std::span<const PlacedFunction> functions() const = 0;
};

/// Hands out memory to linked code. Thread-safe. Code may outlive the linker.
class Linker {
 public:
  static Result<std::unique_ptr<Linker>> create();
  virtual ~Linker() = default;
  /// `addresses` is parallel to the module's symbols; null is an error only where the code needs
  /// the symbol, whose name is then taken from `names`.
  virtual Result<std::unique_ptr<LinkedCode>> link(const llvm::MemoryBuffer& object,
                                                   std::span<void* const> addresses,
                                                   std::span<const std::string> names) = 0;
};

}  // namespace splice::codegen
