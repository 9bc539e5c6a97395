// codegen/testing/hot_code.h: a unit whose hot places are compiled again, as the engine does it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "codegen/session.h"

namespace splice::codegen::testing {

class HotCode {
 public:
  /// `entry` is the function that is exported. Ends the test program when it is not compiled.
  HotCode(Session& session, const ir::Module& module, std::string entry, const Options& options);

  /// The entry, for the calling thread until it asks another HotCode for its own. What has proved
  /// hot in one call stays compiled.
  void* enter();

  const Options& options() const { return options_; }
  /// What was compiled again, in that order.
  const std::vector<std::unique_ptr<CodeUnit>>& again() const { return again_; }
  /// Compiled as a whole again; null until then.
  const CodeUnit* better() const { return better_; }

 private:
  void* compile_again(std::uint32_t place);

  Session& session_;
  const ir::Module& module_;
  std::string entry_;
  Options options_;
  std::unique_ptr<CodeUnit> first_;
  std::vector<std::unique_ptr<CodeUnit>> again_;
  const CodeUnit* better_ = nullptr;
};

}  // namespace splice::codegen::testing
