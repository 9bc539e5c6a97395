// engine/symbols.cpp: the runtime by name.
#include "engine/symbols.h"

#include <dlfcn.h>

#include <string>

#include "cpy/runtime_symbols.h"
#include "cpy/thread_context.h"
#include "cpy/tracing.h"
#include "engine/aggregate.h"
#include "engine/bind_args.h"
#include "engine/entry.h"
#include "engine/hot_places.h"
#include "engine/tools_mode.h"
#include "ir/builder.h"
#include "layout/context.h"

namespace splice::engine {
namespace {

struct Known {
  const char* name;
  void* address;
};

/// A function of the runtime, or whatever CPython and the C library export under that name.
void* external_address(const std::string& name) {
  static const Known kOwn[] = {
      {"Py_False", Py_False},  // the object, which its symbol in libpython is called otherwise
      {"Py_True", Py_True},
      {"splice_rt_make_range", reinterpret_cast<void*>(&splice_rt_make_range)},
      {"splice_rt_make_range_iter", reinterpret_cast<void*>(&splice_rt_make_range_iter)},
      {"splice_rt_make_sequence_iter", reinterpret_cast<void*>(&splice_rt_make_sequence_iter)},
      {"splice_rt_make_reversed_iter", reinterpret_cast<void*>(&splice_rt_make_reversed_iter)},
      {"splice_rt_make_enumerate", reinterpret_cast<void*>(&splice_rt_make_enumerate)},
      {"splice_rt_make_zip", reinterpret_cast<void*>(&splice_rt_make_zip)},
      {"splice_rt_make_slice", reinterpret_cast<void*>(&splice_rt_make_slice)},
      {"splice_rt_make_tuple", reinterpret_cast<void*>(&splice_rt_make_tuple)},
      {"splice_no_context", const_cast<layout::Context*>(&layout::kNoContext)},
      {"splice_thread_state", const_cast<void*>(cpy::thread_state_address())},
      {"splice_events", const_cast<std::uint64_t*>(cpy::monitoring_version_address())},
      {"splice_seen_events", const_cast<void*>(seen_events_address())},
      {"splice_rt_hot_place", reinterpret_cast<void*>(&splice_rt_hot_place)},
      {"splice_rt_bind", reinterpret_cast<void*>(&splice_rt_bind)},
      {"splice_rt_miss", reinterpret_cast<void*>(&splice_rt_miss)},
      {"splice_rt_unwind", reinterpret_cast<void*>(&splice_rt_unwind)},
  };
  for (const Known& own : kOwn)
    if (name == own.name) return own.address;
  if (void* known = cpy::runtime_symbol(name)) return known;
  return dlsym(RTLD_DEFAULT, name.c_str());
}

}  // namespace

void add_runtime_symbols(ir::Module& module) {
  using ir::Type;
  ir::add_data(module, "splice_unit");
  ir::add_runtime(module, "splice_rt_exit",
                  {Type::kPtr, Type::kPtr, Type::kU32, Type::kU32, Type::kU32}, Type::kPtr);
  ir::add_runtime(module, "splice_rt_poll", {Type::kPtr}, Type::kI32);
  ir::add_runtime(module, "splice_rt_hot_place", {Type::kPtr, Type::kPtr, Type::kU32}, Type::kPtr);
}

Status bind_symbols(Unit& unit) {
  unit.addresses.resize(unit.module.symbols.size(), nullptr);
  for (std::size_t i = 0; i < unit.addresses.size(); ++i) {
    if (unit.addresses[i] != nullptr) continue;
    const std::string& name = unit.module.symbols[i].name;
    void* address = name == "splice_unit" ? static_cast<void*>(&unit) : external_address(name);
    if (address == nullptr) return not_found("no address for symbol '" + name + "'");
    unit.addresses[i] = address;
  }
  return {};
}

}  // namespace splice::engine
