// SPDX-License-Identifier: MIT
#include "firmware/verify/verifier.h"

#include <algorithm>

#include "firmware/verify/cut_order.h"
#include "firmware/verify/token_balance.h"
#include "isa/tile/check.h"
#include "isa/tile/configuration.h"
#include "isa/tile/operation.h"

namespace cox::firmware::verify {

using isa::tile::Access;
using isa::tile::Configuration;
using isa::tile::Instruction;
using isa::tile::kClasses;
using isa::tile::kRegions;
using isa::tile::MachineCode;
using isa::tile::Opcode;
using isa::tile::Region;
using isa::tile::Space;

namespace {

const Instruction &instruction_of(const MachineCode &code) { return *isa::tile::find_instruction(isa::tile::opcode_of(code)); }

Status check_frame(std::span<const MachineCode> instructions) {
  if (instructions.size() > kMaximumInstructions) {
    return {ErrorCode::too_many_instructions, "instructions", -1, static_cast<std::int64_t>(instructions.size()), kMaximumInstructions};
  }
  if (instructions.empty() || isa::tile::opcode_of(instructions.front()) != Opcode::ct_st) return {ErrorCode::no_task_start, "ct_st", 0};
  const std::size_t last = instructions.size() - 1;
  if (isa::tile::opcode_of(instructions[last]) != Opcode::ct_ed) {
    return {ErrorCode::no_task_end, "ct_ed"};
  }
  for (std::size_t i = 1; i < last; ++i) {
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

using Regions = std::array<Region, kRegions>;

Regions regions_of(const Configuration &configuration) {
  Regions regions;
  for (unsigned selector = 0; selector < kRegions; ++selector) regions[selector] = configuration.region(selector);
  return regions;
}

/// Takes in a ct_bc. Bit r: region r is no longer what it was.
Result<std::uint16_t> apply_cut(const MachineCode &code, Configuration &configuration) {
  const Regions before = regions_of(configuration);
  if (Status status = configuration.apply(code); !status) return status;
  std::uint32_t changed = 0;
  for (unsigned selector = 0; selector < kRegions; ++selector) {
    if (configuration.region(selector) != before[selector]) changed |= 1U << selector;
  }
  return static_cast<std::uint16_t>(changed);
}

/// The regions as a ct_bc has just left them: all inside `blocks`; `used` grows to hold them.
Status check_cuts(const Configuration &configuration, const BlockRange &blocks, BlockRange &used) {
  for (unsigned selector = 0; selector < kRegions; ++selector) {
    const Region &region = configuration.region(selector);
    if (region.blocks == 0) continue;
    const std::uint32_t last = std::uint32_t{region.first_block} + region.blocks - 1;
    if (region.first_block < blocks.first) return {ErrorCode::bad_buffer_cut, "BufCut", -1, region.first_block, blocks.first};
    if (last > blocks.last) return {ErrorCode::bad_buffer_cut, "BufCut", -1, last, blocks.last};
    used = used.empty() ? BlockRange{region.first_block, last}
                        : BlockRange{std::min<std::uint32_t>(used.first, region.first_block), std::max(used.last, last)};
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
        return {ErrorCode::address_outside_wl0, access.field, -1, access.start, static_cast<std::int64_t>(limits.wl0_bytes)};
      }
      return {};
  }
  return {ErrorCode::invalid_argument, "space"};
}

/// One instruction in the light of what the ones before it configured; takes its own configuration in, and notes in `streams` and `regions`
/// what it uses.
Status check_instruction(const MachineCode &code, Configuration &configuration, const Limits &limits, Streams &streams,
                         std::uint16_t &regions) {
  regions = 0;
  if (Status status = check_bits(code); !status) return status;
  if (isa::tile::opcode_of(code) == Opcode::ct_bc) {
    const Result<std::uint16_t> changed = apply_cut(code, configuration);
    if (!changed) return changed.status();
    regions = changed.value();
    return check_cuts(configuration, limits.blocks, streams.blocks);
  }
  if (Status status = configuration.apply(code); !status) return status;
  const Result<isa::tile::Operation> operation = isa::tile::resolve(code, configuration);
  if (!operation) return operation.status();
  const isa::tile::Footprint footprint = isa::tile::footprint(operation.value());
  for (unsigned i = 0; i < footprint.count; ++i) {
    if (Status status = check_access(footprint.accesses[i], configuration, limits); !status) return status;
    streams.uses_wl0 |= footprint.accesses[i].space == Space::wl0;
    if (footprint.accesses[i].space == Space::l2) regions = static_cast<std::uint16_t>(regions | 1U << footprint.accesses[i].selector);
  }
  return {};
}

/// Class by class, in program order, all in the one array: two passes, first the sizes, then the places.
void sort_by_class(std::span<const MachineCode> instructions, std::span<std::uint16_t> order, Streams &streams) {
  std::array<std::size_t, kClasses> sizes{};
  for (const MachineCode &code : instructions) ++sizes[static_cast<unsigned>(instruction_of(code).queue)];

  std::array<std::size_t, kClasses> next{};
  for (unsigned own = 1; own < kClasses; ++own) next[own] = next[own - 1] + sizes[own - 1];
  for (unsigned own = 0; own < kClasses; ++own) streams.classes[own] = order.subspan(next[own], sizes[own]);

  for (std::size_t i = 0; i < instructions.size(); ++i) {
    const auto own = static_cast<unsigned>(instruction_of(instructions[i]).queue);
    order[next[own]++] = static_cast<std::uint16_t>(i);
  }
}

}  // namespace

Result<Streams> verify(std::span<const MachineCode> instructions, const Limits &limits, std::span<std::uint16_t> entries,
                       std::span<InstructionOrder> orders, Deadlock *waiting) {
  if (Status status = check_frame(instructions); !status) return status;
  if (entries.size() < instructions.size()) {
    return Status{ErrorCode::invalid_argument, "entries", -1, static_cast<std::int64_t>(entries.size()),
                  static_cast<std::int64_t>(instructions.size())};
  }
  if (orders.size() < instructions.size()) {
    return Status{ErrorCode::invalid_argument, "orders", -1, static_cast<std::int64_t>(orders.size()),
                  static_cast<std::int64_t>(instructions.size())};
  }
  Streams streams;
  Configuration configuration;
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    const Status status = check_instruction(instructions[i], configuration, limits, streams, orders[i].regions);
    if (!status) return status.at(static_cast<std::int32_t>(i));
  }
  if (Status status = check_balance(instructions); !status) return status;
  sort_by_class(instructions, entries, streams);
  if (Status status = check_progress(instructions, streams, orders, waiting); !status) return status;
  if (Status status = check_cut_order(instructions, streams, orders); !status) return status;
  return streams;
}

}  // namespace cox::firmware::verify
