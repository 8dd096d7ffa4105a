// SPDX-License-Identifier: MIT
// Reads and writes blocks in memory of any alignment.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "coxswain/isa/numbers/mx9_block.h"

namespace cox::model::mx {

using Values = std::array<float, isa::mx::kBlockElements>;

inline isa::mx::Block load_block(const std::byte *tensor, std::uint64_t index) {
  isa::mx::Block block;
  std::memcpy(&block, tensor + index * isa::mx::kBlockBytes, isa::mx::kBlockBytes);
  return block;
}

inline Values load_values(const std::byte *tensor, std::uint64_t index) {
  Values values;
  isa::mx::dequantise(load_block(tensor, index), values);
  return values;
}

inline void store_values(const Values &values, std::byte *tensor, std::uint64_t index) {
  const isa::mx::Block block = isa::mx::quantise(values);
  std::memcpy(tensor + index * isa::mx::kBlockBytes, &block, isa::mx::kBlockBytes);
}

}  // namespace cox::model::mx
