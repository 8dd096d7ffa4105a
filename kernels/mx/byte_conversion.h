// SPDX-License-Identifier: MIT
// The numbers that bytes stand for, as tables from which mx9_pack_u8.h packs bytes without arithmetic (docs/kernels/mx.md, mx9_pack_u8).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "coxswain/base/status.h"

namespace cox::kernels::mx {

/// Tables that describe how each byte is packed. The rank of a byte orders bytes by the FP32 exponent of their number: the block's largest
/// rank gives the block's exponent. Rank 0 is the exponent 0, of zero and subnormal numbers.
struct ByteTables {
  static constexpr std::size_t kBytes = 256;
  static constexpr std::size_t kRanks = 16;
  /// A packed element: codes[rank of the block][D of the pair][byte]. Codes that no block needs are 0.
  std::array<std::array<std::array<std::uint8_t, kBytes>, 2>, kRanks> codes{};
  std::array<std::uint8_t, kBytes> ranks{};
  std::array<std::uint8_t, kRanks> exponents{};  ///< the block exponent of each rank
};

/// Byte b stands for b * scale + offset, computed in FP32: the product is rounded, then the sum, both to nearest even. Takes 9 KiB. The
/// vector unit needs the alignment (byte_blocks_mve.cpp).
class alignas(256) ByteConversion {
 public:
  /// Makes the tables. The caller runs it in the default floating-point environment. Errors: invalid_argument ("scale", "offset") if a byte
  /// would stand for an infinity or NaN; the conversion is then not ready.
  Status init(float scale, float offset = 0.0F);
  [[nodiscard]] bool is_ready() const { return ready_; }
  [[nodiscard]] const ByteTables &tables() const { return tables_; }

 private:
  ByteTables tables_;
  bool ready_ = false;
};

}  // namespace cox::kernels::mx
