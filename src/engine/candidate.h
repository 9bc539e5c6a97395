// engine/candidate.h: a function that was seen running often, and what became of it.
#pragma once

#include <Python.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/trial.h"
#include "pyfront/kind.h"

namespace splice::engine {

struct Candidate {
  enum class Fate : std::uint8_t {
    kSeen,       ///< hot, but not called often enough so far
    kCounted,    ///< its calls are being counted
    kPromoted,   ///< put under Splice; the record says how that went
    kRefused,    ///< a kind of code that is never compiled; `reason`
    kGivenBack,  ///< was compiled, did not pay; `reason`
    kLeftAlone,  ///< the program itself has used jit() or unjit() on it
  };

  explicit Candidate(PyFunctionObject* f);
  Candidate(const Candidate&) = delete;
  Candidate& operator=(const Candidate&) = delete;
  ~Candidate();

  PyFunctionObject* function;  ///< borrowed; null when it has died
  PyCodeObject* code;          ///< owned
  Fate fate = Fate::kSeen;
  std::uint64_t samples = 0;
  /// Since its calls in the interpreter are counted, the last time that they were.
  std::uint64_t calls = 0;
  bool ready = false;    ///< its next call is compiled; or that has been tried since the last look
  bool may_ask = false;  ///< it has cost enough for the front end to be asked
  bool lowers = false;   ///< a call of it got past the front end
  double expected_ms = 0;            ///< then: what compiling will take
  int tries = 0;                     ///< calls that did not, or could not be compiled
  std::vector<pyfront::Kind> asked;  ///< what the front end was asked last
  std::uint64_t entries = 0;         ///< of these: not from itself
  std::int64_t cpu_start = 0;        ///< of that, or of a window of native calls
  std::optional<Trial> trial;        ///< since it was promoted, until it is known whether that pays
  std::string reason;
  int line = 0;             ///< of the reason; 0: the def line
  std::uint64_t exits = 0;  ///< of all its native code
  double compile_ms = 0;
  bool compiled = false;  ///< there was native code
};

/// Takes what the record of the function says over into the candidate. Runs no Python code.
void settle(Candidate& candidate);
/// New dict: function (None when it has died), code, samples, calls, decision, reason, line, exits,
/// compile_ms.
PyObject* describe(Candidate& candidate);

/// Functions of Splice are not the program's.
bool is_own(const PyFunctionObject* function);
/// Why a function like this one is never compiled; null when it may be.
const char* why_never_promoted(PyFunctionObject* function);

}  // namespace splice::engine
