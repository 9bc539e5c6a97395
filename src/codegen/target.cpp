#include "codegen/target.h"

#include "base/check.h"
#include "codegen/pipeline.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/PassTimingInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/SubtargetFeature.h>

namespace splice::codegen {

namespace {

/// A fifth of the time where a processor's model asks for it, for code that the processor orders by
/// itself.
void forgo_scheduling_after_register_allocation() {
  static const bool done = [] {
    auto& options = llvm::cl::getRegisteredOptions();
    const auto found = options.find("disable-post-ra");
    return found != options.end() && !found->second->addOccurrence(0, "disable-post-ra", "true");
  }();
  SPLICE_CHECK(done, "LLVM has no option disable-post-ra");
}

}  // namespace

struct TargetPool::Idle {
  TargetKey key;
  std::unique_ptr<llvm::TargetMachine> machine;
};

TargetPool::Lease::Lease(TargetPool& pool, TargetKey key,
                         std::unique_ptr<llvm::TargetMachine> machine)
    : pool_(&pool), key_(std::move(key)), machine_(std::move(machine)) {}

TargetPool::Lease::Lease(Lease&&) noexcept = default;

TargetPool::Lease::~Lease() {
  if (machine_ == nullptr) return;
  const std::lock_guard lock(pool_->mutex_);
  pool_->idle_.push_back({std::move(key_), std::move(machine_)});
}

TargetPool::TargetPool() {
  forgo_scheduling_after_register_allocation();
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  host_cpu_ = llvm::sys::getHostCPUName().str();
  llvm::SubtargetFeatures features;
  for (const auto& [name, on] : llvm::sys::getHostCPUFeatures()) features.AddFeature(name, on);
  host_features_ = features.getString();
}

TargetPool::~TargetPool() = default;

Result<TargetPool::Lease> TargetPool::acquire(const TargetKey& key) {
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = idle_.size(); i-- > 0;) {
      if (idle_[i].key != key) continue;
      std::unique_ptr<llvm::TargetMachine> machine = std::move(idle_[i].machine);
      idle_.erase(idle_.begin() + static_cast<std::ptrdiff_t>(i));
      return Lease(*this, key, std::move(machine));
    }
  }
  auto made = make(key);
  if (!made.ok()) return made.status();
  return Lease(*this, key, std::move(*made));
}

Result<std::unique_ptr<llvm::TargetMachine>> TargetPool::make(const TargetKey& key) const {
  const llvm::Triple triple(llvm::sys::getProcessTriple());
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (target == nullptr) return unsupported("no code generator for " + triple.str());

  const bool host = key.cpu.empty();
  if (!host) {
    // LLVM only prints a warning for a CPU that it does not know.
    std::unique_ptr<llvm::MCSubtargetInfo> info(target->createMCSubtargetInfo(triple, "", ""));
    if (!info->isCPUStringValid(key.cpu)) return invalid_argument("unknown CPU " + key.cpu);
  }
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;  // fma only where the program says so
  options.EnableFastISel = key.opt_level == 0;
  options.MCOptions.AsmVerbose = true;
  const auto level =
      key.opt_level == 0 ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default;
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, host ? host_cpu_ : key.cpu, host ? host_features_ : "", options, llvm::Reloc::PIC_,
      llvm::CodeModel::Small, level, /*JIT=*/true));
  if (machine == nullptr) return unsupported("no target machine for " + triple.str());
  return machine;
}

namespace {

Status emit(llvm::Module& module, llvm::TargetMachine& machine, llvm::CodeGenFileType type,
            llvm::SmallVectorImpl<char>& out) {
  llvm::raw_svector_ostream stream(out);
  llvm::legacy::PassManager passes;
  // No C library function is known to code generation either.
  llvm::TargetLibraryInfoImpl library(machine.getTargetTriple());
  library.disableAllFunctions();
  passes.add(new llvm::TargetLibraryInfoWrapperPass(library));
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type, /*DisableVerify=*/true)) {
    return unsupported("this target emits no such file");
  }
  llvm::TimePassesIsEnabled = log_passes();
  passes.run(module);
  if (llvm::TimePassesIsEnabled) llvm::reportAndResetTimings();
  return {};
}

}  // namespace

Result<std::unique_ptr<llvm::MemoryBuffer>> emit_object(llvm::Module& module,
                                                        llvm::TargetMachine& machine) {
  llvm::SmallVector<char, 0> bytes;
  Status status = emit(module, machine, llvm::CodeGenFileType::ObjectFile, bytes);
  if (!status.ok()) return status;
  return std::unique_ptr<llvm::MemoryBuffer>(std::make_unique<llvm::SmallVectorMemoryBuffer>(
      std::move(bytes), module.getName(), /*RequiresNullTerminator=*/false));
}

Result<std::string> emit_assembly(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::SmallVector<char, 0> bytes;
  Status status = emit(module, machine, llvm::CodeGenFileType::AssemblyFile, bytes);
  if (!status.ok()) return status;
  return std::string(bytes.begin(), bytes.end());
}

}  // namespace splice::codegen
