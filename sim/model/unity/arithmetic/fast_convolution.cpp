// SPDX-License-Identifier: MIT
// Convolutions of small integers. The source is widened to 16 bits with its padding around it, and the weights are laid out for the
// kernels. Sums have 32 bits, of which requantisation takes no more.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "sim/model/unity/arithmetic/convolution_finish.h"
#include "sim/model/unity/arithmetic/fast.h"

namespace cox::model::unity::fast {
namespace {

using isa::unity::Convolution;
using isa::unity::FeatureMap;

/// Largest number of elements of a widened source or of widened weights.
constexpr std::uint64_t kMost = std::uint64_t{1} << 26;

bool fits16(Unit unit) { return !is_float(unit) && (bits_of(unit) <= 8 || unit == Unit::s16); }
bool fits32(Unit unit) { return !is_float(unit) && (bits_of(unit) <= 16 || unit == Unit::s32); }

struct Extents {
  std::uint64_t height, width;  ///< of the enlarged source with its padding
};
Extents padded(const Convolution &operation) {
  const FeatureMap &map = operation.source;
  return {std::uint64_t{map.height - 1} * operation.enlarge_vertical + 1 + operation.top + operation.bottom,
          std::uint64_t{map.width - 1} * operation.enlarge_horizontal + 1 + operation.left + operation.right};
}

/// Whether 32 bits hold every sum of products.
bool has_exact_sums(const Convolution &operation) {
  const auto largest = [](Unit unit) {
    return is_signed(unit) ? -isa::unity::minimum_of(unit) : static_cast<std::int64_t>(isa::unity::maximum_of(unit));
  };
  const Convolution::Kernel &kernel = operation.kernel;
  const std::int64_t product = largest(operation.source.unit) * (largest(kernel.unit) + std::abs(operation.kernel_zero));
  return std::int64_t{kernel.height} * kernel.width * kernel.channels < (std::int64_t{1} << 31) / product;
}

bool has(const Convolution &operation) {
  const Convolution::Kernel &kernel = operation.kernel;
  if (!fits16(operation.source.unit) || !fits16(kernel.unit) || !fits32(operation.result.unit) || operation.kernel_zero < -32768 ||
      operation.kernel_zero > 32767) {
    return false;
  }
  if (kernel.unit == Unit::s16 && operation.kernel_zero != 0) return false;
  const Extents extents = padded(operation);
  const std::uint64_t line = std::uint64_t{kernel.height} * kernel.width * kernel.channels;
  const std::uint64_t deep = std::max(operation.source.channels, kernel.number);
  if (extents.height * extents.width > kMost / deep || line > kMost / kernel.number) return false;
  if (operation.plain) return operation.result.unit == Unit::s32;
  const isa::unity::Clip &clip = operation.clip;
  const bool scaled =
      operation.has_multiplier ? operation.multiplier.unit == Unit::s32 && operation.shift.unit == Unit::s8 : has_exact_sums(operation);
  return scaled && fits32(operation.bias.unit) && fits32(operation.scale.unit) && clip.minimum <= clip.maximum;
}

/// Values of a parameter for the channels of a pixel.
class ChannelValues {
 public:
  ChannelValues(const ParameterValues &values, std::uint32_t channels) : values_(values), numbers_(channels) { read(0, 0); }
  const std::int32_t *at(std::uint32_t h, std::uint32_t w) {
    if (values_.per_element()) read(h, w);
    return numbers_.data();
  }

 private:
  void read(std::uint32_t h, std::uint32_t w) {
    for (std::uint32_t c = 0; c < numbers_.size(); ++c) numbers_[c] = static_cast<std::int32_t>(values_.integer(h, w, c));
  }
  const ParameterValues &values_;
  std::vector<std::int32_t> numbers_;
};

class Convolver {
 public:
  Convolver(const Convolution &operation, Memory &memory, const Kernels &kernels)
      : operation_(operation),
        kernels_(kernels),
        finish_(operation, memory),
        depthwise_(operation.kernel.channels == 1 && operation.groups > 1),
        channels_(depthwise_ ? operation.kernel.number : operation.source.channels),
        extents_(padded(operation)),
        sums_(operation.kernel.number) {
    widen_source(memory);
    widen_weights(memory);
    result_ = write(memory, operation.result);
  }

