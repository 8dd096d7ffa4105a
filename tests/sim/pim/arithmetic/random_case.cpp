// SPDX-License-Identifier: MIT
#include "random_case.h"

#include <algorithm>

namespace cox::test {
namespace {

using isa::pim::Array;
using isa::pim::Compute;
using isa::pim::Output;
using isa::pim::Simd;
using isa::pim::SimdKind;
using isa::pim::SimdOpcode;
using isa::pim::Transfer;
using isa::pim::vector_bytes;

constexpr std::uint32_t kMemoryBytes = 64 * 1024, kMetaBytes = 256 * 1024;
enum Memory : unsigned { kData, kMasks, kTables, kMeta, kMemories };
enum Table : std::uint32_t { kInputTable, kGroupTable, kMetaTable, kMaskTable };

/// A random address in a memory with room for `bytes` bytes.
std::uint32_t address_in(Random &random, const TestCore &core, Memory memory, std::uint64_t bytes) {
  const isa::pim::Memory &in = core.configuration.memories[memory];
  return in.first + random.in(0, in.bytes - static_cast<std::uint32_t>(bytes));
}

/// A random address for a table. Tables lie apart.
std::uint32_t table_address(Random &random, const TestCore &core, Table table) {
  return core.configuration.memories[kTables].first + table * (kMemoryBytes / 8) + random.in(0, 100);
}

/// How `count` addresses advance so that all stay within `span` bytes of the first, before or behind it.
Compute::Advance random_advance(Random &random, TestCore &core, Table table, std::uint32_t count, std::uint32_t span) {
  Compute::Advance advance;
  advance.table = random.one_of(2);
  if (!advance.table) {
    const std::uint32_t step = random.in(0, span / count);
    advance.value = random.one_of(3) ? 0U - step : step;
    return advance;
  }
  advance.value = table_address(random, core, table);
  for (std::uint32_t i = 0; i < count; ++i) core.put(advance.value + 4 * i, random.in(0, 2 * span) - span);
  return advance;
}

std::uint32_t random_count(Random &random, std::uint32_t most) { return random.one_of(3) ? random.of({1U, most}) : random.in(1, most); }

void set_bit(TestCore &core, std::uint32_t mask, std::uint64_t bit, bool value) {
  std::byte &byte = *model::pim::bytes_at(core.memories, mask + static_cast<std::uint32_t>(bit / 8), 1);
  const auto one = static_cast<std::byte>(1U << (bit % 8));
  byte = value ? byte | one : byte & ~one;
}

/// Writes masks of which each macro's has at most as many bits as a macro has compartments. Masks of steps lie apart.
void put_masks(Random &random, TestCore &core, Compute &op) {
  const std::uint32_t bytes = static_cast<std::uint32_t>(op.mask_bytes());
  op.first.mask = address_in(random, core, kMasks, bytes * op.count);
  op.mask_advance = {false, bytes};
  const std::uint32_t likely = random.in(1, 6);
  for (std::uint32_t step = 0; step < op.count; ++step) {
    for (std::uint32_t member = 0; member < op.working_macros; ++member) {
      std::uint32_t room = core.configuration.array.compartments;
      for (std::uint32_t i = 0; i < op.inputs; ++i) {
        const bool set = room > 0 && !random.one_of(likely);
        if (set) --room;
        set_bit(core, op.first.mask + step * bytes, std::uint64_t{member} * op.inputs + i, set);
      }
    }
  }
  if (random.one_of(2)) return;
  op.mask_advance = {true, table_address(random, core, kMaskTable)};  // the same addresses from a table
  for (std::uint32_t step = 0; step < op.count; ++step) core.put(op.mask_advance.value + 4 * step, step * bytes);
}

SimdKind random_kind(Random &random) { return random.one_of(3) ? SimdKind::scalar : SimdKind::vector; }

/// Writes `count` numbers between `low` and `high`, one of three at a bound.
void put_numbers(Random &random, TestCore &core, std::uint32_t address, unsigned width, std::uint32_t count, std::int32_t low,
                 std::int32_t high) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto range = static_cast<std::uint32_t>(high - low);
    const std::uint32_t number = static_cast<std::uint32_t>(low) + (random.one_of(3) ? random.of({0U, range}) : random.in(0, range));
    for (unsigned bit = 0; bit < width; ++bit) set_bit(core, address, std::uint64_t{i} * width + bit, (number >> bit & 1) != 0);
  }
}

