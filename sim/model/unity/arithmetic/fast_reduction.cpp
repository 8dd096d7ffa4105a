// SPDX-License-Identifier: MIT
// Sums, means and extremes of FP32 and of integers.
#include <algorithm>
#include <vector>

#include "sim/model/unity/arithmetic/fast.h"
#include "sim/model/unity/arithmetic/fast_blocks.h"
#include "sim/model/unity/arithmetic/number.h"
#include "sim/model/unity/arithmetic/partial_sums.h"

namespace cox::model::unity::fast {
namespace {

using isa::unity::Opcode;
using isa::unity::Reduction;

/// Number of elements that become one, and of results, if the ones that become one are neighbours; else 0.
struct Neighbours {
  std::uint64_t count = 0, results = 0;

  explicit Neighbours(const Reduction &operation) {
    const std::uint64_t height = operation.height, width = operation.width, channels = operation.channels;
    const bool over_height = operation.over_height || height == 1, over_width = operation.over_width || width == 1;
    if (!operation.over_channels && channels != 1) return;
    if (!over_width && operation.over_height && height != 1) return;
    count = channels * (over_width ? width * (over_height ? height : 1) : 1);
    results = height * width * channels / count;
  }
};

bool is_extreme(Opcode op) { return op == Opcode::REDUCE_MAX || op == Opcode::REDUCE_MIN; }

float rounded(double value) { return std::isnan(value) ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(value); }

float of_neighbours(Opcode op, const Float *source, std::uint64_t count, const RealKernels &kernels) {
  if (is_extreme(op)) return kernels.extreme(source, count, op == Opcode::REDUCE_MAX);
  PartialSums<double> sums;
  kernels.sum(source, count, sums.data());
  return rounded(op == Opcode::REDUCE_SUM ? sums.total() : sums.total() / static_cast<double>(count));
}

/// Reductions that keep the channels: the elements of a channel lie `channels` apart.
class OfChannels {
 public:
  OfChannels(const Reduction &operation, const RealKernels &kernels)
      : operation_(operation), kernels_(kernels), channels_(operation.channels) {
    if (!is_extreme(operation.op)) sums_.resize(kPartialSums * channels_);
  }

  void run(const Float *source, Float *result) {
    const std::uint32_t heights = operation_.over_height ? operation_.height : 1, widths = operation_.over_width ? operation_.width : 1;
    for (std::uint32_t h = 0; h < operation_.height; h += heights) {
      for (std::uint32_t w = 0; w < operation_.width; w += widths, result += channels_) {
        std::uint64_t number = 0;
        for (std::uint32_t i = 0; i < heights; ++i) {
          for (std::uint32_t j = 0; j < widths; ++j) {
            add(source + ((h + i) * std::uint64_t{operation_.width} + w + j) * channels_, number++, result);
          }
        }
        finish(static_cast<double>(number), result);
      }
    }
  }

 private:
  /// Line `number` of the lines that become one.
  void add(const Float *line, std::uint64_t number, Float *result) {
    if (!is_extreme(operation_.op)) {
      kernels_.add_to(line, channels_, sums_.data() + number % kPartialSums * channels_);
      return;
    }
    const RealPair pair = operation_.op == Opcode::REDUCE_MAX ? RealPair::maximum : RealPair::minimum;
    kernels_.pairs(pair, line, number == 0 ? line : result, false, channels_, result);
  }
  void finish(double count, Float *result) {
    if (is_extreme(operation_.op)) return;
    for (std::size_t half = kPartialSums / 2; half > 0; half /= 2) {
      for (std::size_t i = 0; i < half * channels_; ++i) sums_[i] += sums_[i + half * channels_];
    }
    const double divisor = operation_.op == Opcode::REDUCE_SUM ? 1 : count;
    for (std::size_t c = 0; c < channels_; ++c) result[c] = rounded(sums_[c] / divisor);
    std::fill(sums_.begin(), sums_.end(), 0);
  }

  const Reduction &operation_;
  const RealKernels &kernels_;
  std::size_t channels_;
  std::vector<double> sums_;  ///< [partial sum][channel]
};

template <typename Element>
std::uint64_t of_wholes(const Reduction &operation, const Element *source, std::uint64_t count) {
  const Unit unit = operation.result.unit;
  const auto store = [&](Whole value) { return bits_of_whole(value, unit, operation.saturate); };
  if (operation.op == Opcode::REDUCE_MAX) return store(whole_of(*std::max_element(source, source + count)));
  if (operation.op == Opcode::REDUCE_MIN) return store(whole_of(*std::min_element(source, source + count)));
  std::int64_t total = 0;
  for (std::uint64_t i = 0; i < count; ++i) total += source[i];
  if (operation.op == Opcode::REDUCE_SUM) return store(whole_of(total));
  return store(quotient(whole_of(total), whole(false, count), operation.rounding));
}

bool wholes(const Reduction &operation, Memory &memory, const Neighbours &neighbours) {
  if (neighbours.count == 0 || neighbours.count >> 31 != 0 || !is_small(operation.source.unit)) return false;
  return with_type(operation.source.unit, [&](auto element) {
    // with_type() also has FP32, which is excluded above.
    using Element [[gnu::may_alias]] = std::conditional_t<std::is_same_v<decltype(element), float>, std::int32_t, decltype(element)>;
    const auto *source = reinterpret_cast<const Element *>(read(memory, operation.source));
    std::byte *result = write(memory, operation.result);
    for (std::uint64_t i = 0; i < neighbours.results; ++i) {
      store_bits(result, operation.result.unit, i, of_wholes(operation, source + i * neighbours.count, neighbours.count));
    }
  });
}

}  // namespace

bool reduction(const Reduction &operation, Memory &memory, const Kernels &kernels) {
  const bool sums = operation.op == Opcode::REDUCE_SUM || operation.op == Opcode::REDUCE_MEAN;
  if (!sums && !is_extreme(operation.op)) return false;
  const Neighbours neighbours(operation);
  if (operation.source.unit != Unit::fp32) return wholes(operation, memory, neighbours);
  const bool channels = !operation.over_channels && operation.channels <= 1U << 20;
  if (neighbours.count == 0 && !channels) return false;
  const auto *source = reinterpret_cast<const Float *>(read(memory, operation.source));
  auto *result = reinterpret_cast<Float *>(write(memory, operation.result));
  if (neighbours.count == 0) {
    OfChannels(operation, kernels.real).run(source, result);
    return true;
  }
  for (std::uint64_t i = 0; i < neighbours.results; ++i) {
    result[i] = of_neighbours(operation.op, source + i * neighbours.count, neighbours.count, kernels.real);
  }
  return true;
}

}  // namespace cox::model::unity::fast
