// SPDX-License-Identifier: MIT
#include "firmware/verify/verifier.h"

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

// Arguments of Budget::spend(): estimated control-core instructions for each kind of work on one instruction of the task.
constexpr std::int32_t kGlanceCost = 10;  // reading an instruction's header
constexpr std::int32_t kCheckCost = 500;  // check_instruction()

Status check_ends(std::span<const MachineCode> instructions) {
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
  return {};
}

Status check_bits(const MachineCode &code) {
  constexpr std::uint32_t kFirmwares = 1U << isa::tile::kCompletionBit | ((1U << isa::tile::kContextWidth) - 1) << isa::tile::kContextBit;
  if (isa::tile::Set::is_legal(code) && (code[0] & kFirmwares) == 0) return {};
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
  if ((tokens.previous | tokens.next) == 0) return {};
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
Status check_blocks(const Configuration &configuration, const BufferRange &blocks, BufferRange &used) {
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
      return isa::tile::check_window(access.reach(), window.size, true, window.writable);
    }
    case Space::l2: return isa::tile::check_region(access.reach(), configuration.region(access.selector));
    case Space::remote_l2: return isa::tile::check_remote(access.reach(), limits.blocks.first, limits.blocks.last);
    case Space::wl0:
      if (access.start < 0 || access.end() > static_cast<std::int64_t>(limits.wl0_bytes)) {
        return {ErrorCode::address_outside_wl0, access.field, -1, access.end(), static_cast<std::int64_t>(limits.wl0_bytes)};
      }
      return {};
  }
  return {ErrorCode::invalid_argument, "space"};
}

/// Returns the first and the last unit that an access touches. A unit has `Unit` bytes.
template <std::uint32_t Unit>
BufferRange units_of(const Access &access) {
  return {static_cast<std::uint32_t>(static_cast<std::uint64_t>(access.start) / Unit),
          static_cast<std::uint32_t>(static_cast<std::uint64_t>(access.end() - 1) / Unit)};
}

/// Records an access that passed the checks.
void note(const Access &access, Touched &touched, std::uint16_t &regions) {
  switch (access.space) {
    case Space::dram: (access.write ? touched.written : touched.read)[access.selector].include(access.start, access.end()); break;
    case Space::l2: regions = static_cast<std::uint16_t>(regions | 1U << access.selector); break;
    case Space::remote_l2: touched.needs.blocks.include(units_of<isa::tile::kBlockBytes>(access)); break;
    case Space::wl0: touched.needs.weights.include(units_of<isa::tile::kWeightUnitBytes>(access)); break;
  }
}

/// Objects that check_instruction() uses again for each instruction, because it takes time to initialise them.
struct Work {
  isa::tile::Operation operation;
  isa::tile::Footprint footprint;
};

