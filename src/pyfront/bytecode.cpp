// pyfront/bytecode.cpp: decoding. The only file that knows CPython's opcode numbers.
#include "pyfront/bytecode.h"

#include <opcode.h>

#include <unordered_map>

namespace splice::pyfront {

namespace {

// The compiler's intrinsic for unary plus (pycore_intrinsics.h, the same on 3.12 and 3.13).
constexpr int kIntrinsicUnaryPositive = 5;
constexpr int kInplaceBase = 13;  // NB_INPLACE_ADD

#if PY_VERSION_HEX >= 0x030D0000
constexpr int kCompareShift = 5;
constexpr int kCompareToBool = 16;
#else
constexpr int kCompareShift = 4;
constexpr int kCompareToBool = 0;
#endif

/// Number of instructions behind an exhausted FOR_ITER's jump target that are skipped.
#if PY_VERSION_HEX >= 0x030D0000
constexpr int kForIterSkip = 2;  // END_FOR, POP_TOP
#else
constexpr int kForIterSkip = 1;  // END_FOR
#endif

class Decoder {
 public:
  Decoder(PyCodeObject* code, Bytecode& out) : code_(code), out_(out) {}

  bool run(std::string& error) {
    PyObject* bytes = PyCode_GetCode(code_);
    if (bytes == nullptr) {
      PyErr_Clear();
      error = "the code object has no bytes";
      return false;
    }
    bytes_ = reinterpret_cast<const std::uint8_t*>(PyBytes_AS_STRING(bytes));
    size_ = static_cast<int>(PyBytes_GET_SIZE(bytes));
    const bool ok = scan() && resolve(error);
    find_handlers();
    Py_DECREF(bytes);
    return ok;
  }

 private:
  bool scan() {
    int at = 0;
    while (at < size_) {
      start_ = at;
      int arg = bytes_[at + 1];
      int opcode = bytes_[at];
      while (opcode == EXTENDED_ARG && at + 2 < size_) {
        at += 2;
        opcode = bytes_[at];
        arg = (arg << 8) | bytes_[at + 1];
      }
      at += 2;
      const int plain_next = at;
      while (at < size_ && bytes_[at] == CACHE) at += 2;
      translate(opcode, arg, at, plain_next);
    }
    return true;
  }

  PyInst& add(PyOp op, int arg = 0, int arg2 = 0) {
    PyInst inst;
    inst.op = op;
    inst.opcode = opcode_;
    inst.arg = arg;
    inst.arg2 = arg2;
    inst.offset = pending_start_ >= 0 ? pending_start_ : start_;
    index_of_.emplace(inst.offset, static_cast<int>(out_.insts.size()));
    out_.insts.push_back(inst);
    return out_.insts.back();
  }

  void jump(PyOp op, int target_offset) {
    add(op);
    target_offsets_.emplace_back(static_cast<int>(out_.insts.size()) - 1, target_offset);
  }

