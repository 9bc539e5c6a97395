// pyfront/entry_stub.cpp
#include "pyfront/entry_stub.h"

#include <cstddef>
#include <utility>

#include "cpy/array_view.h"
#include "ir/leaf.h"
#include "layout/context.h"
#include "pyfront/flat_values.h"
#include "pyfront/numpy_values.h"

namespace splice::pyfront {

using ir::Builder;
using ir::Op;
using ir::Type;
using layout::Context;
using Tag = AbsVal::Tag;

namespace {

class Stub {
 public:
  Stub(Unit& unit, FunctionLowering& body, const std::string& name)
      : unit_(unit),
        body_(body),
        b_(unit.module(),
           ir::add_function(unit.module(), name, {Type::kObj, Type::kPtr, Type::kI64, Type::kObj},
                            {Type::kOwned}, true, true)) {}

  void build(const std::vector<Kind>& kinds) {
    miss_ = b_.create_block("miss");
    bind(kinds.size());
    require_no_news_of_tools();
    std::vector<ir::ValueId> args;
    for (std::size_t i = 0; i < kinds.size(); ++i)
      unbox(kinds[i], static_cast<std::int64_t>(i), body_.params()[i], args);
    call_body(args);
    b_.set_block(miss_);
    miss(wanted_, b_.null());
  }

 private:
  void require(ir::ValueId cond) {
    const ir::BlockId next = b_.create_block();
    b_.cond_br(cond, {next, {}}, {miss_, {}});
    b_.set_block(next);
  }

  /// Behind it the call gives one value per parameter by position.
  void bind(std::size_t n) {
    b_.set_block(0);
    // The top bit says that args[-1] may be overwritten: not our concern.
    const ir::ValueId count =
        b_.binary(Op::kAnd, b_.param(2), b_.const_i64(static_cast<std::int64_t>(~(1ull << 63))));
    wanted_ = b_.const_i64(static_cast<std::int64_t>(n));
    const ir::ValueId complete = b_.binary(Op::kAnd, b_.compare(Op::kEq, b_.param(3), b_.null()),
                                           b_.compare(Op::kEq, count, wanted_));
    const ir::BlockId bound = b_.create_block("bound");
    const ir::BlockId unusual = b_.create_block("unusual");
    b_.cond_br(complete, {bound, {}}, {unusual, {}});
    b_.set_block(unusual);
    if (n == 0) {
      miss(b_.param(2), b_.param(3));
    } else {
      bind_again();
    }
    b_.set_block(bound);
  }

  /// A tracing tool may have come since somebody looked.
  void require_no_news_of_tools() {
    require(b_.compare(Op::kEq, b_.load(Type::kU64, data("splice_events")),
                       b_.load(Type::kU64, data("splice_seen_events"))));
  }

  /// A call with keywords, or with fewer values than parameters.
  void bind_again() {
    // The defaults of now: the unit keeps them alive and is dropped when they are replaced.
    PyObject* defaults = body_.function()->func_defaults;
    const ir::SymbolId again = unit_.runtime(
        "splice_rt_bind", {Type::kObj, Type::kPtr, Type::kI64, Type::kObj, Type::kPtr, Type::kObj},
        Type::kOwned, nullptr);
    b_.ret({b_.call_runtime(
        again, {b_.param(0), b_.param(1), b_.param(2), b_.param(3), data("splice_unit"),
                defaults != nullptr ? b_.symbol(unit_.object_symbol(defaults)) : b_.null()})});
  }

  ir::ValueId data(const char* name) {
    return b_.symbol(ir::add_data(unit_.module(), name), Type::kPtr);
  }

