#include "codegen/module_lowering.h"

#include <cctype>
#include <charconv>

#include "codegen/function_lowering.h"
#include "layout/context.h"

namespace splice::codegen {

namespace {

// The readable part is cut: linkers and profilers need no more, and names can be long qualnames.
std::string readable(std::string_view name) {
  std::string out;
  for (char c : name.substr(0, 80)) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
    out.push_back(plain ? c : '_');
  }
  return out;
}

std::uint32_t index_of(std::string_view name, char kind) {
  std::uint32_t index = 0;
  if (name.size() < 3 || name[0] != kind) return ir::kNone;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + 1, end, index);
  if (error != std::errc() || stop == end || *stop != '.') return ir::kNone;
  return index;
}

bool is_quiet_test(std::string_view name) { return name.starts_with("splice_rt_is_quiet"); }

// The runtime functions of paths that are hardly ever taken.
bool is_cold(std::string_view name) {
  return name == "splice_rt_exit" || name == "splice_rt_poll" || name == "splice_rt_miss" ||
         name == "splice_rt_unwind" || name == "splice_rt_bind" ||
         name == "splice_rt_int_mod_returns_dividend" || is_quiet_test(name);
}

// How C passes narrow integers. Other types have no attribute.
llvm::Attribute::AttrKind extension(ir::Type type) {
  using ir::Type;
  if (type == Type::kI1 || type == Type::kU8 || type == Type::kU16) return llvm::Attribute::ZExt;
  if (type == Type::kI8 || type == Type::kI16) return llvm::Attribute::SExt;
  return llvm::Attribute::None;
}

}  // namespace

std::string function_link_name(const ir::Module& module, std::uint32_t index) {
  return "f" + std::to_string(index) + "." + readable(module.functions[index].name);
}

std::string symbol_link_name(const ir::Module& module, ir::SymbolId id) {
  return "s" + std::to_string(id) + "." + readable(module.symbols[id].name);
}

ir::SymbolId find_symbol(const ir::Module& module, std::string_view name) {
  for (ir::SymbolId i = 0; i < module.symbols.size(); ++i) {
    if (module.symbols[i].name == name) return i;
  }
  return ir::kNone;
}

std::uint32_t function_of_link_name(std::string_view name) { return index_of(name, 'f'); }
std::uint32_t symbol_of_link_name(std::string_view name) { return index_of(name, 's'); }

ModuleLowering::ModuleLowering(const ir::Module& source, std::span<void* const> addresses,
                               llvm::LLVMContext& context, const llvm::DataLayout& layout,
                               const std::string& triple)
    : source_(source), addresses_(addresses), context_(context) {
  module_ = std::make_unique<llvm::Module>(readable(source.name), context);
  module_->setDataLayout(layout);
  module_->setTargetTriple(llvm::Triple(triple));
  module_->setPICLevel(llvm::PICLevel::BigPIC);

  llvm::MDBuilder meta(context);
  llvm::MDNode* root = meta.createTBAARoot("splice");
  const std::array<const char*, 6> names = {nullptr,  "context",       "recursion",
                                            "memory", kElementsMemory, kHeaderMemory};
  for (std::size_t i = 1; i < names.size(); ++i) {
    llvm::MDNode* type = meta.createTBAAScalarTypeNode(names[i], root);
    tags_[i] = meta.createTBAAStructTagNode(type, type, 0);
  }
  empty_node_ = llvm::MDNode::get(context, {});
  likely_ = meta.createLikelyBranchWeights();
  unlikely_ = meta.createUnlikelyBranchWeights();
}