/// Checks one instruction with the configuration that the earlier instructions of its core have made. If the instruction changes the
/// configuration, applies the change. Records in `touched` and `regions` what the instruction uses.
Status check_instruction(const MachineCode &code, const Limits &limits, const Scratch &scratch, Work &work, Touched &touched,
                         std::uint16_t &regions) {
  regions = 0;
  if (Status status = check_bits(code); !status) return status;
  if (Status status = check_cores(code, limits.cores); !status) return status;
  Configuration &configuration = scratch.core(isa::tile::core_of(code)).configuration;
  if (isa::tile::opcode_of(code) == Opcode::ct_bc) {
    const Result<std::uint16_t> changed = apply_cut(code, configuration);
    if (!changed) return changed.status();
    regions = changed.value();
    return check_blocks(configuration, limits.blocks, touched.needs.blocks);
  }
  if (Status status = configuration.apply(code); !status) return status;
  if (isa::tile::is_configuration(code)) return {};
  if (Status status = isa::tile::resolve(code, configuration, work.operation); !status) return status;
  isa::tile::footprint(work.operation, work.footprint);
  for (unsigned i = 0; i < work.footprint.count; ++i) {
    if (Status status = check_access(work.footprint.accesses[i], configuration, limits); !status) return status;
    note(work.footprint.accesses[i], touched, regions);
  }
  return {};
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

Status Verifier::begin(std::span<const MachineCode> instructions, const Limits &limits, std::span<std::uint32_t> order,
                       std::span<std::byte> scratch, Deadlock *waiting) {
  phase_ = Phase::frame;
  next_ = 1;  // check_ends() checks the first and the last instruction
  if (Status status = check_ends(instructions); !status) return status;
  instructions_ = instructions;
  order_ = order;
  memory_ = scratch;
  limits_ = limits;
  waiting_ = waiting;
  return {};
}

Status Verifier::step(load::Budget &budget) {
  while (phase_ != Phase::done && budget.is_left()) {
    Status status;
    switch (phase_) {
      case Phase::frame: status = check_frame(budget); break;
      case Phase::instructions: status = check_instructions(budget); break;
      case Phase::lanes: sort_by_lane(budget); break;
      case Phase::progress: status = check_tokens(budget); break;
      case Phase::cuts: status = check_cuts(budget); break;
      case Phase::done: break;
    }
    if (!status) return status;
  }
  return {};
}

void Verifier::enter(Phase phase) {
  phase_ = phase;
  next_ = 0;
}

/// Checks that no instruction except the first and the last is ct_st or ct_ed. Then prepares the check of each instruction.
Status Verifier::check_frame(load::Budget &budget) {
  const std::size_t last = instructions_.size() - 1;
  for (; next_ < last && budget.is_left(); ++next_) {
    budget.spend(kGlanceCost);
    const Opcode opcode = isa::tile::opcode_of(instructions_[next_]);
    if (opcode == Opcode::ct_st) return {ErrorCode::no_task_start, "ct_st", static_cast<std::int32_t>(next_)};
    if (opcode == Opcode::ct_ed) return {ErrorCode::no_task_end, "ct_ed", static_cast<std::int32_t>(next_)};
  }
  if (next_ < last) return {};
  if (Status status = check_memory(instructions_.size(), limits_.cores, order_, memory_); !status) return status;
  scratch_ = Scratch(memory_, instructions_.size(), limits_.cores);
  streams_ = {};
  streams_.order = order_.first(instructions_.size());
  streams_.cores = limits_.cores;
  touched_ = {};
  enter(Phase::instructions);
  return {};
}

/// Checks each instruction, and counts its tokens and the instructions of its lane.
Status Verifier::check_instructions(load::Budget &budget) {
  Work work;
  for (; next_ < instructions_.size(); ++next_) {
    if (!budget.is_left()) return {};
    const MachineCode &code = instructions_[next_];
    if (Status status = check_instruction(code, limits_, scratch_, work, touched_, scratch_.regions(next_)); !status) {
      return status.at(static_cast<std::int32_t>(next_));
    }
    const unsigned lane = lane_of(code);
    ++streams_.first[lane + 1];
    count_tokens(code, next_, lane, scratch_);
    budget.spend(kCheckCost);
  }
  if (Status status = check_balance(limits_.cores, scratch_); !status) return status;
  for (unsigned lane = 0; lane < streams_.lanes(); ++lane) streams_.first[lane + 1] += streams_.first[lane];
  enter(Phase::lanes);
  return {};
}

/// Writes the instructions' indices to Streams::order.
void Verifier::sort_by_lane(load::Budget &budget) {
  // During this loop, first[lane] is where the lane's next index goes. After the loop, it is the end of the lane, and so the beginning of
  // the next lane.
  for (; next_ < instructions_.size(); ++next_) {
    if (!budget.is_left()) return;
    budget.spend(kGlanceCost);
    order_[streams_.first[lane_of(instructions_[next_])]++] = static_cast<std::uint32_t>(next_);
  }
  for (unsigned lane = streams_.lanes(); lane-- > 0;) streams_.first[lane + 1] = streams_.first[lane];
  streams_.first[0] = 0;
  tokens_.begin(streams_.lanes());
  enter(Phase::progress);
}

Status Verifier::check_tokens(load::Budget &budget) {
  tokens_.step(instructions_, streams_, scratch_, budget);
  if (!tokens_.done()) return {};
  enter(Phase::cuts);
  return check_progress(instructions_, streams_, scratch_, waiting_);
}

Status Verifier::check_cuts(load::Budget &budget) {
  if (Status status = check_cut_order(instructions_, streams_, scratch_, next_, budget); !status) return status;
  if (next_ < instructions_.size()) return {};
  touched_.needs.cores = limits_.cores;
  for (unsigned i = 0; i < kWindows; ++i) {
    if (touched_.read[i].overlaps(touched_.written[i])) touched_.needs.restartable = false;
  }
  enter(Phase::done);
  return {};
}

Result<Verified> verify(std::span<const MachineCode> instructions, const Limits &limits, std::span<std::uint32_t> order,
                        std::span<std::byte> scratch, Deadlock *waiting) {
  Verifier verifier;
  if (Status status = verifier.begin(instructions, limits, order, scratch, waiting); !status) return status;
  while (!verifier.done()) {
    load::Budget budget;
    if (Status status = verifier.step(budget); !status) return status;
  }
  return Verified{verifier.streams(), verifier.needs()};
}

}  // namespace cox::firmware::verify