void put_block(Random &random, TestCore &core, std::uint32_t address, std::uint32_t count, std::initializer_list<std::uint32_t> shifts) {
  for (std::uint32_t i = 0; i < count; ++i) core.put(address + 4 * i, random.one_of(3) ? random.in(0, 255) - 128 : random.word());
  for (const std::uint32_t i : shifts) core.put(address + 4 * i, static_cast<std::int32_t>(random.in(0, 62)) - 31);
}

}  // namespace

Configuration random_configuration(Random &random) {
  Configuration configuration;
  configuration.memories_count = kMemories;
  for (unsigned i = 0; i < kMemories; ++i) {
    configuration.memories[i].first = 0x100000 * (i + 1) + random.in(0, 1000);
    configuration.memories[i].bytes = i == kMeta ? kMetaBytes : kMemoryBytes;
  }
  Array &array = configuration.array;
  const bool usual = !random.one_of(3);
  const std::uint32_t size = random.of({1U, 2U, 3U, 4U, 8U});
  array.group_sizes_count = 2;
  array.group_sizes = {size, random.one_of(2) ? 2 * size : 1};
  array.macros = 2 * size * random.in(1, 3);
  array.compartments = usual ? 32 : random.in(1, 64);
  array.elements = usual ? 8 : random.in(1, 16);
  array.rows = random.in(1, 20);
  array.order = random.one_of(2) ? isa::pim::ArrayOrder::between_groups : isa::pim::ArrayOrder::inside_group;
  return configuration;
}

Compute random_compute(Random &random, TestCore &core) {
  const Array &array = core.configuration.array;
  core.fill(random);
  Compute op;
  op.value_sparse = random.one_of(3);
  op.bit_sparse = random.one_of(3);
  op.input_width = random.one_of(2) ? 8 : random.width();
  op.weight_width = op.bit_sparse ? 1 : random.one_of(2) ? 8 : random.width();
  if (op.weight_width > array.line_bits()) op.weight_width = 8;
  op.inputs = random_count(random, op.value_sparse ? 100 : array.compartments);
  op.columns = array.line_bits() / op.weight_width;
  op.group_macros = array.macros;
  if (!random.one_of(4)) {
    op.group_macros = array.group_sizes[random.in(0, 1)];
    op.groups = random_count(random, array.macros / op.group_macros);
  }
  op.group_columns = random_count(random, op.columns * op.group_macros);
  op.working_macros = (op.group_columns + op.columns - 1) / op.columns;
  op.count = random.one_of(2) ? 1 : random_count(random, array.rows);
  op.batched = op.count > 1;
  op.first.row = random.in(0, array.rows - op.count);

  // Steps and groups move inputs by a quarter of the memory at most, from its middle.
  op.first.input = core.configuration.memories[kData].first + kMemoryBytes / 2 + random.in(0, 100);
  if (op.count > 1) op.input_advance = random_advance(random, core, kInputTable, op.count, kMemoryBytes / 8);
  if (op.groups > 1) op.group_advance = random_advance(random, core, kGroupTable, op.groups, kMemoryBytes / 8);
  if (op.bit_sparse) {
    op.first.meta = core.configuration.memories[kMeta].first + kMemoryBytes / 4 + random.in(0, 100);
    if (op.count > 1) op.meta_advance = random_advance(random, core, kMetaTable, op.count, kMemoryBytes / 8);
  }
  if (op.value_sparse) put_masks(random, core, op);
  return op;
}

