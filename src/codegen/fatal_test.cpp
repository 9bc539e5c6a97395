#include "codegen/fatal.h"

#include <gtest/gtest.h>
#include <llvm/Support/ErrorHandling.h>

#include <new>
#include <thread>

namespace splice::codegen {
namespace {

TEST(Fatal, FatalErrorsOfLlvmBecomeStatus) {
  const Status status = run_guarded([]() -> Status { llvm::report_fatal_error("out of luck"); });
  EXPECT_EQ(status.code(), ErrorCode::kInternal);
  EXPECT_NE(status.message().find("out of luck"), std::string::npos);
}

TEST(Fatal, LackOfMemoryBecomesStatus) {
  EXPECT_EQ(run_guarded([]() -> Status { llvm::report_bad_alloc_error("full"); }).code(),
            ErrorCode::kResource);
  EXPECT_EQ(run_guarded([]() -> Status { throw std::bad_alloc(); }).code(), ErrorCode::kResource);
}

TEST(Fatal, ResultsPassThroughAndGuardsNest) {
  EXPECT_TRUE(run_guarded([] { return Status(); }).ok());
  EXPECT_EQ(run_guarded([] { return not_found("x"); }).code(), ErrorCode::kNotFound);
  Status inner;
  const Status outer = run_guarded([&] {
    inner = run_guarded([]() -> Status { llvm::report_fatal_error("inner"); });
    return Status();
  });
  EXPECT_TRUE(outer.ok());
  EXPECT_EQ(inner.code(), ErrorCode::kInternal);
}

TEST(Fatal, EachThreadHasItsOwn) {
  Status status;
  std::thread([&] {
    status = run_guarded([]() -> Status { llvm::report_fatal_error("in a thread"); });
  }).join();
  EXPECT_EQ(status.code(), ErrorCode::kInternal);
}

}  // namespace
}  // namespace splice::codegen
