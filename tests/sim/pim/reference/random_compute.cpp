// SPDX-License-Identifier: MIT
#include <algorithm>

#include "tests/sim/pim/reference/actions.h"
#include "tests/sim/pim/reference/memory.h"

namespace cox::model::pim::oracle {
namespace {

/// Addresses first + offset of each step, whose offset is i·step or in a table.
struct Walk {
  bool table = false;
  std::uint32_t value = 0;  // step, or address of the table
  std::int64_t least = 0, most = 0;
};

Walk random_walk(Writer &writer, std::uint64_t steps) {
  Random &random = writer.random();
  Walk walk;
  if (steps <= 8 && steps >= 1 && random.one_in(2)) {
    walk.table = true;
    std::vector<std::int64_t> offsets;
    for (std::uint64_t i = 0; i < steps; ++i) offsets.push_back(random.between(-20, 20));
    walk.least = *std::ranges::min_element(offsets), walk.most = *std::ranges::max_element(offsets);
    walk.value = writer.address(4 * steps);
    if (!writer.wrong()) writer.poke(walk.value, packed(offsets, 32));
  } else {
    const std::int64_t step = random.between(-6, 12), last = steps == 0 ? 0 : step * static_cast<std::int64_t>(steps - 1);
    walk.value = static_cast<std::uint32_t>(step);
    walk.least = std::min<std::int64_t>(0, last), walk.most = std::max<std::int64_t>(0, last);
  }
  return walk;
}

struct Compute {
  words::Sparsity flags;
  std::uint32_t input_width, weight_width, group_size, groups, working, length, row, computes;
  bool batch;
};

Compute random_settings(Writer &writer) {
  Random &random = writer.random();
  const isa::pim::Array &array = writer.configuration().array;
  Compute c{};
  c.flags = {.value = random.one_in(2), .bits = random.one_in(3), .group = random.one_in(2), .table = random.one_in(2)};
  const std::uint32_t line_bits = array.line_bits();
  c.input_width = writer.width();
  c.weight_width = c.flags.bits && !writer.wrong() ? 1 : writer.width(line_bits);
  const std::uint32_t columns = std::max<std::uint32_t>(1, c.weight_width == 0 ? 0 : line_bits / c.weight_width);
  const std::uint32_t size = array.group_sizes[random.below(array.group_sizes_count)];
  c.group_size = writer.wrong() ? size + 1 : size;
  const std::uint32_t all = array.macros / size;
  c.groups = c.flags.group ? static_cast<std::uint32_t>(random.up_to(random.one_in(10) ? 0 : 1, all)) : random.word() % 20;
  if (c.flags.group && writer.wrong()) c.groups = all + 1;
  const std::uint32_t most = columns * (c.flags.group ? size : array.macros);
  c.working = static_cast<std::uint32_t>(random.up_to(1, random.one_in(2) ? std::min(most, 3 * columns) : most));
  if (writer.wrong()) c.working = random.one_in(2) ? 0 : most + 1;
  c.length = static_cast<std::uint32_t>(random.up_to(0, c.flags.value ? array.compartments * 3 / 2 + 1 : array.compartments));
  c.batch = random.one_in(2);
  c.computes = c.batch ? static_cast<std::uint32_t>(random.up_to(1, std::min<std::uint32_t>(array.rows, 5))) : 1;
  c.row = static_cast<std::uint32_t>(random.up_to(0, array.rows - c.computes));
  if (writer.wrong()) ++(random.one_in(2) ? c.row : c.computes);
  if (writer.wrong()) c.length = array.compartments + 1;
  return c;
}

/// The first address of a walk over `bytes` bytes.
std::uint32_t walk_start(Writer &writer, std::uint64_t bytes, std::int64_t least, std::int64_t most) {
  return writer.address(bytes + static_cast<std::uint64_t>(most - least)) - static_cast<std::uint32_t>(least);
}

void output_of(Writer &writer, std::uint32_t working, std::uint32_t groups);

}  // namespace

void write_compute(Writer &writer) {
  Random &random = writer.random();
  const isa::pim::Array &array = writer.configuration().array;
  Compute c = random_settings(writer);
  const std::uint64_t columns = std::max<std::uint64_t>(1, c.weight_width == 0 ? 0 : array.line_bits() / c.weight_width);
  std::uint64_t macros = (c.working + columns - 1) / columns;
  const std::uint64_t meta_macro = bytes_of(std::uint64_t{array.compartments} * array.line_bits(), 3);
  if (c.flags.bits && meta_macro + 100 > writer.room()) c.flags.bits = false;
  if (c.flags.bits && macros * meta_macro + 100 > writer.room()) {
    macros = 1;
    c.working = static_cast<std::uint32_t>(columns);
  }
  const std::uint64_t meta_bytes = macros * meta_macro;
  const std::uint64_t mask_bytes = bytes_of(macros * c.length, 1);
  if (c.flags.value && mask_bytes + 100 > writer.room()) c.flags.value = false;

  // Tables come first, because their words are written; then what may overlap nothing.
  const Walk input = random_walk(writer, c.computes);
  const Walk group = c.flags.group ? random_walk(writer, c.groups) : Walk{};
  const Walk meta = c.flags.bits ? random_walk(writer, c.computes) : Walk{};
  const Walk mask = c.flags.value ? random_walk(writer, c.computes) : Walk{};
  c.flags.table = group.table || (!c.flags.group && c.flags.table);
  const auto used = [&](const Walk &walk) { return c.batch ? walk : Walk{}; };
  const std::uint32_t first_input =
      walk_start(writer, bytes_of(c.length, c.input_width % 64), used(input).least + group.least, used(input).most + group.most);
  if (c.flags.bits || random.one_in(3))
    writer.special(8, walk_start(writer, c.flags.bits ? meta_bytes : 0, used(meta).least, used(meta).most));
  if (c.flags.value || random.one_in(3)) {
    const std::uint32_t address = walk_start(writer, mask_bytes, used(mask).least, used(mask).most);
    if (mask_bytes <= 16 && random.one_in(2)) {
      Bytes bytes;
      for (std::uint64_t i = 0; i < mask_bytes / 4 * 4; ++i) bytes.push_back(static_cast<std::uint8_t>(random.byte() & random.byte()));
      writer.poke(address, bytes);
    }
    writer.special(7, address);
  }
  writer.special(0, c.input_width);
  writer.special(2, c.weight_width);
  writer.special(5, c.working);
  if (c.flags.group || random.one_in(2)) {
    writer.special(3, c.group_size);
    writer.special(4, c.groups);
    writer.special(6, group.value);
  }
  const unsigned rs1 = writer.value(first_input), rs2 = writer.value(writer.count(c.length)), rs3 = writer.value(c.row);
  if (c.batch) {
    const unsigned n = writer.value(writer.count(c.computes)), inputs = writer.value(input.value), metas = writer.value(meta.value),
                   masks = writer.value(mask.value);
    if (random.one_in(8)) writer.emit(words::jmp(2));  // past the pim-batch
    if (!writer.wrong()) writer.emit(words::batch(n, inputs, metas, masks, {.mask = mask.table, .meta = meta.table, .input = input.table}));
  }
  if (!writer.wrong() || !c.batch) writer.emit(words::compute(rs1, rs2, rs3, c.flags));
  if (!random.one_in(3)) output_of(writer, c.working, c.flags.group ? c.groups : 1);
}

namespace {

/// The pim-output of computes with the special registers as they are but the number of groups and the result's width.
void output_of(Writer &writer, std::uint32_t working, std::uint32_t groups) {
  Random &random = writer.random();
  bool outsum = random.one_in(3), move = random.one_in(3);
  std::uint32_t sums = static_cast<std::uint32_t>(random.up_to(0, std::min<std::uint32_t>(move ? working / 2 : working, 60)));
  std::uint32_t mask = 0;
  if (outsum) {
    Bytes bytes((sums + 31) / 32 * 4);
    for (std::uint32_t i = 0; i + 1 < sums; ++i) {
      if (random.one_in(2)) bytes[i / 8] = static_cast<std::uint8_t>(bytes[i / 8] | 1U << i % 8);
    }
    mask = writer.address(bytes.size());
    if (!writer.wrong()) writer.poke(mask, bytes);
  }
  if (writer.wrong()) sums = random.one_in(2) ? working + 1 : working / 2 + 1;
  const std::uint64_t stored = move ? sums : working;
  std::uint32_t width = writer.width();
  while (width > 1 && width <= 32 && bytes_of(stored, width) * groups > writer.room()) width /= 2;
  writer.special(1, width);
  writer.special(4, groups);
  const unsigned rs1 = writer.value(sums), rs2 = writer.value(mask),
                 rd = writer.value(writer.address(bytes_of(stored, width % 64) * groups));
  writer.emit(words::output(rs1, rs2, rd, outsum, move));
}

}  // namespace

void write_output(Writer &writer) {
  Random &random = writer.random();
  const isa::pim::Array &array = writer.configuration().array;
  const std::uint32_t weight_width = writer.width(array.line_bits()), size = array.group_sizes[random.below(array.group_sizes_count)];
  const std::uint32_t columns = std::max<std::uint32_t>(1, weight_width == 0 ? 0 : array.line_bits() / weight_width);
  const auto groups = static_cast<std::uint32_t>(random.up_to(random.one_in(10) ? 0 : 1, array.macros / size));
  const std::uint32_t most = columns * (groups == 1 ? array.macros : size);
  std::uint32_t working = static_cast<std::uint32_t>(random.up_to(1, std::min<std::uint32_t>(most, 200)));
  if (writer.wrong()) working = most + 1;
  writer.special(2, weight_width);
  writer.special(3, writer.wrong() ? size + 1 : size);
  writer.special(5, working);
  output_of(writer, working, writer.wrong() ? array.macros / size + 1 : groups);
}

void write_transfer(Writer &writer) {
  Random &random = writer.random();
  const std::uint32_t width = writer.width(), results = static_cast<std::uint32_t>(random.up_to(0, random.one_in(6) ? 1400 : 70));
  writer.special(1, width);
  const std::uint64_t bytes = bytes_of(results, width % 64);
  if (bytes > writer.room()) return;
  const unsigned rs1 = writer.value(writer.address(bytes)), rs2 = writer.value(writer.count(results));
  const unsigned rs3 = writer.value(writer.address(bytes_of(results, 1))), rd = writer.value(writer.address(bytes));
  writer.emit(words::transfer(rs1, rs2, rs3, rd));
}

}  // namespace cox::model::pim::oracle
