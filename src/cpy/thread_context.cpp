// First: it needs to be the one that includes Python.h.
#include "cpy/interpreter.h"

#include "cpy/thread_context.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

#include "base/check.h"
#include "cpy/exit_storage.h"
#include "cpy/reserve.h"

namespace splice::cpy {

namespace {

constexpr std::size_t kFirstExitWords = 1024;
constexpr std::size_t kHeaderWords = 3;

// One pointer of static TLS: a plain load at each entry instead of a call of __tls_get_addr.
__attribute__((tls_model("initial-exec"))) constinit thread_local ThreadBlock* t_block = nullptr;

constinit PyThreadState* const g_nobody = nullptr;
constinit PyThreadState* const* g_gil_holder = &g_nobody;  // until a context was asked for

std::atomic<std::uint64_t> g_epoch{1};
std::mutex g_blocks_mutex;  // threads end without the GIL
ThreadBlock* g_blocks = nullptr;
pthread_key_t g_end_key;

void free_block(ThreadBlock* block) {
  std::free(block->exits);
  std::free(block->spare);
  delete block;
}

void on_thread_end(void* value) {
  auto* block = static_cast<ThreadBlock*>(value);
  {
    std::lock_guard lock(g_blocks_mutex);
    (block->previous != nullptr ? block->previous->next : g_blocks) = block->next;
    if (block->next != nullptr) {
      block->next->previous = block->previous;
    }
  }
  if (t_block == block) {
    t_block = nullptr;
  }
  free_block(block);
}

// In the child of a fork only the forking thread is left.
void after_fork_in_child() {
  ThreadBlock* mine = t_block;
  for (ThreadBlock* block = g_blocks; block != nullptr;) {
    ThreadBlock* next = block->next;
    if (block != mine) {
      free_block(block);
    }
    block = next;
  }
  g_blocks = mine;
  if (mine != nullptr) {
    mine->next = mine->previous = nullptr;
  }
  g_blocks_mutex.unlock();
}

void prepare_process() {
  SPLICE_CHECK(pthread_key_create(&g_end_key, on_thread_end) == 0, "no thread key is free");
  SPLICE_CHECK(pthread_atfork([] { g_blocks_mutex.lock(); }, [] { g_blocks_mutex.unlock(); },
                              after_fork_in_child) == 0,
               "no memory for a fork handler");
}

// Native recursion stops here, so that the interpreter, which goes on from there, and C code it
// calls still have room: up to 2 MiB of the 8 a thread usually has.
const char* find_stack_limit() {
  pthread_attr_t attributes;
  void* low = nullptr;
  std::size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) {
    return nullptr;
  }
  const bool known = pthread_attr_getstack(&attributes, &low, &size) == 0;
  pthread_attr_destroy(&attributes);
  if (!known) {
    return nullptr;
  }
  constexpr std::size_t kMost = 2u << 20;
  constexpr std::size_t kLeast = 128u << 10;
  constexpr std::size_t kTooSmall = 64u << 10;  // just enough for the interpreter
  if (size < kTooSmall) {
    return static_cast<const char*>(low) + size;
  }
  const std::size_t margin = std::min(std::clamp(size / 4, kLeast, kMost), size / 2);
  return static_cast<const char*>(low) + margin;
}

ThreadBlock* make_block() {
  static std::once_flag once;
  std::call_once(once, prepare_process);
  auto* block = new ThreadBlock;
  block->context.stack_limit = find_stack_limit();
  {
    std::lock_guard lock(g_blocks_mutex);
    block->next = g_blocks;
    if (g_blocks != nullptr) {
      g_blocks->previous = block;
    }
    g_blocks = block;
  }
  pthread_setspecific(g_end_key, block);
  t_block = block;
  ensure_memory();
  grow_exits(block, kFirstExitWords);
  block->spare = std::exchange(block->exits, nullptr);
  block->spare_end = block->exits_end;
  grow_exits(block, kFirstExitWords);
  return block;
}

// A thread may come back with another thread state (PyGILState_Ensure makes one per use).
__attribute__((noinline, cold)) ThreadBlock* refresh() {
  ThreadBlock* block = t_block != nullptr ? t_block : make_block();
#if SPLICE_KNOWN_INTERPRETER
  layout::Context& ctx = block->context;
  PyThreadState* ts = PyThreadState_Get();
  g_gil_holder = gil_holder(ts);
  ctx.tstate = ts;
  ctx.eval_breaker = eval_breaker_word(ts);
  ctx.eval_breaker_mask = kEvalBreakerMask;
  ctx.py_recursion_remaining = &ts->py_recursion_remaining;
#endif
  return block;
}

}  // namespace