  void run() {
    const FeatureMap &to = operation_.result;
    if (operation_.plain) {
      for_each_pixel([&](std::uint32_t h, std::uint32_t w) { store(h, w); });
      return;
    }
    ChannelValues bias(finish_.bias, to.channels), zero(finish_.scale, to.channels);
    const auto clamp = [&](std::int64_t value) {
      return std::clamp(value, isa::unity::minimum_of(to.unit), static_cast<std::int64_t>(isa::unity::maximum_of(to.unit)));
    };
    const isa::unity::Clip &clip = operation_.clip;
    constexpr std::int64_t kFar = std::int64_t{1} << 40;
    const std::int64_t low = clamp(clip.on ? clip.minimum : -kFar), high = clamp(clip.on ? clip.maximum : kFar);
    if (!operation_.has_multiplier) {
      for_each_pixel([&](std::uint32_t h, std::uint32_t w) {
        const std::int32_t *biases = bias.at(h, w), *zeros = zero.at(h, w);
        for (std::size_t o = 0; o < sums_.size(); ++o) {
          sums_[o] = static_cast<std::int32_t>(std::clamp(std::int64_t{sums_[o]} + biases[o] + zeros[o], low, high));
        }
        store(h, w);
      });
      return;
    }
    ChannelValues multiplier(finish_.multiplier, to.channels), shift(finish_.shift, to.channels);
    for_each_pixel([&](std::uint32_t h, std::uint32_t w) {
      kernels_.requantise({bias.at(h, w), multiplier.at(h, w), shift.at(h, w), zero.at(h, w), low, high}, sums_.size(), sums_.data());
      store(h, w);
    });
  }

 private:
  /// The widened source is [row][column][channel]; a depthwise one has an element for each output channel.
  void widen_source(Memory &memory) {
    const FeatureMap &map = operation_.source;
    const std::byte *source = read(memory, map);
    const ParameterValues padding(memory, operation_.padding, map);
    const std::uint32_t copies = channels_ / map.channels;
    std::vector<std::int16_t> pixel(channels_);
    for (std::uint32_t c = 0; c < channels_; ++c) pixel[c] = static_cast<std::int16_t>(padding.integer(0, 0, c / copies));
    const std::uint64_t pixels = extents_.height * extents_.width;
    source_.resize(pixels * channels_ + kLine);  // kernels read up to a line behind the last pixel, with weights 0
    const bool filled =
        operation_.enlarge_vertical == 1 && operation_.enlarge_horizontal == 1 && pixels == std::uint64_t{map.height} * map.width;
    if (!filled) {
      for (std::uint64_t i = 0; i < pixels; ++i)
        std::copy(pixel.begin(), pixel.end(), source_.begin() + static_cast<std::ptrdiff_t>(i * channels_));
    }
    for (std::uint32_t h = 0; h < map.height; ++h) {
      for (std::uint32_t w = 0; w < map.width; ++w) {
        const std::uint64_t y = std::uint64_t{h} * operation_.enlarge_vertical + operation_.top;
        const std::uint64_t x = std::uint64_t{w} * operation_.enlarge_horizontal + operation_.left;
        std::int16_t *to = source_.data() + (y * extents_.width + x) * channels_;
        if (map.unit == Unit::s8 && map.channel == 2 && copies == 1) {
          const auto *from = reinterpret_cast<const std::int8_t *>(source) + map.nibble(h, w, 0) / 2;
          std::copy_n(from, channels_, to);
          continue;
        }
        for (std::uint32_t c = 0; c < map.channels; ++c) {
          const auto value = static_cast<std::int16_t>(isa::unity::integer_of(map.unit, load_at(source, map.unit, map.nibble(h, w, c))));
          std::fill_n(to + std::uint64_t{c} * copies, copies, value);
        }
      }
    }
  }

