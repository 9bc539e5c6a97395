// engine/testing/failing_memory.h: CPython's allocators, but the k-th request and all after it
// fail.
#pragma once

#include <Python.h>

#include <cstddef>

namespace splice::engine::testing {

/// While it lives. Requests are those for new and grown blocks of Python's heap.
class FailingMemory {
 public:
  explicit FailingMemory(long k) : left_(k) {
    for (std::size_t i = 0; i < 2; ++i) {
      PyMem_GetAllocator(kDomains[i], &domains_[i].old);
      domains_[i].owner = this;
      PyMemAllocatorEx hooked{&domains_[i], allocate, allocate_zeros, grow, release};
      PyMem_SetAllocator(kDomains[i], &hooked);
    }
  }
  ~FailingMemory() {
    for (std::size_t i = 0; i < 2; ++i) PyMem_SetAllocator(kDomains[i], &domains_[i].old);
  }
  FailingMemory(const FailingMemory&) = delete;
  FailingMemory& operator=(const FailingMemory&) = delete;

  bool has_failed() const { return left_ < 0; }

 private:
  struct Domain {
    PyMemAllocatorEx old;
    FailingMemory* owner;
  };
  static constexpr PyMemAllocatorDomain kDomains[] = {PYMEM_DOMAIN_MEM, PYMEM_DOMAIN_OBJ};

  static bool fails(void* ctx) { return --static_cast<Domain*>(ctx)->owner->left_ < 0; }
  static const PyMemAllocatorEx& old_of(void* ctx) { return static_cast<Domain*>(ctx)->old; }
  static void* allocate(void* ctx, std::size_t size) {
    return fails(ctx) ? nullptr : old_of(ctx).malloc(old_of(ctx).ctx, size);
  }
  static void* allocate_zeros(void* ctx, std::size_t n, std::size_t size) {
    return fails(ctx) ? nullptr : old_of(ctx).calloc(old_of(ctx).ctx, n, size);
  }
  static void* grow(void* ctx, void* block, std::size_t size) {
    return fails(ctx) ? nullptr : old_of(ctx).realloc(old_of(ctx).ctx, block, size);
  }
  static void release(void* ctx, void* block) { old_of(ctx).free(old_of(ctx).ctx, block); }

  long left_;
  Domain domains_[2];
};

}  // namespace splice::engine::testing
