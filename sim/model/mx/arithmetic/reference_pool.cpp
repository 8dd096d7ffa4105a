// SPDX-License-Identifier: MIT
#include <cmath>

#include "sim/model/mx/arithmetic/block_memory.h"
#include "sim/model/mx/arithmetic/reference.h"

namespace cox::model::mx::reference {
namespace {

using isa::mx::kBlockElements;

float larger(float a, float b) { return std::isnan(a) || a > b ? a : b; }

Values pool_one(const isa::mx::Pool &op, const std::byte *input, std::uint32_t block, std::uint32_t row, std::uint32_t column) {
  Values state{};
  std::uint32_t count = 0;
  for (std::uint32_t r = 0; r < op.kernel; ++r) {
    const std::int64_t y = std::int64_t{row} * op.stride + r - op.padding;
    if (y < 0 || y >= op.input.height) continue;
    for (std::uint32_t s = 0; s < op.kernel; ++s) {
      const std::int64_t x = std::int64_t{column} * op.stride + s - op.padding;
      if (x < 0 || x >= op.input.width) continue;
      const auto pixel = static_cast<std::uint64_t>((std::int64_t{block} * op.input.height + y) * op.input.width + x);
      const Values values = load_values(input, pixel);
      for (std::uint32_t i = 0; i < kBlockElements; ++i) {
        if (op.average) {
          state[i] = state[i] + values[i];
        } else {
          state[i] = count == 0 ? values[i] : larger(state[i], values[i]);
        }
      }
      ++count;
    }
  }
  if (op.average) {
    for (float &value : state) value = value / static_cast<float>(count);
  }
  return state;
}

}  // namespace

void pool(const isa::mx::Pool &op, const Operands &operands) {
  std::uint64_t out = 0;
  for (std::uint32_t block = 0; block < op.output.blocks; ++block) {
    for (std::uint32_t row = 0; row < op.output.height; ++row) {
      for (std::uint32_t column = 0; column < op.output.width; ++column, ++out) {
        store_values(pool_one(op, operands.input1, block, row, column), operands.output1, out);
      }
    }
  }
}

}  // namespace cox::model::mx::reference
