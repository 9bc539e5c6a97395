// codegen/gdb.h: shows generated functions to gdb (and lldb) through the JIT interface of gdb.
//
// Switched on by SPLICE_GDB=1: it keeps a copy of each object file in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace splice::codegen {

/// True with SPLICE_GDB=1 in the environment of the process's start of compiling.
bool gdb_wanted();

/// Where a section of an object was placed.
struct PlacedSection {
  std::string name;
  std::uint64_t address = 0;
};

/// A registered object file. Thread-safe; unregistered when it dies.
class GdbObject {
 public:
  /// `object` is a relocatable ELF file; it is copied and its section addresses are filled in.
  /// Null when it is no such file.
  static std::unique_ptr<GdbObject> add(std::span<const char> object,
                                        const std::vector<PlacedSection>& sections);
  virtual ~GdbObject() = default;
  /// The registered bytes.
  virtual std::span<const char> bytes() const = 0;
};

}  // namespace splice::codegen
