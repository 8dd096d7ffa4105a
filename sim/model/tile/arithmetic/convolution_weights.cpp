// SPDX-License-Identifier: MIT
#include "sim/model/tile/arithmetic/convolution_weights.h"

#include <algorithm>
#include <cstring>

#include "sim/model/tile/arithmetic/convolution_input.h"
#include "sim/model/tile/arithmetic/staging.h"

namespace cox::model::arithmetic::fast {
namespace {

using isa::tile::Convolution;

/// Records of INT8 weights, which need not be aligned.
struct ByteRecords {
  const std::byte *first = nullptr;
  std::int64_t record_bytes = 0, position_bytes = 0;
};

ByteRecords byte_records(const Convolution &operation, const std::byte *records) {
  if (operation.weight_format.format == isa::tile::DataFmt::INT8) return {records, operation.record_bytes, operation.position_bytes};
  const std::int64_t position = isa::tile::padded_pixel(operation.channels);
  const std::int64_t taps = tap_count(operation);
  auto *unpacked = reinterpret_cast<std::int8_t *>(scratch(ScratchUse::unpacked, operation.kernels * taps * position));
  for (std::int64_t k = 0; k < operation.kernels; ++k) {
    for (std::int64_t tap = 0; tap < taps; ++tap) {
      decode(records + k * operation.record_bytes + tap * operation.position_bytes, operation.weight_format, operation.channels,
             unpacked + (k * taps + tap) * position);
    }
  }
  return {reinterpret_cast<const std::byte *>(unpacked), taps * position, position};
}

/// Packs one block of up to 16 records.
void pack_block(const Convolution &operation, const ByteRecords records, std::int64_t first, std::uint32_t kernels, std::int8_t *block) {
  const std::uint32_t lines = lines_of(operation);
  const std::int64_t record_bytes = records.record_bytes;
  const std::int64_t taps = tap_count(operation);
  const std::uint32_t last_channels = operation.channels - (lines - 1) * kLineChannels;
  for (std::int64_t tap = 0; tap < taps; ++tap) {
    const std::byte *from = records.first + first * record_bytes + tap * records.position_bytes;
    if (kernels == kLineKernels) {  // a compile-time constant makes the loop twice as fast
      for (std::uint32_t g = 0; g < lines; ++g, from += kLineChannels, block += kLineBytes) {
        for (std::uint32_t k = 0; k < kLineKernels; ++k)
          std::memcpy(block + std::size_t{k} * kLineChannels, from + std::int64_t{k} * record_bytes, kLineChannels);
      }
    } else {
      for (std::uint32_t g = 0; g < lines; ++g, from += kLineChannels, block += kLineBytes) {
        std::memset(block, 0, kLineBytes);
        for (std::uint32_t k = 0; k < kernels; ++k)
          std::memcpy(block + std::size_t{k} * kLineChannels, from + std::int64_t{k} * record_bytes, kLineChannels);
      }
    }
    for (std::uint32_t k = 0; k < kLineKernels; ++k) {
      for (std::uint32_t c = last_channels; c < kLineChannels; ++c) *(block - kLineBytes + std::size_t{k} * kLineChannels + c) = 0;
    }
  }
}

/// Corrects for a source that is stored with 128 subtracted: adds 128 times the sum of each kernel's weights to its start value.
void add_offset(const std::int8_t *block, std::int64_t lines, std::int32_t *start) {
  for (std::int64_t i = 0; i < lines * kLineBytes; ++i) {
    std::int32_t &begin = start[i % kLineBytes / kLineChannels];
    begin = static_cast<std::int32_t>(static_cast<std::uint32_t>(begin) + 128U * static_cast<std::uint32_t>(block[i]));
  }
}

/// Decodes the weights of a position to numbers.
template <typename Number>
void decode_position(const Convolution &operation, const std::byte *records, std::int64_t kernel, std::int64_t tap, Number *numbers) {
  decode(records + kernel * operation.record_bytes + tap * operation.position_bytes, operation.weight_format, operation.channels, numbers);
}

template <>
void decode_position(const Convolution &operation, const std::byte *records, std::int64_t kernel, std::int64_t tap, std::int16_t *numbers) {
  std::int8_t byte = 0;  // one weight: only depthwise convolutions call this, and their kernels have one channel
  decode(records + kernel * operation.record_bytes + tap * operation.position_bytes, operation.weight_format, 1, &byte);
  *numbers = byte;  // NOLINT(bugprone-signed-char-misuse): the byte is a number
}

}  // namespace

const std::byte *read_records(const Convolution &operation, const Memory &memory) {
  const std::int64_t bytes = std::int64_t{operation.kernels} * operation.record_bytes;
  return Source(memory, {operation.weights, operation.weights + bytes}, ScratchUse::records).at(operation.weights);
}

ByteWeights pack_bytes(const Convolution &operation, const std::byte *records, const Kernels &kernels) {
  const ByteRecords bytes = byte_records(operation, records);
  const std::uint32_t in_group = operation.kernels / operation.groups;
  const std::int64_t lines = std::int64_t{tap_count(operation)} * lines_of(operation);
  ByteWeights weights;
  weights.blocks = (in_group + kLineKernels - 1) / kLineKernels;
  weights.block_bytes = lines * kLineBytes;
  const std::int64_t blocks = std::int64_t{operation.groups} * weights.blocks;
  auto *packed = reinterpret_cast<std::int8_t *>(scratch(ScratchUse::packed, blocks * weights.block_bytes));
  auto *start = reinterpret_cast<std::int32_t *>(
      scratch(ScratchUse::parameters, blocks * kLineKernels * static_cast<std::int64_t>(sizeof(std::int32_t))));
  weights.packed = packed;
  weights.start = start;
  for (std::uint32_t g = 0; g < operation.groups; ++g) {
    for (std::uint32_t b = 0; b < weights.blocks; ++b, packed += weights.block_bytes, start += kLineKernels) {
      const std::uint32_t first = b * kLineKernels;
      pack_block(operation, bytes, std::int64_t{g} * in_group + first, std::min(kLineKernels, in_group - first), packed);
      kernels.start(packed, lines, start);
      if (is_offset(operation.source.format)) add_offset(packed, lines, start);
    }
  }
  return weights;
}

template <typename Number>
const Number *pack_depthwise(const Convolution &operation, const std::byte *records, std::int64_t lanes) {
  const std::int64_t taps = tap_count(operation);
  auto *packed = reinterpret_cast<Number *>(scratch(ScratchUse::packed, taps * lanes * static_cast<std::int64_t>(sizeof(Number))));
  std::fill_n(packed, taps * lanes, Number{});
  for (std::int64_t k = 0; k < operation.kernels; ++k) {
    for (std::int64_t tap = 0; tap < taps; ++tap) decode_position(operation, records, k, tap, packed + tap * lanes + k);
  }
  return packed;
}

template <typename Number>
const Number *pack_words(const Convolution &operation, const std::byte *records) {
  const std::int64_t taps = tap_count(operation);
  const std::int64_t in_group = operation.kernels / operation.groups;
  const std::int64_t blocks = (in_group + kWordKernels - 1) / kWordKernels;
  const std::int64_t block_numbers = taps * operation.channels * kWordKernels;
  const std::int64_t numbers = operation.groups * blocks * block_numbers;
  auto *packed = reinterpret_cast<Number *>(scratch(ScratchUse::packed, numbers * static_cast<std::int64_t>(sizeof(Number))));
  if (in_group % kWordKernels != 0) std::fill_n(packed, numbers, Number{});
  auto *position =
      reinterpret_cast<Number *>(scratch(ScratchUse::unpacked, operation.channels * static_cast<std::int64_t>(sizeof(Number))));
  for (std::int64_t k = 0; k < operation.kernels; ++k) {
    const std::int64_t within = k % in_group;
    Number *lane = packed + (k / in_group * blocks + within / kWordKernels) * block_numbers + within % kWordKernels;
    for (std::int64_t tap = 0; tap < taps; ++tap) {
      decode_position(operation, records, k, tap, position);
      for (std::int64_t c = 0; c < operation.channels; ++c, lane += kWordKernels) *lane = position[c];
    }
  }
  return packed;
}

template const std::int16_t *pack_depthwise(const Convolution &, const std::byte *, std::int64_t);
template const float *pack_depthwise(const Convolution &, const std::byte *, std::int64_t);
template const std::uint64_t *pack_depthwise(const Convolution &, const std::byte *, std::int64_t);
template const float *pack_words(const Convolution &, const std::byte *);
template const std::uint64_t *pack_words(const Convolution &, const std::byte *);

}  // namespace cox::model::arithmetic::fast
