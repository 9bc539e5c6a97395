// engine/probation.h: does native code pay for this function?
//
// Stubs count nothing. Only events do: exits and misses. After enough of them the function gets,
// for one window of calls, an entry that counts the calls too. When most of them were wasted, or
// all of the first ones, the kinds of arguments whose calls those were are left to the interpreter,
// and the function is given back if there are no others. Windows become rarer for a function that
// passes.
#pragma once

#include <Python.h>

#include <cstdint>

namespace splice::engine {

struct Record;
struct Variant;

/// A call on this thread that belongs to a window.
class ProbationCall {
 public:
  explicit ProbationCall(Record& record);
  ~ProbationCall();
  ProbationCall(const ProbationCall&) = delete;
  ProbationCall& operator=(const ProbationCall&) = delete;

  static ProbationCall* current();
  Record& record() { return record_; }
  /// Nanoseconds of this call so far.
  std::int64_t elapsed() const;
  void mark_wasted() { wasted_ = true; }
  /// The kinds of its arguments; without, they are those of the primary variant.
  void mark_variant(const Variant* variant) { variant_ = variant; }

 private:
  Record& record_;
  PyObject* function_;  ///< owned: keeps the record
  ProbationCall* outer_;
  std::int64_t start_;
  const Variant* variant_;  ///< may be gone
  bool wasted_ = false;
};

/// What the kinds of this call's arguments are.
void note_variant(const Record& record, const Variant* variant);
/// A call did not get in, or has to be done again from the start.
void note_wasted(Record& record);
/// A call left after running natively: wasted only when it had done too little to pay for leaving.
void note_left(Record& record);

}  // namespace splice::engine