llvm::Type* ModuleLowering::scalar(ir::Type type) const {
  using ir::Type;
  switch (type) {
    case Type::kI1:
      return llvm::Type::getInt1Ty(context_);
    case Type::kI8:
    case Type::kU8:
      return llvm::Type::getInt8Ty(context_);
    case Type::kI16:
    case Type::kU16:
      return llvm::Type::getInt16Ty(context_);
    case Type::kI32:
    case Type::kU32:
      return llvm::Type::getInt32Ty(context_);
    case Type::kI64:
    case Type::kU64:
      return llvm::Type::getInt64Ty(context_);
    case Type::kF32:
      return llvm::Type::getFloatTy(context_);
    case Type::kF64:
    case Type::kC128:  // each half
      return llvm::Type::getDoubleTy(context_);
    case Type::kPtr:
    case Type::kObj:
    case Type::kOwned:
      return llvm::PointerType::getUnqual(context_);
    case Type::kVoid:
      break;
  }
  return llvm::Type::getVoidTy(context_);
}

void ModuleLowering::append_types(ir::Type type, llvm::SmallVectorImpl<llvm::Type*>& out) const {
  if (type == ir::Type::kVoid) return;
  out.push_back(scalar(type));
  if (type == ir::Type::kC128) out.push_back(scalar(type));
}

llvm::FunctionType* ModuleLowering::function_type(const ir::Function& f) const {
  llvm::SmallVector<llvm::Type*, 8> params;
  llvm::SmallVector<llvm::Type*, 8> results;
  if (!f.c_abi) {
    params.push_back(llvm::PointerType::getUnqual(context_));
    results.push_back(llvm::Type::getInt32Ty(context_));
  }
  for (ir::Type t : f.params) append_types(t, params);
  for (ir::Type t : f.results) append_types(t, results);
  llvm::Type* result = llvm::Type::getVoidTy(context_);
  if (f.c_abi && results.size() == 1) {
    result = results[0];
  } else if (!results.empty()) {
    result = llvm::StructType::get(context_, results);
  }
  return llvm::FunctionType::get(result, params, false);
}

llvm::FunctionType* ModuleLowering::symbol_type(ir::SymbolId id) const {
  const ir::Symbol& s = source_.symbols[id];
  llvm::SmallVector<llvm::Type*, 8> params;
  for (ir::Type t : s.params) append_types(t, params);
  llvm::Type* result = scalar(s.result);
  if (s.result == ir::Type::kC128) result = llvm::StructType::get(context_, {result, result});
  return llvm::FunctionType::get(result, params, false);
}

void ModuleLowering::add_parameter_attributes(llvm::Function* f,
                                              const std::vector<ir::Type>& params,
                                              unsigned first) const {
  unsigned at = first;
  for (ir::Type t : params) {
    if (const auto kind = extension(t); kind != llvm::Attribute::None) f->addParamAttr(at, kind);
    at += t == ir::Type::kC128 ? 2 : 1;
  }
}

void ModuleLowering::declare_function(std::uint32_t index) {
  const ir::Function& source = source_.functions[index];
  const auto linkage =
      source.exported ? llvm::GlobalValue::ExternalLinkage : llvm::GlobalValue::InternalLinkage;
  llvm::Function* f = llvm::Function::Create(function_type(source), linkage,
                                             function_link_name(source_, index), module_.get());
  f->setDSOLocal(true);
  llvm::AttrBuilder attributes(context_);
  attributes.addAttribute(llvm::Attribute::NoUnwind);
  attributes.addAttribute("frame-pointer", "non-leaf");
  attributes.addAttribute("prefer-vector-width", "256");
  attributes.addAttribute("no-builtins");
  attributes.addAttribute("probe-stack", "inline-asm");  // big frames must not jump the guard page
  f->addFnAttrs(attributes);
  if (source.c_abi) {
    add_parameter_attributes(f, source.params, 0);
    if (source.results.size() == 1) {
      const auto kind = extension(source.results[0]);
      if (kind != llvm::Attribute::None) f->addRetAttr(kind);
    }
  } else {
    f->addParamAttr(0, llvm::Attribute::NonNull);
    f->addParamAttr(0, llvm::Attribute::NoUndef);
    f->addParamAttr(
        0, llvm::Attribute::getWithDereferenceableBytes(context_, sizeof(layout::Context)));
    f->addParamAttr(
        0, llvm::Attribute::getWithAlignment(context_, llvm::Align(alignof(layout::Context))));
    f->getArg(0)->setName("ctx");
    add_parameter_attributes(f, source.params, 1);
  }
  functions_.push_back(f);
}

