#include "codegen/session.h"

#include <llvm/Config/llvm-config.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <cstdlib>
#include <cstring>
#include <unordered_map>

#include "codegen/expand_exits.h"
#include "codegen/fatal.h"
#include "codegen/hot_places.h"
#include "codegen/link.h"
#include "codegen/module_lowering.h"
#include "codegen/modulo.h"
#include "codegen/pipeline.h"
#include "codegen/target.h"
#include "sys/code_map.h"

namespace splice::codegen {

namespace {

struct Texts {
  std::string llvm_ir;
  std::string assembly;
};

class LinkedUnit final : public CodeUnit {
 public:
  LinkedUnit(const ir::Module& module, std::unique_ptr<LinkedCode> code, Texts texts,
             HotPlaces hot_places)
      : code_(std::move(code)), texts_(std::move(texts)), hot_places_(std::move(hot_places)) {
    for (const PlacedFunction& f : code_->functions()) {
      bytes_ += f.size;
      if (f.index == kRestOfFunction) {
        rest_ = f.address;
        sys::code_map().add({f.address, f.size, module.name + " (hot)"});
        continue;
      }
      const ir::Function& source = module.functions[f.index];
      if (source.exported) addresses_[source.name] = f.address;
      sys::code_map().add({f.address, f.size, source.name});
    }
  }

  ~LinkedUnit() override {
    for (const PlacedFunction& f : code_->functions()) sys::code_map().remove(f.address);
  }

  void* address(const std::string& function) const override {
    const auto found = addresses_.find(function);
    return found == addresses_.end() ? nullptr : found->second;
  }
  void* rest() const override { return rest_; }
  std::optional<std::uint32_t> around(std::uint32_t place) const override {
    const std::uint32_t index = place & ~kBaselinePlace;
    if (index == place || index >= hot_places_.places.size() || !hot_places_.places[index].around)
      return std::nullopt;
    return *hot_places_.places[index].around | kBaselinePlace;
  }
  const HotPlaces& hot_places() const { return hot_places_; }
  const std::string& llvm_ir() const override { return texts_.llvm_ir; }
  const std::string& assembly() const override { return texts_.assembly; }
  std::size_t code_bytes() const override { return bytes_; }

 private:
  std::unique_ptr<LinkedCode> code_;
  std::unordered_map<std::string, void*> addresses_;
  Texts texts_;
  HotPlaces hot_places_;
  void* rest_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Collects LLVM's errors, which it would print before it exits.
class Diagnostics final : public llvm::DiagnosticHandler {
 public:
  explicit Diagnostics(std::string& errors) : errors_(errors) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() == llvm::DS_Error) {
      llvm::raw_string_ostream stream(errors_);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
    }
    return true;
  }

