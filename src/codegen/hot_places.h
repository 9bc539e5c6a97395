// codegen/hot_places.h: what is compiled again, better, once it has proved hot, and entered in the
// middle of a call (on-stack replacement).
//
// Two kinds of code count. Baseline code, which was compiled without LLVM's passes, counts the
// rounds of all its loops, the calls of functions that call themselves, and those from outside.
// Optimised code counts the rounds of loops that chunk_loops() would take.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/llvm_ir.h"

namespace splice::codegen {

/// What generated code needs to ask for the rest of a function.
struct HotPlaceRuntime {
  std::string compile;      ///< LLVM's name of splice_rt_hot_place
  std::string unit;         ///< and of its first argument
  std::int64_t rounds = 0;  ///< after which a small loop is hot; a large one is so earlier
  std::uint32_t first = 0;  ///< number of the first place
};

/// What counts in a module.
struct HotPlaces {
  enum class Kind : std::uint8_t {
    kLoop,   ///< its rest starts at the loop's next round
    kStart,  ///< of a function inside the module, which is compiled as a whole
    kEntry,  ///< of a function that is called from outside: the module is compiled again
  };
  struct Place {
    Kind kind = Kind::kLoop;
    std::string function;     ///< LLVM's name
    std::uint32_t block = 0;  ///< number of the loop's header
    std::string live;         ///< types of what is handed over
    /// In baseline code: of a loop the one around it, of an outermost one the entry.
    std::optional<std::uint32_t> around;
  };

  std::string bitcode;  ///< the module as it was before; empty for baseline code
  std::vector<Place> places;
};

/// The loops that chunk_loops() would take stay as they are, but count their rounds. When they are
/// used up, the loop asks the runtime for the "rest" of its function: code that starts at the
/// loop's next round and goes on to the end of the call, with loops in chunks. It is called with
/// the function's own arguments and a pointer to the values that are live there; its result is the
/// result of the function. Loops are brought into LLVM's simplified form in any case.
HotPlaces count_chunk_loops(llvm::Module& module, const HotPlaceRuntime& runtime);

/// The same for baseline code, of whatever may become hot in it. `module` is as lowered.
HotPlaces count_all_places(llvm::Module& module, const HotPlaceRuntime& runtime);

/// The module that the rests of `hot` are made from; null when it was not kept.
std::unique_ptr<llvm::Module> read_back(const HotPlaces& hot, llvm::LLVMContext& context);

/// Turns the module, which is as it was when it was counted, into one with the rest of `place` as
/// its only exported function. For baseline code that is the module as lowered. False when there is
/// no such place, or its module is entered as a whole.
bool make_rest(llvm::Module& module, const HotPlaces::Place& place, bool as_lowered);

/// LLVM's name of what a loop or a function goes on with.
bool is_rest_link_name(std::string_view name);

}  // namespace splice::codegen
