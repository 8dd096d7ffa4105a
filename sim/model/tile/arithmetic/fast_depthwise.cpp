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

void accumulate(const ConvolutionKernels &kernels, const WordDepthwise<float> &depthwise) { kernels.float_depthwise(depthwise); }
void accumulate(const ConvolutionKernels &kernels, const WordDepthwise<std::uint64_t> &depthwise) { kernels.wide_depthwise(depthwise); }

/// Computes one output pixel after another. `accumulate_pixel(corner, sums)` adds the products of the pixels under the kernel at `corner`
/// to `sums`.
template <typename Element, typename Sum, typename Accumulate>
void walk_pixels(const Convolution &operation, const Input<Element> &input, const Output &output, std::int64_t lanes,
                 const Accumulate &accumulate_pixel) {
  auto *sums = reinterpret_cast<Sum *>(scratch(ScratchUse::sums, lanes * static_cast<std::int64_t>(sizeof(Sum))));
  std::fill_n(sums, lanes, Sum{});
  PixelWalk walk{operation};
  for (std::int64_t remaining = std::int64_t{operation.batch} * operation.height * operation.width; remaining > 0; --remaining) {
    const OutputPixel place{walk.image, walk.row, walk.column};
    output.begin(place, 0, operation.kernels, sums);
    accumulate_pixel(input.at(operation, walk.image, walk.row, walk.column), sums);
    output.write(place, 0, operation.kernels, sums);
    walk.next();
  }
}

template <typename Number>
void convolve_numbers(const Convolution &operation, const Memories &memories, const Kernels &kernels) {
  const CoveredSource covered(operation, memories.source);
  const std::int64_t lanes = isa::tile::align_up(operation.kernels, kWordLanes);
  if (covered.staged_elements(lanes) * sizeof(Number) > kMostStagedBytes) return reference::convolve(operation, memories);
  const std::byte *records = read_records(operation, memories.weights);
  const Output output(operation, memories, kernels, covered.source(), records);
  const Input<Number> input = covered.stage<Number>(lanes, operation.kernels / operation.groups);
  WordDepthwise<Number> depthwise;
  depthwise.weights = pack_depthwise<Number>(operation, records, lanes);
  depthwise.lanes = lanes;
  depthwise.taps = input.taps(operation);
  depthwise.tap_count = tap_count(operation);
  walk_pixels<Number, Number>(operation, input, output, lanes, [&](const Number *corner, Number *sums) {
    depthwise.pixel = corner;
    depthwise.sums = sums;
    accumulate(kernels.convolution, depthwise);
  });
  output.commit();
}

/// Returns the correction for a source that is stored with 128 subtracted: 128 times the sum of each kernel's weights.
std::vector<std::int32_t> offsets(const Convolution &operation, const std::int16_t *weights, std::int64_t lanes) {
  std::vector<std::int32_t> result(static_cast<std::size_t>(lanes));
  if (!is_offset(operation.source.format)) return result;
  for (std::int64_t tap = 0; tap < tap_count(operation); ++tap) {
    for (std::int64_t k = 0; k < lanes; ++k) result[static_cast<std::size_t>(k)] += 128 * weights[tap * lanes + k];
  }
  return result;
}

void convolve_byte_channels(const Convolution &operation, const Memories &memories, const Kernels &kernels) {
  const CoveredSource covered(operation, memories.source);
  const std::int64_t lanes = isa::tile::align_up(operation.kernels, kByteLanes);
  const std::uint32_t repeat = operation.kernels / operation.groups;
  const bool in_place = covered.in_place() && repeat == 1;
  if (!in_place && covered.staged_elements(lanes) > kMostStagedBytes) return reference::convolve(operation, memories);
  const std::byte *records = read_records(operation, memories.weights);
  const Output output(operation, memories, kernels, covered.source(), records);
  Input<std::int8_t> input;
  if (in_place) {
    const Input<std::byte> plain = covered.input();
    input = {reinterpret_cast<const std::int8_t *>(plain.corner), plain.image, plain.row, plain.pixel};
  } else {
    input = covered.stage<std::int8_t>(lanes, repeat);
  }
  ByteDepthwise depthwise;
  depthwise.weights = pack_depthwise<std::int16_t>(operation, records, lanes);
  depthwise.lanes = lanes;
  depthwise.taps = input.taps(operation);
  depthwise.tap_count = tap_count(operation);
  const std::vector<std::int32_t> offset = offsets(operation, depthwise.weights, lanes);
  const bool has_offset = is_offset(operation.source.format);
  walk_pixels<std::int8_t, std::int32_t>(operation, input, output, lanes, [&](const std::int8_t *corner, std::int32_t *sums) {
    for (std::size_t k = 0; has_offset && k < offset.size(); ++k)
      sums[k] = static_cast<std::int32_t>(static_cast<std::uint32_t>(sums[k]) + static_cast<std::uint32_t>(offset[k]));
    depthwise.pixel = corner;
    depthwise.sums = sums;
    kernels.convolution.byte_depthwise(depthwise);
  });
  output.commit();
}

}  // namespace

void convolve_depthwise(const Convolution &operation, const Memories &memories, const Kernels &kernels) {
  if (operation.is_floating()) return convolve_numbers<float>(operation, memories, kernels);
  if (operation.is_wide()) return convolve_numbers<std::uint64_t>(operation, memories, kernels);
  convolve_byte_channels(operation, memories, kernels);
}

}  // namespace cox::model::arithmetic::fast
