// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "coxswain/isa/mx/table.h"
#include "sim/model/mx/arithmetic/fast.h"
#include "sim/model/tile/arithmetic/scratch.h"

namespace cox::model::mx::fast {
namespace {

using arithmetic::scratch;
using arithmetic::ScratchUse;
using isa::mx::kBlockBytes;
using isa::mx::kBlockElements;

constexpr std::int64_t kMostKernel = isa::mx::field<isa::mx::Opcode::POOL, "Kernel">().maximum;

/// The rows of one channel block that a window covers, as FP32 numbers. Row y is in slot y % kernel and is converted only once.
class Rows {
 public:
  Rows(const isa::mx::Pool &op, const std::byte *plane, float *values, const Kernels &kernels)
      : op_(op), plane_(plane), values_(values), kernels_(kernels) {}

  void load(std::int64_t begin, std::int64_t end) {
    for (std::int64_t y = std::max(begin, next_); y < end; ++y)
      kernels_.dequantise(plane_ + y * op_.input.width * kBlockBytes, op_.input.width, slot(y));
    next_ = std::max(next_, end);
  }
  [[nodiscard]] float *slot(std::int64_t y) const { return values_ + y % op_.kernel * op_.input.width * kBlockElements; }

 private:
  const isa::mx::Pool &op_;
  const std::byte *plane_;
  float *values_;
  const Kernels &kernels_;
  std::int64_t next_ = 0;
};

}  // namespace

void pool(const isa::mx::Pool &op, const Operands &operands, const Kernels &kernels) {
  const std::int64_t row_values = std::int64_t{op.input.width} * kBlockElements;
  auto *values = reinterpret_cast<float *>(scratch(ScratchUse::values, op.kernel * row_values * std::int64_t{sizeof(float)}));
  auto *pooled =
      reinterpret_cast<float *>(scratch(ScratchUse::state, std::int64_t{op.output.width} * kBlockElements * std::int64_t{sizeof(float)}));
  std::byte *out = operands.output1;
  for (std::uint32_t block = 0; block < op.output.blocks; ++block) {
    Rows rows(op, operands.input1 + std::uint64_t{block} * op.input.height * op.input.width * kBlockBytes, values, kernels);
    for (std::uint32_t row = 0; row < op.output.height; ++row, out += std::size_t{op.output.width} * kBlockBytes) {
      const std::int64_t first = std::int64_t{row} * op.stride - op.padding;
      const std::int64_t begin = std::max<std::int64_t>(first, 0);
      const std::int64_t end = std::min<std::int64_t>(first + op.kernel, op.input.height);
      rows.load(begin, end);
      std::array<const float *, kMostKernel> window{};
      for (std::int64_t y = begin; y < end; ++y) window[static_cast<std::size_t>(y - begin)] = rows.slot(y);
      kernels.pool_row({window.data(), static_cast<std::uint32_t>(end - begin), op.input.width, op.kernel, op.stride, op.padding,
                        op.average, op.output.width, pooled});
      kernels.quantise(pooled, op.output.width, out);
    }
  }
}

}  // namespace cox::model::mx::fast
