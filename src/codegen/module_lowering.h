// codegen/module_lowering.h: an IR module to an LLVM module, before optimisation.
//
// Names in the LLVM module are made up ("f3.fib", "s0.splice_unit"): LLVM must never take a name of
// the program for a C library function whose meaning it knows, and no name can be malformed.
// One use per object; not thread-safe. Errors are Status; nothing here aborts on a verified module.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "codegen/llvm_ir.h"
#include "ir/module.h"

namespace splice::codegen {

/// LLVM's name of function `index`; the number alone makes it unique.
std::string function_link_name(const ir::Module& module, std::uint32_t index);
/// The same for symbol `id`.
std::string symbol_link_name(const ir::Module& module, ir::SymbolId id);
/// Symbol of that name, or kNone.
ir::SymbolId find_symbol(const ir::Module& module, std::string_view name);
/// Index in a name made by one of these; kNone when it is none.
std::uint32_t function_of_link_name(std::string_view name);
std::uint32_t symbol_of_link_name(std::string_view name);

/// What memory an access touches, as far as it is known. Different classes never overlap.
enum class MemoryClass : std::uint8_t {
  kUnknown,   ///< may be any of the others
  kContext,   ///< fields of layout::Context
  kCounter,   ///< the thread's recursion counter
  kOther,     ///< Python objects, stack slots: all else that generated code works on
  kElements,  ///< numbers and characters in arrays, bytes and bytearrays
  kHeader,    ///< what arrays are: fields, shape, strides, dtype
};

/// How LLVM IR names MemoryClass::kElements and kHeader.
inline constexpr const char* kElementsMemory = "elements";
inline constexpr const char* kHeaderMemory = "header";

class ModuleLowering {
 public:
  /// `addresses` is parallel to the symbols: symbols with one address become one LLVM value, since
  /// LLVM takes different globals for different memory.
  ModuleLowering(const ir::Module& source, std::span<void* const> addresses,
                 llvm::LLVMContext& context, const llvm::DataLayout& layout,
                 const std::string& triple);

  Result<std::unique_ptr<llvm::Module>> run();

  // For FunctionLowering.
  const ir::Module& source() const { return source_; }
  llvm::LLVMContext& context() const { return context_; }
  llvm::Module& module() const { return *module_; }
  llvm::Function* function(std::uint32_t index) const { return functions_[index]; }
  /// Declares the symbol on first use.
  llvm::GlobalValue* symbol(ir::SymbolId id);
  /// Type with which a runtime symbol is called.
  llvm::FunctionType* symbol_type(ir::SymbolId id) const;
  /// Memory that holds `value`, which LLVM knows nothing about.
  llvm::GlobalVariable* opaque_constant(llvm::Constant* value);
  /// Type of a value that takes one LLVM value (all but c128 and void).
  llvm::Type* scalar(ir::Type type) const;
  /// Appends the LLVM types of a value: two for c128.
  void append_types(ir::Type type, llvm::SmallVectorImpl<llvm::Type*>& out) const;
  llvm::MDNode* memory_tag(MemoryClass c) const { return tags_[static_cast<std::size_t>(c)]; }
  llvm::MDNode* empty_node() const { return empty_node_; }
  llvm::MDNode* likely() const { return likely_; }
  llvm::MDNode* unlikely() const { return unlikely_; }

 private:
  llvm::FunctionType* function_type(const ir::Function& f) const;
  void declare_function(std::uint32_t index);
  void add_parameter_attributes(llvm::Function* f, const std::vector<ir::Type>& params,
                                unsigned first) const;

  const ir::Module& source_;
  std::span<void* const> addresses_;
  llvm::LLVMContext& context_;
  std::unique_ptr<llvm::Module> module_;
  std::vector<llvm::Function*> functions_;
  std::vector<llvm::GlobalValue*> symbols_;
  std::map<llvm::Constant*, llvm::GlobalVariable*> opaque_;
  std::array<llvm::MDNode*, 6> tags_{};
  llvm::MDNode* empty_node_ = nullptr;
  llvm::MDNode* likely_ = nullptr;
  llvm::MDNode* unlikely_ = nullptr;
};

}  // namespace splice::codegen