  void unbox(const Kind& kind, std::int64_t i, const AbsVal& shape,
             std::vector<ir::ValueId>& args) {
    const ir::ValueId object = b_.load(Type::kObj, b_.param(1), 8 * i);
    const auto exact = [&](PyTypeObject* type) {
      require(b_.py_type_is(object, unit_.object_symbol(reinterpret_cast<PyObject*>(type))));
    };
    switch (kind.tag) {
      case Kind::kInt: {
        exact(&PyLong_Type);
        const Builder::Checked n = b_.py_unbox_int(object);
        require(n.flag);
        args.push_back(n.value);
        break;
      }
      case Kind::kFloat:
        exact(&PyFloat_Type);
        args.push_back(b_.py_unbox_float(object));
        break;
      case Kind::kBool:
        exact(&PyBool_Type);
        args.push_back(b_.py_unbox_bool(object));
        break;
      case Kind::kComplex:
        exact(&PyComplex_Type);
        args.push_back(b_.py_unbox_complex(object));
        break;
      case Kind::kNone:
        require(b_.compare(Op::kEq, object, b_.symbol(unit_.object_symbol(Py_None))));
        return;
      case Kind::kScalar: {
        exact(cpy::scalar_type(kind.array.element));
        const LoadedElement held = unbox_scalar(b_, object, kind.array.element);
        if (held.is_exact != ir::kNone) require(held.is_exact);
        args.push_back(held.value);
        break;
      }
      case Kind::kArray:
        exact(cpy::array_type());
        require(is_array_like(b_, object, kind.array));
        args.push_back(object);
        return;
      case Kind::kFlat:
        exact(exact_type_of(kind));
        require(is_flat_like(b_, object, kind.flat));
        args.push_back(object);
        return;
      default:
        exact(exact_type_of(kind));
        args.push_back(object);
        return;
      case Kind::kObject:
        reject_others(object);
        args.push_back(object);
        return;
    }
    if (shape.has_origin()) args.push_back(object);
  }

  /// Exactly those values pass that kind_of calls kObject: the variants of a function are told
  /// apart by kind, whichever is asked first.
  void reject_others(ir::ValueId object) {
    const auto is_type = [&](PyTypeObject* type) {
      return b_.py_type_is(object, unit_.object_symbol(reinterpret_cast<PyObject*>(type)));
    };
    ir::ValueId reject = b_.compare(Op::kEq, object, b_.symbol(unit_.object_symbol(Py_None)));
    for (PyTypeObject* type : {&PyFloat_Type, &PyBool_Type, &PyComplex_Type, &PyList_Type,
                               &PyTuple_Type, &PyUnicode_Type, &PyBytes_Type, &PyByteArray_Type})
      reject = b_.binary(Op::kOr, reject, is_type(type));
    require(b_.not_(reject));
    reject_elements(object, is_type);
    const ir::BlockId integer = b_.create_block();
    const ir::BlockId passed = b_.create_block();
    b_.cond_br(is_type(&PyLong_Type), {integer, {}}, {passed, {}});
    b_.set_block(integer);
    require(b_.not_(b_.py_unbox_int(object).flag));  // a big int is an object
    b_.br(passed);
    b_.set_block(passed);
  }

  /// Objects of NumPy and memoryviews, whose types are static, and array.array may be of another
  /// kind.
  template <class F>
  void reject_elements(ir::ValueId object, F is_type) {
    const ir::SymbolId carried = unit_.runtime("splice_rt_is_carried", {Type::kObj}, Type::kI32,
                                               reinterpret_cast<void*>(&splice_rt_is_carried));
    const ir::ValueId type =
        b_.load(Type::kPtr, object, static_cast<std::int64_t>(offsetof(PyObject, ob_type)));
    const ir::ValueId flags =
        b_.load(Type::kU64, type, static_cast<std::int64_t>(offsetof(PyTypeObject, tp_flags)));
    const ir::ValueId heap_type = b_.const_int(Type::kU64, Py_TPFLAGS_HEAPTYPE);
    ir::ValueId may_be =
        b_.compare(Op::kEq, b_.binary(Op::kAnd, flags, heap_type), b_.const_int(Type::kU64, 0));
    if (cpy::item_array_type() != nullptr)
      may_be = b_.binary(Op::kOr, may_be, is_type(cpy::item_array_type()));
    const ir::BlockId look = b_.create_block();
    const ir::BlockId passed = b_.create_block();
    b_.cond_br(may_be, {look, {}}, {passed, {}});
    b_.set_block(look);
    require(b_.compare(Op::kNe, b_.call_runtime(carried, {object}), b_.const_i32(0)));
    b_.br(passed);
    b_.set_block(passed);
  }

