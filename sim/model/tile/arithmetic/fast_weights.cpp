// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "sim/model/tile/arithmetic/fast.h"
#include "sim/model/tile/arithmetic/reference.h"
#include "sim/model/tile/arithmetic/staging.h"

namespace cox::model::arithmetic::fast {
namespace {

using isa::tile::kRecordParameterBytes;
using isa::tile::WeightMove;

void move_run(const WeightMove &operation, const Memories &memories) {
  const Source source(memories.source, {operation.from, operation.from + operation.bytes}, ScratchUse::source);
  const std::byte *from = source.at(operation.from);
  std::byte *to = memories.destination.contiguous(operation.to, operation.bytes);
  if (to != nullptr) {
    std::memmove(to, from, static_cast<std::size_t>(operation.bytes));
    return;
  }
  // Write from a copy of the source. A write that wraps is done in two parts, and the first could overwrite bytes that the second has not
  // read yet.
  std::byte *copy = scratch(ScratchUse::destination, operation.bytes);
  std::memcpy(copy, from, static_cast<std::size_t>(operation.bytes));
  memories.destination.write(operation.to, copy, operation.bytes);
}

/// Makes a record at `to` from the record or the pixel at address `from`.
void make_record(const WeightMove &operation, const Memory &source, std::int64_t from, std::byte *to) {
  const std::int64_t positions = std::int64_t{operation.rows} * operation.columns;
  const std::int64_t channels = std::min(operation.channels, operation.unmasked);
  const std::int64_t bits = channels * operation.element_bits;
  const std::int64_t first = std::int64_t{operation.first_channel} * operation.element_bits / 8;
  for (std::int64_t position = 0; position < positions; ++position, to += operation.position_bytes) {
    source.read(from + position * operation.source_position_bytes + first, to, (bits + 7) / 8);
    if (bits % 8 != 0) to[bits / 8] &= std::byte{0x0F};
    std::fill(to + (bits + 7) / 8, to + operation.position_bytes, std::byte{0});
  }
  if (operation.feature_map) {
    constexpr float kScale = 1;
    std::fill_n(to, kRecordParameterBytes, std::byte{0});
    std::memcpy(to, &kScale, sizeof kScale);
  } else {
    source.read(from + positions * operation.source_position_bytes, to, kRecordParameterBytes);
  }
}

}  // namespace

void move_weights(const WeightMove &operation, const Memories &memories) {
  if (operation.bytes <= 0) return;
  if (operation.whole) return move_run(operation, memories);
  // The verifier refuses a channel that begins in the middle of a byte. The reference handles operations that were not verified.
  if (operation.first_channel * operation.element_bits % 8 != 0) return reference::move_weights(operation, memories);
  const std::int64_t record_bytes = std::int64_t{operation.rows} * operation.columns * operation.position_bytes + kRecordParameterBytes;
  std::byte *records = scratch(ScratchUse::records, operation.kernels * record_bytes);
  for (std::int64_t k = 0; k < operation.kernels; ++k) {
    make_record(operation, memories.source, operation.from + k * operation.source_record_bytes, records + k * record_bytes);
  }
  memories.destination.write(operation.to, records, operation.kernels * record_bytes);
}

}  // namespace cox::model::arithmetic::fast
