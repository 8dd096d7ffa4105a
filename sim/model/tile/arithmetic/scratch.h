// SPDX-License-Identifier: MIT
// Working memory of the fast path, one set for each thread. The memory is kept between operations, because getting fresh pages from the
// system takes longer than copying data into them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cox::model::arithmetic {

enum class ScratchUse : std::uint8_t {
  source,
  source1,
  destination,
  padded,
  records,
  packed,
  parameters,
  taps,
  gather,
  values,
  state,
  partial,
  unpacked,
  sums,
  count
};

/// At least `bytes` bytes, aligned to 64, with their previous content. Valid until the thread asks for the same use again.
[[nodiscard]] std::byte *scratch(ScratchUse use, std::int64_t bytes);

}  // namespace cox::model::arithmetic
