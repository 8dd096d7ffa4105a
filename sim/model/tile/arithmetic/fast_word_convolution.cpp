// SPDX-License-Identifier: MIT
#include <algorithm>

#include "sim/model/tile/arithmetic/convolution_input.h"
#include "sim/model/tile/arithmetic/convolution_output.h"
#include "sim/model/tile/arithmetic/convolution_weights.h"
#include "sim/model/tile/arithmetic/fast_convolution.h"
#include "sim/model/tile/arithmetic/reference.h"

namespace cox::model::arithmetic::fast {
namespace {

using isa::tile::Convolution;

constexpr std::uint32_t kPixels = 8;

void accumulate(const ConvolutionKernels &kernels, const WordAccumulation<float> &accumulation) { kernels.accumulate_floats(accumulation); }
void accumulate(const ConvolutionKernels &kernels, const WordAccumulation<std::uint64_t> &accumulation) {
  kernels.accumulate_wide(accumulation);
}

template <typename Number>
void convolve_numbers(const Convolution &operation, const Memories &memories, const Kernels &kernels) {
  const CoveredSource covered(operation, memories.source);
  const std::int64_t channels = std::int64_t{operation.groups} * operation.channels;
  if (covered.staged_elements(channels) * sizeof(Number) > kMostStagedBytes) return reference::convolve(operation, memories);
  const std::byte *records = read_records(operation, memories.weights);
  const Output output(operation, memories, kernels, covered.source(), records);
  const Input<Number> input = covered.stage<Number>(channels, 1);
  const Number *packed = pack_words<Number>(operation, records);
  const std::uint32_t in_group = operation.kernels / operation.groups;
  const std::uint32_t blocks = (in_group + kWordKernels - 1) / kWordKernels;

  alignas(64) Number block_sums[kPixels * kWordKernels];
  auto *sums = reinterpret_cast<Number *>(
      scratch(ScratchUse::sums, std::int64_t{kPixels} * operation.kernels * static_cast<std::int64_t>(sizeof(Number))));
  OutputPixel places[kPixels];
  const Number *corners[kPixels];
  WordAccumulation<Number> accumulation;
  accumulation.pixels = corners;
  accumulation.taps = input.taps(operation);
  accumulation.tap_count = tap_count(operation);
  accumulation.channels = operation.channels;
  accumulation.sums = block_sums;
  PixelWalk walk{operation};
  for (std::int64_t remaining = std::int64_t{operation.batch} * operation.height * operation.width; remaining > 0;) {
    const auto now = static_cast<std::uint32_t>(std::min<std::int64_t>(remaining, kPixels));
    for (std::uint32_t p = 0; p < now; ++p, walk.next()) {
      places[p] = {walk.image, walk.row, walk.column};
      output.begin(places[p], 0, operation.kernels, sums + std::size_t{p} * operation.kernels);
    }
    accumulation.pixel_count = now;
    accumulation.weights = packed;
    for (std::uint32_t g = 0; g < operation.groups; ++g) {
      for (std::uint32_t p = 0; p < now; ++p)
        corners[p] = input.at(operation, places[p].image, places[p].row, places[p].column) + std::size_t{g} * operation.channels;
      for (std::uint32_t b = 0; b < blocks; ++b) {
        const std::uint32_t count = std::min(kWordKernels, in_group - b * kWordKernels);
        Number *first = sums + std::size_t{g} * in_group + std::size_t{b} * kWordKernels;
        std::fill(std::begin(block_sums), std::end(block_sums), Number{});
        for (std::uint32_t p = 0; p < now; ++p)
          std::copy_n(first + std::size_t{p} * operation.kernels, count, block_sums + std::size_t{p} * kWordKernels);
        accumulate(kernels.convolution, accumulation);
        for (std::uint32_t p = 0; p < now; ++p)
          std::copy_n(block_sums + std::size_t{p} * kWordKernels, count, first + std::size_t{p} * operation.kernels);
        accumulation.weights += std::size_t{accumulation.tap_count} * operation.channels * kWordKernels;
      }
    }
    for (std::uint32_t p = 0; p < now; ++p) output.write(places[p], 0, operation.kernels, sums + std::size_t{p} * operation.kernels);
    remaining -= now;
  }
  output.commit();
}

}  // namespace

void convolve_words(const Convolution &operation, const Memories &memories, const Kernels &kernels) {
  if (operation.is_floating()) return convolve_numbers<float>(operation, memories, kernels);
  convolve_numbers<std::uint64_t>(operation, memories, kernels);
}

}  // namespace cox::model::arithmetic::fast
