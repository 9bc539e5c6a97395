// base/result.h: Status and Result<T>, how Splice reports expected failures.
// Our own bugs use SPLICE_CHECK (base/check.h); "cannot compile this" is a Bailout
// (pyfront/bailout.h). Nothing here throws, prints or allocates on the success path.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace splice {

/// What kind of failure. Additive: values are never renumbered.
enum class ErrorCode : int {
  kOk = 0,
  kInvalidArgument = 1,  ///< malformed input
  kOutOfRange = 2,       ///< an index or value outside its limits
  kUnsupported = 3,      ///< well formed, but not handled here
  kNotFound = 4,
  kIo = 5,
  kResource = 6,  ///< memory, descriptors, address space
  kInternal = 7,  ///< a broken invariant that could be reported instead of aborting
};

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(ErrorCode code, std::string message) : code_(code), message_(std::move(message)) {}

  bool ok() const { return code_ == ErrorCode::kOk; }
  explicit operator bool() const { return ok(); }
  ErrorCode code() const { return code_; }
  const std::string& message() const { return message_; }

 private:
  ErrorCode code_ = ErrorCode::kOk;
  std::string message_;
};

inline Status invalid_argument(std::string m) {
  return {ErrorCode::kInvalidArgument, std::move(m)};
}
inline Status out_of_range(std::string m) { return {ErrorCode::kOutOfRange, std::move(m)}; }
inline Status unsupported(std::string m) { return {ErrorCode::kUnsupported, std::move(m)}; }
inline Status not_found(std::string m) { return {ErrorCode::kNotFound, std::move(m)}; }
inline Status resource_error(std::string m) { return {ErrorCode::kResource, std::move(m)}; }
inline Status internal_error(std::string m) { return {ErrorCode::kInternal, std::move(m)}; }

/// A value or the Status that says why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Status status) : state_(std::move(status)) {}

  bool ok() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return ok(); }
  T& value() & { return std::get<T>(state_); }
  const T& value() const& { return std::get<T>(state_); }
  T&& value() && { return std::get<T>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Status& status() const { return std::get<Status>(state_); }

 private:
  std::variant<T, Status> state_;
};

}  // namespace splice
