// What compiling costs: prints milliseconds for modules of three sizes, the first in the process
// and warm (median), and with `--asm` the machine code. `--cpu x86-64-v3` compiles for another CPU,
// `--count 3` compiles each module that often, `--lines 500` one of that length instead.
// `--file x.ir` takes a module from a file, which is compiled only: splice.explain(f, "ir") prints
// such files.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "codegen/session.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "layout/context.h"

namespace {

// CPU time of this thread: other programs on the machine do not count.
struct Clock {
  using time_point = double;
  static time_point now() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
  }
};

// The runtime of the modules below: no exit is taken, no poll asked for.
std::uint64_t exit_buffer[64];
std::uint64_t* take_exit(void*, void*, std::uint32_t, std::uint32_t, std::uint32_t) {
  return exit_buffer;
}
std::int32_t poll(void*) { return 0; }
std::int32_t recursion = 1000;
std::uint32_t breaker = 0;
splice::layout::Context context;
void* enter() { return &context; }
char unit;

const char* const kRuntime = R"(
symbol @splice_unit data
symbol @splice_rt_exit runtime (ptr, ptr, u32, u32, u32) -> ptr
symbol @splice_rt_poll runtime (ptr) -> i32
symbol @splice_rt_enter runtime () -> ptr
symbol @code object
)";

// def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
const char* const kFib = R"(
func @fib(i64) -> (i64) {
  exit #0 frames (i64) "integer overflow"
  exit #1 frames (i64) "recursion"
  exit #2 frames (i64, i64) "integer overflow"
  exit #3 frames (i64, i64) "recursion"
^0(%0: i64):
  %1: i64 = const i64 2
  %2: i1 = lt i64 %0, %1
  cond.br %2, ^1, ^2
^1:
  ret [0] %0
^2:
  %3: i64 = const i64 1
  %4: i64, %5: i1 = sub.ov i64 %0, %3
  %6: i1 = const i1 1
  %7: i1 = xor i1 %5, %6
  guard #0 %7, %0
  %8: ptr = ctx
  %9: ptr = load ptr [24] %8
  %10: i32 = load i32 [0] %9
  %11: i32 = const i32 0
  %12: i1 = gt i32 %10, %11
  guard #1 %12, %0
  %13: i32 = const i32 1
  %14: i32 = sub i32 %10, %13
  store i32 [0] %9, %14
  %15: i64, %16: i32 = call @fib %4
  store i32 [0] %9, %10
  %17: i1 = eq i32 %16, %11
  guard #1 %17, %0
  %18: i64, %19: i1 = sub.ov i64 %0, %1
  %20: i1 = xor i1 %19, %6
  guard #2 %20, %0, %15
  guard #3 %12, %0, %15
  store i32 [0] %9, %14
  %21: i64, %22: i32 = call @fib %18
  store i32 [0] %9, %10
  %23: i1 = eq i32 %22, %11
  guard #3 %23, %0, %15
  %24: i64, %25: i1 = add.ov i64 %15, %21
  %26: i1 = xor i1 %25, %6
  guard #2 %26, %0, %15
  ret [0] %24
}
func @run(i64) -> (i64) exported c_abi {
^0(%0: i64):
  %1: ptr = call.rt @splice_rt_enter
  %2: i64, %3: i32 = call @fib %1, %0
  ret [0] %2
}
)";

// The inner loops of a Mandelbrot set on complex numbers.
const char* const kMandelbrot = R"(
func @mandel(i64) -> (i64) {
  exit #0 frames (i64, i64, i64) "poll"
  exit #1 frames (i64, i64, i64) "integer overflow"
^0(%0: i64):
  %1: i64 = const i64 0
  %2: i64 = const i64 1
  %3: i1 = const i1 1
  %4: f64 = const f64 4
  %5: f64 = const f64 0.01
  %6: i64 = const i64 200
  %7: c128 = const c128 0, 0
  br ^1(%1, %1)
^1(%10: i64, %11: i64):
  %12: i1 = lt i64 %10, %0
  cond.br %12, ^2(%1, %11), ^7
^2(%20: i64, %21: i64):
  %22: i1 = lt i64 %20, %0
  cond.br %22, ^3, ^6
^3:
  %30: f64 = convert f64 from i64 %10
  %31: f64 = convert f64 from i64 %20
  %32: f64 = mul f64 %30, %5
  %33: f64 = mul f64 %31, %5
  %34: c128 = complex %32, %33
  br ^4(%1, %7)
^4(%40: i64, %41: c128):
  poll #0 %10, %20, %40
  %42: c128 = mul c128 %41, %41
  %43: c128 = add c128 %42, %34
  %44: f64 = real %43
  %45: f64 = imag %43
  %46: f64 = mul f64 %44, %44
  %47: f64 = mul f64 %45, %45
  %48: f64 = add f64 %46, %47
  %49: i1 = gt f64 %48, %4
  %50: i64, %51: i1 = add.ov i64 %40, %2
  %52: i1 = xor i1 %51, %3
  guard #1 %52, %10, %20, %40
  %53: i1 = ge i64 %50, %6
  %54: i1 = or i1 %49, %53
  cond.br %54, ^5(%50), ^4(%50, %43)
^5(%60: i64):
  %61: i64, %62: i1 = add.ov i64 %21, %60
  %63: i1 = xor i1 %62, %3
  guard #1 %63, %10, %20, %21
  %64: i64, %65: i1 = add.ov i64 %20, %2
  %66: i1 = xor i1 %65, %3
  guard #1 %66, %10, %20, %21
  br ^2(%64, %61)
^6:
  %70: i64, %71: i1 = add.ov i64 %10, %2
  %72: i1 = xor i1 %71, %3
  guard #1 %72, %10, %20, %21
  br ^1(%70, %21)
^7:
  ret [0] %11
}
func @run(i64) -> (i64) exported c_abi {
^0(%0: i64):
  %1: ptr = call.rt @splice_rt_enter
  %2: i64, %3: i32 = call @mandel %1, %0
  ret [0] %2
}
)";