  void call_body(std::vector<ir::ValueId> args) {
    if (body_.large_frame() == 0 &&
        ir::is_leaf(unit_.module(), unit_.module().functions[body_.index()])) {
      call_leaf(std::move(args));
    } else {
      call_with_context(std::move(args));
    }
  }

  /// Of the thread it needs to know only whether the limit of recursion has been reached.
  void call_leaf(std::vector<ir::ValueId> args) {
    const ir::ValueId thread_state = b_.load(Type::kPtr, data("splice_thread_state"));
    const ir::ValueId remaining =
        b_.load(Type::kI32, thread_state,
                static_cast<std::int64_t>(offsetof(PyThreadState, py_recursion_remaining)));
    const ir::BlockId go = b_.create_block("go");
    const ir::BlockId no_room = b_.create_block("no_room");
    b_.cond_br(b_.compare(Op::kGt, remaining, b_.const_i32(0)), {go, {}}, {no_room, {}});
    b_.set_block(no_room);
    unwind(b_.null(Type::kPtr), b_.const_i32(layout::kRestart));
    b_.set_block(go);
    const ir::ValueId ctx = data("splice_no_context");
    args.insert(args.begin(), ctx);
    const Builder::Values results = b_.call(body_.index(), args);
    const ir::BlockId not_ok = b_.create_block("not_ok");
    finish(results, {not_ok, {}});
    b_.set_block(not_ok);
    unwind(ctx, results.back());
  }

  void call_with_context(std::vector<ir::ValueId> args) {
    const ir::ValueId ctx = enter();
    const auto field = [&](std::size_t offset) { return static_cast<std::int64_t>(offset); };
    const ir::ValueId counter =
        b_.load(Type::kPtr, ctx, field(offsetof(Context, py_recursion_remaining)));
    const ir::ValueId remaining = b_.load(Type::kI32, counter);
    const ir::ValueId room = b_.binary(Op::kAnd, b_.compare(Op::kGt, remaining, b_.const_i32(0)),
                                       has_stack(b_, ctx, body_.large_frame()));
    const ir::BlockId go = b_.create_block("go");
    const ir::BlockId not_ok = b_.create_block("not_ok", {Type::kI32});
    b_.cond_br(room, {go, {}}, {not_ok, {b_.const_i32(layout::kRestart)}});
    b_.set_block(go);
    const std::int64_t depth_at = field(offsetof(Context, native_depth));
    const ir::ValueId depth = b_.load(Type::kI32, ctx, depth_at);
    b_.store(ctx, b_.binary(Op::kAdd, depth, b_.const_i32(1)), depth_at);
    b_.store(counter, b_.binary(Op::kSub, remaining, b_.const_i32(1)));
    args.insert(args.begin(), ctx);
    const Builder::Values results = b_.call(body_.index(), args);
    const ir::ValueId status = results.back();
    b_.store(counter, remaining);
    b_.store(ctx, depth, depth_at);
    finish(results, {not_ok, {status}});
    b_.set_block(not_ok);
    unwind(ctx, b_.block_arg(not_ok, 0));
  }

  ir::ValueId enter() {
    return b_.call_runtime(unit_.runtime("splice_rt_enter", {}, Type::kPtr, nullptr), {});
  }

  void unwind(ir::ValueId ctx, ir::ValueId status) {
    const ir::SymbolId unwind = unit_.runtime(
        "splice_rt_unwind", {Type::kPtr, Type::kI32, Type::kObj, Type::kPtr, Type::kI64},
        Type::kOwned, nullptr);
    b_.ret({b_.call_runtime(unwind, {ctx, status, b_.param(0), b_.param(1), wanted_})});
  }

