// ir/verify_types.h: the type rules of single instructions and exits. Private to ir/verify*.cpp.
#pragma once

#include <string>

#include "ir/module.h"

namespace splice::ir {

constexpr bool is_object(Type t) { return t == Type::kObj || t == Type::kOwned; }

/// Is an operand of type `actual` fine where `expected` is asked for?
bool accepts(Type expected, Type actual);

/// Empty, or what is wrong with operands, results, type and immediates of `inst`. All value ids are
/// in range and so is inst.index; targets are not looked at.
std::string check_types(const Module& module, const Function& function, const Inst& inst);

/// Empty, or what is wrong with an exit. Looks at nothing but the symbols of the module.
std::string check_exit(const Module& module, const Exit& exit);

}  // namespace splice::ir
