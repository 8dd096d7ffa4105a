// SPDX-License-Identifier: MIT
#include "tools/tile/message.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

#include "coxswain/isa/tile/configuration.h"
#include "coxswain/isa/tile/operation.h"
#include "coxswain/isa/tile/table.h"

namespace cox::task {

namespace tile = isa::tile;

namespace {

bool has_several_cores(const Task &task) { return task.geometry.tile_cores > 1; }

/// Returns true if the error's index is that of an instruction.
bool is_about_instruction(const Status &status, const Task &task) {
  if (status.index() < 0 || static_cast<std::size_t>(status.index()) >= task.instructions.size()) return false;
  if (std::string_view(status.what()) == "windows") return false;
  switch (status.code()) {
    case ErrorCode::tokens_unbalanced: return false;  // the message names both lanes instead
    case ErrorCode::window_missing:
    case ErrorCode::time_limit:
    case ErrorCode::device_fault: return true;
    default: return status.code() >= ErrorCode::unknown_instruction && status.code() <= ErrorCode::cut_not_ordered;
  }
}

/// Reads the name of a lane: two letters for its class, then the digit of its core. If there is no digit, the core is `core`.
tile::Lane lane_of_text(std::string_view text, unsigned core) {
  unsigned own = 0;
  while (own < tile::kClasses - 1 && text.substr(0, 2) != tile::kClassNames[own]) ++own;
  return tile::lane_of(text.size() > 2 ? static_cast<unsigned>(text[2] - '0') : core, own);
}

/// Reads an ordered pair of lanes as the verifier names it: "PE->VP" within a core, "SO0->SI1" between cores (firmware/verify/verifier.h).
std::optional<std::pair<tile::Lane, tile::Lane>> pair_of(const Status &status, const Task &task) {
  const std::string_view text = status.what();
  const std::size_t arrow = text.find("->");
  if (arrow == std::string_view::npos || status.index() < 0) return std::nullopt;
  if (static_cast<std::size_t>(status.index()) >= task.instructions.size()) return std::nullopt;
  const unsigned core = tile::core_of(task.instructions[static_cast<std::size_t>(status.index())].code);
  return std::pair(lane_of_text(text.substr(0, arrow), core), lane_of_text(text.substr(arrow + 2), core));
}

/// Returns text for the detail that the device reports with a fault (docs/registers.md, FaultCode). The text is empty if the detail says
/// nothing new about the instruction.
std::string detail_text(const Status &status) {
  const std::string_view fault = status.what();
  const std::int64_t detail = status.limit();
  if (fault == "core reset" || fault == "completion") return fmt::format(": core {} of the device", status.value());
  if (fault == "window") return fmt::format(": address {:#x} of the DRAM window", detail);
  if (fault == "wl0") return fmt::format(": unit {} of WL0", detail);
  if (fault == "core") return fmt::format(": core {} of the device", detail);
  if (fault == "bus_error") return fmt::format(": bus address {:#x}", detail);
  if (fault == "misaligned") return fmt::format(": address {:#x} of L2 is not a multiple of {}", detail, tile::kL2AddressUnit);
  if (fault == "cut") return detail == static_cast<std::int64_t>(tile::Opcode::ct_bc) ? "" : fmt::format(": address {:#x} of L2", detail);
  if (fault == "ecc") {
    // If no instruction was found that read the memory, the text names the core that owns the memory.
    if (status.index() < 0 && detail < tile::kMostCores) return fmt::format(": memory of core {} of the device", detail);
    return fmt::format(": address {:#x}", detail);
  }
  return "";
}

/// Returns the part of a message that follows the error's name.
std::string reason(const Status &status) {
  const std::string_view what = status.what();
  const std::int64_t value = status.value();
  const std::int64_t limit = status.limit();
  switch (status.code()) {
    case ErrorCode::no_task_start:
    case ErrorCode::no_task_end: return "";
    case ErrorCode::missing_configuration: return fmt::format("no {} before it", what);
    case ErrorCode::unsupported: return value != 0 ? fmt::format("{} {}", what, value) : std::string(what);
    case ErrorCode::unknown_instruction: return fmt::format("no instruction has {} in bits [7:0]", value);
    case ErrorCode::reserved_bits:
      if (what == "context" || what == "completion") return fmt::format("{}: it is {}, and 0 in a task image", what, value);
      return fmt::format("{}: bit {} must be 0", what, value);
    case ErrorCode::misaligned_address: return fmt::format("{}: {} is not a multiple of {}", what, value, limit);
    case ErrorCode::own_core:
      return what == "CORE" ? fmt::format("CORE: {} is the instruction's own core", value)
                            : fmt::format("{}: bit {} is the instruction's own core", what, limit);
    case ErrorCode::window_missing:
      return what == "windows" ? fmt::format("window {}, of {} bytes, was not given", status.index(), limit)
                               : fmt::format("{}: there is no window {}", what, value);
    case ErrorCode::window_too_small: return fmt::format("window {} has {} bytes, the task needs {}", status.index(), value, limit);
    case ErrorCode::not_owner: return fmt::format("{} {} is owner {}'s", what, value, limit);
    case ErrorCode::time_limit:
      return status.index() < 0 ? fmt::format("the run had not ended after its {} us", limit)
                                : fmt::format("it had not ended after the run's {} us", limit);
    case ErrorCode::device_fault: return std::string(what) + detail_text(status);
    case ErrorCode::shape_mismatch:
      // A map that is too large as a whole has the same error code, with the limit 2^32. The sentence about Tile would then be wrong.
      if ((what == "STile" || what == "DTile") && value > 0 && limit <= UINT32_MAX)
        return fmt::format("Tile takes {} of {}, which has {}", value, what, limit);
      break;
    case ErrorCode::cancelled:
      return what == "tile core" ? fmt::format("core {} of the device was reset for another task", value) : std::string(what);
    default: break;
  }
  std::string text(what);
  if (value != 0 || limit != 0) text += fmt::format("{}{}, the limit is {}", text.empty() ? "" : ": ", value, limit);
  return text;
}

/// Returns the L2 region that the instruction's field names, if no earlier ct_bc defines that region.
std::optional<unsigned> undefined_region(const Status &status, const Task &task) {
  if (status.index() < 0 || static_cast<std::size_t>(status.index()) >= task.instructions.size()) return std::nullopt;
  const tile::MachineCode &code = task.instructions[static_cast<std::size_t>(status.index())].code;
  tile::Configuration configuration;
  for (std::size_t i = 0; i < static_cast<std::size_t>(status.index()); ++i) {
    const tile::MachineCode &before = task.instructions[i].code;
    if (tile::core_of(before) == tile::core_of(code)) static_cast<void>(configuration.apply(before));
  }
  const Result<tile::Operation> operation = tile::resolve(code, configuration);
  if (!operation) return std::nullopt;
  const tile::Footprint footprint = tile::footprint(operation.value());
  for (unsigned i = 0; i < footprint.count; ++i) {
    const tile::Access &access = footprint.accesses[i];
    if (access.space == tile::Space::l2 && std::string_view(status.what()) == access.field &&
        configuration.region(access.selector).blocks == 0)
      return access.selector;
  }
  return std::nullopt;
}

/// If `status` says that an lda_cfg or ldw_cfg is missing, returns the index of the instruction that replaced it, if any. Each kind can
/// replace the other, because both write the same register sets.
std::optional<std::int32_t> replaced_by(const Status &status, const Task &task) {
  const std::string_view what = status.what();
  if (what != "lda_cfg" && what != "ldw_cfg") return std::nullopt;
  if (status.index() < 0 || static_cast<std::size_t>(status.index()) >= task.instructions.size()) return std::nullopt;
  const auto set_of = [](const tile::MachineCode &code) -> std::int64_t {
    switch (tile::opcode_of(code)) {
      case tile::Opcode::lda_cfg: return tile::get<tile::Opcode::lda_cfg, "RS">(code);
      case tile::Opcode::ldw_cfg: return tile::get<tile::Opcode::ldw_cfg, "RS">(code);
      default: return -1;
    }
  };
  const tile::MachineCode &code = task.instructions[static_cast<std::size_t>(status.index())].code;
  const std::int64_t set = tile::get<tile::Opcode::lda_mov, "RS">(code);  // ldw_mov has RS in the same bits
  static_assert(tile::same_bits<tile::Opcode::lda_mov, tile::Opcode::ldw_mov, "RS">());
  std::optional<std::int32_t> writer_after;
  for (std::int32_t i = status.index() - 1; i >= 0; --i) {
    const tile::MachineCode &before = task.instructions[static_cast<std::size_t>(i)].code;
    if (tile::core_of(before) != tile::core_of(code) || set_of(before) != set) continue;
    if (tile::find_instruction(tile::opcode_of(before))->name == what) return writer_after;
    writer_after = i;
  }
  return std::nullopt;
}

/// Like reason(status), but also gives text that needs the task, for example the lanes of a deadlock.
std::string reason(const Status &status, const Task &task) {
  const auto pair = pair_of(status, task);
  if (status.code() == ErrorCode::tokens_unbalanced && pair) {
    return tokens_text(task, pair->first, pair->second, status.value(), status.limit());
  }
  if (status.code() == ErrorCode::deadlock && pair) return waits_text(task, tile::LaneSet{1} << pair->first);
  if (status.code() == ErrorCode::missing_configuration) {
    if (const auto other = replaced_by(status, task)) {
      return fmt::format("{} replaced the {} before it; the two share register set {} (RS)", instruction_name(task, *other), status.what(),
                         tile::get<tile::Opcode::lda_mov, "RS">(task.instructions[static_cast<std::size_t>(status.index())].code));
    }
  }
  const bool names_other = status.limit() >= 0 && static_cast<std::size_t>(status.limit()) < task.instructions.size();
  if (status.code() == ErrorCode::cut_not_ordered && names_other) {
    const std::string other = instruction_name(task, static_cast<std::int32_t>(status.limit()));
    if (std::string_view(status.what()) == "ct_bc") {
      return fmt::format("it may define L2 region {} anew before {}, which uses it, has ended", status.value(), other);
    }
    return fmt::format("{}: it may start before {}, which defines L2 region {}, has ended", status.what(), other, status.value());
  }
  if (status.code() == ErrorCode::address_outside_cut) {
    if (const auto region = undefined_region(status, task))
      return fmt::format("{}: L2 region {} is not defined: no ct_bc before it does so", status.what(), *region);
  }
  return reason(status);
}

std::string named(ErrorCode code, const std::string &reason) {
  return reason.empty() ? error_name(code) : fmt::format("{}: {}", error_name(code), reason);
}

}  // namespace

std::string describe(const Status &status) { return named(status.code(), reason(status)); }

std::string describe(const Status &status, const Task &task) {
  const std::string text = named(status.code(), reason(status, task));
  return is_about_instruction(status, task) ? instruction_name(task, status.index()) + ": " + text : text;
}

std::string instruction_name(const Instruction &instruction, std::int32_t index) {
  const tile::Instruction *entry = tile::find_instruction(tile::opcode_of(instruction.code));
  // A task from an image has no line numbers. `cox dis` prints one instruction a line, so the text gives that line.
  const std::int64_t line = instruction.line > 0 ? instruction.line : std::int64_t{index} + 1;
  return fmt::format("instruction {} (line {}, {})", index, line, entry == nullptr ? "unknown" : entry->name);
}

std::string instruction_name(const Task &task, std::int32_t index) {
  const Instruction &instruction = task.instructions[static_cast<std::size_t>(index)];
  const std::string name = instruction_name(instruction, index);
  return has_several_cores(task) ? fmt::format("{} on core {}", name, tile::core_of(instruction.code)) : name;
}

std::string lane_name(const Task &task, tile::Lane lane) { return tile::lane_name(lane, has_several_cores(task)).text; }

std::string tokens_text(const Task &task, tile::Lane from, tile::Lane to, std::int64_t put, std::int64_t taken) {
  return fmt::format("{} puts {} token{} for {}, which takes {}", lane_name(task, from), put, put == 1 ? "" : "s", lane_name(task, to),
                     taken);
}

std::string waits_text(const Task &task, tile::LaneSet lanes) {
  std::string names;
  tile::for_each_lane(lanes, [&](tile::Lane lane) { names += (names.empty() ? "" : " and ") + lane_name(task, lane); });
  return "it can never start: it waits for a token from " + names;
}

}  // namespace cox::task
