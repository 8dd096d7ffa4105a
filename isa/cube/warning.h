// SPDX-License-Identifier: MIT
// The matrix unit's warnings, in bits [30:24] of a completion's second word. A warning does not stop the stream. device/engines.h has the
// texts.
#pragma once

#include <cstdint>

namespace cox::isa::cube {

enum Warning : std::uint8_t {
  kWarnEmptyMad = 1,     ///< a MAD with an m, k or n of 0 did nothing
  kWarnBiasWrapped = 2,  ///< a MAD read past the end of the bias table, where the read continues at the table's start
  kWarnFlagsLeft = 4,    ///< the stream ended with flags that no instruction has waited for
};

}  // namespace cox::isa::cube
