// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "sim/model/arithmetic/element.h"
#include "sim/model/arithmetic/fast.h"
#include "sim/model/arithmetic/layout.h"
#include "sim/model/arithmetic/reference.h"
#include "sim/model/arithmetic/staging.h"

namespace cox::model::arithmetic::fast {
namespace {

using isa::tile::Convolution;
using isa::tile::Map;

constexpr std::uint32_t kMostPixels = 8;
constexpr std::uint32_t kMostBlocks = 4;

/// A map with its padding around it takes no more than this; what would is left to the reference.
constexpr std::int64_t kPaddedLimit = std::int64_t{64} << 20;

/// The pixels under the kernels, in host memory.
struct Input {
  const std::byte *corner = nullptr;  ///< under the kernel's corner for output (0, 0, 0)
  std::int64_t image_bytes = 0, row_bytes = 0, pixel_bytes = 0;
};

/// First and one past the last position that lies inside a map of `size`, of `count` positions from `first`.
struct Inside {
  std::int64_t begin = 0, end = 0;

  Inside(std::int64_t first, std::int64_t count, std::int64_t size)
      : begin(std::max<std::int64_t>(first, 0)), end(std::max(begin, std::min(first + count, size))) {}
  [[nodiscard]] std::int64_t count() const { return end - begin; }
};

/// Rows and columns that the kernels cover, padding included.
std::int64_t covered_rows(const Convolution &operation) {
  return (std::int64_t{operation.height} - 1) * operation.stride_height + operation.kernel_height;
}
std::int64_t covered_columns(const Convolution &operation) {
  return (std::int64_t{operation.width} - 1) * operation.stride_width + operation.kernel_width;
}

std::uint32_t groups_of(const Convolution &operation) { return (operation.channels + kLineChannels - 1) / kLineChannels; }

/// The weight records as `Accumulation` wants them, and where the sums begin.
struct Weights {
  const std::int8_t *packed = nullptr;
  std::int64_t block_bytes = 0;
  std::uint32_t blocks = 0;
  const std::int32_t *start = nullptr;
  const float *scale = nullptr;
  const float *bias = nullptr;
};

/// One block of up to 16 records. Channels past the last become 0, so that whatever lies beside a pixel's channels does not count.
void pack_block(const Convolution &operation, const std::byte *records, std::uint32_t kernels, std::int8_t *block) {
  const std::uint32_t groups = groups_of(operation);
  const std::int64_t taps = std::int64_t{operation.kernel_height} * operation.kernel_width;
  const std::uint32_t last_channels = operation.channels - (groups - 1) * kLineChannels;
  for (std::int64_t tap = 0; tap < taps; ++tap) {
    const std::byte *from = records + tap * isa::tile::padded_pixel(operation.channels);
    for (std::uint32_t g = 0; g < groups; ++g, from += kLineChannels, block += kLineBytes) {
      if (kernels < kLineKernels) std::memset(block, 0, kLineBytes);
      for (std::uint32_t k = 0; k < kernels; ++k)
        std::memcpy(block + std::size_t{k} * kLineChannels, from + std::int64_t{k} * operation.record_bytes, kLineChannels);
    }
    for (std::uint32_t k = 0; k < kLineKernels; ++k) {
      for (std::uint32_t c = last_channels; c < kLineChannels; ++c) *(block - kLineBytes + std::size_t{k} * kLineChannels + c) = 0;
    }
  }
}

Weights pack(const Convolution &operation, const Memory &memory, const Kernels &kernels) {
  const std::int64_t record_bytes = operation.record_bytes;
  const std::int64_t bytes =
      (std::int64_t{operation.kernels} - 1) * record_bytes + weight_bytes(operation) + isa::tile::kRecordParameterBytes;
  const Source source(memory, {operation.weights, operation.weights + bytes}, ScratchUse::records);
  const std::byte *records = source.at(operation.weights);

  Weights weights;
  const std::int64_t lines = std::int64_t{operation.kernel_height} * operation.kernel_width * groups_of(operation);
  weights.blocks = (operation.kernels + kLineKernels - 1) / kLineKernels;
  weights.block_bytes = lines * kLineBytes;
  auto *packed = reinterpret_cast<std::int8_t *>(scratch(ScratchUse::packed, weights.blocks * weights.block_bytes));
  const std::int64_t padded_kernels = std::int64_t{weights.blocks} * kLineKernels;
  std::byte *parameters = scratch(ScratchUse::parameters, 3 * padded_kernels * 4);
  auto *start = reinterpret_cast<std::int32_t *>(parameters);
  auto *scale = reinterpret_cast<float *>(parameters + padded_kernels * 4);
  auto *bias = reinterpret_cast<float *>(parameters + 2 * padded_kernels * 4);
  for (std::uint32_t b = 0; b < weights.blocks; ++b) {
    std::int8_t *block = packed + b * weights.block_bytes;
    const std::uint32_t first = b * kLineKernels;
    pack_block(operation, records + first * record_bytes, std::min(kLineKernels, operation.kernels - first), block);
    kernels.start(block, lines, start + first);
  }
  for (std::uint32_t k = 0; k < operation.kernels; ++k) {
    const std::byte *record_parameters = records + k * record_bytes + weight_bytes(operation);
    std::memcpy(scale + k, record_parameters, sizeof(float));
    std::memcpy(bias + k, record_parameters + sizeof(float), sizeof(float));
  }
  weights.packed = packed;
  weights.start = start;
  weights.scale = scale;
  weights.bias = bias;
  return weights;
}

/// The covered part of the source with its padding written out around it.
Input pad(const Convolution &operation, const Source &source, const Inside &rows, const Inside &columns) {
  const std::int64_t pixel = isa::tile::padded_pixel(operation.channels);
  const std::int64_t row = covered_columns(operation) * pixel;
  const std::int64_t image = covered_rows(operation) * row;
  const std::int64_t group_bytes = std::int64_t{groups_of(operation)} * kLineChannels;
  const int padding = static_cast<int>(to_element(operation.padding_value, operation.source.format, isa::tile::Float2Fixed::ROUND));
  std::byte *padded = scratch(ScratchUse::padded, operation.batch * image);
  const auto fill = [&](std::byte *to, std::int64_t bytes) { std::memset(to, padding, static_cast<std::size_t>(bytes)); };
  const std::int64_t left = std::min(columns.begin - operation.first_column, covered_columns(operation)) * pixel;
  for (std::uint32_t n = 0; n < operation.batch; ++n) {
    for (std::int64_t h = 0; h < covered_rows(operation); ++h) {
      std::byte *to = padded + n * image + h * row;
      const std::int64_t source_row = operation.first_row + h;
      if (source_row < rows.begin || source_row >= rows.end || columns.count() == 0) {
        fill(to, row);
        continue;
      }
      fill(to, left);
      to += left;
      const std::byte *from = source.at(pixel_address(operation.source, n, source_row, columns.begin));
      if (operation.source.pixel_bytes == pixel) {
        std::memcpy(to, from, static_cast<std::size_t>((columns.count() - 1) * pixel + group_bytes));
      } else {
        for (std::int64_t w = 0; w < columns.count(); ++w) {
          std::memcpy(to + w * pixel, from + w * operation.source.pixel_bytes, static_cast<std::size_t>(group_bytes));
        }
      }
      to += columns.count() * pixel;
      fill(to, row - left - columns.count() * pixel);
    }
  }
  return {padded, image, row, pixel};
}

/// Output pixels in order: where each reads and writes.
class PixelWalk {
 public:
  PixelWalk(const Convolution &operation, const Input &input) : operation_(operation), input_(input) {}

