// SPDX-License-Identifier: MIT
#include "sim/model/tile/arithmetic/fast_convolution.h"

#include <algorithm>
#include <cstring>

#include "sim/model/tile/arithmetic/convolution_input.h"
#include "sim/model/tile/arithmetic/convolution_output.h"
#include "sim/model/tile/arithmetic/convolution_weights.h"
#include "sim/model/tile/arithmetic/reference.h"

namespace cox::model::arithmetic::fast {
namespace {

using isa::tile::Convolution;
using isa::tile::DataFmt;

constexpr std::uint32_t kMostPixels = 8;
constexpr std::uint32_t kMostBlocks = 4;

bool is_of_bytes(const Convolution &operation) {
  const auto is_byte = [](DataFmt format) { return format == DataFmt::INT4 || format == DataFmt::INT8; };
  return is_byte(operation.source.format.format) && is_byte(operation.weight_format.format);
}

/// What convolve_bytes() needs for a convolution of bytes.
struct Bytes {
  const Convolution &operation;
  const Kernels &kernels;
  const Output &output;
  ByteWeights weights;
  Input<std::byte> input;
  const std::int64_t *taps;
  std::uint32_t in_group;  ///< number of kernels in a group

  [[nodiscard]] Accumulation accumulation(std::uint32_t group, std::uint32_t first_block, std::uint32_t blocks) const {
    const std::uint32_t block = group * weights.blocks + first_block;
    Accumulation result;
    result.weights = weights.packed + block * weights.block_bytes;
    result.block_bytes = weights.block_bytes;
    result.blocks = blocks;
    result.start = weights.start + std::size_t{block} * kLineKernels;
    result.taps = taps;
    result.tap_count = tap_count(operation);
    result.groups = lines_of(operation);
    return result;
  }
};

/// The output pixels of one Accumulation.
struct Pixels {
  OutputPixel places[kMostPixels];
  const std::uint8_t *corners[kMostPixels];
  std::uint32_t count = 0;

