// SPDX-License-Identifier: MIT
// Executes vector operations from standard input with the reference (vector_numpy.py has the order of the words). Fills each
// destination map with 0x55 first. After each operation, writes the map's bytes and the scalar registers to standard output.
#include <cstdio>
#include <cstring>

#include "case_words.h"

namespace cox::test {
namespace {

void run(Case &words) {
  constexpr std::int64_t kEach = std::int64_t{64} * 1024;
  Core core(static_cast<std::uint16_t>(4 * kEach / isa::tile::kBlockBytes));
  isa::tile::Vector op;
  op.function = words.name<isa::tile::VectorFunction>();
  op.source = words.map(0);
  op.source1 = words.map(kEach);
  op.destination = words.map(2 * kEach);
  op.channels = words.size();
  op.height = words.size();
  op.width = words.size();
  op.two_tensors = words.flag();
  op.dimensions = words.byte();
  op.dimensions1 = words.byte();
  op.kernel_height = words.size();
  op.kernel_width = words.size();
  op.stride_height = words.size();
  op.stride_width = words.size();
  op.first_row = words.integer();
  op.first_column = words.integer();
  op.dequantise = words.flag();
  op.dequantisation_rounding = words.byte();
  op.multiply_elements = words.flag();
  op.group = words.name<isa::tile::GroupMode>();
  op.compare = words.name<isa::tile::CompareMode>();
  op.reduced = words.byte();
  op.lanes = words.flag();
  op.result = static_cast<std::int8_t>(words.integer());
  op.table.segments = words.size();
  op.table.base = 3 * kEach;
  op.table.extrapolate = words.flag();
  for (unsigned axis = 0; axis < 2; ++axis) op.numerator[axis] = words.size();
  for (unsigned axis = 0; axis < 2; ++axis) op.denominator[axis] = words.size();
  for (unsigned axis = 0; axis < 2; ++axis) op.offset[axis] = words.integer();
  op.group1 = words.name<isa::tile::Group1Mode>();
  op.affine = words.flag();
  op.rounding = words.name<isa::tile::Float2Fixed>();
  op.apply_scale = words.flag();
  op.apply_zero_point = words.flag();
  op.subtract_zero_point = words.flag();
  op.shift = words.byte();
  op.source_scale = words.real();
  op.source_zero_point = words.real();
  op.source1_scale = words.real();
  op.source1_zero_point = words.real();
  op.table.low = words.real();
  op.table.per_unit = words.real();
  op.padding_value = words.real();
  op.scale = words.real();
  op.zero_point = words.real();
  op.multiplier = words.scalar();
  op.operand = words.scalar();
  op.operand1 = words.scalar();
  op.factor = words.scalar();
  op.summand = words.scalar();
  for (float &scalar : core.scalars) scalar = words.real();
  words.bytes(core.l2.data(), op.source.image_bytes);
  words.bytes(core.l2.data() + kEach, op.source1.image_bytes);
  if (op.table.segments > 0) words.bytes(core.l2.data() + 3 * kEach, (std::int64_t{op.table.segments} + 1) * 4);
  std::byte *destination = core.l2.data() + 2 * kEach;
  std::memset(destination, 0x55, static_cast<std::size_t>(op.destination.image_bytes));
  model::arithmetic::execute(op, core.memories(), model::arithmetic::Path::reference);
  std::fwrite(destination, 1, static_cast<std::size_t>(op.destination.image_bytes), stdout);
  std::fwrite(core.scalars.data(), sizeof(float), core.scalars.size(), stdout);
}

}  // namespace
}  // namespace cox::test

int main() {
  cox::test::Case words;
  while (words.read()) cox::test::run(words);
  return 0;
}
