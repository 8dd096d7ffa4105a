// SPDX-License-Identifier: MIT
#include "firmware/verify/verifier.h"

#include <algorithm>

#include "firmware/verify/cut_order.h"
#include "firmware/verify/token_balance.h"
#include "isa/tile/configuration.h"
#include "isa/tile/core_tokens.h"
#include "isa/tile/operation.h"
#include "isa/tile/table.h"

namespace cox::firmware::verify {

using isa::tile::Access;
using isa::tile::Configuration;
using isa::tile::kRegions;
using isa::tile::Opcode;
using isa::tile::Region;
using isa::tile::Space;

namespace {

// Arguments of Pause::after(): estimated control-core instructions for each kind of work on one instruction of the task.
constexpr std::int32_t kGlanceCost = 20;   // reading an instruction's header
constexpr std::int32_t kCheckCost = 2500;  // check_instruction()

/// The bytes of a window from the lowest to the highest that the task reads (or writes). `end` is the offset behind the last byte.
struct Extent {
  std::int64_t first = 0, end = 0;

  [[nodiscard]] bool empty() const { return first == end; }
  [[nodiscard]] bool overlaps(const Extent &other) const { return !empty() && !other.empty() && first < other.end && other.first < end; }
  void include(std::int64_t from, std::int64_t to) {
    *this = empty() ? Extent{from, to} : Extent{std::min(first, from), std::max(end, to)};
  }
};

/// The needs of the task, and the bytes that it reads and writes in each window, as far as its instructions were checked.
struct Touched {
  TaskNeeds needs;
  std::array<Extent, kWindows> read{}, written{};
};

Status check_frame(std::span<const MachineCode> instructions, Pause &pause) {
  if (instructions.size() > kMaximumInstructions) {
    return {ErrorCode::too_many_instructions, "instructions", -1, static_cast<std::int64_t>(instructions.size()), kMaximumInstructions};
  }
  if (instructions.empty() || isa::tile::opcode_of(instructions.front()) != Opcode::ct_st) return {ErrorCode::no_task_start, "ct_st", 0};
  const std::size_t last = instructions.size() - 1;
  if (isa::tile::opcode_of(instructions[last]) != Opcode::ct_ed) {
    return {ErrorCode::no_task_end, "ct_ed"};
  }
  for (const std::size_t i : {std::size_t{0}, last}) {
    const unsigned core = isa::tile::core_of(instructions[i]);
    if (core != 0) return {ErrorCode::field_out_of_range, "core", static_cast<std::int32_t>(i), core, 0};
  }
  for (std::size_t i = 1; i < last; ++i) {
    pause.after(kGlanceCost);
    const Opcode opcode = isa::tile::opcode_of(instructions[i]);
    if (opcode == Opcode::ct_st) return {ErrorCode::no_task_start, "ct_st", static_cast<std::int32_t>(i)};
    if (opcode == Opcode::ct_ed) return {ErrorCode::no_task_end, "ct_ed", static_cast<std::int32_t>(i)};
  }
  return {};
}

Status check_bits(const MachineCode &code) {
  if (Status status = isa::tile::check(code); !status) return status;
  if (isa::tile::context_of(code) != 0) return {ErrorCode::reserved_bits, "context", -1, isa::tile::context_of(code), 0};
  if (isa::tile::completion_of(code)) return {ErrorCode::reserved_bits, "completion", -1, 1, 0};
  return {};
}

/// Checks that the task has the cores that an instruction names: the instruction's own core, and those that it exchanges with.
Status check_cores(const MachineCode &code, unsigned cores) {
  const unsigned own = isa::tile::core_of(code);
  if (own >= cores) return {ErrorCode::field_out_of_range, "core", -1, own, cores - 1};
  // resolve() checks that CORE is not the instruction's own core.
  if (const Opcode opcode = isa::tile::opcode_of(code); opcode == Opcode::si_mov || opcode == Opcode::so_mov) {
    const std::int64_t other = isa::tile::get<Opcode::si_mov, "CORE">(code);  // so_mov has CORE in the same bits (isa/tile/table.h)
    if (other >= cores) return {ErrorCode::field_out_of_range, "CORE", -1, other, cores - 1};
  }
  const isa::tile::CoreTokens tokens = isa::tile::core_tokens(code);
  const std::int64_t most = (1 << cores) - 1;
  if (tokens.previous > most) return {ErrorCode::field_out_of_range, "Prev_Cores", -1, tokens.previous, most};
  if (tokens.next > most) return {ErrorCode::field_out_of_range, "Next_Cores", -1, tokens.next, most};
  return {};
}

using Regions = std::array<Region, kRegions>;

Regions regions_of(const Configuration &configuration) {
  Regions regions;
  for (unsigned selector = 0; selector < kRegions; ++selector) regions[selector] = configuration.region(selector);
  return regions;
}

/// Applies a ct_bc to `configuration`. Returns the changed regions, one bit each.
Result<std::uint16_t> apply_cut(const MachineCode &code, Configuration &configuration) {
  const Regions before = regions_of(configuration);
  if (Status status = configuration.apply(code); !status) return status;
  std::uint32_t changed = 0;
  for (unsigned selector = 0; selector < kRegions; ++selector) {
    if (configuration.region(selector) != before[selector]) changed |= 1U << selector;
  }
  return static_cast<std::uint16_t>(changed);
}

/// Checks after a ct_bc that all regions are inside `blocks`. Extends `used` so that it contains all regions.
Status check_cuts(const Configuration &configuration, const BufferRange &blocks, BufferRange &used) {
  for (unsigned selector = 0; selector < kRegions; ++selector) {
    const Region &region = configuration.region(selector);
    if (region.blocks == 0) continue;
    const std::uint32_t last = std::uint32_t{region.first_block} + region.blocks - 1;
    if (region.first_block < blocks.first) return {ErrorCode::bad_buffer_cut, "BufCut", -1, region.first_block, blocks.first};
    if (last > blocks.last) return {ErrorCode::bad_buffer_cut, "BufCut", -1, last, blocks.last};
    used.include({region.first_block, last});
  }
  return {};
}

Status check_access(const Access &access, const Configuration &configuration, const Limits &limits) {
  switch (access.space) {
    case Space::dram: {
      const WindowLimit &window = limits.windows[access.selector];
      if (window.size == 0) return {ErrorCode::window_missing, access.field, -1, access.selector};
      return isa::tile::check_window(access, window.size, true, window.writable);
    }
    case Space::l2: return isa::tile::check_region(access, configuration.region(access.selector));
    case Space::remote_l2: return isa::tile::check_remote(access, limits.blocks.first, limits.blocks.last);
    case Space::wl0:
      if (access.start < 0 || access.end() > static_cast<std::int64_t>(limits.wl0_bytes)) {
        return {ErrorCode::address_outside_wl0, access.field, -1, access.end(), static_cast<std::int64_t>(limits.wl0_bytes)};
      }
      return {};
  }
  return {ErrorCode::invalid_argument, "space"};
}

/// Returns the first and the last unit that an access touches. A unit has `unit` bytes.
BufferRange units_of(const Access &access, std::uint32_t unit) {
  return {static_cast<std::uint32_t>(access.start / unit), static_cast<std::uint32_t>((access.end() - 1) / unit)};
}

/// Records an access that passed the checks.
void note(const Access &access, Touched &touched, std::uint16_t &regions) {
  switch (access.space) {
    case Space::dram: (access.write ? touched.written : touched.read)[access.selector].include(access.start, access.end()); break;
    case Space::l2: regions = static_cast<std::uint16_t>(regions | 1U << access.selector); break;
    case Space::remote_l2: touched.needs.blocks.include(units_of(access, isa::tile::kBlockBytes)); break;
    case Space::wl0: touched.needs.weights.include(units_of(access, isa::tile::kWeightUnitBytes)); break;
  }
}

/// Checks one instruction with the configuration that the earlier instructions of its core have made. If the instruction changes the
/// configuration, applies the change. Records in `touched` and `regions` what the instruction uses.
Status check_instruction(const MachineCode &code, const Limits &limits, const Scratch &scratch, Touched &touched, std::uint16_t &regions) {
  regions = 0;
  if (Status status = check_bits(code); !status) return status;
  if (Status status = check_cores(code, limits.cores); !status) return status;
  Configuration &configuration = scratch.core(isa::tile::core_of(code)).configuration;
  if (isa::tile::opcode_of(code) == Opcode::ct_bc) {
    const Result<std::uint16_t> changed = apply_cut(code, configuration);
    if (!changed) return changed.status();
    regions = changed.value();
    return check_cuts(configuration, limits.blocks, touched.needs.blocks);
  }
  if (Status status = configuration.apply(code); !status) return status;
  isa::tile::Operation operation;
  if (Status status = isa::tile::resolve(code, configuration, operation); !status) return status;
  const isa::tile::Footprint footprint = isa::tile::footprint(operation);
  for (unsigned i = 0; i < footprint.count; ++i) {
    if (Status status = check_access(footprint.accesses[i], configuration, limits); !status) return status;
    note(footprint.accesses[i], touched, regions);
  }
  return {};
}

/// Writes the instructions' indices to `order`, lane by lane and in program order within a lane. The first pass counts each lane's
/// instructions, the second writes the indices.
Streams sort_by_lane(std::span<const MachineCode> instructions, std::span<std::uint32_t> order, unsigned cores, Pause &pause) {
  Streams streams;
  streams.order = order.first(instructions.size());
  streams.cores = cores;
  for (const MachineCode &code : instructions) {
    pause.after(kGlanceCost);
    ++streams.first[lane_of(code) + 1];
  }
  for (unsigned lane = 0; lane < streams.lanes(); ++lane) streams.first[lane + 1] += streams.first[lane];
  // During this loop, first[lane] is where the lane's next index goes. After the loop, it is the end of the lane, and so the beginning of
  // the next lane.
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    pause.after(kGlanceCost);
    order[streams.first[lane_of(instructions[i])]++] = static_cast<std::uint32_t>(i);
  }
  for (unsigned lane = streams.lanes(); lane-- > 0;) streams.first[lane + 1] = streams.first[lane];
  streams.first[0] = 0;
  return streams;
}

Status check_memory(std::size_t instructions, unsigned cores, std::span<std::uint32_t> order, std::span<std::byte> scratch) {
  if (cores == 0 || cores > kMostCores) return {ErrorCode::invalid_argument, "cores", -1, cores, kMostCores};
  if (order.size() < instructions) {
    return {ErrorCode::invalid_argument, "order", -1, static_cast<std::int64_t>(order.size()), static_cast<std::int64_t>(instructions)};
  }
  const std::size_t needed = scratch_bytes(instructions, cores);
  if (scratch.size() < needed || reinterpret_cast<std::uintptr_t>(scratch.data()) % kScratchAlignment != 0) {
    return {ErrorCode::invalid_argument, "scratch", -1, static_cast<std::int64_t>(scratch.size()), static_cast<std::int64_t>(needed)};
  }
  return {};
}

}  // namespace

