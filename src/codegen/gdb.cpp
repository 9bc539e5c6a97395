#include "codegen/gdb.h"

#include <elf.h>

#include <cstdlib>
#include <cstring>
#include <mutex>

// gdb looks for these names and sets a breakpoint in the function.
extern "C" {

struct jit_code_entry {
  jit_code_entry* next_entry;
  jit_code_entry* prev_entry;
  const char* symfile_addr;
  std::uint64_t symfile_size;
};

struct jit_descriptor {
  std::uint32_t version;
  std::uint32_t action_flag;
  jit_code_entry* relevant_entry;
  jit_code_entry* first_entry;
};

__attribute__((used)) jit_descriptor __jit_debug_descriptor = {1, 0, nullptr, nullptr};

__attribute__((used, noinline)) void __jit_debug_register_code() { asm volatile("" ::: "memory"); }

}  // extern "C"

namespace splice::codegen {

namespace {

constexpr std::uint32_t kRegister = 1;
constexpr std::uint32_t kUnregister = 2;

std::mutex& list_mutex() {
  static std::mutex* mutex = new std::mutex;  // units may die after the statics of this file
  return *mutex;
}

void notify(jit_code_entry* entry, std::uint32_t action) {
  __jit_debug_descriptor.relevant_entry = entry;
  __jit_debug_descriptor.action_flag = action;
  __jit_debug_register_code();
}

class Registered final : public GdbObject {
 public:
  explicit Registered(std::vector<char> bytes) : bytes_(std::move(bytes)) {
    const std::lock_guard lock(list_mutex());
    entry_ = {__jit_debug_descriptor.first_entry, nullptr, bytes_.data(), bytes_.size()};
    if (entry_.next_entry != nullptr) entry_.next_entry->prev_entry = &entry_;
    __jit_debug_descriptor.first_entry = &entry_;
    notify(&entry_, kRegister);
  }

  ~Registered() override {
    const std::lock_guard lock(list_mutex());
    if (entry_.next_entry != nullptr) entry_.next_entry->prev_entry = entry_.prev_entry;
    (entry_.prev_entry != nullptr ? entry_.prev_entry->next_entry
                                  : __jit_debug_descriptor.first_entry) = entry_.next_entry;
    notify(&entry_, kUnregister);
  }

  std::span<const char> bytes() const override { return bytes_; }

 private:
  std::vector<char> bytes_;
  jit_code_entry entry_{};
};

// Reads and writes at an offset of the file, in range or not at all.
template <class T>
bool read_at(std::span<const char> bytes, std::uint64_t offset, T& out) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return false;
  std::memcpy(&out, bytes.data() + offset, sizeof(T));
  return true;
}

bool place_sections(std::vector<char>& bytes, const std::vector<PlacedSection>& sections) {
  Elf64_Ehdr header;
  if (!read_at(bytes, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_type != ET_REL) {
    return false;
  }
  const auto at = [&](std::uint64_t i) { return header.e_shoff + i * sizeof(Elf64_Shdr); };
  Elf64_Shdr names;
  if (!read_at(bytes, at(header.e_shstrndx), names)) return false;
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    if (!read_at(bytes, at(i), section)) return false;
    const std::uint64_t name_at = names.sh_offset + section.sh_name;
    if (name_at >= bytes.size()) return false;
    const std::string_view name(bytes.data() + name_at,
                                strnlen(bytes.data() + name_at, bytes.size() - name_at));
    for (const PlacedSection& placed : sections) {
      if (placed.name != name) continue;
      section.sh_addr = placed.address;
      std::memcpy(bytes.data() + at(i), &section, sizeof section);
    }
  }
  return true;
}

}  // namespace

bool gdb_wanted() {
  static const bool wanted = [] {
    const char* value = std::getenv("SPLICE_GDB");
    return value != nullptr && std::strcmp(value, "1") == 0;
  }();
  return wanted;
}

std::unique_ptr<GdbObject> GdbObject::add(std::span<const char> object,
                                          const std::vector<PlacedSection>& sections) {
  std::vector<char> bytes(object.begin(), object.end());
  if (!place_sections(bytes, sections)) return nullptr;
  return std::make_unique<Registered>(std::move(bytes));
}

}  // namespace splice::codegen
