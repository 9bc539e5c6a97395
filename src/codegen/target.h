// codegen/target.h: LLVM's description of the processor, and the emission of machine code.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/result.h"
#include "codegen/llvm_ir.h"

namespace llvm {
class MemoryBuffer;
class TargetMachine;
}  // namespace llvm

namespace splice::codegen {

/// What a target machine is made for. Machines are reused: making one takes longer than a small
/// function takes to compile.
struct TargetKey {
  std::string cpu;  ///< empty: the host's
  int opt_level = 2;
  bool operator==(const TargetKey&) const = default;
};

/// A pool of target machines. Thread-safe; a machine is used by one thread at a time.
class TargetPool {
 public:
  /// Gives its machine back when it dies.
  class Lease {
   public:
    Lease(TargetPool& pool, TargetKey key, std::unique_ptr<llvm::TargetMachine> machine);
    Lease(Lease&&) noexcept;
    ~Lease();
    Lease& operator=(Lease&&) = delete;
    llvm::TargetMachine& operator*() const { return *machine_; }

   private:
    TargetPool* pool_;
    TargetKey key_;
    std::unique_ptr<llvm::TargetMachine> machine_;
  };

  TargetPool();
  ~TargetPool();
  /// kInvalidArgument for a CPU that LLVM does not know.
  Result<Lease> acquire(const TargetKey& key);

 private:
  Result<std::unique_ptr<llvm::TargetMachine>> make(const TargetKey& key) const;

  struct Idle;
  std::mutex mutex_;
  std::vector<Idle> idle_;
  std::string host_cpu_;
  std::string host_features_;
};

/// Machine code for `module` as a relocatable object. Changes the module.
Result<std::unique_ptr<llvm::MemoryBuffer>> emit_object(llvm::Module& module,
                                                        llvm::TargetMachine& machine);
/// The same as assembly text. Changes the module.
Result<std::string> emit_assembly(llvm::Module& module, llvm::TargetMachine& machine);

}  // namespace splice::codegen