// a[i] = a[i] * k + b[i] in a loop without exits, and the sum of integers in one: what LLVM should
// turn into vector code.
const char* const kArrays = R"(
func @axpy(ptr, ptr, i64) -> (i64) exported {
^0(%0: ptr, %1: ptr, %2: i64):
  %3: i64 = const i64 0
  %4: i64 = const i64 1
  %5: f64 = const f64 1.5
  br ^1(%3, %3)
^1(%10: i64, %11: i64):
  %12: i1 = lt i64 %10, %2
  cond.br %12, ^2, ^3
^2:
  %20: ptr = addr [8, 0] %0, %10
  %21: ptr = addr [8, 0] %1, %10
  %22: f64 = load f64 [0] %20
  %23: f64 = load f64 [0] %21
  %24: f64 = mul f64 %22, %5
  %25: f64 = add f64 %24, %23
  store f64 [0] %20, %25
  %26: i64 = xor i64 %11, %10
  %27: i64 = add i64 %10, %4
  br ^1(%27, %26)
^3:
  ret [0] %11
}
func @run(i64) -> (i64) exported c_abi {
^0(%0: i64):
  %1: ptr = call.rt @splice_rt_enter
  %2: ptr = slot [64]
  %3: ptr = slot [64]
  %4: i64 = const i64 0
  %5: i64, %6: i32 = call @axpy %1, %2, %3, %4
  ret [0] %5
}
)";

// About as much as a hundred lines of arithmetic: a chain of checked steps, tests and a loop.
std::string long_module(int statements) {
  std::string body;
  int next = 10;
  int last = 0;
  for (int i = 0; i < statements; ++i) {
    const auto v = [&](int k) { return "%" + std::to_string(k); };
    const int constant = next++;
    body += "  " + v(constant) + ": i64 = const i64 " + std::to_string(i * 7 + 3) + "\n";
    const int value = next++;
    const int flag = next++;
    const char* const ops[] = {"add.ov", "mul.ov", "sub.ov"};
    body += "  " + v(value) + ": i64, " + v(flag) + ": i1 = " + ops[i % 3] + " i64 " + v(last) +
            ", " + v(constant) + "\n";
    const int fits = next++;
    body += "  " + v(fits) + ": i1 = xor i1 " + v(flag) + ", %3\n";
    body += "  guard #0 " + v(fits) + ", %0, " + v(last) + "\n";
    const int real = next++;
    const int root = next++;
    const int whole = next++;
    const int less = next++;
    const int chosen = next++;
    body += "  " + v(real) + ": f64 = convert f64 from i64 " + v(value) + "\n";
    body += "  " + v(root) + ": f64 = fabs f64 " + v(real) + "\n";
    body += "  " + v(less) + ": i1 = lt f64 " + v(root) + ", %4\n";
    body += "  guard #1 " + v(less) + ", %0, " + v(value) + "\n";
    body += "  " + v(whole) + ": i64 = convert i64 from f64 " + v(root) + "\n";
    body += "  " + v(chosen) + ": i64 = xor i64 " + v(whole) + ", %0\n";
    last = chosen;
  }
  return R"(
func @long(i64) -> (i64) {
  exit #0 frames (i64, i64) "integer overflow"
  exit #1 frames (i64, i64) "float too big"
^0(%0: i64):
  %3: i1 = const i1 1
  %4: f64 = const f64 9e15
)" + body +
         "  ret [0] %" + std::to_string(last) + R"(
}
func @run(i64) -> (i64) exported c_abi {
^0(%0: i64):
  %1: ptr = call.rt @splice_rt_enter
  %2: i64, %3: i32 = call @long %1, %0
  ret [0] %2
}
)";
}

