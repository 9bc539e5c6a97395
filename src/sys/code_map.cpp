#include "sys/fcntl.h"

#include "sys/code_map.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace splice::sys {

namespace {

std::uintptr_t key(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

std::string perf_line(const CodeRange& range) {
  char numbers[64];
  std::snprintf(numbers, sizeof numbers, "%zx %zx ", key(range.start), range.size);
  std::string line = numbers + range.name;
  for (char& c : line) {
    if (c == '\n' || c == '\r') c = '?';
  }
  return line + "\n";
}

}  // namespace

void CodeMap::add(CodeRange range) {
  const std::lock_guard lock(mutex_);
  if (!perf_prefix_.empty()) append_to_file(range);
  ranges_[key(range.start)] = std::move(range);
}

void CodeMap::remove(const void* start) {
  const std::lock_guard lock(mutex_);
  ranges_.erase(key(start));
}

std::optional<CodeRange> CodeMap::find(const void* address) const {
  const std::lock_guard lock(mutex_);
  auto after = ranges_.upper_bound(key(address));
  if (after == ranges_.begin()) return std::nullopt;
  const auto& [start, range] = *--after;
  if (key(address) - start >= range.size) return std::nullopt;
  return range;
}

std::size_t CodeMap::size() const {
  const std::lock_guard lock(mutex_);
  return ranges_.size();
}

// A profiler's file is not worth an error: what cannot be written is left out.
void CodeMap::append_to_file(const CodeRange& range) {
  const int pid = ::getpid();
  std::string text;
  if (file_owner_ != pid) {
    // The first line of this process: a fork has inherited code that its file must name too.
    for (const auto& [start, old] : ranges_) text += perf_line(old);
  }
  text += perf_line(range);
  const std::string path = perf_prefix_ + std::to_string(pid) + ".map";
  const int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW;
  const int fd = ::open(path.c_str(), file_owner_ == pid ? flags : flags | O_TRUNC, 0600);
  if (fd < 0) return;
  file_owner_ = pid;
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(fd, text.data() + done, text.size() - done);
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  ::close(fd);
}

CodeMap& code_map() {
  // Never destroyed: code units may die after the statics of this file would.
  static CodeMap* map = [] {
    const char* wanted = std::getenv("SPLICE_PERF");
    const bool on = wanted != nullptr && std::strcmp(wanted, "1") == 0;
    return new CodeMap(on ? "/tmp/perf-" : "");
  }();
  return *map;
}

}  // namespace splice::sys
