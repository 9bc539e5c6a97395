// sys/code_map.h: which generated function lies at which address, for profilers.
//
// One map per process. With SPLICE_PERF=1 in the environment each function is also written to
// /tmp/perf-PID.map, where `perf` looks for names. Thread-safe; after a fork the child's first
// change writes a file of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace splice::sys {

struct CodeRange {
  const void* start = nullptr;
  std::size_t size = 0;
  std::string name;
};

class CodeMap {
 public:
  /// `perf_prefix`: start of the path of perf's file, to which PID.map is added; empty for none.
  explicit CodeMap(std::string perf_prefix) : perf_prefix_(std::move(perf_prefix)) {}
  CodeMap(const CodeMap&) = delete;
  CodeMap& operator=(const CodeMap&) = delete;

  void add(CodeRange range);
  /// Forgets the function that starts there; perf's file keeps its line, as perf reads it
  /// afterwards.
  void remove(const void* start);
  /// The function around `address`.
  std::optional<CodeRange> find(const void* address) const;
  std::size_t size() const;

 private:
  void append_to_file(const CodeRange& range);

  const std::string perf_prefix_;
  mutable std::mutex mutex_;
  std::map<std::uintptr_t, CodeRange> ranges_;
  int file_owner_ = 0;  ///< process that wrote the file so far
};

/// The map of this process.
CodeMap& code_map();

}  // namespace splice::sys
