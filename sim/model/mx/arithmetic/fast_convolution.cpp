// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstring>

#include "sim/model/mx/arithmetic/fast.h"
#include "sim/model/tile/arithmetic/scratch.h"

namespace cox::model::mx::fast {
namespace {

using arithmetic::scratch;
using arithmetic::ScratchUse;
using isa::mx::ConvAct;
using isa::mx::kBlockBytes;
using isa::mx::kBlockElements;

constexpr std::uint32_t kMostPixels = 8;
constexpr std::uint32_t kMostGroups = 4;
constexpr std::uint32_t kMostTaps = 9;

/// Rows of the input are unpacked one band at a time. A band stays in the second-level cache, unless a single output row needs more.
constexpr std::int64_t kBandBytes = std::int64_t{768} << 10;

std::int64_t taps_of(const ConvAct &op) { return std::int64_t{op.kernel} * op.kernel; }

template <typename T>
T *scratch_of(ScratchUse use, std::int64_t count) {
  return reinterpret_cast<T *>(scratch(use, count * static_cast<std::int64_t>(sizeof(T))));
}

struct Weights {
  const std::int16_t *elements = nullptr;
  const float *scales = nullptr;
  std::int64_t group_blocks = 0;  ///< number of blocks of weights for a group of 16 output channels
  ExponentRange range;
};

Weights unpack(const ConvAct &op, const std::byte *from, const Kernels &kernels) {
  Weights weights;
  weights.group_blocks = taps_of(op) * op.input.blocks;
  const std::int64_t count = weights.group_blocks * op.output_blocks();
  auto *elements = scratch_of<std::int16_t>(ScratchUse::packed, count * kUnpackedWeights);
  auto *scales = scratch_of<float>(ScratchUse::parameters, count * kBlockElements);
  weights.elements = elements;
  weights.scales = scales;
  for (std::uint32_t g = 0; g < op.output_blocks(); ++g) {
    kernels.unpack_weights(from, weights.group_blocks, elements, scales, weights.range);
    from += isa::mx::weight_bytes(op.kernel, op.input.blocks, 1);
    elements += weights.group_blocks * kUnpackedWeights;
    scales += weights.group_blocks * kBlockElements;
  }
  return weights;
}

/// Unpacked input rows for a few output rows, with zero blocks as padding around them. Zero blocks do not change the result unless a weight
/// is NaN, because they only add +0, and sums are never -0. Unpacked blocks are [row][column][channel block].
class Band {
 public:
  Band(const ConvAct &op, const Kernels &kernels)
      : op_(op),
        kernels_(kernels),
        columns_(std::int64_t{op.input.width} + 2 * std::int64_t{op.padding}),
        row_blocks_(columns_ * op.input.blocks) {}

  [[nodiscard]] std::uint32_t output_rows() const {
    const std::int64_t row_bytes = row_blocks_ * (kUnpackedElements * std::int64_t{sizeof(std::int16_t)} + std::int64_t{sizeof(float)});
    const std::int64_t rows = kBandBytes / row_bytes;
    if (rows <= op_.kernel) return 1;
    return static_cast<std::uint32_t>(std::min<std::int64_t>((rows - op_.kernel) / op_.stride + 1, op_.output1.height));
  }

  void load(const std::byte *input, std::uint32_t first_row, std::uint32_t output_rows) {
    const std::int64_t rows = (std::int64_t{output_rows} - 1) * op_.stride + op_.kernel;
    elements_ = scratch_of<std::int16_t>(ScratchUse::padded, rows * row_blocks_ * kUnpackedElements);
    scales_ = scratch_of<float>(ScratchUse::source, rows * row_blocks_);
    range_ = {};
    const std::int64_t top = std::int64_t{first_row} * op_.stride - op_.padding;
    for (std::int64_t r = 0; r < rows; ++r) {
      const std::int64_t row = r * row_blocks_;
      if (top + r < 0 || top + r >= op_.input.height) {
        zero(row, row_blocks_);
        continue;
      }
      const std::int64_t left = std::int64_t{op_.padding} * op_.input.blocks;
      zero(row, left);
      zero(row + row_blocks_ - left, left);
      for (std::int64_t c = 0; c < op_.input.blocks; ++c) {
        const std::int64_t at = row + left + c;
        kernels_.unpack(input + (c * op_.input.height + top + r) * op_.input.width * kBlockBytes, op_.input.width, op_.input.blocks,
                        elements_ + at * kUnpackedElements, scales_ + at, range_);
      }
    }
  }

