// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/pack_weights.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "coxswain/isa/mx/operation.h"
#include "coxswain/isa/numbers/mx9_block.h"
#include "coxswain/kernels/mx/block_conversion.h"
#include "coxswain/kernels/mx/conversion_arguments.h"

namespace cox::kernels::mx {

using isa::mx::Block;
using isa::mx::blocks_of;
using isa::mx::kBlockBytes;
using isa::mx::kBlockElements;

namespace {

constexpr std::uint32_t kPartChannels = isa::mx::kMostChannels;  // the most input channels that one instruction takes
constexpr std::uint32_t kMostPositions = 9;
constexpr std::uint64_t kMostBlocks = std::uint64_t{1} << 48;

using Biases = std::array<float, kBlockElements>;

constexpr std::uint32_t positions_of(const WeightShape &shape) { return shape.kernel * shape.kernel; }

/// The weights of one output channel for one channel block, position by position.
struct ChannelBlock {
  std::array<float, std::size_t{kMostPositions} * kBlockElements> values{};
  std::array<Block, kMostPositions> blocks{};
};

/// `weights` is [channel][position] for the block's `channels` channels.
void convert(std::span<const float> weights, std::uint32_t channels, std::uint32_t positions, ChannelBlock &result) {
  result.values.fill(0);
  for (std::uint32_t channel = 0; channel < channels; ++channel) {
    for (std::uint32_t position = 0; position < positions; ++position) {
      result.values[position * kBlockElements + channel] = weights[channel * positions + position];
    }
  }
  pack_blocks(result.values.data(), std::span(result.blocks).first(positions));
}

/// Returns the number of output channels in the group that begins at `output`.
constexpr std::uint32_t outputs_of(const WeightShape &shape, std::uint64_t output) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(shape.output_channels - output, kBlockElements));
}

struct Part {
  std::uint64_t first = 0;     ///< first input channel
  std::uint32_t channels = 0;  ///< number of input channels
};

/// Packs the part's weights for the group of output channels that begins at `output`. Returns the address for the group's biases.
std::byte *pack_group(const WeightShape &shape, std::span<const float> weights, const Part &part, std::uint64_t output, std::byte *packed) {
  const std::uint32_t positions = positions_of(shape);
  const std::uint32_t channel_blocks = blocks_of(part.channels);
  const std::uint32_t outputs = outputs_of(shape, output);
  ChannelBlock converted;
  for (std::uint32_t lane = 0; lane < kBlockElements; ++lane) {
    for (std::uint32_t block = 0; block < channel_blocks; ++block) {
      const std::uint32_t inner = block * kBlockElements;
      const std::uint32_t present = lane < outputs ? std::min(part.channels - inner, kBlockElements) : 0;
      const std::uint64_t start = present == 0 ? 0 : ((output + lane) * shape.input_channels + part.first + inner) * positions;
      convert(weights.subspan(static_cast<std::size_t>(start)), present, positions, converted);
      for (std::uint32_t position = 0; position < positions; ++position) {
        const std::size_t index = (std::size_t{position} * channel_blocks + block) * kBlockElements + lane;
        std::memcpy(packed + index * kBlockBytes, &converted.blocks[position], kBlockBytes);
      }
    }
  }
  return packed + std::size_t{positions} * channel_blocks * kBlockElements * kBlockBytes;
}

}  // namespace

Result<std::uint64_t> packed_weights_bytes(const WeightShape &shape) {
  if (shape.kernel != 1 && shape.kernel != 3) return refused("kernel", shape.kernel, 3);
  if (shape.input_channels == 0) return refused("input_channels", 0, 1);
  if (shape.output_channels == 0) return refused("output_channels", 0, 1);
  const std::uint64_t groups = blocks_of(shape.output_channels);
  const std::uint64_t blocks = groups * kBlockElements * positions_of(shape) * blocks_of(shape.input_channels);
  if (blocks > kMostBlocks) return refused("output_channels", shape.output_channels, kMostBlocks / (blocks / groups) * kBlockElements);
  const std::uint32_t outputs = blocks_of(shape.output_channels);
  const std::uint64_t part = isa::mx::weight_bytes(shape.kernel, kPartChannels / kBlockElements, outputs);
  const std::uint32_t rest = blocks_of(shape.input_channels % kPartChannels);
  return shape.input_channels / kPartChannels * part + (rest == 0 ? 0 : isa::mx::weight_bytes(shape.kernel, rest, outputs));
}

Status pack_weights(const WeightShape &shape, std::span<const float> weights, std::span<const float> biases, std::span<std::byte> packed) {
  const Result<std::uint64_t> bytes = packed_weights_bytes(shape);
  if (!bytes) return bytes.status();
  const std::uint64_t wanted = product(std::uint64_t{shape.output_channels} * shape.input_channels, positions_of(shape));
  if (weights.size() != wanted) return refused("weights", weights.size(), wanted);
  if (!biases.empty() && biases.size() != shape.output_channels) return refused("biases", biases.size(), shape.output_channels);
  if (packed.size() != bytes.value()) return refused("packed", packed.size(), bytes.value());
  Status status = check_apart(weights, packed, "packed");
  if (status) status = check_apart(biases, packed, "packed");
  if (!status) return status;

  std::byte *next = packed.data();
  for (std::uint64_t first = 0; first < shape.input_channels; first += kPartChannels) {
    const auto channels = static_cast<std::uint32_t>(std::min<std::uint64_t>(shape.input_channels - first, kPartChannels));
    for (std::uint64_t output = 0; output < shape.output_channels; output += kBlockElements) {
      next = pack_group(shape, weights, {first, channels}, output, next);
      Biases group{};
      if (first == 0 && !biases.empty()) {
        std::ranges::copy(biases.subspan(static_cast<std::size_t>(output), outputs_of(shape, output)), group.begin());
      }
      std::memcpy(next, group.data(), sizeof(group));
      next += sizeof(group);
    }
  }
  return {};
}

Status space_to_depth_weights(std::uint32_t input_channels, std::uint32_t output_channels, std::span<const float> weights,
                              std::span<float> transformed) {
  constexpr std::size_t kSide = 6;
  constexpr std::size_t kHalf = kSide / 2;
  if (input_channels == 0) return refused("input_channels", 0, 1);
  if (output_channels == 0) return refused("output_channels", 0, 1);
  const std::uint64_t wanted = product(std::uint64_t{input_channels} * output_channels, kSide * kSide);
  if (weights.size() != wanted) return refused("weights", weights.size(), wanted);
  if (transformed.size() != wanted) return refused("transformed", transformed.size(), wanted);
  if (const Status status = check_apart(weights, transformed, "transformed"); !status) return status;

  // Row 2 * y + r of the 6x6 kernel becomes row y of the 3x3 kernel, in the channels for rows of parity r. The same holds for columns.
  std::size_t next = 0;
  for (std::size_t output = 0; output < output_channels; ++output) {
    for (std::size_t position = 0; position < 4; ++position) {
      for (std::size_t channel = 0; channel < input_channels; ++channel) {
        const std::span<const float> kernel = weights.subspan((output * input_channels + channel) * kSide * kSide, kSide * kSide);
        for (std::size_t y = 0; y < kHalf; ++y) {
          for (std::size_t x = 0; x < kHalf; ++x) {
            transformed[next++] = kernel[(2 * y + position / 2) * kSide + 2 * x + position % 2];
          }
        }
      }
    }
  }
  return {};
}

}  // namespace cox::kernels::mx
