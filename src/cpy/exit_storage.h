// cpy/exit_storage.h: ThreadBlock, the private part of a thread's Context.
#pragma once

#include <cstddef>
#include <cstdint>

#include "layout/context.h"

namespace splice::cpy {

/// Allocated at a thread's first entry, freed when the thread ends. `context` comes first, so that
/// the Context that generated code holds is the block.
struct ThreadBlock {
  layout::Context context;
  std::uint64_t epoch = 0;         ///< when the outermost native code was entered
  std::uint64_t* exits = nullptr;  ///< start of the exit buffer
  std::uint64_t* exits_end = nullptr;
  std::uint64_t* spare = nullptr;  ///< a second buffer, used while the first one is being read
  std::uint64_t* spare_end = nullptr;
  ThreadBlock* next = nullptr;  ///< list of all blocks
  ThreadBlock* previous = nullptr;
};

inline ThreadBlock* block_of(layout::Context* ctx) { return reinterpret_cast<ThreadBlock*>(ctx); }
inline const ThreadBlock* block_of(const layout::Context* ctx) {
  return reinterpret_cast<const ThreadBlock*>(ctx);
}

/// Makes room for `words` more words in the exit buffer.
void grow_exits(ThreadBlock* block, std::size_t words);

}  // namespace splice::cpy
