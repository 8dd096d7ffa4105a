// SPDX-License-Identifier: MIT
#include "tools/check/check_task.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "coxswain/isa/tile/table.h"
#include "sim/model/tile/hazard/analysis.h"
#include "sim/model/tile/hazard/unwritten.h"
#include "tools/check/bits.h"
#include "tools/check/bound.h"
#include "tools/check/chains.h"
#include "tools/check/verification.h"
#include "tools/tile/message.h"

namespace cox::tools {
namespace {

namespace hazard = model::hazard;
namespace tile = isa::tile;

/// The command searches for remedies of at most this many hazards. A task with more hazards probably has no dependencies at all.
constexpr std::size_t kMendedHazards = 8;

std::vector<tile::MachineCode> codes_of(const task::Task &task) {
  std::vector<tile::MachineCode> codes;
  for (const task::Instruction &instruction : task.instructions) codes.push_back(instruction.code);
  return codes;
}

std::vector<hazard::Layers> layers_of(const task::Task &task) {
  std::vector<hazard::Layers> layers;
  for (const task::Instruction &instruction : task.instructions) layers.push_back({instruction.mapping.slyr, instruction.mapping.clyr});
  return layers;
}

std::string mend_of(const Status &status, const model::TileGeometry &device) {
  switch (status.code()) {
    case ErrorCode::no_task_start: return "begin the task with ct_st, and have it there once";
    case ErrorCode::no_task_end: return "end the task with ct_ed, and have it there once";
    case ErrorCode::missing_configuration: return fmt::format("put a {} before it", status.what());
    case ErrorCode::window_missing: return "describe the window in the bindings";
    case ErrorCode::address_outside_window: return "make the window larger (or writable) in the bindings, or move the address";
    case ErrorCode::address_outside_cut: return "move the address into its region, or make the region larger with ct_bc before it";
    case ErrorCode::address_outside_wl0:
      return fmt::format("move the weights down: WL0 has {} units of {} bytes", device.wl0_units, tile::kWeightUnitBytes);
    case ErrorCode::image_geometry:
      return "make the task smaller, or name the device's sizes with --option (geometry.l2_mib, geometry.wl0_units)";
    case ErrorCode::bad_buffer_cut: return "a region is (length, last block), and begins at last block + 1 - length";
    case ErrorCode::shape_mismatch:
      if (std::string_view(status.what()).ends_with("Tile"))
        return "make Tile and the shape of the configuration before it (STile, DTile) agree";
      return fmt::format("make {} agree with the configuration before it", status.what());
    case ErrorCode::own_core:
      if (std::string_view(status.what()) == "CORE") return "name another core of the task; within a core dt_cal moves data";
      return fmt::format("within a core tokens are those of {}",
                         std::string_view(status.what()) == "Prev_Cores" ? "Prev_Insts" : "Next_Insts");
    case ErrorCode::field_out_of_range: return fmt::format("put {} into its range (docs/isa/tile.md)", status.what());
    case ErrorCode::unsupported: return "this version does not have it";
    default: return "";
  }
}

bool about_tokens(const Status &status) {
  return status.code() == ErrorCode::tokens_unbalanced || status.code() == ErrorCode::deadlock ||
         status.code() == ErrorCode::cut_not_ordered;
}

Finding finding_of(const Status &status, const task::Task &task, const model::TileGeometry &device) {
  Finding finding{error_name(status.code()), {}, task::describe(status, task), mend_of(status, device)};
  if (status.index() >= 0 && static_cast<std::size_t>(status.index()) < task.instructions.size()) {
    finding.instructions.push_back(status.index());
  }
  return finding;
}

Finding finding_of(const hazard::Imbalance &pair, const task::Task &task) {
  const bool between_cores = tile::core_of_lane(pair.from) != tile::core_of_lane(pair.to);
  const std::string from = task::lane_name(task, pair.from);
  const std::string to = task::lane_name(task, pair.to);
  const char *list = between_cores ? "Cores" : "Insts";
  Finding finding{error_name(ErrorCode::tokens_unbalanced), {}, task::tokens_text(task, pair.from, pair.to, pair.put, pair.taken), ""};
  const std::string giver = element_name(pair.from, between_cores);
  const std::string taker = element_name(pair.to, between_cores);
  finding.mend = pair.put < pair.taken ? fmt::format("'{}' is missing in Next_{} of {}, or there is one too many '{}' in Prev_{} of {}",
                                                     taker, list, from, giver, list, to)
                                       : fmt::format("'{}' is missing in Prev_{} of {}, or there is one too many '{}' in Next_{} of {}",
                                                     giver, list, to, taker, list, from);
  return finding;
}

Finding finding_of(const hazard::Stuck &stuck, const task::Task &task) {
  const std::string message = fmt::format("{}: {}: {}", task::instruction_name(task, stuck.instruction), error_name(ErrorCode::deadlock),
                                          task::waits_text(task, stuck.waits_for));
  return {error_name(ErrorCode::deadlock), {stuck.instruction}, message, ""};
}

std::string place_of(const hazard::Hazard &found, const task::Task &task) {
  const std::string range = fmt::format("bytes {} to {}", found.first, found.last);
  const std::string core = task.geometry.tile_cores > 1 ? fmt::format(" of core {}", found.core) : "";
  switch (found.place) {
    case hazard::Place::l2: return range + " of L2" + core;
    case hazard::Place::wl0: return range + " of WL0" + core;
    case hazard::Place::dram: return fmt::format("{} of window {}", range, found.window);
    case hazard::Place::region: break;
  }
  return fmt::format("L2 region {}{}", found.first, core);
}

std::string what_happens(const hazard::Hazard &found, const task::Task &task) {
  const std::string earlier = task::instruction_name(task, found.earlier);
  const std::string later = task::instruction_name(task, found.later);
  const std::string place = place_of(found, task);
  if (found.place == hazard::Place::region) {
    switch (found.kind) {
      case hazard::Kind::read_after_write: return fmt::format("{} uses {}, which {} defines", later, place, earlier);
      case hazard::Kind::write_after_read: return fmt::format("{} defines {} anew, which {} uses", later, place, earlier);
      case hazard::Kind::write_after_write: return fmt::format("{} defines {} anew, which {} defines", later, place, earlier);
    }
  }
  switch (found.kind) {
    case hazard::Kind::read_after_write: return fmt::format("{} reads {}, which {} writes", later, place, earlier);
    case hazard::Kind::write_after_read: return fmt::format("{} overwrites {}, which {} reads", later, place, earlier);
    case hazard::Kind::write_after_write: return fmt::format("{} overwrites {}, which {} writes", later, place, earlier);
  }
  return {};
}

/// Returns the remedy for a hazard. If one token from the earlier to the later instruction makes the task pass, that is the remedy.
/// Otherwise the remedy is general advice.
std::string mend_of(const hazard::Hazard &found, const task::Task &task, const std::vector<hazard::Step> &steps) {
  const auto lane_of = [&](std::int32_t index) { return hazard::lane_of(steps[static_cast<std::size_t>(index)]); };
  const hazard::DependencyBit put{found.earlier, true, lane_of(found.later), false};
  const hazard::DependencyBit take{found.later, false, lane_of(found.earlier), false};
  std::vector<hazard::Step> variation = steps;
  for (const hazard::DependencyBit &bit : {put, take}) {
    tile::MachineCode &code = variation[static_cast<std::size_t>(bit.instruction)].code;
    code = hazard::with_bit(code, bit);
  }
  if (!hazard::passes(variation)) return "order them by a token, or by one that comes through other instructions";
  return fmt::format("add {} and {}", bit_text(put, task), bit_text(take, task));
}

void add_hazards(const hazard::Analysis &analysis, const task::Task &task, const std::vector<hazard::Step> &steps, Report &report) {
  const bool balanced = analysis.imbalances.empty() && analysis.stuck.empty();
  const auto lane_of = [&](std::int32_t index) { return static_cast<unsigned>(hazard::lane_of(steps[static_cast<std::size_t>(index)])); };
  std::vector<UnorderedPair> pairs;
  for (const hazard::Hazard &found : analysis.hazards) {
    pairs.push_back({found.earlier, found.later, lane_of(found.earlier), lane_of(found.later)});
  }
  for (Chain &chain : chains_of(pairs)) {
    const hazard::Hazard &found = analysis.hazards[chain.root];
    Finding finding{"hazard", {found.later, found.earlier}, "", "", std::move(chain.following)};
    finding.message = fmt::format("{}: {}, and nothing orders them", hazard::kind_name(found.kind), what_happens(found, task));
    if (balanced && report.errors.size() < kMendedHazards) finding.mend = mend_of(found, task, steps);
    report.errors.push_back(std::move(finding));
  }
}

void add_stale_weights(const hazard::Analysis &analysis, const task::Task &task, Report &report) {
  for (const hazard::StaleWeights &stale : analysis.stale_weights) {
    Finding finding{"stale_weights", {stale.convolution}, "", ""};
    finding.message = fmt::format("{}: the WL0 block at {} is not the one loaded for this convolution",
                                  task::instruction_name(task, stale.convolution), stale.address);
    for (const std::int32_t load : stale.overwritten_by) {
      finding.message +=
          fmt::format("{} {}", load == stale.overwritten_by.front() ? ": it holds weights of" : ",", task::instruction_name(task, load));
      finding.instructions.push_back(load);
    }
    if (stale.never_loaded) finding.message += ": some of it was never loaded";
    finding.mend = stale.loaded_by < 0
                       ? "load its weights before it"
                       : fmt::format("load it again, as {} did, before the convolution", task::instruction_name(task, stale.loaded_by));
    report.warnings.push_back(std::move(finding));
  }
}

void add_unwritten_reads(const std::vector<hazard::Step> &steps, const task::Task &task, Report &report) {
  for (const hazard::UnwrittenRead &read : hazard::find_unwritten_reads(steps)) {
    report.warnings.push_back(
        {"unwritten",
         {read.instruction},
         fmt::format("{}: reads {} bytes of L2{}, from {} to {}, that nothing in the task writes before it",
                     task::instruction_name(task, read.instruction), read.bytes,
                     task.geometry.tile_cores > 1 ? fmt::format(" of core {}", read.core) : "", read.first, read.last),
         "write them before it, or leave them out of what it reads"});
  }
}

/// Each of `bits`, added by itself, removes the task's hazards. Returns those with which verify() accepts the task, too. `bits` is in
/// program order. In Next_Insts, the bits that verify() rejects come before those that it accepts; in Prev_Insts, after them.
std::vector<hazard::DependencyBit> verified_bits(std::vector<hazard::DependencyBit> bits, std::vector<tile::MachineCode> codes,
                                                 const task::Task &task, const model::TileGeometry &device) {
  if (bits.empty()) return bits;
  const auto passes = [&](const hazard::DependencyBit &bit) {
    tile::MachineCode &code = codes[static_cast<std::size_t>(bit.instruction)];
    const tile::MachineCode before = code;
    code = hazard::with_bit(before, bit);
    const bool verified = verify(codes, task, device).ok();
    code = before;
    return verified;
  };
  if (bits.front().next) {
    bits.erase(bits.begin(), std::partition_point(bits.begin(), bits.end(), [&](const auto &bit) { return !passes(bit); }));
  } else {
    bits.erase(std::partition_point(bits.begin(), bits.end(), passes), bits.end());
  }
  return bits;
}

}  // namespace

Report check_task(const task::Task &task, const model::TileGeometry &device, const std::function<void(const Report &)> &found) {
  Report report;
  report.errors = check_bound(task);
  if (const Status fits = check_geometry(task, device); !fits.ok()) report.errors.push_back(finding_of(fits, task, device));
  const std::vector<tile::MachineCode> codes = codes_of(task);
  const Status verified = verify(codes, task, device);
  const Result<std::vector<hazard::Step>> steps = hazard::make_steps(codes);
  if (!steps) {
    report.errors.push_back(finding_of(verified.ok() ? steps.status() : verified, task, device));
    if (found) found(report);
    return report;
  }
  const std::vector<hazard::Layers> layers = layers_of(task);
  const hazard::Analysis analysis = hazard::analyse(steps.value(), layers);
  for (const hazard::Imbalance &pair : analysis.imbalances) report.errors.push_back(finding_of(pair, task));
  for (const hazard::Stuck &stuck : analysis.stuck) report.errors.push_back(finding_of(stuck, task));
  if (!verified.ok() && !about_tokens(verified)) report.errors.push_back(finding_of(verified, task, device));
  add_hazards(analysis, task, steps.value(), report);
  // The verifier and the analysis both find wrong tokens and missing order, and the analysis describes them better. So the verifier's
  // finding is reported only if there is no other error.
  if (about_tokens(verified) && report.errors.empty()) report.errors.push_back(finding_of(verified, task, device));
  add_stale_weights(analysis, task, report);
  add_unwritten_reads(steps.value(), task, report);
  if (found) found(report);
  if (verified.ok() || about_tokens(verified)) {
    report.mending_bits = verified_bits(hazard::mending_bits(steps.value(), layers), codes, task, device);
  }
  return report;
}

}  // namespace cox::tools
