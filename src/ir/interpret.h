// ir/interpret.h: runs a module, op by op, as op.h says. The oracle for machine code and passes.
//
// What op.h leaves undefined (shift counts, division by 0 and MIN / -1, floats out of range of an
// integer, branching on an undefined value, kUnreachable) ends the run with a Status whose message
// starts with "undefined: " instead of giving some value. Memory is real memory: stack slots belong
// to the interpreter, everything else must be allowed by the Host.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "ir/evaluate.h"
#include "ir/module.h"

namespace splice::ir {

/// What happened at an exit.
struct ExitEvent {
  std::uint32_t function = 0;
  ExitId exit = 0;
  std::vector<Value> live;
};

/// The world outside the module. The default refuses everything.
class Host {
 public:
  virtual ~Host() = default;
  /// Address of a symbol.
  virtual Result<std::uint64_t> symbol(const Module& module, SymbolId symbol);
  /// A call of a runtime function; the value is ignored when it returns nothing.
  virtual Result<Value> call(const Symbol& symbol, std::span<const Value> args);
  /// A py.* op. One value per result.
  virtual Result<std::vector<Value>> python(const Module& module, const Inst& inst,
                                            std::span<const Value> args);
  /// A guard failed, a poll or leave left. Called before the function returns its status.
  virtual Status leave(const ExitEvent& event);
  /// True when a poll must leave.
  virtual bool poll();
  virtual std::uint64_t context();
  /// May `bytes` bytes at `address` be read (written)? Slots are not asked for.
  virtual bool can_access(std::uint64_t address, std::size_t bytes, bool write);
};

struct InterpretOptions {
  std::uint64_t max_steps = 10'000'000;  ///< instructions, all calls together
  int max_depth = 200;                   ///< calls on top of each other
};

struct Outcome {
  std::int32_t status = 0;     ///< layout::Status; 0 for c_abi functions
  std::vector<Value> results;  ///< those of the function; undefined when status is negative
};

/// `module` must be verified. Fails with kInvalidArgument when `args` are not the parameters or
/// something undefined happens, kResource when a limit is reached, or with what the Host failed
/// with.
Result<Outcome> interpret(const Module& module, std::uint32_t function, std::span<const Value> args,
                          Host& host, const InterpretOptions& options = {});

}  // namespace splice::ir