  /// Returns the index of the first block of the pixel under the kernel's top left tap. `row` counts the output rows of the band.
  [[nodiscard]] std::int64_t corner(std::int64_t row, std::int64_t column) const {
    return row * op_.stride * row_blocks_ + column * op_.stride * op_.input.blocks;
  }
  [[nodiscard]] Tap tap(std::int64_t row, std::int64_t column) const {
    return {row * row_blocks_ + column * op_.input.blocks, (row * op_.kernel + column) * op_.input.blocks};
  }
  [[nodiscard]] const std::int16_t *elements() const { return elements_; }
  [[nodiscard]] const float *scales() const { return scales_; }
  [[nodiscard]] const ExponentRange &range() const { return range_; }

 private:
  void zero(std::int64_t block, std::int64_t count) {
    std::fill_n(elements_ + block * kUnpackedElements, count * kUnpackedElements, std::int16_t{0});
    std::fill_n(scales_ + block, count, 1.0F);
  }

  const ConvAct &op_;
  const Kernels &kernels_;
  std::int64_t columns_, row_blocks_;
  std::int16_t *elements_ = nullptr;
  float *scales_ = nullptr;
  ExponentRange range_;
};

/// Returns true if FP32 holds the dot product of every two blocks exactly. The product is an integer below 2^20, times 2 to the power of
/// the sum of the blocks' exponents minus kBias. The lower limit makes it a multiple of 2^-149, and the upper limit less than 2^128. The
/// limit 237 prevents an overflow in kernels_avx512.cpp.
bool exact(const ExponentRange &inputs, const ExponentRange &weights) {
  constexpr std::uint32_t kBias = 268;
  return weights.most <= 237 && inputs.least + weights.least >= kBias - 149 && inputs.most + weights.most <= kBias + 108;
}

class Convolution {
 public:
  Convolution(const ConvAct &op, const Operands &operands, const Kernels &kernels)
      : op_(op), operands_(operands), kernels_(kernels), weights_(unpack(op, operands.weights, kernels)), band_(op, kernels) {}

  void run() {
    const std::uint32_t band_rows = band_.output_rows();
    const std::uint32_t most_groups = std::min(kernels_.groups, kMostGroups);
    for (std::uint32_t row = 0; row < op_.output1.height; row += band_rows) {
      const std::uint32_t rows = std::min(band_rows, op_.output1.height - row);
      band_.load(operands_.input1, row, rows);
      for (std::uint32_t group = 0; group < op_.output_blocks(); group += most_groups) {
        convolve_groups(group, std::min(most_groups, op_.output_blocks() - group), row, rows);
      }
    }
  }

