#include "opt/pipeline.h"

#include <chrono>

#include "ir/verify.h"
#include "opt/common_values.h"
#include "opt/dead_code.h"
#include "opt/fold_constants.h"
#include "opt/fold_ranges.h"
#include "opt/leaf_calls.h"
#include "opt/lower_py.h"
#include "opt/merge_back_edges.h"
#include "opt/redundant_guards.h"
#include "opt/shrink_exits.h"
#include "opt/simplify_block_args.h"
#include "opt/steady_headers.h"

namespace splice::opt {
namespace {

using Layout = layout::ObjectLayout;

/// Either of the two.
struct Pass {
  const char* name;
  bool (*run)(ir::Module& m, std::uint32_t function, const Layout& layout);
  bool (*run_module)(ir::Module& m) = nullptr;
};

constexpr Pass kSimplifyBlockArgs = {"simplify_block_args",
                                     [](ir::Module& m, std::uint32_t f, const Layout&) {
                                       return simplify_block_args(m.functions[f]);
                                     }};
constexpr Pass kFoldConstants = {
    "fold_constants",
    [](ir::Module& m, std::uint32_t f, const Layout&) { return fold_constants(m.functions[f]); }};
constexpr Pass kCommonValues = {"common_values", [](ir::Module& m, std::uint32_t f, const Layout&) {
                                  return common_values(m, m.functions[f]);
                                }};
constexpr Pass kRedundantGuards = {
    "redundant_guards",
    [](ir::Module& m, std::uint32_t f, const Layout&) { return redundant_guards(m.functions[f]); }};
constexpr Pass kDeadCode = {"dead_code", [](ir::Module& m, std::uint32_t f, const Layout&) {
                              return dead_code(m, m.functions[f]);
                            }};
constexpr Pass kMergeBackEdges = {
    "merge_back_edges",
    [](ir::Module& m, std::uint32_t f, const Layout&) { return merge_back_edges(m.functions[f]); }};
constexpr Pass kLeafCalls = {"leaf_calls", [](ir::Module& m, std::uint32_t f, const Layout&) {
                               return leaf_calls(m, m.functions[f]);
                             }};
constexpr Pass kShrinkExits = {"shrink_exits", [](ir::Module& m, std::uint32_t f, const Layout&) {
                                 return shrink_exits(m.functions[f]);
                               }};
constexpr Pass kSteadyHeaders = {"steady_headers",
                                 [](ir::Module& m, std::uint32_t f, const Layout&) {
                                   return steady_headers(m, m.functions[f]);
                                 }};
constexpr Pass kFoldRanges = {"fold_ranges", nullptr, fold_ranges};
constexpr Pass kLowerPy = {"lower_py", [](ir::Module& m, std::uint32_t f, const Layout& layout) {
                             return lower_py(m, f, layout);
                           }};

constexpr const Pass* kAll[] = {&kMergeBackEdges, &kSimplifyBlockArgs, &kFoldConstants,
                                &kCommonValues,   &kFoldRanges,        &kRedundantGuards,
                                &kDeadCode,       &kLeafCalls,         &kLowerPy,
                                &kShrinkExits,    &kSteadyHeaders};

/// Block arguments first: they hide constants. Dead code before lowering, which makes calls of what
/// could still be removed. After lowering only what it leaves behind is cleaned up.
constexpr const Pass* kOrder[] = {
    &kMergeBackEdges,    &kSimplifyBlockArgs, &kFoldConstants, &kCommonValues,    &kSteadyHeaders,
    &kCommonValues,      &kFoldRanges,        &kFoldConstants, &kRedundantGuards, &kDeadCode,
    &kSimplifyBlockArgs, &kFoldConstants,     &kDeadCode,      &kLeafCalls,       &kLowerPy,
    &kCommonValues,      &kShrinkExits,       &kDeadCode};

PassTime& entry(std::vector<PassTime>& times, const char* name) {
  for (PassTime& t : times) {
    if (t.name == name) return t;
  }
  times.push_back({name, 0, 0, 0});
  return times.back();
}

void run_on_all(const Pass& pass, ir::Module& m, const Layout& layout,
                std::vector<PassTime>* times) {
  const auto start = std::chrono::steady_clock::now();
  int changes = 0;
  if (pass.run_module != nullptr) {
    changes = pass.run_module(m) ? 1 : 0;
  } else {
    for (std::uint32_t f = 0; f < m.functions.size(); ++f) {
      changes += pass.run(m, f, layout) ? 1 : 0;
    }
  }
  if (times == nullptr) return;
  PassTime& t = entry(*times, pass.name);
  t.nanoseconds +=
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start)
          .count();
  t.runs += static_cast<int>(m.functions.size());
  t.changes += changes;
}

Status verify_after(const ir::Module& m, const char* pass) {
  const Status s = ir::verify(m);
  if (s.ok()) return {};
  return internal_error(std::string("after ") + pass + ": " + s.message());
}

}  // namespace

Status optimize(ir::Module& m, const Layout& layout, std::vector<PassTime>* times) {
  if (Status s = ir::verify(m); !s.ok()) return s;
  for (const Pass* pass : kOrder) {
    run_on_all(*pass, m, layout, times);
#ifndef NDEBUG
    if (Status s = verify_after(m, pass->name); !s.ok()) return s;
#endif
  }
  return verify_after(m, "all passes");
}

Status run_pass(const std::string& name, ir::Module& m, const Layout& layout) {
  for (const Pass* pass : kAll) {
    if (name != pass->name) continue;
    if (Status s = ir::verify(m); !s.ok()) return s;
    run_on_all(*pass, m, layout, nullptr);
    return verify_after(m, pass->name);
  }
  return not_found("no pass " + name);
}

}  // namespace splice::opt