Result<Verified> verify(std::span<const MachineCode> instructions, const Limits &limits, std::span<std::uint32_t> order,
                        std::span<std::byte> memory, Deadlock *waiting, Pause &pause) {
  if (Status status = check_frame(instructions, pause); !status) return status;
  if (Status status = check_memory(instructions.size(), limits.cores, order, memory); !status) return status;
  const Scratch scratch(memory, instructions.size(), limits.cores);
  Touched touched;
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    const Status status = check_instruction(instructions[i], limits, scratch, touched, scratch.regions(i));
    if (!status) return status.at(static_cast<std::int32_t>(i));
    if (!pause.after(kCheckCost)) return Pause::cancelled();
  }
  if (Status status = check_balance(instructions, limits.cores, scratch, pause); !status) return status;
  Verified verified{sort_by_lane(instructions, order, limits.cores, pause), touched.needs};
  if (Status status = check_progress(instructions, verified.streams, scratch, waiting, pause); !status) return status;
  if (Status status = check_cut_order(instructions, verified.streams, scratch, pause); !status) return status;
  verified.needs.cores = limits.cores;
  for (unsigned i = 0; i < kWindows; ++i) {
    if (touched.read[i].overlaps(touched.written[i])) verified.needs.restartable = false;
  }
  return verified;
}

}  // namespace cox::firmware::verify
