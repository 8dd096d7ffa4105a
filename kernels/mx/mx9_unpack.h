// SPDX-License-Identifier: MIT
// Conversion from MX9 to FP32 and BF16 (docs/mx9.md). FP32 is exact. BF16 is exact except for results below its normal range, which round
// half to even.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/isa/numbers/mx9_block.h"

namespace cox::kernels::mx {

/// The inverses of the functions in mx9_pack.h, with the same conditions on sizes.
Status mx9_unpack(std::span<const isa::mx::Block> blocks, std::span<float> values);
Status mx9_unpack_bf16(std::span<const isa::mx::Block> blocks, std::span<std::uint16_t> values);
Status mx9_unpack_planes(std::span<const isa::mx::Block> blocks, std::size_t channels, std::size_t pixels, std::span<float> values);

}  // namespace cox::kernels::mx
