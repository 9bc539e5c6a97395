// ir/module.h: modules, functions, blocks, instructions and exit records, as plain data.
//
// SSA with block arguments. A Module owns everything by value; ids are indices. Build with
// ir/builder.h, print and parse with ir/text.h, check with ir/verify.h. Not thread-safe; a
// module that nobody changes may be read from several threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/op.h"
#include "ir/type.h"

namespace splice::ir {

using ValueId = std::uint32_t;
using BlockId = std::uint32_t;
using SymbolId = std::uint32_t;
using ExitId = std::uint32_t;
inline constexpr std::uint32_t kNone = 0xffffffffu;

/// Place in the source: bytecode offset for Python (code = index of a symbol), line for .mojo.
struct Loc {
  std::int32_t line = 0;
  std::int32_t offset = -1;
};

/// A branch: block and the values for its arguments.
struct Target {
  BlockId block = kNone;
  std::vector<ValueId> args;
};

struct Inst {
  Op op = Op::kUndef;
  Type type = Type::kVoid;      ///< T in op.h
  Type type2 = Type::kVoid;     ///< operand type of kConvert, kBitcast
  std::uint32_t index = kNone;  ///< symbol, function or exit, as the op says
  std::int64_t imm = 0;
  std::int64_t imm2 = 0;
  Loc loc;
  std::vector<ValueId> args;
  std::vector<ValueId> results;
  std::vector<Target> targets;      ///< terminators only
  std::vector<std::int64_t> cases;  ///< kSwitch only, targets.size() - 1 of them
};

struct Block {
  std::string name;  ///< for reading only; may be empty
  std::vector<ValueId> args;
  std::vector<Inst> insts;  ///< the last one is the only terminator
};

/// How to make one local or stack slot of an interpreter frame when native code leaves.
struct Recipe {
  enum class Kind : std::uint8_t {
    kNull,       ///< unbound local or NULL operand
    kSymbol,     ///< the object at symbol `index`
    kInt,        ///< int of live value `index` (an integer, or a float that is whole)
    kFloat,      ///< float of live value `index` (f64 or f32)
    kBool,       ///< live value `index` (i1)
    kComplex,    ///< box live value `index` (c128)
    kScalar,     ///< NumPy scalar: an instance of the type at `symbol` that holds live value
                 ///< `index` (i1 to c128)
    kObject,     ///< live value `index` (obj: a new reference is taken; obj.own: it is given). A
                 ///< typed list (cpy/typed_list.h) becomes the list that it stands for.
    kTuple,      ///< tuple of `items`
    kRange,      ///< range(items[0], items[1], items[2]) objects from int recipes
    kRangeIter,  ///< iter(range(items[0], items[1], items[2])): next value, stop, step
    kListIter,   ///< iterator of the list or tuple items[0] at index items[1]
    kReversed,   ///< reversed(items[0]) at index items[1]
    kEnumerate,  ///< enumerate(items[0], items[1]), items[0] an iterator
    kZip,        ///< zip(*items), iterators
    kSlice,      ///< slice(items[0], items[1], items[2])
    kArrayView,  ///< ndarray: `items` as of cpy/array_view.h
    kEither,     ///< items[0] where that is present, else items[1]: two numbers
  };
  Kind kind = Kind::kNull;
  /// For those with items: recipes of one exit with the same number make one object. kNone: its
  /// own.
  std::uint32_t index = kNone;
  SymbolId symbol = kNone;  ///< kScalar: its type
  /// Live value (obj, may be null) that is the object this number came from; kNone when computed.
  std::uint32_t origin = kNone;
  /// Live i1: false when the slot is unbound after all. kNone: it never is.
  std::uint32_t present = kNone;
  std::vector<Recipe> items;

  bool operator==(const Recipe&) const = default;
};

/// One interpreter frame of an exit.
struct ExitFrame {
  SymbolId code = kNone;       ///< the code object
  Recipe function;             ///< the function object whose code it is: kSymbol or kObject
  std::int32_t offset = 0;     ///< bytecode offset (bytes) at which the interpreter goes on
  std::vector<Recipe> locals;  ///< co_nlocalsplus entries
  std::vector<Recipe> stack;   ///< bottom to top
};

/// Calls f(recipe) for the function, the locals and the stack of a frame.
template <class Frame, class F>
void for_each_recipe(Frame& frame, F f) {
  f(frame.function);
  for (auto& recipe : frame.locals) f(recipe);
  for (auto& recipe : frame.stack) f(recipe);
}

/// Where a guard, poll or leave goes. `live` types describe the operands behind the condition.
struct Exit {
  enum class Kind : std::uint8_t {
    kRestart,  ///< nothing visible has happened in this call: run it again in the interpreter
    kFrames,   ///< rebuild `frames`, outermost first, and go on there
  };
  Kind kind = Kind::kRestart;
  std::vector<Type> live;
  std::vector<ExitFrame> frames;
  /// The interpreter makes the call again whose callees left before: their records are dropped.
  bool drops_callees = false;
  std::string reason;  ///< shown by explain: "integer overflow", "call to print", ...
  Loc loc;
};

/// Something outside the module. Bound to an address when the module is linked.
struct Symbol {
  enum class Kind : std::uint8_t { kRuntime, kObject, kData };
  Kind kind = Kind::kRuntime;
  std::string name;          ///< linker name: unique in the module
  bool pure = false;         ///< kRuntime: no side effect, result depends on the arguments only
  bool quiet = false;        ///< kRuntime: runs no Python code, whatever it writes
  std::vector<Type> params;  ///< kRuntime
  Type result = Type::kVoid;
};

struct Function {
  std::string name;  ///< linker name
  bool exported = false;
  bool c_abi = false;  ///< plain C function: params as given, at most one result, no ctx, no exits
  /// Python code may catch an exception here: where a poll raises one can be seen.
  bool has_handlers = false;
  std::vector<Type> params;  ///< types of blocks[0].args
  std::vector<Type> results;
  std::vector<Block> blocks;
  std::vector<Type> values;  ///< type of each ValueId
  std::vector<Exit> exits;
};

struct Module {
  std::string name;
  std::vector<Function> functions;
  std::vector<Symbol> symbols;
};

}  // namespace splice::ir
