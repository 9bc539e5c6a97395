#include "ir/testing/test_host.h"

#include <bit>
#include <cmath>

#include "ir/builder.h"

namespace splice::ir::testing {
namespace {

struct Log {
  std::vector<std::uint64_t> words;
  std::uint64_t next = 0;
};

Log& thread_log() {
  thread_local Log log;
  return log;
}

extern "C" {

std::int64_t test_mix(std::int64_t a, std::int64_t b) {
  const auto x = static_cast<std::uint64_t>(a) * 0x9e3779b97f4a7c15u;
  return static_cast<std::int64_t>((x ^ static_cast<std::uint64_t>(b)) >> 7);
}

std::int64_t test_next(std::int64_t a) {
  Log& log = thread_log();
  log.words.push_back(static_cast<std::uint64_t>(a));
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) ^ ++log.next);
}

void test_log_int(std::int64_t a) { thread_log().words.push_back(static_cast<std::uint64_t>(a)); }

void test_log_float(double a) {
  thread_log().words.push_back(std::isnan(a) ? 0x7ff8000000000000u
                                             : std::bit_cast<std::uint64_t>(a));
}

double test_half(double a) { return a * 0.5 + 1.0; }

}  // extern "C"

}  // namespace

void* runtime_address(const std::string& name) {
  if (name == "test_mix") return reinterpret_cast<void*>(&test_mix);
  if (name == "test_next") return reinterpret_cast<void*>(&test_next);
  if (name == "test_log_int") return reinterpret_cast<void*>(&test_log_int);
  if (name == "test_log_float") return reinterpret_cast<void*>(&test_log_float);
  if (name == "test_half") return reinterpret_cast<void*>(&test_half);
  return nullptr;
}

void declare_runtime(Module& module) {
  add_runtime(module, "test_mix", {Type::kI64, Type::kI64}, Type::kI64, true);
  add_runtime(module, "test_next", {Type::kI64}, Type::kI64);
  add_runtime(module, "test_log_int", {Type::kI64}, Type::kVoid);
  add_runtime(module, "test_log_float", {Type::kF64}, Type::kVoid);
  add_runtime(module, "test_half", {Type::kF64}, Type::kF64, true);
}

std::vector<std::uint64_t>& log_of_thread() { return thread_log().words; }
void clear_log() { thread_log() = {}; }

void TestHost::allow(const void* address, std::size_t bytes) {
  ranges_.push_back({reinterpret_cast<std::uintptr_t>(address), bytes});
}

Result<std::uint64_t> TestHost::symbol(const Module&, SymbolId symbol) {
  return std::uint64_t{0x1000} * (symbol + 1);
}

Result<Value> TestHost::call(const Symbol& symbol, std::span<const Value> args) {
  const auto integer = [&](std::size_t i) { return as_int(Type::kI64, args[i]); };
  if (symbol.name == "test_mix") {
    return int_value(Type::kI64, test_mix(integer(0), integer(1)));
  }
  if (symbol.name == "test_next") return int_value(Type::kI64, test_next(integer(0)));
  if (symbol.name == "test_half") return float_value(test_half(as_float(args[0])));
  if (symbol.name == "splice_rt_enter") return Value{0x100, 0, false};
  if (symbol.name == "test_log_int") {
    test_log_int(integer(0));
  } else if (symbol.name == "test_log_float") {
    test_log_float(as_float(args[0]));
  } else {
    return Host::call(symbol, args);
  }
  return Value{};
}

Status TestHost::leave(const ExitEvent& event) {
  exits_.push_back(event);
  return {};
}

bool TestHost::poll() { return leave_at_poll_ > 0 && ++polls_ % leave_at_poll_ == 0; }

bool TestHost::can_access(std::uint64_t address, std::size_t bytes, bool) {
  for (const Range& r : ranges_) {
    if (address >= r.address && address - r.address <= r.bytes &&
        bytes <= r.bytes - (address - r.address)) {
      return true;
    }
  }
  return false;
}

}  // namespace splice::ir::testing
