// SPDX-License-Identifier: MIT
#include <bit>

#include "sim/model/tile/arithmetic/element.h"
#include "sim/model/tile/arithmetic/layout.h"
#include "sim/model/tile/arithmetic/reference.h"
#include "sim/model/tile/arithmetic/writes.h"

namespace cox::model::arithmetic::reference {
namespace {

using isa::tile::kRecordParameterBytes;
using isa::tile::WeightMove;

/// Byte `byte` of a record's parameters.
std::uint8_t parameter(const WeightMove &operation, const Memory &source, std::int64_t record, std::int64_t byte) {
  if (operation.feature_map) {  // the scale is 1 in FP32, and all other parameters are 0
    return byte < 4 ? static_cast<std::uint8_t>(std::bit_cast<std::uint32_t>(1.0f) >> (8 * byte)) : std::uint8_t{0};
  }
  const std::int64_t positions = std::int64_t{operation.rows} * operation.columns;
  std::uint8_t value = 0;
  source.read(record + positions * operation.source_position_bytes + byte, &value, 1);
  return value;
}

}  // namespace

void move_weights(const WeightMove &operation, const Memories &memories) {
  Writes writes;
  if (operation.whole) {
    for (std::int64_t byte = 0; byte < operation.bytes; ++byte) {
      writes.put((operation.to + byte) * 8, 8, read_element(memories.source, (operation.from + byte) * 8, 8));
    }
    return writes.commit(memories.destination);
  }
  const unsigned bits = operation.element_bits;
  const std::int64_t positions = std::int64_t{operation.rows} * operation.columns;
  const std::int64_t held = std::int64_t{operation.position_bytes} * 8 / bits;  // number of channels in a position, including its padding
  const std::int64_t record_bytes = positions * operation.position_bytes + kRecordParameterBytes;
  for (std::uint32_t k = 0; k < operation.kernels; ++k) {
    const std::int64_t from = operation.from + std::int64_t{k} * operation.source_record_bytes;
    const std::int64_t to = operation.to + k * record_bytes;
    for (std::int64_t position = 0; position < positions; ++position) {
      const std::int64_t first = (from + position * operation.source_position_bytes) * 8 + std::int64_t{operation.first_channel} * bits;
      for (std::int64_t c = 0; c < held; ++c) {
        const bool taken = c < operation.channels && c < operation.unmasked;
        const std::uint32_t element = taken ? read_element(memories.source, first + c * bits, bits) : 0;
        writes.put((to + position * operation.position_bytes) * 8 + c * bits, bits, element);
      }
    }
    for (std::int64_t byte = 0; byte < kRecordParameterBytes; ++byte) {
      writes.put((to + positions * operation.position_bytes + byte) * 8, 8, parameter(operation, memories.source, from, byte));
    }
  }
  writes.commit(memories.destination);
}

}  // namespace cox::model::arithmetic::reference
