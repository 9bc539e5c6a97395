#include "codegen/gdb.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

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
extern jit_descriptor __jit_debug_descriptor;
}

namespace splice::codegen {
namespace {

// A relocatable file with two sections, ".text" and ".shstrtab".
std::vector<char> small_object() {
  const std::string names("\0.text\0.shstrtab\0", 17);
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_type = ET_REL;
  header.e_shoff = sizeof header + 24;
  header.e_shnum = 3;
  header.e_shstrndx = 2;
  Elf64_Shdr sections[3] = {};
  sections[1].sh_name = 1;
  sections[2].sh_name = 7;
  sections[2].sh_offset = sizeof header;
  std::vector<char> bytes(sizeof header + 24 + sizeof sections);
  std::memcpy(bytes.data(), &header, sizeof header);
  std::memcpy(bytes.data() + sizeof header, names.data(), names.size());
  std::memcpy(bytes.data() + header.e_shoff, sections, sizeof sections);
  return bytes;
}

TEST(Gdb, ObjectsAreListedWithTheirAddresses) {
  const std::vector<char> object = small_object();
  auto one = GdbObject::add(object, {{".text", 0x1234000}});
  auto two = GdbObject::add(object, {{".data", 0x9}});
  ASSERT_NE(one, nullptr);
  ASSERT_NE(two, nullptr);
  Elf64_Shdr text;
  std::memcpy(&text, one->bytes().data() + sizeof(Elf64_Ehdr) + 24 + sizeof text, sizeof text);
  EXPECT_EQ(text.sh_addr, 0x1234000u);
  std::memcpy(&text, two->bytes().data() + sizeof(Elf64_Ehdr) + 24 + sizeof text, sizeof text);
  EXPECT_EQ(text.sh_addr, 0u);

  const jit_descriptor& list = __jit_debug_descriptor;
  ASSERT_NE(list.first_entry, nullptr);
  EXPECT_EQ(list.first_entry->symfile_addr, two->bytes().data());
  EXPECT_EQ(list.first_entry->next_entry->symfile_addr, one->bytes().data());
  EXPECT_EQ(list.first_entry->next_entry->symfile_size, object.size());
  two.reset();
  EXPECT_EQ(list.first_entry->symfile_addr, one->bytes().data());
  EXPECT_EQ(list.first_entry->prev_entry, nullptr);
  one.reset();
  EXPECT_EQ(list.first_entry, nullptr);
}

TEST(Gdb, OtherBytesAreRefused) {
  EXPECT_EQ(GdbObject::add({}, {}), nullptr);
  const std::vector<char> object = small_object();
  // No prefix may be read past its end.
  for (std::size_t n = 0; n < object.size(); ++n) {
    const std::vector<char> cut(object.begin(), object.begin() + static_cast<std::ptrdiff_t>(n));
    EXPECT_EQ(GdbObject::add(cut, {{".text", 1}}), nullptr) << n;
  }
}

}  // namespace
}  // namespace splice::codegen
