// SPDX-License-Identifier: MIT
#include "tools/unity/check_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "coxswain/isa/unity/operation.h"
#include "coxswain/isa/unity/table.h"
#include "sim/model/unity/machine/machine.h"
#include "tools/unity/access_order.h"
#include "tools/unity/check_slots.h"
#include "tools/unity/container_memory.h"
#include "tools/unity/engine_run.h"
#include "tools/unity/program_text.h"

namespace cox::tools::unity {
namespace {

using namespace isa::unity;  // NOLINT(google-build-using-namespace)

constexpr std::uint64_t kDefaultPage = std::uint64_t{1} << 24;

/// Reads the operand table of an instruction before the program runs. Refuses lists and descriptors, which the program may write itself.
class TableBytes final : public isa::OperandMemory {
 public:
  TableBytes(ContainerMemory &memory, std::uint64_t address, std::uint64_t bytes) : memory_(memory), address_(address), bytes_(bytes) {}

  [[nodiscard]] bool read(std::uint64_t address, std::span<std::byte> bytes) const override {
    if (address < address_ || address - address_ > bytes_ || bytes.size() > bytes_ - (address - address_)) {
      refused_ = true;
      return false;
    }
    return KnownBytes(memory_).read(address, bytes);
  }
  /// True if resolve() wanted more than the table: only the run can tell whether the instruction is right.
  [[nodiscard]] bool refused() const { return refused_; }

 private:
  ContainerMemory &memory_;
  std::uint64_t address_, bytes_;
  mutable bool refused_ = false;
};

unsigned units_of(const model::Options &device) {
  constexpr unsigned kUsual = 4;
  const auto units = device.parameters.find("unity_units");
  return units == device.parameters.end() ? kUsual : units->second;
}

class Checker {
 public:
  Checker(const Container &container, const CheckedProgram &checked)
      : container_(container), checked_(checked), memory_(container.bytes()) {
    const StreamBindings &bindings = checked.bindings;
    for (std::size_t i = 0; i < bindings.image.windows.size(); ++i)
      memory_.add_window(bindings.starts[i], bindings.image.windows[i].size, bindings.image.windows[i].writable);
    for (const Constant &constant : bindings.image.constants)
      memory_.fill(start_of(constant.window) + constant.offset, std::as_bytes(std::span(constant.data)));
    page_ = container.header().page;
    if (page_ == 0) page_ = bindings.starts.empty() ? kDefaultPage : bindings.starts.front();
  }

  Report check(std::uint64_t most_cycles) {
    const ContainerHeader &header = container_.header();
    if (const unsigned units = units_of(checked_.device); header.units > units) {
      add(report_.errors, ErrorCode::image_geometry, -1,
          fmt::format("image_geometry: the program has {} units, the device {}", header.units, units));
    }
    for (std::uint32_t i = 0; i < header.programs; ++i) check_images(container_.program(i));
    for (std::uint32_t i = 0; i < header.sub_programs; ++i) check_images(container_.sub_program(i));
    if (unknown_tables_ != 0) {
      report_.warnings.push_back(
          {"unchecked",
           {},
           fmt::format("the operand tables of {} instructions lie outside of the container and of the constants; they "
                       "and the order of instructions were not checked",
                       unknown_tables_),
           ""});
    } else if (report_.errors.empty()) {
      run(most_cycles);
    }
    return std::move(report_);
  }

 private:
  [[nodiscard]] std::uint64_t start_of(unsigned window) const {
    const StreamBindings &bindings = checked_.bindings;
    for (std::size_t i = 0; i < bindings.image.windows.size(); ++i) {
      if (bindings.image.windows[i].index == window) return bindings.starts[i];
    }
    return 0;
  }

  static void add(std::vector<Finding> &findings, ErrorCode code, std::int32_t instruction, std::string text, std::string mend = "") {
    findings.push_back({error_name(code), {}, std::move(text), std::move(mend)});
    if (instruction >= 0) findings.back().instructions.push_back(instruction);
  }
  void add_error(std::uint32_t position, const Status &status) {
    add(report_.errors, status.code(), instruction_number(container_, position),
        fmt::format("{}: {}", place_text(container_.bytes(), position), refusal_text(status)));
  }