  /// Weights are lines [output][row][column][channel], or for a depthwise convolution [row][column][output].
  void widen_weights(Memory &memory) {
    const Convolution::Kernel &kernel = operation_.kernel;
    const std::byte *bytes = memory.read(kernel.address, kernel_bytes(kernel));
    const std::uint64_t products = std::uint64_t{kernel.height} * kernel.width * kernel.channels;
    length_ = (products + kLine - 1) / kLine * kLine;
    weights_.resize((depthwise_ ? products : length_) * kernel.number);
    for (std::uint32_t o = 0; o < kernel.number; ++o) {
      std::uint64_t number = 0;
      for (std::uint32_t i = 0; i < kernel.height; ++i) {
        for (std::uint32_t j = 0; j < kernel.width; ++j) {
          for (std::uint32_t c = 0; c < kernel.channels; ++c, ++number) {
            const std::uint64_t place = o * kernel.number_step + i * kernel.row + j * kernel.column + c * kernel.channel;
            const std::int64_t weight = isa::unity::integer_of(kernel.unit, load_at(bytes, kernel.unit, place)) - operation_.kernel_zero;
            weights_[depthwise_ ? number * kernel.number + o : o * length_ + number] = static_cast<std::int16_t>(weight);
          }
        }
      }
    }
    for (std::uint32_t i = 0; i < kernel.height; ++i) {
      for (std::uint32_t j = 0; j < kernel.width; ++j) {
        const std::uint64_t pixels =
            std::uint64_t{i} * operation_.rate_vertical * extents_.width + std::uint64_t{j} * operation_.rate_horizontal;
        taps_.push_back(static_cast<std::ptrdiff_t>(pixels * channels_));
      }
    }
    patch_.resize(length_);
  }

  /// Calls `finish` for each result pixel, with its sums in sums_.
  template <typename Finish>
  void for_each_pixel(Finish finish) {
    for (std::uint32_t h = 0; h < operation_.result.height; ++h) {
      for (std::uint32_t w = 0; w < operation_.result.width; ++w) {
        const std::uint64_t corner =
            std::uint64_t{h} * operation_.stride_vertical * extents_.width + std::uint64_t{w} * operation_.stride_horizontal;
        multiply(source_.data() + corner * channels_);
        finish(h, w);
      }
    }
  }

  void multiply(const std::int16_t *corner) {
    const Convolution::Kernel &kernel = operation_.kernel;
    if (depthwise_) {
      kernels_.multiply_channels(corner, taps_.data(), taps_.size(), weights_.data(), kernel.number, sums_.data());
      return;
    }
    const std::uint32_t outputs = kernel.number / operation_.groups;
    for (std::uint32_t g = 0; g < operation_.groups; ++g) {
      const std::int16_t *first = corner + std::uint64_t{g} * kernel.channels;
      kernels_.multiply(patch(first), weights_.data() + std::uint64_t{g} * outputs * length_, length_, outputs,
                        sums_.data() + std::uint64_t{g} * outputs);
    }
  }

  /// The inputs of a result pixel one after another.
  const std::int16_t *patch(const std::int16_t *first) {
    const Convolution::Kernel &kernel = operation_.kernel;
    if (taps_.size() == 1) return first;
    // A row of the kernel is one run if its elements are neighbours.
    const bool runs = operation_.rate_horizontal == 1 && kernel.channels == channels_;
    const std::uint32_t step = runs ? kernel.width : 1, run = step * kernel.channels;
    std::int16_t *to = patch_.data();
    for (std::size_t t = 0; t < taps_.size(); t += step, to += run) std::copy_n(first + taps_[t], run, to);
    return patch_.data();
  }

  void store(std::uint32_t h, std::uint32_t w) const {
    const FeatureMap &to = operation_.result;
    if (bits_of(to.unit) == 8 && to.channel == 2) {
      std::byte *bytes = result_ + to.nibble(h, w, 0) / 2;
      for (std::size_t o = 0; o < sums_.size(); ++o) bytes[o] = static_cast<std::byte>(sums_[o]);
      return;
    }
    for (std::uint32_t o = 0; o < sums_.size(); ++o) store_at(result_, to.unit, to.nibble(h, w, o), static_cast<std::uint32_t>(sums_[o]));
  }

  const Convolution &operation_;
  const Kernels &kernels_;
  ConvolutionFinish finish_;
  bool depthwise_;
  std::uint32_t channels_;  ///< of the widened source
  Extents extents_;
  std::vector<std::int32_t> sums_;  ///< of a result pixel
  std::vector<std::int16_t> source_, weights_, patch_;
  std::vector<std::ptrdiff_t> taps_;  ///< distances of the kernel's elements in the widened source
  std::uint64_t length_ = 0;          ///< of a line of weights
  std::byte *result_ = nullptr;
};

}  // namespace

bool convolution(const Convolution &operation, Memory &memory, const Kernels &kernels) {
  if (!has(operation)) return false;
  Convolver(operation, memory, kernels).run();
  return true;
}

}  // namespace cox::model::unity::fast
