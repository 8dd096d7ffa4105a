// SPDX-License-Identifier: MIT
// Convolutions and matrix products of FP16 and FP32. Several result pixels are a few rows of a matrix, whose columns are the outputs.
#include <algorithm>
#include <vector>

#include "sim/model/unity/arithmetic/convolution_finish.h"
#include "sim/model/unity/arithmetic/fast.h"

namespace cox::model::unity::fast {
namespace {

using isa::unity::Convolution;
using isa::unity::FeatureMap;

/// Largest number of weights.
constexpr std::uint64_t kMost = std::uint64_t{1} << 26;
constexpr std::uint32_t kLeastOutputs = 8;
/// Keeps rows of a power of two from sharing lines of a cache.
constexpr std::uint64_t kGap = 16;

bool is_fp64(Unit unit) { return unit == Unit::fp64; }

bool has(const Convolution &operation) {
  const Convolution::Kernel &kernel = operation.kernel;
  if (!is_float(operation.source.unit) || is_fp64(operation.source.unit) || is_fp64(kernel.unit) || is_fp64(operation.result.unit)) {
    return false;
  }
  if (!operation.plain && (is_fp64(operation.bias.unit) || is_fp64(operation.scale.unit))) return false;
  if (!operation.plain && operation.has_multiplier && is_fp64(operation.multiplier.unit)) return false;
  const std::uint64_t length = std::uint64_t{kernel.height} * kernel.width * kernel.channels;
  return kernel.number / operation.groups >= kLeastOutputs && length <= kMost / kernel.number;
}

/// Elements of any float unit but FP64, `step` nibbles apart.
void load_floats(const std::byte *bytes, Unit unit, std::uint64_t first, std::uint64_t step, std::uint32_t count, Float *to) {
  if (unit == Unit::fp32 && step == nibbles_of(unit)) {
    std::memcpy(to, bytes + first / 2, count * sizeof(float));
    return;
  }
  for (std::uint32_t i = 0; i < count; ++i) to[i] = static_cast<float>(real_of_bits(load_at(bytes, unit, first + i * step), unit));
}

class RealConvolver {
 public:
  RealConvolver(const Convolution &operation, Memory &memory, const RealKernels &kernels)
      : operation_(operation),
        kernels_(kernels),
        finish_(operation, memory),
        source_(read(memory, operation.source)),
        outputs_(operation.kernel.number / operation.groups),
        length_(std::uint64_t{operation.kernel.height} * operation.kernel.width * operation.kernel.channels),
        row_step_((length_ + kGap) / kGap * kGap + kGap),
        rows_(kTileRows * row_step_),
        tile_(kTileRows * kTileColumns) {
    widen_padding(memory);
    arrange_weights(memory);
    result_ = write(memory, operation.result);
  }

  void run() {
    const FeatureMap &to = operation_.result;
    const std::uint64_t pixels = std::uint64_t{to.height} * to.width;
    const std::uint64_t blocks = (outputs_ + kTileColumns - 1) / kTileColumns;
    for (std::uint32_t g = 0; g < operation_.groups; ++g) {
      for (std::uint64_t first = 0; first < pixels; first += kTileRows) {
        const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(kTileRows, pixels - first));
        for (std::uint32_t r = 0; r < count; ++r) gather(first + r, g, rows_.data() + r * row_step_);
        for (std::uint64_t block = 0; block < blocks; ++block) {
          const float *columns = columns_.data() + (g * blocks + block) * length_ * kTileColumns;
          kernels_.multiply({rows_.data(), row_step_, columns, length_}, tile_.data());
          const auto column = static_cast<std::uint32_t>(block * kTileColumns);
          for (std::uint32_t r = 0; r < count; ++r) store(first + r, g * outputs_ + column, tile_.data() + r * kTileColumns, column);
        }
      }
    }
  }

 private:
  void widen_padding(Memory &memory) {
    const ParameterValues padding(memory, operation_.padding, operation_.source);
    padding_.resize(operation_.source.channels);
    for (std::uint32_t c = 0; c < padding_.size(); ++c) padding_[c] = static_cast<float>(padding.real(0, 0, c));
  }

