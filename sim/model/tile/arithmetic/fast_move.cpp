// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "sim/model/tile/arithmetic/element.h"
#include "sim/model/tile/arithmetic/fast.h"
#include "sim/model/tile/arithmetic/layout.h"
#include "sim/model/tile/arithmetic/nibbles.h"
#include "sim/model/tile/arithmetic/staging.h"
#include "sim/model/tile/arithmetic/vector_kernels.h"

namespace cox::model::arithmetic::fast {
namespace {

using isa::tile::DataFmt;
using isa::tile::Format;
using isa::tile::Map;
using isa::tile::Move;

constexpr std::int64_t kChunk = 256;

Box box_of(const Move &operation, const Map &map) {
  return {operation.batch, 0, operation.height, 0, operation.width, map.bytes_of(operation.channels)};
}

/// Converts runs of elements from one format to another.
class Conversion {
 public:
  Conversion(const Format &from, const Format &to)
      : from_(from), to_(to), kernels_(*supported_vector_kernels().back()), storage_{1, -0.0F, isa::tile::Float2Fixed::ROUND, to} {}

  void run(const std::byte *from, std::int64_t count, std::byte *to) const {
    for (std::int64_t done = 0; done < count; done += kChunk) {
      const std::int64_t now = std::min(count - done, kChunk);
      chunk(from + done * bits_of(from_.format) / 8, now, to + done * bits_of(to_.format) / 8);
    }
  }

 private:
  void chunk(const std::byte *from, std::int64_t count, std::byte *to) const {
    alignas(64) std::byte elements[kChunk * sizeof(float)];  // a copy that is aligned; each INT4 fills a byte
    if (from_.format == DataFmt::INT4) {
      unpack_nibbles(from, count, from_.is_signed, elements);
    } else {
      std::memcpy(elements, from, static_cast<std::size_t>(count) * bits_of(from_.format) / 8);
    }
    alignas(64) std::byte results[kChunk * sizeof(float)];
    if (from_.format == DataFmt::INT32) {  // FP32 cannot represent every INT32
      for (std::int64_t i = 0; i < count; ++i) convert_word(elements + i * 4, results + i * std::max(bits_of(to_.format) / 8, 1U));
    } else {
      float values[kChunk];
      kernels_.load(elements, from_, count, Preparation{}, values);
      kernels_.store(values, count, storage_, results);
    }
    if (to_.format == DataFmt::INT4) {
      pack_nibbles(results, count, to);
    } else {
      std::memcpy(to, results, static_cast<std::size_t>(count) * bits_of(to_.format) / 8);
    }
  }
  void convert_word(const std::byte *from, std::byte *to) const {
    std::uint32_t element = 0;
    std::memcpy(&element, from, sizeof element);
    element = convert(element, from_, to_);
    std::memcpy(to, &element, std::max(bits_of(to_.format) / 8, 1U));
  }

  Format from_, to_;
  const VectorKernels &kernels_;
  Storage storage_;
};

/// Calls `run(in, channels, out)` for each pixel, or, if rows have no gaps, for each row; `channels` is the number of channels to move.
template <typename Run>
void move_rows(const Move &operation, const Source &source, const Destination &destination, const Run &run) {
  const Map &from = operation.from;
  const Map &to = operation.to;
  const bool dense =
      from.pixel_bytes * 8 == operation.channels * from.element_bits && to.pixel_bytes * 8 == operation.channels * to.element_bits;
  const std::int64_t runs = dense ? 1 : operation.width;
  const std::int64_t channels = dense ? std::int64_t{operation.width} * operation.channels : operation.channels;
  for (std::int64_t n = 0; n < operation.batch; ++n) {
    for (std::int64_t h = 0; h < operation.height; ++h) {
      const std::byte *in = source.at(pixel_address(from, n, h, 0));
      std::byte *out = destination.at(pixel_address(to, n, h, 0));
      for (std::int64_t w = 0; w < runs; ++w, in += from.pixel_bytes, out += to.pixel_bytes) run(in, channels, out);
    }
  }
}

}  // namespace

void move(const Move &operation, const Memories &memories) {
  const Box read = box_of(operation, operation.from);
  const Box written = box_of(operation, operation.to);
  if (read.empty() || written.empty()) return;
  const Source source(memories.source, extent_of(operation.from, read), ScratchUse::source);
  const Destination destination(memories.destination, operation.to, written, source, Source{});
  if (operation.from.format != operation.to.format) {
    const Conversion conversion(operation.from.format, operation.to.format);
    move_rows(operation, source, destination,
              [&](const std::byte *from, std::int64_t channels, std::byte *to) { conversion.run(from, channels, to); });
  } else {
    const std::int64_t bits = operation.to.element_bits;
    move_rows(operation, source, destination, [&](const std::byte *from, std::int64_t channels, std::byte *to) {
      std::memcpy(to, from, static_cast<std::size_t>((channels * bits + 7) / 8));
      if (channels * bits % 8 != 0) to[channels * bits / 8] &= std::byte{0x0F};  // clears the half of the last byte that holds no channel
    });
  }
  destination.commit();
}

}  // namespace cox::model::arithmetic::fast
