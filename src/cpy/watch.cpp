#include "cpy/watch.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cpy/thread_context.h"

namespace splice::cpy {

namespace {

struct Watch {
  PyObject* key;  ///< of a dict: owned str, or null for any change
  void* token;
};

using Table = std::unordered_map<PyObject*, std::vector<Watch>>;  // objects are borrowed

enum Kind { kDict, kFunction, kType, kCode, kKinds };

// Never destroyed: objects may die after the destructors of the process have run.
Table* const g_tables = new Table[kKinds];
int g_ids[kKinds] = {-1, -1, -1, -1};
void (*g_callback)(void*) = nullptr;
FunctionCallback g_function_callback = nullptr;
/// Objects each token waits for, so that unwatch need not search.
auto& g_places = *new std::unordered_map<void*, std::vector<std::pair<Kind, PyObject*>>>;

void forget_place(void* token, Kind kind, PyObject* object) {
  const auto found = g_places.find(token);
  if (found == g_places.end()) {
    return;
  }
  auto& places = found->second;
  const auto at = std::find(places.begin(), places.end(), std::pair(kind, object));
  if (at != places.end()) {
    *at = places.back();
    places.pop_back();
  }
  if (places.empty()) {
    g_places.erase(found);
  }
}

/// Takes CPython's own mark off the object; allowed inside an event. A dying object needs none.
void stop_events(Kind kind, PyObject* object) {
  if (kind == kDict) {
    PyDict_Unwatch(g_ids[kDict], object);
  } else if (kind == kType) {
    PyType_Unwatch(g_ids[kType], object);
  }
}

void call_back(const std::vector<Watch>& fired) {
  if (fired.empty()) {
    return;
  }
  bump_epoch();
  PyObject* raised = PyErr_GetRaisedException();
  for (const Watch& watch : fired) {
    if (g_callback != nullptr) {
      g_callback(watch.token);
    }
    Py_XDECREF(watch.key);  // a str: runs nothing
  }
  PyErr_SetRaisedException(raised);
}

/// Takes out the watches of `object` that `matches` says, and calls back.
template <typename Matches>
void fire(Kind kind, PyObject* object, bool dies, Matches matches) {
  const auto found = g_tables[kind].find(object);
  if (found == g_tables[kind].end()) {
    return;
  }
  std::vector<Watch> fired;
  auto& watches = found->second;
  for (std::size_t i = 0; i < watches.size();) {
    if (matches(watches[i])) {
      fired.push_back(watches[i]);
      watches[i] = watches.back();
      watches.pop_back();
    } else {
      ++i;
    }
  }
  if (watches.empty()) {
    g_tables[kind].erase(found);
    if (!dies) {
      stop_events(kind, object);
    }
  }
  for (const Watch& watch : fired) {
    forget_place(watch.token, kind, object);
  }
  call_back(fired);
}

constexpr auto kAll = [](const Watch&) { return true; };

/// A key of another type may be equal to anything. Names are interned, so one look tells them
/// apart: a program may store to a global all the time.
bool same_key(PyObject* ours, PyObject* key) {
  if (ours == key || !PyUnicode_CheckExact(key)) {
    return true;
  }
  if (PyUnicode_CHECK_INTERNED(ours) != 0 && PyUnicode_CHECK_INTERNED(key) != 0) {
    return false;
  }
  return PyUnicode_Compare(ours, key) == 0;
}

int on_dict(PyDict_WatchEvent event, PyObject* dict, PyObject* key, PyObject*) {
  switch (event) {
    case PyDict_EVENT_ADDED:
    case PyDict_EVENT_MODIFIED:
    case PyDict_EVENT_DELETED:
      fire(kDict, dict, false,
           [&](const Watch& w) { return w.key == nullptr || same_key(w.key, key); });
      break;
    default:  // cloned into, cleared, dies
      fire(kDict, dict, event == PyDict_EVENT_DEALLOCATED, kAll);
  }
  return 0;
}

// Called for every function that is made in the process, watched or not: one watcher for all that
// is to be told, and nothing is asked when one is made.
int on_function(PyFunction_WatchEvent event, PyFunctionObject* function, PyObject*) {
  if (event == PyFunction_EVENT_CREATE) {
    return 0;
  }
  if (!g_tables[kFunction].empty()) {
    fire(kFunction, reinterpret_cast<PyObject*>(function), event == PyFunction_EVENT_DESTROY, kAll);
  }
  if (g_function_callback != nullptr) {
    g_function_callback(event, function);
  }
  return 0;
}

int on_type(PyTypeObject* type) {
  fire(kType, reinterpret_cast<PyObject*>(type), false, kAll);
  return 0;
}

int on_code(PyCodeEvent event, PyCodeObject* code) {
  if (event == PY_CODE_EVENT_DESTROY && !g_tables[kCode].empty()) {
    fire(kCode, reinterpret_cast<PyObject*>(code), true, kAll);
  }
  return 0;
}

void add(Kind kind, PyObject* object, PyObject* key, void* token) {
  auto& watches = g_tables[kind][object];
  for (const Watch& watch : watches) {
    const bool same =
        watch.key == key || (watch.key != nullptr && key != nullptr && same_key(watch.key, key));
    if (watch.token == token && same) {
      return;
    }
  }
  watches.push_back({Py_XNewRef(key), token});
  g_places[token].emplace_back(kind, object);
}

}  // namespace

Status init_watchers() {
  if (g_ids[kDict] < 0) g_ids[kDict] = PyDict_AddWatcher(on_dict);
  if (g_ids[kFunction] < 0) g_ids[kFunction] = PyFunction_AddWatcher(on_function);
  if (g_ids[kType] < 0) g_ids[kType] = PyType_AddWatcher(on_type);
  if (g_ids[kCode] < 0) g_ids[kCode] = PyCode_AddWatcher(on_code);
  PyErr_Clear();
  if (std::any_of(std::begin(g_ids), std::end(g_ids), [](int id) { return id < 0; })) {
    return resource_error("all watcher ids of this interpreter are taken");
  }
  return {};
}

void set_watch_callback(void (*callback)(void*)) { g_callback = callback; }

void set_function_callback(FunctionCallback callback) { g_function_callback = callback; }

Status watch_dict_key(PyObject* dict, PyObject* key, void* token) {
  if (!PyDict_CheckExact(dict) || (key != nullptr && !PyUnicode_CheckExact(key))) {
    return invalid_argument("only str keys of exact dicts can be watched");
  }
  if (PyDict_Watch(g_ids[kDict], dict) < 0) {
    PyErr_Clear();
    return resource_error("a dict cannot be watched");
  }
  add(kDict, dict, key, token);
  return {};
}

Status watch_function(PyObject* function, void* token) {
  if (!PyFunction_Check(function) || g_ids[kFunction] < 0) {
    return invalid_argument("not a Python function, or watchers were not started");
  }
  add(kFunction, function, nullptr, token);
  // `f.__kwdefaults__['k'] = v` is no event of the function.
  PyObject* defaults = reinterpret_cast<PyFunctionObject*>(function)->func_kwdefaults;
  if (defaults != nullptr && PyDict_CheckExact(defaults)) {
    return watch_dict_key(defaults, nullptr, token);
  }
  return {};
}

Status watch_type(PyObject* type, void* token) {
  if (!PyType_Check(type)) {
    return invalid_argument("not a type");
  }
  // After an event CPython is silent until the type has a version tag again.
  if (PyType_Watch(g_ids[kType], type) < 0 ||
      PyUnstable_Type_AssignVersionTag(reinterpret_cast<PyTypeObject*>(type)) == 0) {
    PyErr_Clear();
    return resource_error("a type cannot be watched");
  }
  add(kType, type, nullptr, token);
  return {};
}

Status watch_code(PyObject* code, void* token) {
  if (!PyCode_Check(code) || g_ids[kCode] < 0) {
    return invalid_argument("not a code object, or watchers were not started");
  }
  add(kCode, code, nullptr, token);
  return {};
}

void unwatch(void* token) {
  auto node = g_places.extract(token);
  if (node.empty()) {
    return;
  }
  PyObject* raised = PyErr_GetRaisedException();
  for (const auto& [kind, object] : node.mapped()) {
    const auto found = g_tables[kind].find(object);
    if (found == g_tables[kind].end()) {
      continue;
    }
    auto& watches = found->second;
    for (std::size_t i = 0; i < watches.size();) {
      if (watches[i].token == token) {
        Py_XDECREF(watches[i].key);
        watches[i] = watches.back();
        watches.pop_back();
      } else {
        ++i;
      }
    }
    if (watches.empty()) {
      g_tables[kind].erase(found);
      stop_events(kind, object);
    }
  }
  PyErr_Clear();
  PyErr_SetRaisedException(raised);
}

std::size_t watch_count() {
  std::size_t count = 0;
  for (int kind = 0; kind < kKinds; ++kind) {
    for (const auto& [object, watches] : g_tables[kind]) {
      count += watches.size();
    }
  }
  return count;
}

}  // namespace splice::cpy