Output random_output(Random &random, TestCore &core) {
  const Array &array = core.configuration.array;
  core.fill(random);
  core.memories.registers_used = random.in(0, static_cast<std::uint32_t>(core.registers.size()));
  for (std::uint32_t i = 0; i < core.registers.size(); ++i) core.registers[i] = i < core.memories.registers_used ? random.word() : 0;
  Output op;
  op.width = random.width();
  op.columns = array.line_bits() / random.of({1U, 2U, 4U, 8U});
  op.columns = std::max(op.columns, 1U);
  op.group_macros = array.macros;
  if (random.one_of(2)) {
    op.group_macros = array.group_sizes[random.in(0, 1)];
    op.groups = random_count(random, array.macros / op.group_macros);
  }
  op.group_columns = random_count(random, op.columns * op.group_macros);
  op.outsum = random.one_of(2);
  op.outsum_move = random.one_of(2);
  if (op.outsum || op.outsum_move) op.sums = random_count(random, op.outsum_move ? op.group_columns / 2 : op.group_columns);
  if (op.outsum_move && op.group_columns < 2) op.sums = 0;
  op.stored = op.outsum_move ? op.sums : op.group_columns;
  op.group_bytes = vector_bytes(op.stored, op.width);
  op.output = address_in(random, core, kData, op.group_bytes * op.groups);
  op.mask = address_in(random, core, random.one_of(2) ? kData : kMasks, vector_bytes(op.sums, 1));
  if (op.outsum && op.sums > 0) set_bit(core, op.mask, op.sums - 1, false);
  return op;
}

Transfer random_transfer(Random &random, TestCore &core) {
  core.fill(random);
  Transfer op;
  op.width = random.width();
  op.results = random.one_of(8) ? 0 : random_count(random, 3000);
  op.source = address_in(random, core, kData, vector_bytes(op.results, op.width));
  op.mask = address_in(random, core, random.one_of(2) ? kData : kMasks, vector_bytes(op.results, 1));
  if (random.one_of(2)) put_numbers(random, core, op.mask, 1, op.results, -1, random.of({-1, 0}));
  for (std::uint32_t i = 0; i < op.results; ++i) {
    op.valid += std::to_integer<std::uint32_t>(core.get<std::byte>(op.mask + i / 8)) >> (i % 8) & 1;
  }
  op.destination = address_in(random, core, random.one_of(3) ? kTables : kData, vector_bytes(op.valid, op.width));
  return op;
}

Simd random_simd(Random &random, TestCore &core) {
  core.fill(random);
  const isa::pim::SimdForm &form = isa::pim::kDefaultSimdForms[random.in(0, isa::pim::kSimdForms - 1)];
  Simd op;
  op.opcode = static_cast<SimdOpcode>(form.opcode);
  op.inputs = form.inputs;
  op.output_width = random.width();
  op.length = random.one_of(8) ? 0 : random_count(random, 2000);
  op.output = address_in(random, core, kData, vector_bytes(op.length, op.output_width));
  for (unsigned i = 0; i < op.inputs; ++i) {
    op.kinds[i] = form.kinds[i] == SimdKind::block ? SimdKind::block : random_kind(random);
    const bool resadd = op.opcode == SimdOpcode::quantify_resadd;
    op.input_width[i] = resadd ? random.of<std::uint8_t>({1, 2, 4, 8, 16}) : random.width();
    op.input[i] = address_in(random, core, i < 2 ? kData : kTables, 4 * op.length + 64);
    if (i == 0 && random.one_of(3) && op.output_width == op.input_width[0]) op.input[0] = op.output;
  }
  // Numbers with bounds lie in memories of their own.
  const auto count_of = [&op](unsigned i) { return op.kinds[i] == SimdKind::vector ? op.length : 1; };
  if (op.opcode == SimdOpcode::quantify && op.inputs > 2) {
    const std::int32_t bound = op.input_width[2] < 8 ? 1 << (op.input_width[2] - 1) : 32;
    put_numbers(random, core, op.input[2], op.input_width[2], count_of(2), op.input_width[2] < 8 ? -bound : -31, bound - 1);
  }
  if (op.opcode == SimdOpcode::quantify_resadd) put_block(random, core, op.input[2], 9, {2, 5, 7});
  if (op.opcode == SimdOpcode::quantify_multiply) put_block(random, core, op.input[2], 5, {3});
  if (op.opcode == SimdOpcode::average) {
    op.input_width[1] = std::max<std::uint8_t>(op.input_width[1], 2);
    op.input[1] = address_in(random, core, kMasks, 4 * op.length + 64);
    const auto most = static_cast<std::int32_t>((std::int64_t{1} << (op.input_width[1] - 1)) - 1);
    put_numbers(random, core, op.input[1], op.input_width[1], count_of(1), 1, random.one_of(2) ? most : std::min(most, 9));
  }
  return op;
}

}  // namespace cox::test