  void translate(int opcode, int arg, int next, int plain_next) {
    opcode_ = static_cast<std::uint8_t>(opcode);
    switch (opcode) {
      case RESUME:
      case NOP:
        add(PyOp::kNop);
        break;
      case LOAD_FAST:
        add(PyOp::kLoadFast, arg);
        break;
#if PY_VERSION_HEX < 0x030D0000
      case LOAD_CLOSURE:
        add(PyOp::kLoadFast, arg);
        break;
      case KW_NAMES:
        pending_start_ = start_;
        keyword_names_ = arg;
        return;  // the next instruction is the CALL
#else
      case LOAD_FAST_LOAD_FAST:
        add(PyOp::kLoadFast, arg >> 4);
        add(PyOp::kLoadFast, arg & 15);
        break;
      case STORE_FAST_LOAD_FAST:
        add(PyOp::kStoreFast, arg >> 4);
        add(PyOp::kLoadFast, arg & 15);
        break;
      case STORE_FAST_STORE_FAST:
        add(PyOp::kStoreFast, arg >> 4);
        add(PyOp::kStoreFast, arg & 15);
        break;
      case TO_BOOL:
        add(PyOp::kToBool);
        break;
      case CALL_KW:
        add(PyOp::kCallKw, arg);
        break;
      case SET_FUNCTION_ATTRIBUTE:
        add(PyOp::kSetFunctionAttribute, arg);
        break;
#endif
      case LOAD_FAST_CHECK:
        add(PyOp::kLoadFastCheck, arg);
        break;
      case LOAD_FAST_AND_CLEAR:
        add(PyOp::kLoadFastAndClear, arg);
        break;
      case STORE_FAST:
        add(PyOp::kStoreFast, arg);
        break;
      case DELETE_FAST:
        add(PyOp::kDeleteFast, arg);
        break;
      case LOAD_CONST:
        add(PyOp::kLoadConst, arg);
        break;
      case LOAD_GLOBAL:
        add(PyOp::kLoadGlobal, arg >> 1, arg & 1);
        break;
      case STORE_GLOBAL:
        add(PyOp::kStoreGlobal, arg);
        break;
      case LOAD_DEREF:
        add(PyOp::kLoadDeref, arg);
        break;
      case STORE_DEREF:
        add(PyOp::kStoreDeref, arg);
        break;
      case MAKE_CELL:
        add(PyOp::kMakeCell, arg);
        break;
      case COPY_FREE_VARS:
        add(PyOp::kCopyFreeVars, arg);
        break;
      case RETURN_GENERATOR:
        add(PyOp::kReturnGenerator);
        break;
      case YIELD_VALUE:
        add(PyOp::kYieldValue);
        break;
      case MAKE_FUNCTION:
        add(PyOp::kMakeFunction, arg);
        break;
      case POP_TOP:
        add(PyOp::kPopTop);
        break;
      case PUSH_NULL:
        add(PyOp::kPushNull);
        break;
      case COPY:
        add(PyOp::kCopy, arg);
        break;
      case SWAP:
        add(PyOp::kSwap, arg);
        break;
      case UNARY_NEGATIVE:
        add(PyOp::kUnaryNegative);
        break;
      case UNARY_NOT:
        add(PyOp::kUnaryNot);
        break;
      case UNARY_INVERT:
        add(PyOp::kUnaryInvert);
        break;
      case CALL_INTRINSIC_1:
        add(arg == kIntrinsicUnaryPositive ? PyOp::kUnaryPositive : PyOp::kUnsupported, arg);
        break;
      case BINARY_OP:
        add(PyOp::kBinaryOp, arg >= kInplaceBase ? arg - kInplaceBase : arg, arg >= kInplaceBase);
        break;
      case COMPARE_OP:
        add(PyOp::kCompareOp, arg >> kCompareShift, (arg & kCompareToBool) != 0);
        break;
      case IS_OP:
        add(PyOp::kIsOp, arg);
        break;
      case CONTAINS_OP:
        add(PyOp::kContainsOp, arg);
        break;
      case JUMP_FORWARD:
        jump(PyOp::kJump, next + 2 * arg);
        break;
      case JUMP_BACKWARD:
        jump(PyOp::kJumpBackward, next - 2 * arg);
        break;
      case JUMP_BACKWARD_NO_INTERRUPT:
        jump(PyOp::kJump, next - 2 * arg);
        break;
      case POP_JUMP_IF_FALSE:
        jump(PyOp::kPopJumpIfFalse, next + 2 * arg);
        break;
      case POP_JUMP_IF_TRUE:
        jump(PyOp::kPopJumpIfTrue, next + 2 * arg);
        break;
      case POP_JUMP_IF_NONE:
        jump(PyOp::kPopJumpIfNone, next + 2 * arg);
        break;
      case POP_JUMP_IF_NOT_NONE:
        jump(PyOp::kPopJumpIfNotNone, next + 2 * arg);
        break;
      case GET_ITER:
        add(PyOp::kGetIter);
        break;
      case FOR_ITER:
        jump(PyOp::kForIter, next + 2 * (arg + kForIterSkip));
        break;
      case RETURN_VALUE:
        add(PyOp::kReturnValue);
        break;
      case RETURN_CONST:
        add(PyOp::kReturnConst, arg);
        break;
      case CALL:
        add(PyOp::kCall, arg, keyword_names_);
        break;
      case LOAD_ATTR:
        add(PyOp::kLoadAttr, arg >> 1, arg & 1);
        break;
      case BUILD_TUPLE:
        add(PyOp::kBuildTuple, arg);
        break;
      case UNPACK_SEQUENCE:
        add(PyOp::kUnpackSequence, arg);
        break;
      case BINARY_SUBSCR:
        add(PyOp::kBinarySubscr);
        break;
      case UNPACK_EX:
        add(PyOp::kUnpackEx, arg & 0xFF, arg >> 8);
        break;
      case DELETE_SUBSCR:
        add(PyOp::kDeleteSubscr);
        break;
      case BUILD_SLICE:
        add(PyOp::kBuildSlice, arg);
        break;
      case BINARY_SLICE:
        add(PyOp::kBinarySlice);
        break;
      case STORE_SLICE:
        add(PyOp::kStoreSlice);
        break;
      case STORE_SUBSCR:
        add(PyOp::kStoreSubscr);
        break;
      case BUILD_LIST:
        add(PyOp::kBuildList, arg);
        break;
      case LIST_APPEND:
        add(PyOp::kListAppend, arg);
        break;
      case LIST_EXTEND:
        add(PyOp::kListExtend, arg);
        break;
      case RAISE_VARARGS:
        add(PyOp::kRaise, arg);
        break;
      case RERAISE:
        add(PyOp::kRaise, 1);
        break;
      default:
        add(PyOp::kUnsupported, arg);
        break;
    }
    pending_start_ = -1;
    keyword_names_ = -1;
    (void)plain_next;
  }

