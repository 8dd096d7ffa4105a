// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/softmax.h"

#include <algorithm>
#include <array>

#include "coxswain/isa/numbers/clamped_exponential.h"
#include "coxswain/kernels/mx/arguments.h"
#include "coxswain/kernels/mx/conversion_arguments.h"
#include "coxswain/kernels/mx/elementwise.h"

namespace cox::kernels::mx {
namespace {

using isa::mx::Block;
using isa::mx::kBlockElements;

/// The blocks of one pixel, read as numbers. In memory the blocks of a pixel are one plane apart.
class Pixel {
 public:
  Pixel(std::span<const Block> input, std::size_t channels, std::size_t pixels, std::size_t pixel)
      : input_(input.subspan(pixel)), channels_(channels), pixels_(pixels) {}

  [[nodiscard]] std::size_t blocks() const { return (channels_ + kBlockElements - 1) / kBlockElements; }
  /// Returns the block's elements that are channels, without the padding.
  std::span<float> read(std::size_t block) {
    isa::mx::dequantise(input_[block * pixels_], values_);
    return std::span<float>(values_).first(std::min<std::size_t>(kBlockElements, channels_ - block * kBlockElements));
  }

 private:
  std::span<const Block> input_;
  std::size_t channels_, pixels_;
  std::array<float, kBlockElements> values_{};
};

/// Computes each exponential twice, once for the sum and once for the quotient, because there is no memory for an arbitrary number of them.
void softmax_pixel(Pixel pixel, std::span<Block> output, std::size_t pixels) {
  float maximum = pixel.read(0).front();
  for (std::size_t block = 0; block < pixel.blocks(); ++block) {
    for (const float value : pixel.read(block)) maximum = value > maximum ? value : maximum;
  }
  float sum = 0.0F;
  for (std::size_t block = 0; block < pixel.blocks(); ++block) {
    for (const float value : pixel.read(block)) sum += isa::numbers::clamped_exponential(value - maximum);
  }
  for (std::size_t block = 0; block < pixel.blocks(); ++block) {
    std::array<float, kBlockElements> quotients{};
    std::size_t element = 0;
    for (const float value : pixel.read(block)) quotients[element++] = isa::numbers::clamped_exponential(value - maximum) / sum;
    output[block * pixels] = isa::mx::quantise(quotients);
  }
}

}  // namespace

Status softmax(Stream &stream, const Tensor &input, const Tensor &output) {
  if (input.channels % kBlockElements != 0) return invalid("channels", input.channels, kBlockElements);
  return append_one_tensor(stream, isa::mx::ElementwiseFunction::softmax, input, output);
}

Status softmax_channels(std::span<const Block> input, std::size_t channels, std::size_t pixels, std::span<Block> output) {
  if (channels == 0) return invalid("channels", 0, 1);
  if (pixels == 0) return invalid("pixels", 0, 1);
  // The check divides, because blocks * pixels may overflow. `limit` is only for the error.
  const std::size_t blocks = (channels - 1) / kBlockElements + 1;
  const auto limit = static_cast<std::int64_t>(blocks * pixels);
  if (input.size() / pixels != blocks || input.size() % pixels != 0)
    return invalid("input", static_cast<std::int64_t>(input.size()), limit);
  if (output.size() != input.size()) return invalid("output", static_cast<std::int64_t>(output.size()), limit);
  if (output.data() != input.data()) {
    if (const Status status = check_apart(input, output, "output"); !status) return status;
  }
  for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
    softmax_pixel(Pixel(input, channels, pixels, pixel), output.subspan(pixel), pixels);
  }
  return {};
}

}  // namespace cox::kernels::mx