  /// Boxes and returns what the call of the body gave; goes to `not_ok` when it did not finish.
  void finish(const Builder::Values& results, ir::Target not_ok) {
    b_.switch_(results.back(), std::move(not_ok));
    const ir::BlockId block = b_.current_block();
    for (std::size_t k = 0; k < body_.results().size(); ++k) {
      const ResultKind& kind = body_.results()[k];
      const ir::BlockId finished = b_.create_block("finished");
      b_.add_case(block, static_cast<std::int64_t>(k), {finished, {}});
      b_.set_block(finished);
      AbsVal v = kind.shape;
      const ir::ValueId* next = results.data() + kind.first_result;
      bind_values(v, next);
      b_.ret({box(v)});
    }
  }

  /// New reference to the object that `v` stands for, or null with an exception set.
  ir::ValueId box(const AbsVal& v) {
    switch (v.tag) {
      case Tag::kConst: {
        const ir::ValueId object = b_.symbol(unit_.object_symbol(v.object));
        return _Py_IsImmortal(v.object) ? b_.bitcast(object, Type::kOwned) : b_.py_incref(object);
      }
      case Tag::kObject:
        return v.owned ? v.value : b_.py_incref(v.value);
      case Tag::kInt:
      case Tag::kFloat:
      case Tag::kBool:
      case Tag::kComplex:
      case Tag::kScalar:
        break;
      default:
        return box_items(v);
    }
    if (!v.has_origin()) return box_number(v);
    const ir::BlockId same = b_.create_block();
    const ir::BlockId fresh = b_.create_block();
    const ir::BlockId done = b_.create_block("", {Type::kOwned});
    b_.cond_br(b_.compare(Op::kEq, v.origin, b_.null()), {fresh, {}}, {same, {}});
    b_.set_block(same);
    b_.br(done, {v.owned ? v.origin : b_.py_incref(v.origin)});
    b_.set_block(fresh);
    b_.br(done, {box_number(v)});
    b_.set_block(done);
    return b_.block_arg(done, 0);
  }

  ir::ValueId box_number(const AbsVal& v) {
    switch (v.tag) {
      case Tag::kInt:
        return b_.py_box_int(v.value);
      case Tag::kFloat:
        return b_.py_box_float(v.value);
      case Tag::kBool:
        return b_.py_box_bool(v.value);
      case Tag::kScalar:
        return box_scalar(unit_, b_, v);
      default:
        return b_.py_box_complex(v.value);
    }
  }

  ir::ValueId box_items(const AbsVal& v) {
    if (v.tag == Tag::kView) return box_view(unit_, b_, v, box((*v.items)[cpy::kViewBase]));
    const auto n = static_cast<std::int64_t>(v.items->size());
    const ir::ValueId array = b_.slot(8 * n);
    for (std::int64_t i = 0; i < n; ++i) {
      const AbsVal& item = (*v.items)[static_cast<std::size_t>(i)];
      b_.store(array, box(item), 8 * i);
    }
    const ir::SymbolId make =
        unit_.runtime(maker_of(v.tag), {Type::kPtr, Type::kI64}, Type::kOwned, nullptr);
    return b_.call_runtime(make, {array, b_.const_i64(n)});
  }

  void miss(ir::ValueId nargsf, ir::ValueId kwnames) {
    const ir::SymbolId miss = unit_.runtime(
        "splice_rt_miss", {Type::kObj, Type::kPtr, Type::kI64, Type::kObj}, Type::kOwned, nullptr);
    b_.ret({b_.call_runtime(miss, {b_.param(0), b_.param(1), nargsf, kwnames})});
  }

  Unit& unit_;
  FunctionLowering& body_;
  Builder b_;
  ir::BlockId miss_ = 0;
  ir::ValueId wanted_ = ir::kNone;  ///< i64: number of parameters
};

}  // namespace

void add_entry_stub(Unit& unit, FunctionLowering& body, const std::vector<Kind>& kinds,
                    const std::string& name) {
  Stub(unit, body, name).build(kinds);
}

}  // namespace splice::pyfront