 private:
  /// Computes all output pixels of a band for a few groups of 16 output channels.
  void convolve_groups(std::uint32_t group, std::uint32_t groups, std::uint32_t first_row, std::uint32_t rows) {
    std::array<Tap, kMostTaps> taps{};
    std::array<std::int64_t, kMostPixels> corners{};
    alignas(64) std::array<float, std::size_t{kMostPixels} * kMostGroups * kBlockElements> sums{};
    Accumulation a;
    a.inputs = band_.elements();
    a.input_scales = band_.scales();
    a.corners = corners.data();
    a.weights = weights_.elements + group * weights_.group_blocks * kUnpackedWeights;
    a.weight_scales = weights_.scales + group * weights_.group_blocks * kBlockElements;
    a.group_blocks = weights_.group_blocks;
    a.groups = groups;
    a.taps = taps.data();
    a.blocks = op_.input.blocks;
    a.sums = sums.data();

    // If a weight is NaN, zeros cannot stand for padding. Then each pixel is computed on its own, with only the taps inside of the map.
    const bool skip = weights_.range.nan && op_.padding != 0;
    const auto accumulate = exact(band_.range(), weights_.range) ? kernels_.accumulate : kernels_.accumulate_any;
    const std::uint32_t most_pixels = skip ? 1 : std::min(kernels_.pixels, kMostPixels);
    const std::int64_t width = op_.output1.width;
    const std::int64_t pixels = rows * width;
    if (!skip) a.tap_count = all_taps(taps);
    for (std::int64_t pixel = 0; pixel < pixels; pixel += a.pixels) {
      // Divide the pixels evenly between the calls. For example, if a call takes at most 6 pixels, 49 pixels need nine calls: four take 6
      // pixels and five take 5. Eight calls with 6 pixels would leave a slow call with 1.
      const std::int64_t steps = (pixels - pixel + most_pixels - 1) / most_pixels;
      a.pixels = static_cast<std::uint32_t>((pixels - pixel + steps - 1) / steps);
      for (std::uint32_t p = 0; p < a.pixels; ++p) corners[p] = band_.corner((pixel + p) / width, (pixel + p) % width);
      if (skip) a.tap_count = taps_inside(first_row + pixel / width, pixel % width, taps);
      std::fill_n(sums.begin(), std::size_t{a.pixels} * groups * kBlockElements, 0.0F);
      accumulate(a);
      for (std::uint32_t g = 0; g < groups; ++g) {
        kernels_.finish(sums.data() + std::size_t{g} * a.pixels * kBlockElements, a.pixels, biases(group + g).data(), op_.activation,
                        output(group + g, first_row * width + pixel));
      }
    }
  }

  std::uint32_t all_taps(std::array<Tap, kMostTaps> &taps) const {
    std::uint32_t count = 0;
    for (std::uint32_t r = 0; r < op_.kernel; ++r) {
      for (std::uint32_t s = 0; s < op_.kernel; ++s) taps[count++] = band_.tap(r, s);
    }
    return count;
  }

  std::uint32_t taps_inside(std::int64_t row, std::int64_t column, std::array<Tap, kMostTaps> &taps) const {
    std::uint32_t count = 0;
    for (std::uint32_t r = 0; r < op_.kernel; ++r) {
      const std::int64_t y = row * op_.stride + r - op_.padding;
      for (std::uint32_t s = 0; s < op_.kernel; ++s) {
        const std::int64_t x = column * op_.stride + s - op_.padding;
        if (y >= 0 && y < op_.input.height && x >= 0 && x < op_.input.width) taps[count++] = band_.tap(r, s);
      }
    }
    return count;
  }

  [[nodiscard]] std::array<float, kBlockElements> biases(std::uint32_t group) const {
    std::array<float, kBlockElements> biases{};
    const std::uint64_t end = (std::uint64_t{group} + 1) * isa::mx::weight_bytes(op_.kernel, op_.input.blocks, 1);
    std::memcpy(biases.data(), operands_.weights + end - sizeof biases, sizeof biases);
    return biases;
  }

  [[nodiscard]] std::byte *output(std::uint32_t group, std::int64_t pixel) const {
    const bool second = group >= op_.output1.blocks;
    const std::int64_t block = second ? group - op_.output1.blocks : group;
    const std::int64_t plane = std::int64_t{op_.output1.height} * op_.output1.width;
    return (second ? operands_.output2 : operands_.output1) + (block * plane + pixel) * kBlockBytes;
  }

  const ConvAct &op_;
  const Operands &operands_;
  const Kernels &kernels_;
  Weights weights_;
  Band band_;
};

}  // namespace

void convolve(const ConvAct &op, const Operands &operands, const Kernels &kernels) { Convolution(op, operands, kernels).run(); }

}  // namespace cox::model::mx::fast
