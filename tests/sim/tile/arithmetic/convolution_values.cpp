// SPDX-License-Identifier: MIT
// Executes convolutions from standard input with the reference (convolution_numpy.py has the order of the words). Fills each
// destination map with 0x55 first. After each operation, writes the map's bytes to standard output.
#include <cstdio>
#include <cstring>

#include "case_words.h"

namespace cox::test {
namespace {

constexpr std::int64_t kEach = std::int64_t{64} * 1024;

/// A map with the shape of `like`, with accumulators of `bits` bits as elements.
Map sums_map(const Map &like, std::uint32_t bits) {
  Map map = like;
  map.element_bits = bits;
  map.pixel_bytes = static_cast<std::uint32_t>((map.bytes_of(map.channels) + 7) / 8 * 8);
  map.row_bytes = std::int64_t{map.width} * map.pixel_bytes;
  map.image_bytes = map.row_bytes * map.height;
  return map;
}

void run(Case &words) {
  Core core(static_cast<std::uint16_t>(4 * kEach / isa::tile::kBlockBytes), kEach);
  isa::tile::Convolution op;
  op.source = words.map(0);
  op.destination = words.map(2 * kEach);
  op.weight_format.format = words.name<DataFmt>();
  op.batch = words.size();
  op.kernels = words.size();
  op.channels = words.size();
  op.height = words.size();
  op.width = words.size();
  op.groups = words.size();
  op.kernel_height = words.size();
  op.kernel_width = words.size();
  op.stride_height = words.size();
  op.stride_width = words.size();
  op.dilation_height = words.size();
  op.dilation_width = words.size();
  op.upsample_height = words.size();
  op.upsample_width = words.size();
  op.first_row = words.integer();
  op.first_column = words.integer();
  op.padding_value = words.real();
  op.accumulate = words.flag();
  op.store_accumulators = words.flag();
  op.dequantise = words.flag();
  op.clip = words.byte();
  op.dequantisation_scale = words.real();
  op.dequantisation_zero_point = words.real();
  op.activation = words.name<isa::tile::ActMode>();
  op.activation_parameter = words.real();
  op.table.segments = words.size();
  op.table.base = 3 * kEach;
  op.table.low = words.real();
  op.table.per_unit = words.real();
  op.table.extrapolate = words.flag();
  op.rounding = words.name<isa::tile::Float2Fixed>();
  op.scale = words.real();
  op.zero_point = words.real();
  op.position_bytes = words.size();
  op.record_bytes = op.kernel_height * op.kernel_width * op.position_bytes + 32;
  op.partial = sums_map(op.destination, op.is_wide() ? 64 : 32);
  op.partial.base = kEach;
  if (op.store_accumulators) op.destination = sums_map(op.destination, op.is_wide() ? 64 : 32);
  words.bytes(core.l2.data(), op.source.image_bytes * op.batch);
  words.bytes(core.wl0.data(), std::int64_t{op.record_bytes} * op.kernels);
  if (op.accumulate) words.bytes(core.l2.data() + kEach, op.partial.image_bytes * op.batch);
  if (op.table.segments > 0) words.bytes(core.l2.data() + 3 * kEach, (std::int64_t{op.table.segments} + 1) * 4);
  std::byte *destination = core.l2.data() + 2 * kEach;
  const auto bytes = static_cast<std::size_t>(op.destination.image_bytes * op.batch);
  std::memset(destination, 0x55, bytes);
  model::arithmetic::execute(op, core.memories(), model::arithmetic::Path::reference);
  std::fwrite(destination, 1, bytes, stdout);
}

}  // namespace
}  // namespace cox::test

int main() {
  cox::test::Case words;
  while (words.read()) cox::test::run(words);
  return 0;
}