// Compiles a module of a file with nothing bound to its symbols.
int compile_file(splice::codegen::Session& session, const std::string& path,
                 const splice::codegen::Options& options, int count) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  auto module = splice::ir::parse(text.str());
  if (!module.ok()) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), module.status().message().c_str());
    return 1;
  }
  const std::vector<void*> addresses(module->symbols.size(), &unit);
  std::vector<double> times;
  for (int i = 0; i < count; ++i) {
    const auto begin = Clock::now();
    auto compiled = session.compile(*module, addresses, options);
    times.push_back(Clock::now() - begin);
    if (!compiled.ok()) {
      std::fprintf(stderr, "%s\n", compiled.status().message().c_str());
      return 1;
    }
    if (i + 1 < count) continue;
    const double first = times.front();
    std::sort(times.begin(), times.end());
    std::printf("%s first %8.2f ms   warm %8.2f ms   code %6zu bytes\n%s\n%s\n", path.c_str(),
                first, times[times.size() / 2], (*compiled)->code_bytes(),
                (*compiled)->llvm_ir().c_str(), (*compiled)->assembly().c_str());
  }
  return 0;
}

splice::ir::Module parse(const std::string& body) {
  auto module = splice::ir::parse("module \"bench\"\n" + std::string(kRuntime) + body);
  if (!module.ok()) {
    std::fprintf(stderr, "%s\n", module.status().message().c_str());
    std::exit(1);
  }
  constexpr splice::ir::SymbolId kCode = 4;
  for (splice::ir::Function& f : module->functions) {
    for (splice::ir::Exit& exit : f.exits) exit.frames = {{kCode, kCode, 0, {}, {}}};
  }
  const splice::Status status = splice::ir::verify(*module);
  if (!status.ok()) {
    std::fprintf(stderr, "%s\n", status.message().c_str());
    std::exit(1);
  }
  return std::move(*module);
}

double milliseconds(Clock::time_point since) { return Clock::now() - since; }

}  // namespace

int main(int argc, char** argv) {
  splice::codegen::Options options;
  bool show = false;
  int count = 15;
  int lines = 0;
  std::string only;
  std::string file;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--asm") == 0) {
      show = true;
      count = 1;
    } else if (std::strcmp(argv[i], "--cpu") == 0 && i + 1 < argc) {
      options.cpu = argv[++i];
    } else if (std::strcmp(argv[i], "--file") == 0 && i + 1 < argc) {
      file = argv[++i];
    } else if (std::strcmp(argv[i], "--lines") == 0 && i + 1 < argc) {
      lines = std::atoi(argv[++i]);
    } else if (std::strcmp(argv[i], "--count") == 0 && i + 1 < argc) {
      count = std::max(1, std::atoi(argv[++i]));
    } else if (std::strcmp(argv[i], "--opt0") == 0) {
      options.opt_level = 0;
    } else {
      only = argv[i];
    }
  }
  context.eval_breaker = &breaker;
  context.py_recursion_remaining = &recursion;
  void* const addresses[] = {&unit, reinterpret_cast<void*>(take_exit),
                             reinterpret_cast<void*>(poll), reinterpret_cast<void*>(enter), &unit};

  struct Case {
    const char* name;
    std::string text;
    std::int64_t argument;
  };
  std::vector<Case> cases = {{"fib", kFib, 27},
                             {"mandelbrot", kMandelbrot, 300},
                             {"arrays", kArrays, 0},
                             {"30 lines", long_module(30), 5},
                             {"100 lines", long_module(100), 5}};
  if (lines > 0) cases = {{"lines", long_module(lines), 5}};
  const auto start = Clock::now();
  auto session = splice::codegen::Session::create();
  if (!session.ok()) return 1;
  std::printf("%-12s %8.2f ms\n", "session", milliseconds(start));
  if (!file.empty()) {
    options.keep_text = show;
    return compile_file(**session, file, options, count);
  }
  for (const Case& c : cases) {
    if (!only.empty() && only != c.name) continue;
    const splice::ir::Module module = parse(c.text);
    std::vector<double> times;
    splice::codegen::Options wanted = options;
    for (int i = 0; i < count; ++i) {
      wanted.keep_text = show;
      const auto begin = Clock::now();
      auto unit_result = (*session)->compile(module, addresses, wanted);
      times.push_back(milliseconds(begin));
      if (!unit_result.ok()) {
        std::fprintf(stderr, "%s\n", unit_result.status().message().c_str());
        return 1;
      }
      if (i + 1 == count) {
        auto* run =
            reinterpret_cast<std::int64_t (*)(std::int64_t)>((*unit_result)->address("run"));
        const auto ran = Clock::now();
        const std::int64_t result = run(c.argument);
        const double run_ms = milliseconds(ran);
        const double first = times.front();
        std::sort(times.begin(), times.end());
        std::printf(
            "%-12s first %8.2f ms   warm %8.2f ms   code %6zu bytes   run %8.3f ms = %lld\n",
            c.name, first, times[times.size() / 2], (*unit_result)->code_bytes(), run_ms,
            static_cast<long long>(result));
        if (show) {
          std::printf("%s\n%s\n", (*unit_result)->llvm_ir().c_str(),
                      (*unit_result)->assembly().c_str());
        }
      }
    }
  }
  return 0;
}
