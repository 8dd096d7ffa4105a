// SPDX-License-Identifier: MIT
#include "sim/model/pim/machine/work.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace cox::model::pim {

using isa::pim::Access;
using isa::pim::Configuration;
using isa::pim::LocalMemory;
using isa::pim::Memory;
using isa::pim::MemoryType;
using isa::pim::Place;
using isa::pim::Reach;
using isa::pim::vector_bytes;

namespace {

constexpr std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

/// Cycles to read bytes of a local memory. Buffers of registers give them at once.
Cycle read_cycles(const Configuration &configuration, Place place, std::uint64_t bytes) {
  if (!place.is_local()) return 0;
  const Memory &memory = configuration.memories[place.space];
  return memory.type == MemoryType::sram ? divide_up(bytes, memory.read_width) : 0;
}

/// Number of ones among bits `first` to `end` - 1.
std::uint64_t count_ones(const std::vector<std::byte> &bytes, std::uint64_t first, std::uint64_t end) {
  std::uint64_t ones = 0;
  for (std::uint64_t byte = first / 8; byte * 8 < end; ++byte) {
    unsigned bits = std::to_integer<unsigned>(bytes[byte]);
    if (byte * 8 < first) bits &= 0xFFU << (first - byte * 8);
    if (byte * 8 + 8 > end) bits &= 0xFFU >> (byte * 8 + 8 - end);
    ones += static_cast<unsigned>(std::popcount(bits));
  }
  return ones;
}

class Estimate {
 public:
  Estimate(const Configuration &configuration, const Timing &timing, const LocalMemory &memory)
      : configuration_(configuration), timing_(timing), memory_(memory) {}

  Work operator()(const isa::pim::Compute &compute);
  Work operator()(const isa::pim::Output &output);
  Work operator()(const isa::pim::Transfer &transfer);
  Work operator()(const isa::pim::Simd &simd);
  Work operator()(const isa::pim::LoadStore &access);
  Work operator()(const isa::pim::Trans &trans);
  // The network uses cycles of the memories that are free, so a message does not hold them. Its bytes count when they land.
  Work operator()(const isa::pim::Message & /*message*/) { return draining(); }
  Work operator()(const isa::pim::Wait & /*wait*/) { return of(Unit::message); }
  Work operator()(const isa::pim::Barrier & /*barrier*/) { return draining(); }
  Work operator()(const isa::pim::SetGeneral & /*set*/) { return work_; }
  Work operator()(const isa::pim::SetSpecial & /*set*/) { return work_; }
  Work operator()(const isa::pim::Jump & /*jump*/) { return work_; }

 private:
  Work of(Unit unit) {
    work_.unit = unit;
    return work_;
  }
  Work draining() {
    work_.drains = true;
    return of(Unit::message);
  }
  void use(bool write, Place place, std::uint64_t bytes) {
    if (place.is_dram()) (write ? work_.dram_written : work_.dram_read) += bytes;
    const MemorySet bit = memory_bit(place);
    if (bit == 0 || bytes == 0) return;
    (write ? work_.writes : work_.reads) |= bit;
    (write ? work_.written : work_.read)[static_cast<unsigned>(std::countr_zero(bit))] += bytes;
  }
  void use_all(const isa::pim::Operation &operation) {
    isa::pim::for_each_access(operation, configuration_, memory_,
                              [&](const Access &access) { use(access.write, access.place, access.bytes); });
  }
  /// Cycles to write all that the operation writes to local memories.
  [[nodiscard]] Cycle write_cycles() const {
    Cycle cycles = 0;
    for (unsigned i = 0; i < configuration_.memories_count; ++i)
      cycles += divide_up(work_.written[i], configuration_.memories[i].write_width);
    return cycles;
  }
  [[nodiscard]] Place find(Reach reach, std::uint32_t address, std::uint64_t bytes) const {
    return isa::pim::place(configuration_, reach, address, bytes);
  }
  [[nodiscard]] std::uint64_t selected_columns(const isa::pim::Compute &compute) const;
  Cycle read_tables(const isa::pim::Compute &compute);
  Cycle read_series(const isa::pim::Compute &compute, std::uint32_t first, const isa::pim::Compute::Advance &advance,
                    const isa::pim::Compute::Advance *groups, std::uint64_t bytes, bool &found);

