// ir/testing/test_host.h: the runtime functions that random modules call, and a Host with them.
//
// The functions are real C functions, so that machine code can be bound to them; what the impure
// ones see goes to a log of the calling thread, by which two runs are compared.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/interpret.h"

namespace splice::ir::testing {

/// int test_mix(i64, i64) pure, i64 test_next(i64), void test_log_int(i64), void
/// test_log_float(f64), f64 test_half(f64) pure. Null for other names.
void* runtime_address(const std::string& name);
/// Declares them all in a module (ids in that order).
void declare_runtime(Module& module);

/// What the impure functions saw on this thread since clear_log(). A NaN is logged as one fixed
/// NaN.
std::vector<std::uint64_t>& log_of_thread();
/// Empties the log and restarts the sequence of test_next.
void clear_log();

/// Calls the functions above, keeps the exits, lets `run` touch the memory given to it. Symbols of
/// kind kObject get addresses of their own.
class TestHost : public Host {
 public:
  /// Allows access to [address, address + bytes).
  void allow(const void* address, std::size_t bytes);
  const std::vector<ExitEvent>& exits() const { return exits_; }
  /// Every n-th poll leaves; 0: none.
  void leave_at_poll(int n) { leave_at_poll_ = n; }

  Result<std::uint64_t> symbol(const Module& module, SymbolId symbol) override;
  Result<Value> call(const Symbol& symbol, std::span<const Value> args) override;
  Status leave(const ExitEvent& event) override;
  bool poll() override;
  bool can_access(std::uint64_t address, std::size_t bytes, bool write) override;

 private:
  struct Range {
    std::uint64_t address;
    std::size_t bytes;
  };
  std::vector<Range> ranges_;
  std::vector<ExitEvent> exits_;
  int leave_at_poll_ = 0;
  int polls_ = 0;
};

}  // namespace splice::ir::testing
