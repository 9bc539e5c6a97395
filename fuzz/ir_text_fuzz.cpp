// libFuzzer target: IR text -> parse -> verify -> print, optimise, interpret.
//
//   clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -Isrc fuzz/ir_text_fuzz.cpp
//       $(ls src/base/*.cpp src/ir/*.cpp src/opt/*.cpp | grep -v _test.cpp) -o ir_text_fuzz
//   ./ir_text_fuzz -max_total_time=60 tests/golden
//
// Seeds: tests/golden/*.ir. Any input must end in an error or a module; what verifies must print
// and parse back to itself, stay verified through the passes and run without a crash.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "ir/interpret.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "opt/pipeline.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace splice;
  Result<ir::Module> m = ir::parse({reinterpret_cast<const char*>(data), size});
  if (!m.ok()) {
    SPLICE_CHECK(!m.status().message().empty(), "an error without a message");
    return 0;
  }
  const std::string text = ir::print(*m);
  if (!ir::verify(*m).ok()) return 0;
  Result<ir::Module> back = ir::parse(text);
  SPLICE_CHECK(back.ok() && ir::print(*back) == text, "print and parse are not inverse");

  const ir::InterpretOptions limits = {.max_steps = 2000, .max_depth = 20};
  for (std::uint32_t f = 0; f < m->functions.size(); ++f) {
    ir::Host host;
    const std::vector<ir::Value> args(m->functions[f].params.size());
    const auto outcome = ir::interpret(*m, f, args, host, limits);
    SPLICE_CHECK(outcome.ok() || !outcome.status().message().empty(), "an error without a message");
  }
  // lower_py adds symbols: names that the input gave to something else are its own fault.
  const Status s = opt::optimize(*m, layout::kLayout312);
  SPLICE_CHECK(s.ok() || text.find("splice_rt_") != std::string::npos ||
                   text.find("Py_True") != std::string::npos ||
                   text.find("Py_False") != std::string::npos,
               "a pass broke the module");
  return 0;
}