  const Configuration &configuration_;
  const Timing &timing_;
  const LocalMemory &memory_;
  Work work_;
};

// pim-compute.

/// Cycles to read the tables of a batch and of the groups.
Cycle Estimate::read_tables(const isa::pim::Compute &compute) {
  Cycle cycles = 0;
  const auto read = [&](const isa::pim::Compute::Advance &advance, bool used, std::uint64_t entries) {
    if (!advance.table || !used) return;
    const Place place = find(Reach::local, advance.value, entries * 4);
    use(false, place, entries * 4);
    cycles += read_cycles(configuration_, place, entries * 4);
  };
  read(compute.input_advance, compute.batched, compute.count);
  read(compute.mask_advance, compute.batched && compute.value_sparse, compute.count);
  read(compute.meta_advance, compute.batched && compute.bit_sparse, compute.count);
  read(compute.group_advance, true, compute.groups);
  return cycles;
}

/// Reads ranges of `bytes` in all steps, and in all groups if `groups` is given. Returns the cycles of a step. Clears `found` unless one
/// memory has everything between the lowest and the highest range.
Cycle Estimate::read_series(const isa::pim::Compute &compute, std::uint32_t first, const isa::pim::Compute::Advance &advance,
                            const isa::pim::Compute::Advance *groups, std::uint64_t bytes, bool &found) {
  if (bytes == 0 || !found) return 0;
  std::int64_t low = first, high = first;
  const auto spread = [&](const isa::pim::Compute::Advance &series, std::uint32_t count) {
    const std::int64_t way = std::int64_t{static_cast<std::int32_t>(series.value)} * (count - 1);
    (way < 0 ? low : high) += way;
    found = found && !series.table;
  };
  if (compute.count > 1) spread(advance, compute.count);
  if (groups != nullptr && compute.groups > 1) spread(*groups, compute.groups);
  if (low < 0 || high > std::int64_t{UINT32_MAX}) found = false;
  if (!found) return 0;
  const Place place = find(Reach::local, static_cast<std::uint32_t>(low), static_cast<std::uint64_t>(high - low) + bytes);
  found = place.found();
  if (!found) return 0;
  const std::uint64_t ranges = groups != nullptr ? compute.groups : 1;
  use(false, place, bytes * ranges * compute.count);
  return ranges * read_cycles(configuration_, place, bytes);
}

/// Sum over the columns of a group of the inputs that each of them meets, in all steps.
std::uint64_t Estimate::selected_columns(const isa::pim::Compute &compute) const {
  if (!compute.value_sparse) return std::uint64_t{compute.inputs} * compute.group_columns * compute.count;
  const std::uint64_t unused = std::uint64_t{compute.columns} * compute.working_macros - compute.group_columns;
  const std::uint64_t bits = std::uint64_t{compute.inputs} * compute.working_macros, last = bits - compute.inputs;
  std::vector<std::byte> mask(compute.mask_bytes());
  std::uint64_t selected = 0;
  for (std::uint32_t i = 0; i < compute.count; ++i) {
    const std::uint32_t address = isa::pim::step(compute, configuration_, memory_, i).mask;
    memory_.read(find(Reach::local, address, mask.size()), mask);
    selected += compute.columns * count_ones(mask, 0, bits) - unused * count_ones(mask, last, bits);
  }
  return selected;
}

Work Estimate::operator()(const isa::pim::Compute &compute) {
  work_.unit = Unit::compute;
  if (compute.touches_nothing()) return work_;
  work_.cycles = read_tables(compute);
  const Work tables = work_;
  bool found = true;
  work_.step_reads = read_series(compute, compute.first.mask, compute.mask_advance, nullptr, compute.mask_bytes(), found);
  work_.step_reads +=
      read_series(compute, compute.first.meta, compute.meta_advance, nullptr, compute.meta_bytes(configuration_.array), found);
  work_.step_reads +=
      read_series(compute, compute.first.input, compute.input_advance, &compute.group_advance, compute.input_bytes(), found);
  if (!found) {
    // The ranges come from tables, or may lie in several memories. Each is looked at; a step takes the mean of all.
    work_ = tables;
    work_.reads = 0;
    work_.read = {};
    Cycle cycles = 0;
    isa::pim::for_each_access(isa::pim::Operation(compute), configuration_, memory_, [&](const Access &access) {
      use(access.write, access.place, access.bytes);
      cycles += read_cycles(configuration_, access.place, access.bytes);
    });
    work_.step_reads = divide_up(cycles - std::min(cycles, work_.cycles), compute.count);
  }
  work_.reads |= MemorySet{1} << kArrayBit;
  work_.steps = compute.count;
  work_.step_cycles = compute.input_width;
  work_.pipeline = (compute.bit_sparse ? timing_.bit_sparse_pipeline : timing_.compute_pipeline) +
                   (compute.value_sparse ? Cycle{timing_.value_sparse_group_pipeline} * compute.groups : 0);
  work_.macs = selected_columns(compute) * compute.groups;
  work_.mac_bits = work_.macs * compute.input_width * compute.weight_width;
  return work_;
}

// The other instructions.

Work Estimate::operator()(const isa::pim::Output &output) {
  use_all(output);
  const Cycle mask = output.outsum ? read_cycles(configuration_, find(Reach::local, output.mask, vector_bytes(output.sums, 1)),
                                                 vector_bytes(output.sums, 1))
                                   : 0;
  work_.cycles = 1 + mask + write_cycles();
  work_.elements = std::uint64_t{output.groups} * output.stored;
  return of(Unit::output);
}

Work Estimate::operator()(const isa::pim::Transfer &transfer) {
  use_all(transfer);
  const std::uint64_t mask = vector_bytes(transfer.results, 1);
  work_.cycles = read_cycles(configuration_, find(Reach::local, transfer.mask, mask), mask) + Cycle{2} * transfer.valid + write_cycles();
  work_.cycles = std::max<Cycle>(work_.cycles, 1);
  work_.elements = transfer.valid;
  return of(Unit::transfer);
}

Work Estimate::operator()(const isa::pim::Simd &simd) {
  use_all(simd);
  work_.elements = simd.length;
  if (simd.length == 0) return of(Unit::simd);
  const std::uint64_t lanes = timing_.simd_lanes;
  const Place output = find(Reach::local, simd.output, vector_bytes(simd.length, simd.output_width));
  Cycle once = 0, reads = 0;
  bool shared = false;
  for (unsigned i = 0; i < simd.inputs; ++i) {
    const bool is_vector = simd.kinds[i] == isa::pim::SimdKind::vector;
    const Place input = find(Reach::local, simd.input[i], is_vector ? vector_bytes(simd.length, simd.input_width[i]) : 1);
    // A block of 32-bit numbers is shorter than a line of any sensible memory, so it counts as one number.
    const std::uint64_t bytes = is_vector ? vector_bytes(lanes, simd.input_width[i]) : 1;
    (is_vector ? reads : once) += read_cycles(configuration_, input, bytes);
    shared = shared || (is_vector && input.space == output.space);
  }
  const Cycle writes = divide_up(vector_bytes(lanes, simd.output_width), configuration_.memories[output.space].write_width);
  reads = std::max<Cycle>(reads, 1);
  const Cycle blocks = divide_up(simd.length, lanes);
  work_.cycles = once + (shared ? blocks * (reads + 1 + writes) : blocks * std::max(reads, writes) + 2);
  return of(Unit::simd);
}

Work Estimate::operator()(const isa::pim::LoadStore &access) {
  use_all(access);
  if (access.global) work_.cycles = 0;
  return work_;
}

Work Estimate::operator()(const isa::pim::Trans &trans) {
  work_.unit = Unit::trans;
  if (trans.bytes == 0) return work_;
  const Place source = find(Reach::all, trans.source, trans.bytes), destination = find(Reach::all, trans.destination, trans.bytes);
  use(false, source, trans.bytes);
  use(true, destination, trans.bytes);
  std::uint64_t width = UINT64_MAX;
  if (source.is_local()) width = configuration_.memories[source.space].read_width;
  if (destination.is_local()) width = std::min<std::uint64_t>(width, configuration_.memories[destination.space].write_width);
  if (source.is_dram() || destination.is_dram()) {
    work_.cycles = 0;  // latency and bus are the scoreboard's
    return work_;
  }
  if (source.is_array() || destination.is_array()) {
    width = std::min<std::uint64_t>(width, timing_.array_bytes_per_cycle);
    work_.cycles = timing_.array_latency + divide_up(trans.bytes, width) * (source.space == destination.space ? 2 : 1);
    return work_;
  }
  const Cycle lines = divide_up(trans.bytes, width);
  work_.cycles = source.space == destination.space ? 2 * lines : lines + 1;
  return work_;
}

}  // namespace

Work work_of(const isa::pim::Operation &operation, const Configuration &configuration, const Timing &timing, const LocalMemory &memory) {
  return std::visit(Estimate(configuration, timing, memory), operation);
}

}  // namespace cox::model::pim
