// tests/golden/*.ir: IR text in, named passes, IR text out.
//
//   ; passes: fold_constants dead_code      ("all" is the whole pipeline)
//   module "m" ...
//   ; --- expected
//   module "m" ...
//
// SPLICE_UPDATE_GOLDEN=1 writes the part after the mark anew.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "ir/text.h"
#include "opt/pipeline.h"

namespace splice::opt {
namespace {

constexpr std::string_view kHeader = "; passes: ";
constexpr std::string_view kMark = "; --- expected\n";

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::filesystem::path> golden_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(SPLICE_GOLDEN_DIR)) {
    if (entry.path().extension() == ".ir") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class Golden : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(Golden, Passes) {
  const std::string text = read_file(GetParam());
  ASSERT_EQ(text.rfind(kHeader, 0), 0u) << "the file must start with: " << kHeader;
  const std::size_t mark = text.find(kMark);
  const std::string input = text.substr(0, mark);

  Result<ir::Module> m = ir::parse(input);
  ASSERT_TRUE(m.ok()) << m.status().message();
  std::istringstream names(input.substr(kHeader.size(), input.find('\n') - kHeader.size()));
  for (std::string name; names >> name;) {
    const Status s =
        name == "all" ? optimize(*m, layout::kLayout312) : run_pass(name, *m, layout::kLayout312);
    ASSERT_TRUE(s.ok()) << s.message();
  }
  const std::string got = ir::print(*m);
  if (std::getenv("SPLICE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(GetParam(), std::ios::binary) << input << kMark << got;
    return;
  }
  ASSERT_NE(mark, std::string::npos) << "no expected part";
  EXPECT_EQ(got, text.substr(mark + kMark.size()));
}

INSTANTIATE_TEST_SUITE_P(Files, Golden, ::testing::ValuesIn(golden_files()),
                         [](const auto& info) { return info.param.stem().string(); });

TEST(GoldenFolder, IsNotEmpty) { EXPECT_GE(golden_files().size(), 6u); }

}  // namespace
}  // namespace splice::opt
