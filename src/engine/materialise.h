// engine/materialise.h: live values of an exit to the objects of interpreter frames.
#pragma once

#include <Python.h>

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "cpy/typed_list.h"
#include "engine/unit.h"

namespace splice::engine {

/// Makes the objects of one exit. A number that is asked for twice is boxed once; one that came out
/// of an object goes back as that object, a typed list (cpy/typed_list.h) as one list wherever it
/// stands. Owned live values are taken over: references nobody asked
/// for are dropped by the destructor (which may then run code, so it outlives the frames' making).
/// For what there is no memory, cpy/lost.h has a stand-in.
class Materialiser {
 public:
  Materialiser(const Unit& unit, const ir::Exit& exit, std::span<const std::uint64_t> words);
  ~Materialiser();
  Materialiser(const Materialiser&) = delete;
  Materialiser& operator=(const Materialiser&) = delete;

  /// New reference for each recipe, the stand-in where its making failed; null for kNull. Runs no
  /// Python code and sets no exception.
  void make_all(std::span<const ir::Recipe> recipes, std::vector<PyObject*>& out);
  /// New reference, or null: with an exception set when the making failed.
  PyObject* make(const ir::Recipe& recipe);
  /// The first exception of make_all() since the last call, or null. New reference.
  PyObject* take_failure();
  /// The object at a symbol. Borrowed.
  PyObject* object(ir::SymbolId symbol) const;

 private:
  PyObject* make_object(PyObject* object);
  PyObject* make_number(const ir::Recipe& recipe);
  PyObject* make_aggregate(const ir::Recipe& recipe);
  PyObject* live_object(std::uint32_t index) const;

  const Unit& unit_;
  const ir::Exit& exit_;
  std::span<const std::uint64_t> words_;
  std::vector<std::uint32_t> at_;  ///< first word of each live value
  /// Numbers that were made: of each live value, and of each type that it is in Python (its kind,
  /// and for NumPy scalars the symbol of their type). Owned.
  std::map<std::tuple<std::uint32_t, ir::Recipe::Kind, ir::SymbolId>, PyObject*> boxed_;
  std::unordered_map<std::uint32_t, PyObject*> shared_;  ///< aggregates by their number; owned
  cpy::RealLists lists_;
  PyObject* failure_ = nullptr;
};

}  // namespace splice::engine
