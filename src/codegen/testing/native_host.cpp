#include "codegen/testing/native_host.h"

#include <array>
#include <cmath>
#include <deque>
#include <utility>

#include "base/check.h"
#include "ir/testing/test_host.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace splice::codegen::testing {

namespace {

struct Pending {
  const void* unit;
  std::uint32_t function;
  std::uint32_t exit;
  std::vector<std::uint64_t> words;
};

struct State {
  State() {
    context.eval_breaker = &breaker;
    context.py_recursion_remaining = &recursion;
    context.stack_limit = nullptr;
  }
  std::uint32_t breaker = 1;
  std::int32_t recursion = 1000;
  layout::Context context;
  std::deque<Pending> pending;  // addresses of the words must stay
  std::vector<NativeExit> exits;
  int leave_at_poll = 0;
  int polls = 0;
  std::function<void*(layout::HotPlace*, std::uint32_t)> on_hot_place;
};

State& state() {
  thread_local State s;
  return s;
}

alignas(64) std::array<std::array<std::uint64_t, 8>, 64> memory;
char unit;

std::uint64_t* take_exit(layout::Context* ctx, void* of, std::uint32_t function, std::uint32_t exit,
                         std::uint32_t words) {
  State& s = state();
  SPLICE_CHECK(ctx == &s.context, "an exit of another thread");
  s.pending.push_back({of, function, exit, std::vector<std::uint64_t>(words)});
  return s.pending.back().words.data();
}

std::int32_t poll(layout::Context* ctx) {
  State& s = state();
  SPLICE_CHECK(ctx == &s.context, "a poll of another thread");
  ++s.polls;
  return s.leave_at_poll > 0 && s.polls % s.leave_at_poll == 0 ? 1 : 0;
}

layout::Context* enter() { return &state().context; }

void* hot_place(void* of, layout::HotPlace* place, std::uint32_t index) {
  SPLICE_CHECK(of == &unit, "a place of another unit");
  return state().on_hot_place(place, index);
}

double c_sin(double x) { return std::sin(x); }
double c_pow(double x, double y) { return std::pow(x, y); }

template <class F>
void* address_of(F* f) {
  return reinterpret_cast<void*>(f);
}

}  // namespace

layout::Context& context() { return state().context; }

void reset(int leave_at_poll) {
  State& s = state();
  s.pending.clear();
  s.exits.clear();
  s.polls = 0;
  s.leave_at_poll = leave_at_poll;
}

const std::vector<NativeExit>& exits() {
  State& s = state();
  for (; s.exits.size() < s.pending.size();) {
    const Pending& p = s.pending[s.exits.size()];
    s.exits.push_back({p.unit, p.function, p.exit, p.words});
  }
  return s.exits;
}

int polls() { return state().polls; }

void on_hot_place(std::function<void*(layout::HotPlace*, std::uint32_t)> answer) {
  state().on_hot_place = std::move(answer);
}

const void* unit_address() { return &unit; }

std::vector<void*> bind(const ir::Module& module) {
  std::vector<void*> addresses;
  for (const ir::Symbol& symbol : module.symbols) {
    void* address = ir::testing::runtime_address(symbol.name);
    if (symbol.name == "splice_unit") address = &unit;
    if (symbol.name == "splice_rt_exit") address = address_of(take_exit);
    if (symbol.name == "splice_rt_poll") address = address_of(poll);
    if (symbol.name == "splice_rt_hot_place") address = address_of(hot_place);
    if (symbol.name == "splice_rt_enter") address = address_of(enter);
    if (symbol.name == "sin") address = address_of(c_sin);
    if (symbol.name == "pow") address = address_of(c_pow);
    if (address == nullptr && symbol.kind != ir::Symbol::Kind::kRuntime) {
      address = memory[addresses.size() % memory.size()].data();
    }
    addresses.push_back(address);
  }
  return addresses;
}

ir::Module parse_module(const std::string& text) {
  auto module = ir::parse(R"(module "test"
symbol @splice_unit data
symbol @splice_rt_exit runtime (ptr, ptr, u32, u32, u32) -> ptr
symbol @splice_rt_poll runtime (ptr) -> i32
symbol @splice_rt_enter runtime () -> ptr
symbol @code object
symbol @splice_rt_hot_place runtime (ptr, ptr, u32) -> ptr
)" + text);
  SPLICE_CHECK(module.ok(), module.status().message().c_str());
  constexpr ir::SymbolId kCode = 4;
  for (ir::Function& f : module->functions) {
    for (ir::Exit& exit : f.exits) {
      if (exit.kind == ir::Exit::Kind::kFrames && exit.frames.empty()) {
        ir::ExitFrame& frame = exit.frames.emplace_back();
        frame.code = kCode;
        frame.function.kind = ir::Recipe::Kind::kSymbol;
        frame.function.index = kCode;
      }
    }
  }
  const Status status = ir::verify(*module);
  SPLICE_CHECK(status.ok(), status.message().c_str());
  return std::move(*module);
}

}  // namespace splice::codegen::testing
