// SPDX-License-Identifier: MIT
#include "tools/lower/weights/constants.h"

#include <algorithm>

#include "coxswain/isa/tile/layout.h"

namespace cox::lower {
namespace {

std::int64_t bytes_of_tables(const Network &network) { return static_cast<std::int64_t>(tables_of(network).size()) * kTableBytes; }

std::int64_t norm_bytes(const Network &network, const Layer &layer) {
  return layer.has_gamma() ? isa::tile::align_up(2 * norm_row_bytes(network, layer), kConstantAlignment) : 0;
}

}  // namespace

std::int64_t norm_row_bytes(const Network &network, const Layer &layer) {
  return isa::tile::padded_pixel(std::int64_t{network.output_of(layer).shape.channels} * static_cast<std::int64_t>(sizeof(float)));
}

std::int64_t constant_bytes(const Network &network) {
  std::int64_t bytes = bytes_of_tables(network);
  for (const Layer &layer : network.layers) bytes += norm_bytes(network, layer);
  return bytes;
}

std::int64_t table_offset(const Network &network, TableFunction function) {
  const std::vector<TableFunction> functions = tables_of(network);
  return (std::find(functions.begin(), functions.end(), function) - functions.begin()) * kTableBytes;
}

std::int64_t norm_offset(const Network &network, const Layer &layer) {
  std::int64_t offset = bytes_of_tables(network);
  for (const Layer &other : network.layers) {
    if (other.output == layer.output) break;
    offset += norm_bytes(network, other);
  }
  return offset;
}

}  // namespace cox::lower
