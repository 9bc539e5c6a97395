#include "cpy/thread_context.h"

#include <Python.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "cpy/poll.h"
#include "cpy/testing/probe.h"

namespace splice::cpy {
namespace {

int unit_a, unit_b;

TEST(ThreadContext, EnterGivesTheThreadsOwnBlock) {
  layout::Context* ctx = splice_rt_enter();
  EXPECT_EQ(ctx, splice_rt_enter());
  EXPECT_EQ(ctx->tstate, PyThreadState_Get());
  EXPECT_EQ(*ctx->py_recursion_remaining, PyThreadState_Get()->py_recursion_remaining);
  const char here = 0;
  EXPECT_LT(ctx->stack_limit, &here);
  EXPECT_LT(&here - ctx->stack_limit, 64 << 20);

  PyThreadState* saved = PyEval_SaveThread();
  std::thread([&] {
    PyGILState_STATE gil = PyGILState_Ensure();
    layout::Context* other = splice_rt_enter();
    EXPECT_NE(other, ctx);
    EXPECT_EQ(other->tstate, PyThreadState_Get());
    const char there = 0;
    EXPECT_LT(other->stack_limit, &there);
    PyGILState_Release(gil);
    // A second use of the thread has a new thread state.
    gil = PyGILState_Ensure();
    EXPECT_EQ(splice_rt_enter(), other);
    EXPECT_EQ(other->tstate, PyThreadState_Get());
    PyGILState_Release(gil);
  }).join();
  PyEval_RestoreThread(saved);
}

TEST(ThreadContext, RecordsComeBackInOrder) {
  layout::Context* ctx = splice_rt_enter();
  for (std::uint32_t i = 0; i < 3000; ++i) {
    std::uint64_t* at = splice_rt_exit(ctx, i % 2 != 0 ? &unit_a : &unit_b, i, i + 7, i % 5);
    for (std::uint32_t k = 0; k < i % 5; ++k) {
      at[k] = std::uint64_t{i} << 32 | k;
    }
  }
  const TakenExits taken(ctx);
  ASSERT_EQ(taken.records().size(), 3000u);
  for (std::uint32_t i = 0; i < 3000; ++i) {
    const ExitRecord& r = taken.records()[i];
    EXPECT_EQ(r.unit, i % 2 != 0 ? &unit_a : &unit_b);
    EXPECT_EQ(r.function, i);
    EXPECT_EQ(r.exit, i + 7);
    ASSERT_EQ(r.live.size(), i % 5);
    for (std::uint32_t k = 0; k < i % 5; ++k) {
      EXPECT_EQ(r.live[k], std::uint64_t{i} << 32 | k);
    }
  }
}

TEST(ThreadContext, ANestedExitLeavesTheOuterRecordsAlone) {
  layout::Context* ctx = splice_rt_enter();
  ctx->native_depth = 1;
  *splice_rt_exit(ctx, &unit_a, 1, 2, 1) = 42;
  {
    const TakenExits outer(ctx);
    for (int round = 0; round < 3; ++round) {
      ASSERT_EQ(splice_rt_enter(), ctx);
      *splice_rt_exit(ctx, &unit_b, 3, 4, 1) = 43;
      const TakenExits inner(ctx);
      ASSERT_EQ(inner.records().size(), 1u);
      EXPECT_EQ(inner.records()[0].live[0], 43u);
      *splice_rt_exit(ctx, &unit_b, 5, 6, 1) = 44;
      const TakenExits third(ctx);
      EXPECT_EQ(third.records().at(0).live[0], 44u);
    }
    ASSERT_EQ(outer.records().size(), 1u);
    EXPECT_EQ(outer.records()[0].live[0], 42u);
  }
  ctx->native_depth = 0;
  EXPECT_TRUE(TakenExits(ctx).records().empty());
}

TEST(ThreadContext, ARestartThatNobodyTookIsForgotten) {
  layout::Context* ctx = splice_rt_enter();
  splice_rt_exit(ctx, &unit_a, 1, 2, 0);
  splice_rt_enter();
  EXPECT_TRUE(TakenExits(ctx).records().empty());
}

TEST(ThreadContext, AnExitWithoutAContextUsesTheThreadsOwn) {
  auto* none = const_cast<layout::Context*>(&layout::kNoContext);
  layout::Context* ctx = splice_rt_enter();
  EXPECT_EQ(context_of_exit(ctx), ctx);
  EXPECT_EQ(context_of_exit(none), ctx);
  splice_rt_exit(ctx, &unit_b, 5, 6, 0);  // a restart that nobody took
  *splice_rt_exit(none, &unit_a, 1, 2, 1) = 42;
  {
    const TakenExits taken(context_of_exit(none));
    ASSERT_EQ(taken.records().size(), 1u);
    EXPECT_EQ(taken.records()[0].unit, &unit_a);
    EXPECT_EQ(taken.records()[0].live[0], 42u);
  }
  splice_rt_exit(ctx, &unit_b, 5, 6, 0);
  EXPECT_EQ(context_of_exit(nullptr), ctx);  // no exit: nothing may be left over
  EXPECT_TRUE(TakenExits(ctx).records().empty());

  PyThreadState* saved = PyEval_SaveThread();
  std::thread([&] {
    // The first thing that this thread does with native code.
    const PyGILState_STATE gil = PyGILState_Ensure();
    *splice_rt_exit(none, &unit_b, 3, 4, 1) = 43;
    layout::Context* mine = context_of_exit(none);
    EXPECT_NE(mine, ctx);
    const TakenExits taken(mine);
    ASSERT_EQ(taken.records().size(), 1u);
    EXPECT_EQ(taken.records()[0].live[0], 43u);
    PyGILState_Release(gil);
  }).join();
  PyEval_RestoreThread(saved);
}

TEST(ThreadContext, TheThreadStateIsThatOfWhoHoldsTheGil) {
  const auto* at = static_cast<PyThreadState* const*>(thread_state_address());
  PyThreadState* mine = PyThreadState_Get();
  EXPECT_EQ(*at, mine);

  // A second thread state of this thread, by the two ways there are.
  PyThreadState* second = PyThreadState_New(mine->interp);
  PyThreadState_Swap(second);
  EXPECT_EQ(*at, second);
  EXPECT_EQ(splice_rt_enter()->tstate, second);
  EXPECT_EQ(splice_rt_enter()->py_recursion_remaining, &second->py_recursion_remaining);
  PyThreadState_Swap(mine);
  EXPECT_EQ(*at, mine);
  EXPECT_EQ(splice_rt_enter()->tstate, mine);
  PyEval_SaveThread();
  PyEval_RestoreThread(second);
  EXPECT_EQ(*at, second);
  PyThreadState_Clear(second);
  PyThreadState_DeleteCurrent();
  PyEval_RestoreThread(mine);
  EXPECT_EQ(*at, mine);
  EXPECT_EQ(splice_rt_enter()->tstate, mine);

  // Threads that take turns.
  PyThreadState* saved = PyEval_SaveThread();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        const PyGILState_STATE gil = PyGILState_Ensure();
        EXPECT_EQ(*at, PyThreadState_Get());
        EXPECT_EQ(splice_rt_enter()->tstate, PyThreadState_Get());
        Py_BEGIN_ALLOW_THREADS std::this_thread::yield();
        Py_END_ALLOW_THREADS EXPECT_EQ(*at, PyThreadState_Get());
        PyGILState_Release(gil);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  PyEval_RestoreThread(saved);
  EXPECT_EQ(*at, mine);
}

TEST(ThreadContext, AChildHoldsTheGilAsItsParentDid) {
  const auto* at = static_cast<PyThreadState* const*>(thread_state_address());
  PyOS_BeforeFork();
  const pid_t child = fork();
  if (child == 0) {
    PyOS_AfterFork_Child();
    const bool same = *at == PyThreadState_Get() && splice_rt_enter()->tstate == *at;
    _exit(same ? 0 : 1);
  }
  PyOS_AfterFork_Parent();
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(ThreadContext, TheOutermostEntryRemembersTheEpoch) {
  layout::Context* ctx = splice_rt_enter();
  EXPECT_FALSE(invalidated_since_entry(ctx));
  ctx->native_depth = 1;
  bump_epoch();
  splice_rt_enter();  // nested: must not hide the change from the outer one
  EXPECT_TRUE(invalidated_since_entry(ctx));
  EXPECT_TRUE(any_thread_in_native_code());
  ctx->native_depth = 0;
  EXPECT_FALSE(any_thread_in_native_code());
  splice_rt_enter();
  EXPECT_FALSE(invalidated_since_entry(ctx));
}

// enter() and leave() stand for a stub, poll() for a back edge.
bool asked(layout::Context* ctx) { return (*ctx->eval_breaker & ctx->eval_breaker_mask) != 0; }

PyObject* enter(PyObject*, PyObject*) {
  ++splice_rt_enter()->native_depth;
  Py_RETURN_NONE;
}
PyObject* leave(PyObject*, PyObject*) {
  --splice_rt_enter()->native_depth;
  Py_RETURN_NONE;
}
/// Loops until a poll says leave or `n` iterations are done; (iterations, polls served).
PyObject* loop(PyObject*, PyObject* args) {
  long n;
  if (!PyArg_ParseTuple(args, "l", &n)) {
    return nullptr;
  }
  layout::Context* ctx = splice_rt_enter();
  ++ctx->native_depth;
  long served = 0;
  long i = 0;
  for (; i < n; ++i) {
    if (asked(ctx)) {
      if (splice_rt_poll(ctx) != 0) {
        break;
      }
      ++served;
      EXPECT_FALSE(PyErr_Occurred());
    }
  }
  --ctx->native_depth;
  return Py_BuildValue("(ll)", i, served);
}
PyObject* bump(PyObject*, PyObject*) {
  bump_epoch();
  Py_RETURN_NONE;
}
int raise_interrupt(void*) {
  PyErr_SetString(PyExc_InterruptedError, "pending");
  return -1;
}
/// For loops that must see what was asked for in the middle of C code: raises the signal, polls.
PyObject* signal_in_loop(PyObject*, PyObject* number) {
  const long signal = PyLong_AsLong(number);
  layout::Context* ctx = splice_rt_enter();
  ++ctx->native_depth;
  PyErr_SetInterruptEx(static_cast<int>(signal));
  long left = -1;
  for (long i = 0; i < 1000 && left < 0; ++i) {
    if (asked(ctx) && splice_rt_poll(ctx) != 0) {
      left = i;
    }
  }
  --ctx->native_depth;
  return PyLong_FromLong(left);  // the handler runs when the interpreter goes on
}
/// The same for a pending call, which is made as soon as this returns: the answer goes to a list.
PyObject* pending_in_loop(PyObject*, PyObject* answers) {
  layout::Context* ctx = splice_rt_enter();
  ++ctx->native_depth;
  Py_AddPendingCall(raise_interrupt, nullptr);
  const bool left = asked(ctx) && splice_rt_poll(ctx) == 1;
  --ctx->native_depth;
  PyList_Append(answers, left ? Py_True : Py_False);
  Py_RETURN_NONE;
}
/// Makes objects until a collection is due, polls: (was asked, poll's answer, still asked).
PyObject* collect_in_loop(PyObject*, PyObject*) {
  layout::Context* ctx = splice_rt_enter();
  ++ctx->native_depth;
  std::vector<PyObject*> kept;
  while (!asked(ctx) && kept.size() < 1000000) {
    kept.push_back(PyList_New(0));
  }
  const bool was = asked(ctx);
  const int answer = was ? splice_rt_poll(ctx) : -1;
  const bool still = asked(ctx);
  --ctx->native_depth;
  for (PyObject* object : kept) {
    Py_DECREF(object);
  }
  return Py_BuildValue("(iii)", was, answer, still);
}

PyObject* native(PyObject*, PyObject*) { return PyBool_FromLong(any_thread_in_native_code()); }

PyMethodDef g_methods[] = {{"native", native, METH_NOARGS, nullptr},
                           {"enter", enter, METH_NOARGS, nullptr},
                           {"leave", leave, METH_NOARGS, nullptr},
                           {"loop", loop, METH_VARARGS, nullptr},
                           {"bump", bump, METH_NOARGS, nullptr},
                           {"signal_in_loop", signal_in_loop, METH_O, nullptr},
                           {"pending_in_loop", pending_in_loop, METH_O, nullptr},
                           {"collect_in_loop", collect_in_loop, METH_NOARGS, nullptr},
                           {nullptr, nullptr, 0, nullptr}};

TEST(Poll, ServesWhatItCanAndLeavesForTheRest) {
  testing::add_to_probe(g_methods);
  ASSERT_TRUE(init_poll().ok());
  EXPECT_TRUE(test_eval_breaker().ok());
  EXPECT_FALSE(PyErr_Occurred());
  EXPECT_TRUE(testing::run_script("poll_check.py"));
}

}  // namespace
}  // namespace splice::cpy
