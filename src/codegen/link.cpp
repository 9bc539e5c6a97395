#include "codegen/link.h"

#include <llvm/ExecutionEngine/JITLink/ELF_x86_64.h>
#include <llvm/ExecutionEngine/JITLink/JITLink.h>
#include <llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h>
#include <llvm/ExecutionEngine/Orc/SymbolStringPool.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <optional>

#include "codegen/gdb.h"
#include "codegen/hot_places.h"
#include "codegen/libcalls.h"
#include "codegen/module_lowering.h"

namespace splice::codegen {

namespace {

namespace jl = llvm::jitlink;
using Allocation = jl::JITLinkMemoryManager::FinalizedAlloc;
using SharedMemory = std::shared_ptr<jl::InProcessMemoryManager>;

class PlacedCode final : public LinkedCode {
 public:
  PlacedCode(SharedMemory memory, Allocation allocation, std::vector<PlacedFunction> functions,
             std::unique_ptr<GdbObject> gdb)
      : memory_(std::move(memory)),
        allocation_(std::move(allocation)),
        functions_(std::move(functions)),
        gdb_(std::move(gdb)) {}

  ~PlacedCode() override {
    gdb_.reset();
    // Unmapping fails only for ranges that were never mapped; nobody could act on it.
    llvm::consumeError(memory_->deallocate(std::move(allocation_)));
  }

  std::span<const PlacedFunction> functions() const override { return functions_; }

 private:
  SharedMemory memory_;
  Allocation allocation_;
  std::vector<PlacedFunction> functions_;
  std::unique_ptr<GdbObject> gdb_;
};

/// What one link gives back. The memory manager works in this thread, so link() has filled it in
/// when it returns.
struct Outcome {
  std::optional<Allocation> allocation;
  std::vector<PlacedFunction> functions;
  std::vector<PlacedSection> sections;  ///< for gdb, when wanted
  std::string error;
};

class Context final : public jl::JITLinkContext {
 public:
  Context(jl::InProcessMemoryManager& memory, std::span<void* const> addresses,
          std::span<const std::string> names, Outcome& outcome)
      : JITLinkContext(nullptr),
        memory_(memory),
        addresses_(addresses),
        names_(names),
        outcome_(outcome) {}

  jl::JITLinkMemoryManager& getMemoryManager() override { return memory_; }

  void notifyFailed(llvm::Error error) override {
    outcome_.error = llvm::toString(std::move(error));
  }

  void lookup(const LookupMap& wanted,
              std::unique_ptr<jl::JITLinkAsyncLookupContinuation> next) override {
    jl::AsyncLookupResult found;
    for (const auto& [name, flags] : wanted) {
      const std::string_view text(*name);
      const std::uint32_t index = symbol_of_link_name(text);
      const bool known = index < addresses_.size();
      void* address = known ? addresses_[index] : libcall_address(text);
      if (address == nullptr) {
        return next->run(llvm::make_error<jl::JITLinkError>(
            "no address for symbol " + (known ? names_[index] : std::string(text))));
      }
      found[name] = {llvm::orc::ExecutorAddr::fromPtr(address), llvm::JITSymbolFlags::Exported};
    }
    next->run(std::move(found));
  }

  llvm::Error notifyResolved(jl::LinkGraph& graph) override {
    for (const jl::Symbol* symbol : graph.defined_symbols()) {
      if (!symbol->hasName()) continue;
      const std::string_view name(*symbol->getName());
      const std::uint32_t index =
          is_rest_link_name(name) ? kRestOfFunction : function_of_link_name(name);
      if (index == ir::kNone) continue;
      outcome_.functions.push_back({index, symbol->getAddress().toPtr<char*>(), symbol->getSize()});
    }
    if (gdb_wanted()) {
      for (jl::Section& section : graph.sections()) {
        const jl::SectionRange range(section);
        if (range.empty()) continue;
        outcome_.sections.push_back({section.getName().str(), range.getStart().getValue()});
      }
    }
    return llvm::Error::success();
  }

  void notifyFinalized(Allocation allocation) override {
    outcome_.allocation.emplace(std::move(allocation));
  }

 private:
  jl::InProcessMemoryManager& memory_;
  std::span<void* const> addresses_;
  std::span<const std::string> names_;
  Outcome& outcome_;
};

class JitLinker final : public Linker {
 public:
  explicit JitLinker(SharedMemory memory)
      : memory_(std::move(memory)), strings_(std::make_shared<llvm::orc::SymbolStringPool>()) {}

  Result<std::unique_ptr<LinkedCode>> link(const llvm::MemoryBuffer& object,
                                           std::span<void* const> addresses,
                                           std::span<const std::string> names) override {
    auto graph = jl::createLinkGraphFromELFObject_x86_64(object.getMemBufferRef(), strings_);
    if (!graph) return internal_error("object: " + llvm::toString(graph.takeError()));
    Outcome outcome;
    jl::link_ELF_x86_64(std::move(*graph),
                        std::make_unique<Context>(*memory_, addresses, names, outcome));
    strings_->clearDeadEntries();
    if (!outcome.allocation) return internal_error("link: " + outcome.error);
    std::unique_ptr<GdbObject> gdb;
    if (gdb_wanted()) gdb = GdbObject::add(object.getBuffer(), outcome.sections);
    return std::unique_ptr<LinkedCode>(std::make_unique<PlacedCode>(
        memory_, std::move(*outcome.allocation), std::move(outcome.functions), std::move(gdb)));
  }

 private:
  SharedMemory memory_;
  std::shared_ptr<llvm::orc::SymbolStringPool> strings_;
};

}  // namespace

Result<std::unique_ptr<Linker>> Linker::create() {
  auto memory = jl::InProcessMemoryManager::Create();
  if (!memory) return resource_error(llvm::toString(memory.takeError()));
  return std::unique_ptr<Linker>(std::make_unique<JitLinker>(SharedMemory(std::move(*memory))));
}

}  // namespace splice::codegen