 private:
  std::string& errors_;
};

std::string print(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

class JitSession final : public Session {
 public:
  explicit JitSession(std::unique_ptr<Linker> linker) : linker_(std::move(linker)) {}

  Result<std::unique_ptr<CodeUnit>> compile(const ir::Module& module,
                                            std::span<void* const> addresses,
                                            const Options& options) override {
    if (addresses.size() != module.symbols.size()) {
      return invalid_argument("module " + module.name + " has " +
                              std::to_string(module.symbols.size()) + " symbols, but " +
                              std::to_string(addresses.size()) + " addresses were given");
    }
    const Source source = {module, addresses, options};
    return guarded(source, [&](llvm::LLVMContext& context, llvm::TargetMachine& machine,
                               Optimised& out) { return lower(source, context, machine, out); });
  }

  Result<std::unique_ptr<CodeUnit>> compile_rest(const CodeUnit& first, std::uint32_t place,
                                                 const ir::Module& module,
                                                 std::span<void* const> addresses,
                                                 const Options& options) override {
    const HotPlaces& hot = static_cast<const LinkedUnit&>(first).hot_places();
    const bool baseline = (place & kBaselinePlace) != 0;
    place &= ~kBaselinePlace;
    if (place >= hot.places.size()) {
      return not_found("place " + std::to_string(place) + " of " + module.name);
    }
    Options again = options;
    again.baseline = false;
    const Source source = {module, addresses, again};
    const HotPlaces::Place& wanted = hot.places[place];
    return guarded(
        source,
        [&](llvm::LLVMContext& context, llvm::TargetMachine& machine, Optimised& out) -> Status {
          if (wanted.kind == HotPlaces::Kind::kEntry) return lower(source, context, machine, out);
          if (baseline) {
            if (Status status = lower_only(source, context, machine, out); !status.ok())
              return status;
          } else {
            out.module = read_back(hot, context);
          }
          if (out.module == nullptr || !make_rest(*out.module, wanted, baseline)) {
            return not_found("place " + std::to_string(place) + " of " + module.name);
          }
          if (Status status = verify(*out.module); !status.ok()) return status;
          optimise_rest(*out.module, machine, /*as_lowered=*/baseline);
          return verify(*out.module);
        });
  }

 private:
  struct Source {
    const ir::Module& module;
    std::span<void* const> addresses;
    const Options& options;
  };

  struct Optimised {
    std::unique_ptr<llvm::Module> module;
    HotPlaces hot_places;
  };

  /// Compiles what `make` puts into its last argument.
  template <class Make>
  Result<std::unique_ptr<CodeUnit>> guarded(const Source& source, const Make& make) {
    std::unique_ptr<CodeUnit> unit;
    const Status status = run_guarded([&] { return emit(source, make, unit); });
    if (!status.ok()) return status;
    return unit;
  }

  static Status lower_only(const Source& source, llvm::LLVMContext& context,
                           llvm::TargetMachine& machine, Optimised& out) {
    ModuleLowering lowering(source.module, source.addresses, context, machine.createDataLayout(),
                            machine.getTargetTriple().str());
    auto lowered = lowering.run();
    if (!lowered.ok()) return lowered.status();
    out.module = std::move(*lowered);
    return verify(*out.module);
  }

  static Status lower(const Source& source, llvm::LLVMContext& context,
                      llvm::TargetMachine& machine, Optimised& out) {
    const Options& options = source.options;
    if (Status status = lower_only(source, context, machine, out); !status.ok()) return status;
    if (options.opt_level == 0) return {};
    if (options.hot_rounds == 0) {
      optimise(*out.module, machine);
      return verify(*out.module);
    }
    const ir::SymbolId compile = find_symbol(source.module, "splice_rt_hot_place");
    const ir::SymbolId unit = find_symbol(source.module, "splice_unit");
    if (compile == ir::kNone || unit == ir::kNone) {
      return invalid_argument("module " + source.module.name + " has no splice_rt_hot_place");
    }
    const HotPlaceRuntime runtime = {.compile = symbol_link_name(source.module, compile),
                                     .unit = symbol_link_name(source.module, unit),
                                     .rounds = options.hot_rounds,
                                     .first = options.baseline ? kBaselinePlace : 0};
    out.hot_places = options.baseline ? count_all_places(*out.module, runtime)
                                      : optimise_first(*out.module, machine, runtime);
    return verify(*out.module);
  }

  template <class Make>
  Status emit(const Source& source, const Make& make, std::unique_ptr<CodeUnit>& out) {
    const Options& options = source.options;
    auto lease =
        targets_.acquire({options.cpu, options.opt_level == 0 || options.baseline ? 0 : 2});
    if (!lease.ok()) return lease.status();
    llvm::TargetMachine& machine = **lease;

    std::string errors;
    llvm::LLVMContext context;
    context.setDiscardValueNames(!options.keep_text);
    context.setDiagnosticHandler(std::make_unique<Diagnostics>(errors));
    Optimised optimised;
    if (Status status = make(context, machine, optimised); !status.ok()) return status;
    llvm::Module& llvm_module = *optimised.module;
    for (llvm::Function& function : llvm_module) expand_modulos(function);  // what no pass has
    expand_exits(llvm_module);
    Texts texts;
    if (options.keep_text) {
      texts.llvm_ir = print(llvm_module);
      const std::unique_ptr<llvm::Module> copy = llvm::CloneModule(llvm_module);
      auto assembly = emit_assembly(*copy, machine);
      if (!assembly.ok()) return assembly.status();
      texts.assembly = std::move(*assembly);
    }
    auto object = emit_object(llvm_module, machine);
    if (!object.ok()) return object.status();
    if (!errors.empty()) return internal_error("code generation: " + errors);

    std::vector<std::string> names;
    names.reserve(source.module.symbols.size());
    for (const ir::Symbol& symbol : source.module.symbols) names.push_back(symbol.name);
    auto code = linker_->link(**object, source.addresses, names);
    if (!code.ok()) return code.status();
    out = std::make_unique<LinkedUnit>(source.module, std::move(*code), std::move(texts),
                                       std::move(optimised.hot_places));
    return {};
  }

  // Debug builds check each module that was lowered; others do with SPLICE_VERIFY=1.
  static Status verify(const llvm::Module& module) {
#ifdef NDEBUG
    static const bool wanted = [] {
      const char* value = std::getenv("SPLICE_VERIFY");
      return value != nullptr && std::strcmp(value, "1") == 0;
    }();
    if (!wanted) return {};
#endif
    std::string problem;
    llvm::raw_string_ostream stream(problem);
    if (llvm::verifyModule(module, &stream)) {
      return internal_error("malformed LLVM IR: " + problem + print(module));
    }
    return {};
  }

  std::unique_ptr<Linker> linker_;
  TargetPool targets_;
};

}  // namespace

Result<std::unique_ptr<Session>> Session::create() {
  auto linker = Linker::create();
  if (!linker.ok()) return linker.status();
  return std::unique_ptr<Session>(std::make_unique<JitSession>(std::move(*linker)));
}

const char* llvm_version() { return LLVM_VERSION_STRING; }

}  // namespace splice::codegen