  void check_images(const ProgramEntry &entry) {
    if (!seen_.insert(entry.offset).second) return;  // units may share a program
    for (std::uint32_t i = 0; i + 1 < entry.instructions; ++i) {
      const Stored stored = container_.instruction(entry, i);
      const std::uint32_t position = Container::position(entry, entry.unit, i);
      const Status status = is_engine(stored.domain) ? check_submission(stored, position) : check_instruction(stored);
      if (!status) add_error(position, status);
    }
  }

  Status check_instruction(const Stored &stored) {
    if (const Status status = isa::unity::check(stored.code); !status) return status;
    const Instruction &row = *find_quickly(stored.code);
    if (row.layout == nullptr) return {};
    const AddressSpace space = address_space(stored.code);
    const std::uint64_t base = space == AddressSpace::bits16 ? page_ : 0;
    if (row.stage == Stage::later) return {ErrorCode::unsupported, row.name};
    const bool placed = container_.is_relative() || space == AddressSpace::bits16;
    if (!placed || !memory_.is_known(base + table_address(stored.code), table_bytes(*row.layout, space, false))) {
      if (container_.is_relative() && space != AddressSpace::bits16)
        return {ErrorCode::address_outside_window, "table", -1, signed_of(table_address(stored.code))};
      ++unknown_tables_;
      return {};
    }
    const TableBytes table(memory_, base + table_address(stored.code), table_bytes(*row.layout, space, true));
    const Surroundings surroundings{table, page_, 0};
    const Result<Operation> operation = resolve(stored.code, surroundings);
    if (!operation) return table.refused() ? Status() : operation.status();
    Status status;
    for_each_access(stored.code, surroundings, operation.value(), [&](const Access &access) {
      if (!status) return;
      const Status allowed = memory_.check(access.write, access.start, access.bytes);
      if (!allowed) status = Status(allowed.code(), access.field, -1, allowed.value());
    });
    return status;
  }

  Status check_submission(const Stored &stored, std::uint32_t position) {
    submits_ = true;
    const Result<EngineSubmission> submission = resolve_submission(stored.domain, stored.code, page_);
    if (!submission) return submission.status();
    if (!container_.is_relative() || address_space(stored.code) == AddressSpace::bits16) {
      ++unknown_tables_;
      return {};
    }
    check_slots(checked_, submission.value(), place_text(container_.bytes(), position), instruction_number(container_, position), report_);
    return {};
  }

  void run_machine(model::unity::Machine &machine, EngineRun *engines, std::uint64_t most_cycles) {
    constexpr unsigned kAllTables = (1U << kKeyTables) - 1;
    machine.start(container_, {.address = 0, .page = page_, .key_tables = kAllTables}, memory_, 0);
    while (!machine.done()) {
      const std::uint64_t next = std::min(machine.next_event(), engines == nullptr ? model::kNever : engines->next_event());
      if (next > most_cycles) break;
      if (engines != nullptr) engines->advance(next);
      machine.step(next);
    }
  }

  void run(std::uint64_t most_cycles) {
    model::unity::Machine machine({}, kMostUnits, model::unity::Path::fast);
    AccessOrder order(container_);
    machine.set_listener(&order);
    std::optional<EngineRun> engines;
    if (submits_) {
      engines.emplace(checked_.device, checked_.bindings, memory_, machine, order);
      machine.set_gate(&*engines);
    }
    run_machine(machine, engines ? &*engines : nullptr, most_cycles);
    if (!machine.done()) {
      machine.stop();
      const std::string what = container_.host_deposits()
                                   ? "the program waits for the control core's keys, or it goes on for more than {} cycles"
                                   : "the check stopped the program after {} cycles";
      report_.warnings.push_back({"unfinished", {}, fmt::format(fmt::runtime(what), most_cycles), ""});
    } else if (const model::unity::Outcome &outcome = machine.outcome(); !outcome.status) {
      add_fault(outcome, engines ? engines->fault_text() : "");
    }
    for (const Hazard &hazard : order.hazards()) add_hazard(hazard);
    if (order.is_cut()) {
      report_.warnings.push_back(
          {"unchecked",
           {},
           fmt::format("only the first {} instructions of the run, and the first {} accesses of other engines, were searched for hazards",
                       AccessOrder::kMostInstructions, AccessOrder::kMostAccesses),
           ""});
    }
  }

