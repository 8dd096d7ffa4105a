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
constexpr std::uint64_t kMostWeights = std::uint64_t{1} << 26;
constexpr std::uint32_t kLeastOutputs = 8;
/// Keeps rows of a power of two from sharing lines of a cache.
constexpr std::uint64_t kGap = 16;
/// Weights that stay in the second-level cache while all pixels pass.
constexpr std::uint64_t kCachedWeights = std::uint64_t{1} << 16;
constexpr std::uint64_t kFloatNibbles = nibbles_of(Unit::fp32);

bool is_fp64(Unit unit) { return unit == Unit::fp64; }

bool has_real(const Convolution &operation) {
  const Convolution::Kernel &kernel = operation.kernel;
  if (!is_float(operation.source.unit) || is_fp64(operation.source.unit) || is_fp64(kernel.unit) || is_fp64(operation.result.unit)) {
    return false;
  }
  if (!operation.plain && (is_fp64(operation.bias.unit) || is_fp64(operation.scale.unit))) return false;
  if (!operation.plain && operation.has_multiplier && is_fp64(operation.multiplier.unit)) return false;
  const std::uint64_t length = std::uint64_t{kernel.height} * kernel.width * kernel.channels;
  return kernel.number / operation.groups >= kLeastOutputs && length <= kMostWeights / kernel.number;
}

/// Elements of any float unit but FP64, `step` nibbles apart.
void load_floats(const std::byte *bytes, Unit unit, std::uint64_t first, std::uint64_t step, std::uint32_t count, Float *to) {
  if (unit == Unit::fp32 && step == nibbles_of(unit)) {
    std::memcpy(to, bytes + first / 2, count * sizeof(float));
    return;
  }
  for (std::uint32_t i = 0; i < count; ++i) to[i] = static_cast<float>(real_of_bits(load_at(bytes, unit, first + i * step), unit));
}

/// Numbers in a line of a cache, so that vectors do not cross lines.
struct alignas(64) CacheLine {
  float numbers[16];
};
static_assert(kTileColumns % 16 == 0);

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
    const std::uint64_t some = std::max<std::uint64_t>(kCachedWeights / (length_ * kTileColumns), 1);
    for (std::uint32_t g = 0; g < operation_.groups; ++g) {
      for (std::uint64_t block = 0; block < blocks; block += some) {
        const std::uint64_t end = std::min(block + some, blocks);
        for (std::uint64_t first = 0; first < pixels; first += kTileRows) multiply_rows(first, pixels, g, block, end);
      }
    }
  }

 private:
  /// The results of up to kTileRows pixels from `first` on, for some blocks of outputs of a group.
  void multiply_rows(std::uint64_t first, std::uint64_t pixels, std::uint32_t group, std::uint64_t block, std::uint64_t end) {
    const std::uint64_t blocks = (outputs_ + kTileColumns - 1) / kTileColumns;
    const std::uint64_t count = std::min<std::uint64_t>(kTileRows, pixels - first);
    TileProduct product{.row_step = row_step_, .length = length_};
    if (has_rows_in_place() && count == kTileRows) {
      product.rows = reinterpret_cast<const Float *>(source_) + first * (operation_.source.column / kFloatNibbles) + group * length_;
      product.row_step = operation_.source.column / kFloatNibbles;
    } else {
      for (std::uint64_t r = 0; r < count; ++r) gather(first + r, group, rows_.data() + r * row_step_);
      product.rows = rows_.data();
    }
    for (; block < end; ++block) {
      product.columns = columns_.data()->numbers + (group * blocks + block) * length_ * kTileColumns;
      kernels_.multiply(product, tile_.data());
      const auto column = static_cast<std::uint32_t>(block * kTileColumns);
      for (std::uint64_t r = 0; r < count; ++r) store(first + r, group * outputs_ + column, tile_.data() + r * kTileColumns, column);
    }
  }

  /// Whether the inputs of a result pixel are those of one source pixel, and pixels lie at equal distances, which are not those of lines
  /// that compete for a place in the cache.
  [[nodiscard]] bool has_rows_in_place() const {
    const Convolution &c = operation_;
    const FeatureMap &map = c.source;
    return map.unit == Unit::fp32 && map.channel == kFloatNibbles && map.column % kFloatNibbles == 0 && map.column % 8192 != 0 &&
           (map.height == 1 || map.row == map.width * map.column) && c.kernel.height == 1 && c.kernel.width == 1 && c.top == 0 &&
           c.left == 0 && c.bottom == 0 && c.right == 0 && c.stride_vertical == 1 && c.stride_horizontal == 1 && c.enlarge_vertical == 1 &&
           c.enlarge_horizontal == 1;
  }

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
    columns_.resize(operation_.groups * blocks * length_ * kTileColumns / 16);
    std::vector<float> lines(kTileColumns * row_step_);
    Float *columns = columns_.data()->numbers;
    for (std::uint32_t g = 0; g < operation_.groups; ++g) {
      for (std::uint32_t first = 0; first < outputs_; first += kTileColumns, columns += length_ * kTileColumns) {
        if (has_lines_in_place() && first + kTileColumns <= outputs_) {
          const std::uint64_t step = kernel.number_step / kFloatNibbles;
          kernels_.interleave(reinterpret_cast<const Float *>(bytes) + (g * outputs_ + first) * step, step, length_, columns);
          continue;
        }
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

  /// Whether the weights of an output lie one after another.
  [[nodiscard]] bool has_lines_in_place() const {
    const Convolution::Kernel &kernel = operation_.kernel;
    return kernel.unit == Unit::fp32 && kernel.channel == kFloatNibbles && kernel.column == kernel.channels * kFloatNibbles &&
           kernel.row == kernel.width * kernel.column && kernel.number_step % kFloatNibbles == 0;
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
  std::uint32_t outputs_;                     ///< of a group
  std::uint64_t length_, row_step_;           ///< products of a result element; distance of rows
  std::vector<float> rows_, tile_, padding_;  ///< padding: one a channel
  std::vector<CacheLine> columns_;
  std::byte *result_ = nullptr;
};

}  // namespace

bool real_convolution(const Convolution &operation, Memory &memory, const Kernels &kernels) {
  if (!has_real(operation)) return false;
  RealConvolver(operation, memory, kernels.real).run();
  return true;
}

}  // namespace cox::model::unity::fast
