#include "codegen/testing/hot_code.h"

#include <utility>

#include "base/check.h"
#include "codegen/testing/native_host.h"

namespace splice::codegen::testing {

HotCode::HotCode(Session& session, const ir::Module& module, std::string entry,
                 const Options& options)
    : session_(session), module_(module), entry_(std::move(entry)), options_(options) {
  auto first = session_.compile(module_, bind(module_), options_);
  SPLICE_CHECK(first.ok(), first.status().message().c_str());
  first_ = std::move(*first);
}

void* HotCode::enter() {
  on_hot_place([this](layout::HotPlace* loop, std::uint32_t place) {
    if (loop->rest == nullptr) loop->rest = compile_again(place);
    return loop->rest;
  });
  return first_->address(entry_);
}

void* HotCode::compile_again(std::uint32_t place) {
  const bool of_first = better_ == nullptr || (place & kBaselinePlace) != 0;
  auto again =
      session_.compile_rest(of_first ? *first_ : *better_, place, module_, bind(module_), options_);
  SPLICE_CHECK(again.ok(), again.status().message().c_str());
  const CodeUnit& unit = *again_.emplace_back(std::move(*again));
  if (unit.rest() != nullptr) return unit.rest();
  SPLICE_CHECK(better_ == nullptr, "compiled as a whole twice");
  better_ = &unit;
  return unit.address(entry_);
}

}  // namespace splice::codegen::testing