  bool resolve(std::string& error) {
    out_.loop_header.assign(out_.insts.size(), false);
    for (const auto& [inst, offset] : target_offsets_) {
      const auto found = index_of_.find(offset);
      if (found == index_of_.end()) {
        error = "a jump goes into the middle of an instruction";
        return false;
      }
      out_.insts[static_cast<std::size_t>(inst)].target = found->second;
      if (found->second <= inst) out_.loop_header[static_cast<std::size_t>(found->second)] = true;
    }
    return true;
  }

  /// The exception table: entries of start, length, handler and depth, in code units, as numbers of
  /// six bits to a byte, the highest first (Objects/exception_handling_notes.txt of CPython).
  void find_handlers() {
    out_.handler.assign(out_.insts.size(), {});
    if (code_->co_exceptiontable == nullptr || !PyBytes_Check(code_->co_exceptiontable)) return;
    const auto* at =
        reinterpret_cast<const std::uint8_t*>(PyBytes_AS_STRING(code_->co_exceptiontable));
    const auto* end = at + PyBytes_GET_SIZE(code_->co_exceptiontable);
    const auto number = [&] {
      std::int32_t value = 0;
      while (at < end) {
        const std::uint8_t byte = *at++;
        value = value << 6 | (byte & 63);
        if ((byte & 64) == 0) break;
      }
      return value;
    };
    while (at < end) {
      const std::int32_t start = 2 * number();
      const std::int32_t size = 2 * number();
      const std::int32_t offset_of_handler = 2 * number();
      const std::int32_t depth = number();  // and, in the lowest bit, whether lasti is pushed too
      const Handler handler{offset_of_handler, depth >> 1, 1 + (depth & 1)};
      for (std::size_t i = 0; i < out_.insts.size(); ++i) {
        const std::int32_t offset = out_.insts[i].offset;
        if (offset >= start && offset < start + size) out_.handler[i] = handler;
      }
    }
  }

  PyCodeObject* code_;
  Bytecode& out_;
  const std::uint8_t* bytes_ = nullptr;
  int size_ = 0;
  int start_ = 0;
  int pending_start_ = -1;
  int keyword_names_ = -1;
  std::uint8_t opcode_ = 0;
  std::unordered_map<int, int> index_of_;  // first instruction at an offset
  std::vector<std::pair<int, int>> target_offsets_;
};

}  // namespace

bool decode(PyCodeObject* code, Bytecode& out, std::string& error) {
  return Decoder(code, out).run(error);
}

const char* opcode_name(std::uint8_t opcode) {
  switch (opcode) {
    case RAISE_VARARGS:
      return "`raise`";
    case LOAD_ASSERTION_ERROR:
      return "a failed `assert`";
    case BUILD_MAP:
    case BUILD_CONST_KEY_MAP:
      return "a dict display";
    case BUILD_SET:
      return "a set display";
    case BUILD_STRING:
#if PY_VERSION_HEX >= 0x030D0000
    case FORMAT_SIMPLE:
    case FORMAT_WITH_SPEC:
    case CONVERT_VALUE:
#else
    case FORMAT_VALUE:
#endif
      return "an f-string";
    case LOAD_BUILD_CLASS:
      return "a class definition";
    case MATCH_CLASS:
    case MATCH_KEYS:
    case MATCH_MAPPING:
    case MATCH_SEQUENCE:
    case GET_LEN:
      return "`match`";
    case DELETE_ATTR:
      return "`del` of an attribute";
    case DELETE_DEREF:
      return "`del` of a variable shared with a nested function";
    case SET_ADD:
    case SET_UPDATE:
      return "a set display";
    case MAP_ADD:
    case DICT_UPDATE:
    case DICT_MERGE:
      return "a dict display";
    case GET_AITER:
    case GET_ANEXT:
    case GET_AWAITABLE:
    case BEFORE_ASYNC_WITH:
      return "`async`";
    case GET_YIELD_FROM_ITER:
      return "`yield from`";
    case STORE_ATTR:
      return "an attribute assignment";
    case DELETE_GLOBAL:
      return "`del` of a global";
    case IMPORT_NAME:
    case IMPORT_FROM:
      return "`import`";
    case BEFORE_WITH:
      return "`with`";
    case CALL_FUNCTION_EX:
      return "a call with * or **";
    case PUSH_EXC_INFO:
    case RERAISE:
    case CHECK_EXC_MATCH:
    case POP_EXCEPT:
      return "an exception handler";
    case LOAD_SUPER_ATTR:
      return "`super()`";
    default:
      return nullptr;
  }
}

}  // namespace splice::pyfront
