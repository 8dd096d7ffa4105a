// SPDX-License-Identifier: MIT
// Properties of the elements of a data format (docs/arithmetic.md, Formats).
#pragma once

#include <cstdint>

#include "coxswain/isa/tile/enumerations.h"

namespace cox::isa::tile {

[[nodiscard]] constexpr bool is_integer(DataFmt format) {
  return format == DataFmt::INT4 || format == DataFmt::INT8 || format == DataFmt::INT16 || format == DataFmt::INT32;
}

/// Bits of an element; 0 if `format` is not a value of the enumeration.
[[nodiscard]] constexpr std::uint32_t bits_of(DataFmt format) {
  switch (format) {
    case DataFmt::INT4: return 4;
    case DataFmt::INT8: return 8;
    case DataFmt::INT16:
    case DataFmt::FP16:
    case DataFmt::BF16: return 16;
    case DataFmt::INT32:
    case DataFmt::FP32: return 32;
  }
  return 0;
}

}  // namespace cox::isa::tile