void grow_exits(ThreadBlock* block, std::size_t words) {
  const std::size_t used = block->exits == nullptr ? 0 : block->context.exit_top - block->exits;
  const std::size_t size = std::max(2 * used, used + words);
  std::uint64_t* grown = nullptr;
  do {
    grown = static_cast<std::uint64_t*>(std::realloc(block->exits, size * sizeof(std::uint64_t)));
  } while (grown == nullptr && give_reserve());
  SPLICE_CHECK(grown != nullptr, "no memory for the live values of an exit");
  block->exits = grown;
  block->exits_end = grown + size;
  block->context.exit_top = grown + used;
}

TakenExits::TakenExits(layout::Context* ctx) : ctx_(ctx) {
  ThreadBlock* block = block_of(ctx);
  words_ = block->exits;
  words_end_ = block->exits_end;
  const std::uint64_t* end = ctx->exit_top;
  block->exits = std::exchange(block->spare, nullptr);
  block->exits_end = std::exchange(block->spare_end, nullptr);
  ctx->exit_top = block->exits;
  for (const std::uint64_t* at = words_; at != end;) {
    ExitRecord record;
    std::uint64_t unit = at[0];
    std::memcpy(&record.unit, &unit, sizeof unit);
    record.function = static_cast<std::uint32_t>(at[1] >> 32);
    record.exit = static_cast<std::uint32_t>(at[1]);
    record.live = {at + kHeaderWords, static_cast<std::size_t>(at[2])};
    records_.push_back(record);
    at += kHeaderWords + at[2];
  }
}

TakenExits::~TakenExits() {
  ThreadBlock* block = block_of(ctx_);
  if (block->spare == nullptr) {
    block->spare = words_;
    block->spare_end = words_end_;
  } else {
    std::free(words_);
  }
}

layout::Context* context_of_exit(layout::Context* ctx) noexcept {
  if (ctx == nullptr) {
    return splice_rt_enter();
  }
  return ctx == &layout::kNoContext ? &t_block->context : ctx;
}

const void* thread_state_address() noexcept {
  splice_rt_enter();
  return g_gil_holder;
}

void bump_epoch() noexcept { g_epoch.fetch_add(1, std::memory_order_relaxed); }

std::ptrdiff_t stack_above_limit() noexcept {
  const auto* here = static_cast<const char*>(__builtin_frame_address(0));
  return here - splice_rt_enter()->stack_limit;
}

std::uint64_t current_epoch() noexcept { return g_epoch.load(std::memory_order_relaxed); }

bool invalidated_since_entry(const layout::Context* ctx) noexcept {
  return block_of(ctx)->epoch != current_epoch();
}

bool any_thread_in_native_code() {
  std::lock_guard lock(g_blocks_mutex);
  for (const ThreadBlock* block = g_blocks; block != nullptr; block = block->next) {
    if (block->context.native_depth != 0) {
      return true;
    }
  }
  return false;
}

}  // namespace splice::cpy

using splice::cpy::ThreadBlock;

splice::layout::Context* splice_rt_enter() noexcept {
  // Without a call into libpython, whose thread-local variables are slow to read.
  PyThreadState* ts = *splice::cpy::g_gil_holder;
  ThreadBlock* block = splice::cpy::t_block;
  if (block == nullptr || block->context.tstate != ts) [[unlikely]] {
    block = splice::cpy::refresh();
  }
  if (block->context.native_depth == 0) {
    // Only the outermost entry sets the epoch: an inner one must not hide from an outer one that
    // something has changed. Records are left over only from exits of kind kRestart.
    block->epoch = splice::cpy::current_epoch();
    block->context.exit_top = block->exits;
  }
  return &block->context;
}

std::uint64_t* splice_rt_exit(splice::layout::Context* ctx, void* unit, std::uint32_t function,
                              std::uint32_t exit, std::uint32_t words) noexcept {
  if (ctx == &splice::layout::kNoContext) {
    ctx = splice_rt_enter();
  }
  ThreadBlock* block = splice::cpy::block_of(ctx);
  const std::size_t needed = splice::cpy::kHeaderWords + words;
  if (ctx->exit_top == nullptr ||
      static_cast<std::size_t>(block->exits_end - ctx->exit_top) < needed) {
    splice::cpy::grow_exits(block, std::max(needed, splice::cpy::kFirstExitWords));
  }
  std::uint64_t* at = ctx->exit_top;
  at[0] = reinterpret_cast<std::uintptr_t>(unit);
  at[1] = static_cast<std::uint64_t>(function) << 32 | exit;
  at[2] = words;
  ctx->exit_top = at + needed;
  return at + splice::cpy::kHeaderWords;
}