  /// The fault, and the units that waited then: perhaps for a key of the instruction that has the fault.
  /// `engine_fault`: what another engine has refused.
  void add_fault(const model::unity::Outcome &outcome, const std::string &engine_fault) {
    std::string text;
    std::vector<std::int32_t> instructions;
    const bool deadlock = outcome.status.code() == ErrorCode::deadlock;
    if (deadlock) {
      text = deadlock_text(outcome.waiting.size());
    } else {
      const bool of_engine = outcome.status.code() == ErrorCode::device_fault && !engine_fault.empty();
      text =
          fmt::format("{}: {}", place_text(container_.bytes(), outcome.position), of_engine ? engine_fault : refusal_text(outcome.status));
      instructions.push_back(instruction_number(container_, outcome.position));
    }
    for (const model::unity::Waiting &waiting : outcome.waiting) {
      const registers::WaitingUnit unit{.offset = Position::unpack(waiting.position).byte(),
                                        .instruction = -1,
                                        .held = waiting.held,
                                        .wanted = static_cast<std::uint8_t>(waiting.wanted),
                                        .table = waiting.key.table,
                                        .entry = waiting.key.entry,
                                        .unit = static_cast<std::uint8_t>(waiting.unit),
                                        .reserved = {}};
      text += waiting_text(container_.bytes(), {&unit, 1});
      if (deadlock) instructions.push_back(instruction_number(container_, waiting.position));
    }
    const bool of_control_core = deadlock && container_.host_deposits();
    (of_control_core ? report_.warnings : report_.errors).push_back({error_name(outcome.status.code()), instructions, text, ""});
  }

  void add_hazard(const Hazard &hazard) {
    const auto verb = [](bool write) { return write ? "writes" : "reads"; };
    const std::string memory = EngineRun::memory_text(hazard.memory);
    report_.errors.push_back({"hazard",
                              {instruction_number(container_, hazard.earlier), instruction_number(container_, hazard.later)},
                              fmt::format("{} {} bytes {:#x} to {:#x}{} ({}), which {} {} ({}); nothing orders the two",
                                          place_text(container_.bytes(), hazard.earlier), verb(hazard.earlier_writes), hazard.first,
                                          hazard.first + hazard.bytes - 1, memory.empty() ? "" : " of " + memory, hazard.earlier_field,
                                          place_text(container_.bytes(), hazard.later), verb(hazard.later_writes), hazard.later_field),
                              Position::unpack(hazard.earlier).unit == Position::unpack(hazard.later).unit
                                  ? "blk at the first, or a key from the first to the second"
                                  : "a key from the first to the second"});
  }

  const Container &container_;
  const CheckedProgram &checked_;
  ContainerMemory memory_;
  std::uint64_t page_ = 0;
  std::set<std::uint32_t> seen_;
  unsigned unknown_tables_ = 0;
  bool submits_ = false;  ///< to other engines
  Report report_;
};

}  // namespace

Report check_program(const CheckedProgram &checked, std::uint64_t most_cycles) {
  const Result<Container> container = Container::open(std::as_bytes(checked.container));
  if (!container) {
    return {.errors = {{error_name(container.status().code()), {}, container_text(container.status()), ""}},
            .warnings = {},
            .mending_bits = {}};
  }
  return Checker(container.value(), checked).check(most_cycles);
}

}  // namespace cox::tools::unity