  [[nodiscard]] const std::uint8_t *corner() const {
    return reinterpret_cast<const std::uint8_t *>(input_.corner + image_ * input_.image_bytes +
                                                  row_ * operation_.stride_height * input_.row_bytes +
                                                  column_ * operation_.stride_width * input_.pixel_bytes);
  }
  [[nodiscard]] std::int64_t destination() const { return pixel_address(operation_.destination, image_, row_, column_); }
  void next() {
    if (++column_ < operation_.width) return;
    column_ = 0;
    if (++row_ < operation_.height) return;
    row_ = 0;
    ++image_;
  }

 private:
  const Convolution &operation_;
  Input input_;
  std::int64_t image_ = 0, row_ = 0, column_ = 0;
};

void write_pixel(const Convolution &operation, const Kernels &kernels, const std::int32_t *sums, std::uint32_t count,
                 const Weights &weights, std::uint32_t first, std::byte *out) {
  const Quantisation quantisation{operation.scale, operation.zero_point, operation.rounding, operation.destination.format.format};
  const bool relu = operation.activation == isa::tile::ActMode::RELU;
  if (operation.destination.element_bits == 16 && reinterpret_cast<std::uintptr_t>(out) % 2 != 0) {
    std::uint16_t aligned[kMostBlocks * kLineKernels];
    kernels.requantise(sums, count, weights.scale + first, weights.bias + first, relu, quantisation, aligned);
    std::memcpy(out, aligned, std::size_t{count} * 2);
  } else {
    kernels.requantise(sums, count, weights.scale + first, weights.bias + first, relu, quantisation, out);
  }
}

/// All output pixels for the output channels of `blocks` blocks from `first_block`.
void convolve_blocks(const Convolution &operation, const Input &input, const Weights &weights, std::uint32_t first_block,
                     std::uint32_t blocks, const std::int64_t *taps, const Kernels &kernels, const Destination &destination) {
  alignas(64) std::int32_t sums[kMostPixels * kMostBlocks * kLineKernels];
  const std::uint8_t *corners[kMostPixels];
  std::int64_t addresses[kMostPixels];
  const std::uint32_t first = first_block * kLineKernels;
  const std::uint32_t count = std::min(blocks * kLineKernels, operation.kernels - first);

  Accumulation accumulation;
  accumulation.weights = weights.packed + first_block * weights.block_bytes;
  accumulation.block_bytes = weights.block_bytes;
  accumulation.blocks = blocks;
  accumulation.start = weights.start + first;
  accumulation.pixels = corners;
  accumulation.taps = taps;
  accumulation.tap_count = operation.kernel_height * operation.kernel_width;
  accumulation.groups = groups_of(operation);
  accumulation.accumulators = sums;

  PixelWalk walk(operation, input);
  std::int64_t remaining = std::int64_t{operation.batch} * operation.height * operation.width;
  while (remaining > 0) {
    // Spread evenly: 49 pixels are 4 times 6 and 5 times 5, not 8 times 6 and a slow one.
    const std::int64_t steps = (remaining + kernels.pixels - 1) / kernels.pixels;
    const auto now = static_cast<std::uint32_t>((remaining + steps - 1) / steps);
    for (std::uint32_t p = 0; p < now; ++p, walk.next()) {
      corners[p] = walk.corner();
      addresses[p] = walk.destination() + operation.destination.bytes_of(first);
    }
    accumulation.pixel_count = now;
    kernels.accumulate(accumulation);
    for (std::uint32_t p = 0; p < now; ++p) {
      write_pixel(operation, kernels, sums + std::size_t{p} * blocks * kLineKernels, count, weights, first, destination.at(addresses[p]));
    }
    remaining -= now;
  }
}

bool is_plain(const Convolution &operation) {
  using isa::tile::ActMode;
  using isa::tile::DataFmt;
  using isa::tile::Format;
  const Format signed_bytes{DataFmt::INT8, true};
  const Format &to = operation.destination.format;
  return operation.source.format == signed_bytes && operation.weight_format == signed_bytes &&
         (to == signed_bytes || to.format == DataFmt::FP16) && operation.groups == 1 && operation.dilation_height == 1 &&
         operation.dilation_width == 1 && operation.upsample_height == 1 && operation.upsample_width == 1 && !operation.accumulate &&
         !operation.store_accumulators && !operation.dequantise &&
         (operation.activation == ActMode::DISABLE || operation.activation == ActMode::RELU);
}

}  // namespace

void convolve(const Convolution &operation, const Memories &memories, const Kernels &kernels) {
  if (!is_plain(operation)) return reference::convolve(operation, memories);
  if (operation.batch == 0 || operation.kernels == 0 || operation.channels == 0 || operation.height == 0 || operation.width == 0) return;
  if (operation.kernel_height == 0 || operation.kernel_width == 0) return;
  if (static_cast<double>(covered_rows(operation)) * static_cast<double>(covered_columns(operation)) * operation.batch *
          static_cast<double>(isa::tile::padded_pixel(operation.channels)) >
      static_cast<double>(kPaddedLimit)) {
    return reference::convolve(operation, memories);
  }
  const Map &map = operation.source;
  const Inside rows(operation.first_row, covered_rows(operation), map.height);
  const Inside columns(operation.first_column, covered_columns(operation), map.width);
  const Box read{operation.batch, rows.begin,      rows.count(),
                 columns.begin,   columns.count(), std::int64_t{groups_of(operation)} * kLineChannels};
  const Source source(memories.source, extent_of(map, read), ScratchUse::source);
  const Box written{operation.batch, 0, operation.height, 0, operation.width, operation.destination.bytes_of(operation.kernels)};
  const Destination destination(memories.destination, operation.destination, written, source, Source{});

  const Weights weights = pack(operation, memories.weights, kernels);
  const bool padded = rows.count() != covered_rows(operation) || columns.count() != covered_columns(operation);
  const Input input =
      padded ? pad(operation, source, rows, columns)
             : Input{source.at(pixel_address(map, 0, rows.begin, columns.begin)), map.image_bytes, map.row_bytes, map.pixel_bytes};
  const std::int64_t tap_count = std::int64_t{operation.kernel_height} * operation.kernel_width;
  auto *taps = reinterpret_cast<std::int64_t *>(scratch(ScratchUse::taps, tap_count * static_cast<std::int64_t>(sizeof(std::int64_t))));
  std::int64_t *tap = taps;
  for (std::uint32_t r = 0; r < operation.kernel_height; ++r) {
    for (std::uint32_t s = 0; s < operation.kernel_width; ++s) *tap++ = r * input.row_bytes + s * input.pixel_bytes;
  }
  const std::uint32_t most = std::min(kernels.blocks, kMostBlocks);
  for (std::uint32_t b = 0; b < weights.blocks; b += most) {
    convolve_blocks(operation, input, weights, b, std::min(most, weights.blocks - b), taps, kernels, destination);
  }
  destination.commit();
}

}  // namespace cox::model::arithmetic::fast
