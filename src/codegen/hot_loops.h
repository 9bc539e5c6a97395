// codegen/hot_loops.h: small loops that are compiled again, better, once they have proved hot, and
// entered in the middle of a call (on-stack replacement).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/llvm_ir.h"

namespace splice::codegen {

/// What generated code needs to ask for the rest of a function.
struct HotLoopRuntime {
  std::string compile;      ///< LLVM's name of splice_rt_hot_loop
  std::string unit;         ///< and of its first argument
  std::int64_t rounds = 0;  ///< after which a small loop is hot; a large one is so earlier
};

/// A module as it was before its loops were made to count, and where these loops are.
struct HotLoops {
  struct Place {
    std::string function;     ///< LLVM's name
    std::uint32_t block = 0;  ///< number of the loop's header
    std::string live;         ///< types of what is handed over
  };

  std::string bitcode;
  std::vector<Place> loops;
};

/// The loops that chunk_loops() would take stay as they are, but count their rounds. When they are
/// used up, the loop asks the runtime for the "rest" of its function: code that starts at the
/// loop's next round and goes on to the end of the call, with loops in chunks. It is called with
/// the function's own arguments and a pointer to the values that are live there; its result is the
/// result of the function. Loops are brought into LLVM's simplified form in any
/// case.
HotLoops count_hot_loops(llvm::Module& module, const HotLoopRuntime& runtime);

/// A module with the rest of the `index`-th loop as its only exported function; null when there is
/// no such loop.
std::unique_ptr<llvm::Module> make_rest(const HotLoops& loops, std::uint32_t index,
                                        llvm::LLVMContext& context);

/// LLVM's name of the rest of a loop.
bool is_rest_link_name(std::string_view name);

}  // namespace splice::codegen