  /// Takes the next pixels, divided evenly between the calls. For example, if a call takes at most 6 pixels, 49 pixels need nine calls:
  /// four take 6 pixels and five take 5. Eight calls with 6 pixels would leave a slow call with 1.
  void take(const Bytes &bytes, std::int64_t remaining, PixelWalk &walk) {
    const std::int64_t steps = (remaining + bytes.kernels.pixels - 1) / bytes.kernels.pixels;
    count = static_cast<std::uint32_t>((remaining + steps - 1) / steps);
    for (std::uint32_t p = 0; p < count; ++p, walk.next()) {
      places[p] = {walk.image, walk.row, walk.column};
      corners[p] = reinterpret_cast<const std::uint8_t *>(bytes.input.at(bytes.operation, walk.image, walk.row, walk.column));
    }
  }
};

/// For a convolution with one group: computes all output pixels for the output channels of `blocks` blocks from `first_block`.
void convolve_blocks(const Bytes &bytes, std::uint32_t first_block, std::uint32_t blocks) {
  alignas(64) std::int32_t sums[kMostPixels * kMostBlocks * kLineKernels];
  const Convolution &operation = bytes.operation;
  const std::uint32_t first = first_block * kLineKernels;
  const std::uint32_t count = std::min(blocks * kLineKernels, operation.kernels - first);
  Pixels pixels;
  Accumulation accumulation = bytes.accumulation(0, first_block, blocks);
  accumulation.pixels = pixels.corners;
  accumulation.accumulators = sums;
  PixelWalk walk{operation};
  for (std::int64_t remaining = std::int64_t{operation.batch} * operation.height * operation.width; remaining > 0;) {
    pixels.take(bytes, remaining, walk);
    accumulation.pixel_count = pixels.count;
    bytes.kernels.accumulate(accumulation);
    for (std::uint32_t p = 0; p < pixels.count; ++p) {
      std::int32_t *pixel_sums = sums + std::size_t{p} * blocks * kLineKernels;
      bytes.output.add_partial(pixels.places[p], first, count, pixel_sums);
      bytes.output.write(pixels.places[p], first, count, pixel_sums);
    }
    remaining -= pixels.count;
  }
}

/// For a convolution with several groups: computes all output channels of a few pixels, then those of the next pixels. A group may be
/// smaller than a block.
void convolve_groups(const Bytes &bytes) {
  alignas(64) std::int32_t block_sums[kMostPixels * kMostBlocks * kLineKernels];
  const Convolution &operation = bytes.operation;
  auto *sums = reinterpret_cast<std::int32_t *>(
      scratch(ScratchUse::sums, std::int64_t{kMostPixels} * operation.kernels * static_cast<std::int64_t>(sizeof(std::int32_t))));
  const std::uint32_t most = std::min(bytes.kernels.blocks, kMostBlocks);
  Pixels pixels;
  const std::uint8_t *corners[kMostPixels];
  PixelWalk walk{operation};
  for (std::int64_t remaining = std::int64_t{operation.batch} * operation.height * operation.width; remaining > 0;) {
    pixels.take(bytes, remaining, walk);
    for (std::uint32_t g = 0; g < operation.groups; ++g) {
      for (std::uint32_t p = 0; p < pixels.count; ++p) corners[p] = pixels.corners[p] + std::size_t{g} * operation.channels;
      for (std::uint32_t b = 0; b < bytes.weights.blocks; b += most) {
        const std::uint32_t blocks = std::min(most, bytes.weights.blocks - b);
        const std::uint32_t first = b * kLineKernels;
        const std::uint32_t count = std::min(blocks * kLineKernels, bytes.in_group - first);
        Accumulation accumulation = bytes.accumulation(g, b, blocks);
        accumulation.pixels = corners;
        accumulation.pixel_count = pixels.count;
        accumulation.accumulators = block_sums;
        bytes.kernels.accumulate(accumulation);
        for (std::uint32_t p = 0; p < pixels.count; ++p) {
          std::copy_n(block_sums + std::size_t{p} * blocks * kLineKernels, count,
                      sums + std::size_t{p} * operation.kernels + std::size_t{g} * bytes.in_group + first);
        }
      }
    }
    for (std::uint32_t p = 0; p < pixels.count; ++p) {
      std::int32_t *pixel_sums = sums + std::size_t{p} * operation.kernels;
      bytes.output.add_partial(pixels.places[p], 0, operation.kernels, pixel_sums);
      bytes.output.write(pixels.places[p], 0, operation.kernels, pixel_sums);
    }
    remaining -= pixels.count;
  }
}

}  // namespace

void convolve_bytes(const Convolution &operation, const Memories &memories, const Kernels &kernels) {
  const CoveredSource covered(operation, memories.source);
  const std::int64_t pixel = isa::tile::padded_pixel(std::int64_t{operation.groups} * operation.channels);
  const bool in_place = covered.in_place();
  if (!in_place && covered.staged_elements(pixel) > kMostStagedBytes) return reference::convolve(operation, memories);
  const std::byte *records = read_records(operation, memories.weights);
  const Output output(operation, memories, kernels, covered.source(), records);
  Input<std::byte> input;
  if (in_place) {
    input = covered.input();
  } else {
    const Input<std::int8_t> staged = covered.stage<std::int8_t>(pixel, 1);
    input = {reinterpret_cast<const std::byte *>(staged.corner), staged.image, staged.row, staged.pixel};
  }
  const Bytes bytes{operation,
                    kernels,
                    output,
                    pack_bytes(operation, records, kernels),
                    input,
                    input.taps(operation),
                    operation.kernels / operation.groups};
  if (operation.groups == 1) {
    const std::uint32_t most = std::min(kernels.blocks, kMostBlocks);
    for (std::uint32_t b = 0; b < bytes.weights.blocks; b += most) convolve_blocks(bytes, b, std::min(most, bytes.weights.blocks - b));
  } else {
    convolve_groups(bytes);
  }
  output.commit();
}

void convolve(const Convolution &operation, const Memories &memories, const Kernels &kernels) {
  if (operation.batch == 0 || operation.kernels == 0 || operation.channels == 0 || operation.height == 0 || operation.width == 0) return;
  if (operation.kernel_height == 0 || operation.kernel_width == 0) return;
  if (operation.channels == 1 && operation.groups > 1) return convolve_depthwise(operation, memories, kernels);
  if (is_of_bytes(operation)) return convolve_bytes(operation, memories, kernels);
  convolve_words(operation, memories, kernels);
}

}  // namespace cox::model::arithmetic::fast
