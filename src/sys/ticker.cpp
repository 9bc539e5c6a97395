// sys/ticker.cpp: the thread behind Ticker.
#include "sys/ticker.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace splice::sys {

struct Ticker::Thread {
  Thread(Tick t, std::chrono::microseconds f) : tick(t), first(f) {}

  Tick tick;
  std::chrono::microseconds first;
  pid_t owner = getpid();
  pthread_t handle{};
  std::atomic<pid_t> id{0};  ///< the kernel's, once it runs
  std::mutex mutex;
  std::condition_variable wake;
  bool stopping = false;

  void run() {
    id = static_cast<pid_t>(syscall(SYS_gettid));
    std::unique_lock lock(mutex);
    for (auto pause = first; !wake.wait_for(lock, pause, [this] { return stopping; });
         pause = tick()) {
    }
  }
};

namespace {

/// A joined thread is in the kernel's list of threads for a moment longer. CPython counts that list
/// when it forks.
void wait_until_gone(pid_t thread) {
  constexpr int kPatience = 100'000;
  for (int i = 0; i < kPatience && syscall(SYS_tgkill, getpid(), thread, 0) == 0; ++i)
    sched_yield();
}

}  // namespace

Status Ticker::start(Tick tick, std::chrono::microseconds first) {
  if (running()) return {};
  auto* thread = new Thread(tick, first);
  // Signals are for the program's threads.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int failed = pthread_create(
      &thread->handle, nullptr,
      [](void* self) -> void* {
        static_cast<Thread*>(self)->run();
        return nullptr;
      },
      thread);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (failed != 0) {
    delete thread;
    return resource_error("no thread for the sampler");
  }
  thread_ = thread;
  return {};
}

bool Ticker::running() const { return thread_ != nullptr && thread_->owner == getpid(); }

void Ticker::stop() {
  if (thread_ == nullptr) return;
  if (running()) {
    {
      const std::lock_guard lock(thread_->mutex);
      thread_->stopping = true;
    }
    thread_->wake.notify_one();
    pthread_join(thread_->handle, nullptr);
    wait_until_gone(thread_->id);
    delete thread_;
  }
  // Otherwise it was left behind by a fork, perhaps with its mutex held: leaked.
  thread_ = nullptr;
}

}  // namespace splice::sys
