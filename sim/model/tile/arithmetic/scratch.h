// SPDX-License-Identifier: MIT
// Working memory of the fast path. Kept from one operation to the next: fresh pages from the system would cost more than the copies
// that they are for. One set a thread.
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

/// At least `bytes` bytes, aligned to 64; their content is what it was. Valid until the thread asks again for the same use.
[[nodiscard]] std::byte *scratch(ScratchUse use, std::int64_t bytes);

}  // namespace cox::model::arithmetic