  /// Weights as columns: [group][block of outputs][product][output].
  void arrange_weights(Memory &memory) {
    const Convolution::Kernel &kernel = operation_.kernel;
    const std::byte *bytes = memory.read(kernel.address, kernel_bytes(kernel));
    const std::uint64_t blocks = (outputs_ + kTileColumns - 1) / kTileColumns;
    columns_.resize(operation_.groups * blocks * length_ * kTileColumns);
    std::vector<float> lines(kTileColumns * row_step_);
    float *columns = columns_.data();
    for (std::uint32_t g = 0; g < operation_.groups; ++g) {
      for (std::uint32_t first = 0; first < outputs_; first += kTileColumns, columns += length_ * kTileColumns) {
        for (std::uint32_t c = 0; c < kTileColumns; ++c) {
          float *line = lines.data() + c * row_step_;
          if (first + c < outputs_) {
            load_weights(bytes, g * outputs_ + first + c, line);
          } else {
            std::fill_n(line, length_, 0.0F);
          }
        }
        kernels_.interleave(lines.data(), row_step_, length_, columns);
      }
    }
  }

  void load_weights(const std::byte *bytes, std::uint64_t output, float *to) const {
    const Convolution::Kernel &kernel = operation_.kernel;
    for (std::uint32_t i = 0; i < kernel.height; ++i) {
      for (std::uint32_t j = 0; j < kernel.width; ++j, to += kernel.channels) {
        load_floats(bytes, kernel.unit, output * kernel.number_step + i * kernel.row + j * kernel.column, kernel.channel, kernel.channels,
                    to);
      }
    }
  }

  /// Position in the source of position `at` of the enlarged source; -1 for padding.
  static std::int64_t original(std::int64_t at, std::int64_t enlarge, std::int64_t size) {
    return at >= 0 && at % enlarge == 0 && at / enlarge < size ? at / enlarge : -1;
  }

  /// The inputs of a result pixel by row, column and channel of the kernel.
  void gather(std::uint64_t pixel, std::uint32_t group, float *to) const {
    const Convolution::Kernel &kernel = operation_.kernel;
    const FeatureMap &map = operation_.source;
    const auto h = static_cast<std::int64_t>(pixel / operation_.result.width),
               w = static_cast<std::int64_t>(pixel % operation_.result.width);
    const std::uint32_t first = group * kernel.channels;
    for (std::uint32_t i = 0; i < kernel.height; ++i) {
      const std::int64_t y = h * operation_.stride_vertical + std::int64_t{i} * operation_.rate_vertical - operation_.top;
      const std::int64_t line = original(y, operation_.enlarge_vertical, map.height);
      for (std::uint32_t j = 0; j < kernel.width; ++j, to += kernel.channels) {
        const std::int64_t x = w * operation_.stride_horizontal + std::int64_t{j} * operation_.rate_horizontal - operation_.left;
        const std::int64_t column = original(x, operation_.enlarge_horizontal, map.width);
        if (line < 0 || column < 0) {
          std::copy_n(padding_.data() + first, kernel.channels, to);
        } else {
          const std::uint64_t place = map.nibble(static_cast<std::uint64_t>(line), static_cast<std::uint64_t>(column), first);
          load_floats(source_, map.unit, place, map.channel, kernel.channels, to);
        }
      }
    }
  }

  /// Sums of a pixel for the outputs from `output` on, which is number `column` of its group.
  void store(std::uint64_t pixel, std::uint32_t output, const float *sums, std::uint32_t column) const {
    const FeatureMap &to = operation_.result;
    const auto h = static_cast<std::uint32_t>(pixel / to.width), w = static_cast<std::uint32_t>(pixel % to.width);
    const std::uint32_t count = std::min<std::uint32_t>(kTileColumns, outputs_ - column);
    if (operation_.plain && to.unit == Unit::fp32 && to.channel == nibbles_of(to.unit)) {
      std::memcpy(result_ + to.nibble(h, w, output) / 2, sums, count * sizeof(float));
      return;
    }
    for (std::uint32_t o = 0; o < count; ++o) {
      store_at(result_, to.unit, to.nibble(h, w, output + o), finish_.real(sums[o], h, w, output + o));
    }
  }

  const Convolution &operation_;
  const RealKernels &kernels_;
  ConvolutionFinish finish_;
  const std::byte *source_;
  std::uint32_t outputs_;                               ///< of a group
  std::uint64_t length_, row_step_;                     ///< products of a result element; distance of rows
  std::vector<float> rows_, tile_, columns_, padding_;  ///< padding: one a channel
  std::byte *result_ = nullptr;
};

}  // namespace

bool real_convolution(const Convolution &operation, Memory &memory, const Kernels &kernels) {
  if (!has(operation)) return false;
  RealConvolver(operation, memory, kernels.real).run();
  return true;
}

}  // namespace cox::model::unity::fast
