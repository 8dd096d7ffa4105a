// SPDX-License-Identifier: MIT
#include "coxswain/firmware/verify/verifier.h"

#include <algorithm>

#include "coxswain/base/bits.h"
#include "coxswain/firmware/verify/token_balance.h"
#include "coxswain/isa/tile/configuration.h"
#include "coxswain/isa/tile/core_tokens.h"
#include "coxswain/isa/tile/operation.h"
#include "coxswain/isa/tile/table.h"

namespace cox::firmware::verify {

using isa::tile::Configuration;
using isa::tile::kRegions;
using isa::tile::Opcode;
using isa::tile::Reach;
using isa::tile::Region;
using isa::tile::Space;

namespace {

// Arguments of Budget::spend(): estimated control-core instructions for each kind of work on one instruction of the task.
constexpr std::int32_t kGlanceCost = 8;   // reading an instruction's opcode
constexpr std::int32_t kSortCost = 20;    // writing its index to its lane
constexpr std::int32_t kCheckCost = 350;  // check_instruction()

constexpr std::size_t kPiece = 64;  // instructions between two looks at the budget

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
Result<std::uint32_t> apply_cut(const MachineCode &code, Configuration &configuration) {
  const Regions before = regions_of(configuration);
  if (Status status = configuration.apply(code); !status) return status;
  std::uint32_t changed = 0;
  for (unsigned selector = 0; selector < kRegions; ++selector) {
    if (configuration.region(selector) != before[selector]) changed |= 1U << selector;
  }
  return changed;
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

Status check_reach(const Reach &reach, const Configuration &configuration, const Limits &limits) {
  switch (reach.space) {
    case Space::dram: {
      const WindowLimit &window = limits.windows[reach.selector];
      if (window.size == 0) return {ErrorCode::window_missing, reach.field, -1, reach.selector};
      return isa::tile::check_window(reach, window.size, true, window.writable);
    }
    case Space::l2: return isa::tile::check_region(reach, configuration.region(reach.selector));
    case Space::remote_l2: return isa::tile::check_remote(reach, limits.blocks.first, limits.blocks.last);
    case Space::wl0:
      if (reach.start < 0 || reach.end() > static_cast<std::int64_t>(limits.wl0_bytes)) {
        return {ErrorCode::address_outside_wl0, reach.field, -1, reach.end(), static_cast<std::int64_t>(limits.wl0_bytes)};
      }
      return {};
  }
  return {ErrorCode::invalid_argument, "space"};
}

/// Returns the first and the last unit that an access touches. A unit has `Unit` bytes.
template <std::uint32_t Unit>
BufferRange units_of(const Reach &reach) {
  return {static_cast<std::uint32_t>(static_cast<std::uint64_t>(reach.start) / Unit),
          static_cast<std::uint32_t>(static_cast<std::uint64_t>(reach.end() - 1) / Unit)};
}

/// Records an access that passed the checks.
void note(const Reach &reach, Touched &touched, std::uint32_t &regions) {
  switch (reach.space) {
    case Space::dram: (reach.write ? touched.written : touched.read)[reach.selector].include(reach.start, reach.end()); break;
    case Space::l2: regions |= 1U << reach.selector; break;
    case Space::remote_l2: touched.needs.blocks.include(units_of<isa::tile::kBlockBytes>(reach)); break;
    case Space::wl0: touched.needs.weights.include(units_of<isa::tile::kWeightUnitBytes>(reach)); break;
  }
}

/// Objects that check_instruction() uses again for each instruction, because it takes time to initialise them.
struct Work {
  isa::tile::Operation operation;
  isa::tile::Footprint footprint;
};

/// Returns true if check_region() finds no error.
bool fits(const Reach &reach, const Region &region) { return region.contains(reach.origin) && reach.length <= region.bytes(); }

/// Checks and records what an instruction touches.
Status check_reaches(std::span<const Reach> reaches, const Configuration &configuration, const Limits &limits, Touched &touched,
                     std::uint32_t &regions) {
  for (const Reach &reach : reaches) {
    if (reach.space == Space::l2 && fits(reach, configuration.region(reach.selector))) {
      regions |= 1U << reach.selector;
      continue;
    }
    if (Status status = check_reach(reach, configuration, limits); !status) return status;
    note(reach, touched, regions);
  }
  return {};
}

/// Checks one instruction with the configuration that the earlier instructions of its core have made. If the instruction changes the
/// configuration, applies the change. `pattern` is that of the instruction's core and class. Records in `touched` and `regions` what the
/// instruction uses.
Status check_instruction(const MachineCode &code, const Limits &limits, Configuration &configuration, Pattern &pattern, Work &work,
                         Touched &touched, std::uint32_t &regions) {
  if (pattern.matches(code)) {
    pattern.move_to(code);
    if (check_reaches(pattern.reaches(), configuration, limits, touched, regions).ok()) return {};
    regions = 0;
  }
  if (Status status = check_bits(code); !status) return status;
  if (Status status = check_cores(code, limits.cores); !status) return status;
  if (isa::tile::opcode_of(code) == Opcode::ct_bc) {
    const Result<std::uint32_t> changed = apply_cut(code, configuration);
    if (!changed) return changed.status();
    regions = changed.value();
    return check_blocks(configuration, limits.blocks, touched.needs.blocks);
  }
  if (isa::tile::is_configuration(code)) {
    pattern.forget();
    return configuration.apply(code);
  }
  if (Status status = isa::tile::resolve(code, configuration, work.operation); !status) return status;
  isa::tile::footprint(work.operation, work.footprint);
  pattern.keep(code, work.footprint);
  return check_reaches(pattern.reaches(), configuration, limits, touched, regions);
}

/// Records the uses or new definitions of regions by an instruction of `core`. `number` counts the instructions of its lane up to it.
/// Returns the number of CT instructions that must have ended before it starts. Sets `redefines` if it changes a region that was used.
std::uint32_t note_regions(CoreScratch &core, std::uint32_t regions, bool defines, std::uint32_t number, bool &redefines) {
  if (defines) {
    redefines = redefines || (core.used & regions) != 0;
    core.used &= ~regions;
    while (regions != 0) core.definitions[take_lowest(regions)].cut = number;
    return 0;
  }
  core.used |= regions;
  std::uint32_t last = 0;
  while (regions != 0) last = std::max(last, core.definitions[take_lowest(regions)].cut);
  return last;
}

Status check_memory(std::size_t instructions, unsigned cores, std::span<std::byte> workspace) {
  if (cores == 0 || cores > kMostCores) return {ErrorCode::invalid_argument, "cores", -1, cores, kMostCores};
  const std::size_t needed = plan::plan_bytes(instructions, cores);
  if (workspace.size() < needed || reinterpret_cast<std::uintptr_t>(workspace.data()) % plan::kPlanAlignment != 0) {
    return {ErrorCode::invalid_argument, "workspace", -1, static_cast<std::int64_t>(workspace.size()), static_cast<std::int64_t>(needed)};
  }
  return {};
}

}  // namespace

Status Verifier::begin(std::span<const MachineCode> instructions, const Limits &limits, std::span<std::byte> workspace, Deadlock *waiting) {
  phase_ = Phase::frame;
  next_ = 1;  // check_ends() checks the first and the last instruction
  if (Status status = check_ends(instructions); !status) return status;
  instructions_ = instructions;
  workspace_ = workspace;
  limits_ = limits;
  limits_.wl0_bytes = std::min<std::uint64_t>(limits.wl0_bytes, isa::tile::kMaxWeightBytes);
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
      case Phase::plan: make_plan(budget); break;
      case Phase::order: status = prove_order(budget); break;
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
  while (next_ < last && budget.is_left()) {
    const std::size_t end = std::min(next_ + kPiece, last);
    budget.spend(static_cast<std::int32_t>(end - next_) * kGlanceCost);
    for (; next_ < end; ++next_) {
      const Opcode opcode = isa::tile::opcode_of(instructions_[next_]);
      if (opcode == Opcode::ct_st) return {ErrorCode::no_task_start, "ct_st", static_cast<std::int32_t>(next_)};
      if (opcode == Opcode::ct_ed) return {ErrorCode::no_task_end, "ct_ed", static_cast<std::int32_t>(next_)};
    }
  }
  if (next_ < last) return {};
  const std::size_t count = instructions_.size();
  if (Status status = check_memory(count, limits_.cores, workspace_); !status) return status;
  scratch_ = Scratch(plan::plan_scratch(workspace_, count, limits_.cores), count, limits_.cores);
  streams_ = {};
  streams_.order = plan::plan_order(workspace_, count, limits_.cores);
  streams_.cores = limits_.cores;
  touched_ = {};
  redefines_ = false;
  enter(Phase::instructions);
  return {};
}

/// Checks each instruction, and counts its tokens and the instructions of its lane.
Status Verifier::check_instructions(load::Budget &budget) {
  Work work;
  for (; next_ < instructions_.size(); ++next_) {
    if (!budget.is_left()) return {};
    const MachineCode &code = instructions_[next_];
    // Before the check, core and class may be wrong. An unknown opcode counts as CT.
    const unsigned number_of_core = isa::tile::core_of(code), own = isa::tile::class_of(code);
    CoreScratch &core = scratch_.core(number_of_core < limits_.cores ? number_of_core : 0);
    std::uint32_t regions = 0;
    if (Status status = check_instruction(code, limits_, core.configuration, core.patterns[own], work, touched_, regions); !status) {
      return status.at(static_cast<std::int32_t>(next_));
    }
    const unsigned lane = lane_of(number_of_core, own);
    const std::uint32_t number = ++streams_.first[lane + 1];
    const bool defines = own == static_cast<unsigned>(Class::CT);
    scratch_.regions(next_) = static_cast<std::uint16_t>(regions);
    scratch_.order(next_) = regions == 0 ? 0 : note_regions(core, regions, defines, number, redefines_);
    if (!isa::tile::is_configuration(code)) count_tokens(code, next_, lane, scratch_);
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
  const std::span<std::uint32_t> order = plan::plan_order(workspace_, instructions_.size(), limits_.cores);
  while (next_ < instructions_.size()) {
    if (!budget.is_left()) return;
    const std::size_t end = std::min(next_ + kPiece, instructions_.size());
    budget.spend(static_cast<std::int32_t>(end - next_) * kSortCost);
    for (; next_ < end; ++next_) order[streams_.first[lane_of(instructions_[next_])]++] = static_cast<std::uint32_t>(next_);
  }
  for (unsigned lane = streams_.lanes(); lane-- > 0;) streams_.first[lane + 1] = streams_.first[lane];
  streams_.first[0] = 0;
  plan_.begin(instructions_, streams_, workspace_);
  enter(Phase::plan);
}

void Verifier::make_plan(load::Budget &budget) {
  plan_.step(budget);
  if (!plan_.done()) return;
  proof_.begin(instructions_, streams_, plan_.plan(), scratch_, redefines_, waiting_);
  enter(Phase::order);
}

Status Verifier::prove_order(load::Budget &budget) {
  if (Status status = proof_.step(budget); !status) return status;
  if (!proof_.done()) return {};
  touched_.needs.cores = limits_.cores;
  for (unsigned i = 0; i < kWindows; ++i) {
    if (touched_.read[i].overlaps(touched_.written[i])) touched_.needs.restartable = false;
  }
  enter(Phase::done);
  return {};
}

Result<Verified> verify(std::span<const MachineCode> instructions, const Limits &limits, std::span<std::byte> workspace,
                        Deadlock *waiting) {
  Verifier verifier;
  if (Status status = verifier.begin(instructions, limits, workspace, waiting); !status) return status;
  while (!verifier.done()) {
    load::Budget budget;
    if (Status status = verifier.step(budget); !status) return status;
  }
  return Verified{verifier.streams(), verifier.needs()};
}

}  // namespace cox::firmware::verify
