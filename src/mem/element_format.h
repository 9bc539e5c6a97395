// mem/element_format.h: how the buffer protocol (PEP 3118) writes down the type of elements.
#pragma once

#include <string_view>

#include "base/result.h"
#include "mem/element_type.h"

namespace splice::mem {

/// The element of a format in the language of Python's struct and PEP 3118: an optional byte order
/// (`@ = < > !`; without one and with `@` sizes are those of C, with the others the standard ones)
/// and one of `? b B h H i I l L q Q n N f d Zf Zd`.
///
/// Error, kUnsupported: anything else, such as structures, objects, pointers, float16, repetitions
/// and another byte order than this machine's. The message names the place.
Result<ElementType> element_of_format(std::string_view format);

}  // namespace splice::mem