llvm::GlobalValue* ModuleLowering::symbol(ir::SymbolId id) {
  if (symbols_[id] != nullptr) return symbols_[id];
  const ir::Symbol& s = source_.symbols[id];
  const std::string name = symbol_link_name(source_, id);
  if (s.kind == ir::Symbol::Kind::kRuntime) {
    llvm::Function* f = llvm::Function::Create(symbol_type(id), llvm::GlobalValue::ExternalLinkage,
                                               name, module_.get());
    llvm::AttrBuilder attributes(context_);
    attributes.addAttribute(llvm::Attribute::NoUnwind);
    attributes.addAttribute(llvm::Attribute::NonLazyBind);  // call through the GOT, no PLT stub
    if (s.pure) {
      // numpy.errstate may change where other Python code runs: at a poll.
      attributes.addMemoryAttr(is_quiet_test(s.name)
                                   ? llvm::MemoryEffects::inaccessibleMemOnly(llvm::ModRefInfo::Ref)
                                   : llvm::MemoryEffects::none());
      attributes.addAttribute(llvm::Attribute::WillReturn);
      attributes.addAttribute(llvm::Attribute::NoSync);
      attributes.addAttribute(llvm::Attribute::NoFree);
      attributes.addAttribute(llvm::Attribute::NoCallback);
    }
    if (is_cold(s.name)) attributes.addAttribute(llvm::Attribute::Cold);
    f->addFnAttrs(attributes);
    add_parameter_attributes(f, s.params, 0);
    if (const auto kind = extension(s.result); kind != llvm::Attribute::None) f->addRetAttr(kind);
    return symbols_[id] = f;
  }
  // One address, one global: LLVM takes two globals for two pieces of memory.
  for (ir::SymbolId other = 0; other < source_.symbols.size(); ++other) {
    if (other != id && addresses_[id] != nullptr && addresses_[other] == addresses_[id] &&
        source_.symbols[other].kind != ir::Symbol::Kind::kRuntime && symbols_[other] != nullptr) {
      return symbols_[id] = symbols_[other];
    }
  }
  // A sized type lets LLVM read the header of an object early; of data nothing is known.
  llvm::Type* type = llvm::Type::getInt8Ty(context_);
  if (s.kind == ir::Symbol::Kind::kObject) type = llvm::ArrayType::get(type, 16);
  auto* global = new llvm::GlobalVariable(*module_, type, false, llvm::GlobalValue::ExternalLinkage,
                                          nullptr, name);
  if (s.kind == ir::Symbol::Kind::kObject) global->setAlignment(llvm::Align(8));
  return symbols_[id] = global;
}

llvm::GlobalVariable* ModuleLowering::opaque_constant(llvm::Constant* value) {
  llvm::GlobalVariable*& global = opaque_[value];
  if (global == nullptr) {
    // "Initialised elsewhere" forbids LLVM to believe the initialiser that the object file gets.
    global = new llvm::GlobalVariable(*module_, value->getType(), /*isConstant=*/false,
                                      llvm::GlobalValue::InternalLinkage, value, "constant");
    global->setExternallyInitialized(true);
  }
  return global;
}

Result<std::unique_ptr<llvm::Module>> ModuleLowering::run() {
  symbols_.assign(source_.symbols.size(), nullptr);
  const auto count = static_cast<std::uint32_t>(source_.functions.size());
  for (std::uint32_t i = 0; i < count; ++i) declare_function(i);
  for (std::uint32_t i = 0; i < count; ++i) {
    FunctionLowering lowering(*this, i);
    if (Status status = lowering.run(); !status.ok()) return status;
  }
  return std::move(module_);
}

}  // namespace splice::codegen
