// SPDX-License-Identifier: MIT
#include "tools/pim/check_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "coxswain/isa/pim/program.h"
#include "sim/model/pim/machine/machine.h"
#include "tools/pim/fault_text.h"
#include "tools/pim/instruction_text.h"
#include "tools/pim/message_order.h"
#include "tools/pim/model_run.h"
#include "tools/pim/open_program.h"
#include "tools/pim/outcome_text.h"

namespace cox::tools::pim {
namespace {

using isa::pim::MachineCode;
using isa::pim::Opcode;
using isa::pim::Position;
using isa::pim::Program;

Finding finding_at(const Program &program, Position position, std::string kind, const std::string &why) {
  return {std::move(kind), {static_cast<std::int32_t>(position.instruction)}, place_text(program, position) + ": " + why, ""};
}

class Checker {
 public:
  Checker(const Program &program, const CheckedProgram &checked, const model::pim::Settings &settings)
      : program_(program), checked_(checked), settings_(settings) {}

  Report check(std::uint64_t most_cycles) {
    check_instructions();
    check_copies();
    const unsigned cores = settings_.cores.value_or(model::pim::kDefaultCores);
    if (program_.cores() > cores) {
      report_.errors.push_back(
          {error_name(ErrorCode::image_geometry),
           {},
           fmt::format("{}: the program has {} cores, the device {}", error_name(ErrorCode::image_geometry), program_.cores(), cores),
           ""});
    }
    if (report_.errors.empty()) run(cores, most_cycles);
    return std::move(report_);
  }

 private:
  void check_instructions() {
    std::set<std::uint32_t> seen;  // offsets of codes; cores may share one
    for (unsigned core = 0; core < program_.cores(); ++core) {
      const isa::pim::CodeEntry entry = program_.entry(core);
      if (entry.instructions == 0 || !seen.insert(entry.offset).second) continue;
      for (std::uint32_t number = 0; number < entry.instructions; ++number) check_instruction({core, number}, entry.instructions);
    }
  }

  void check_instruction(Position position, std::uint32_t instructions) {
    const MachineCode code = program_.code(position.core, position.instruction);
    const isa::pim::Instruction *row = isa::pim::Set::find(code);
    if (const Status status = isa::pim::check(code); !status) {
      report_.errors.push_back(
          {error_name(status.code()), {static_cast<std::int32_t>(position.instruction)}, fault_text(program_, position, status), ""});
      return;
    }
    if (row->opcode == Opcode::pim_batch) {
      const bool last = position.instruction + 1 == instructions;
      const auto *next = last ? nullptr : isa::pim::Set::find(program_.code(position.core, position.instruction + 1));
      if (next == nullptr || next->opcode != Opcode::pim_compute)
        report_.errors.push_back(finding_at(program_, position, error_name(ErrorCode::batch_without_compute), "no pim-compute follows it"));
    }
    if (row->opcode < Opcode::beq || row->opcode > Opcode::jmp) return;
    const std::int64_t target = position.instruction + isa::read_integer(code, *isa::pim::Set::find_field(*row, "offset"));
    if (target >= 0 && target <= instructions) return;
    report_.warnings.push_back(finding_at(program_, position, error_name(ErrorCode::branch_outside_program),
                                          fmt::format("its target, instruction {}, is not in the core's code", target)));
  }

  void check_copies() {
    for (std::uint32_t i = 0; i < program_.header().copies; ++i) {
      const Status status = isa::pim::check(program_.copy(i), settings_.configuration);
      if (!status) report_.errors.push_back({error_name(status.code()), {}, container_text(status.at(static_cast<std::int32_t>(i))), ""});
    }
  }

  void run(unsigned cores, std::uint64_t most_cycles) {
    ModelRun run(program_, settings_, cores);
    run.add_windows(checked_.windows, checked_.constants);
    model::pim::Machine &machine = run.machine();
    MessageOrder order(settings_.configuration);
    machine.set_listener(&order);
    if (!run.run(most_cycles)) {
      machine.stop();
      report_.warnings.push_back({"unfinished", {}, fmt::format("the check stopped the program after {} cycles", most_cycles), ""});
    } else if (const model::pim::Outcome &outcome = machine.outcome(); !outcome.status.ok()) {
      add_faults(machine, outcome);
    }
    for (const Hazard &hazard : order.hazards()) add_hazard(hazard);
  }

  /// Faults of all cores, not only the first, and who waits for what.
  void add_faults(const model::pim::Machine &machine, const model::pim::Outcome &outcome) {
    const std::vector<CoreFault> faults = faults_of(program_, machine);
    for (const CoreFault &fault : faults) {
      report_.errors.push_back({error_name(fault.status.code()), {static_cast<std::int32_t>(fault.position.instruction)}, fault.text, ""});
    }
    if (outcome.waiting != 0) {
      report_.errors.push_back({"deadlock", {}, deadlock_text(program_, machine, outcome.waiting), ""});
    } else if (faults.empty()) {
      report_.errors.push_back({error_name(outcome.status.code()), {}, fault_text(program_, outcome.status), ""});
    }
  }

  void add_hazard(const Hazard &hazard) {
    const auto verb = [](bool write) { return write ? "writes" : "reads"; };
    std::string where = fmt::format("bytes {:#x} to {:#x} of ", hazard.first, hazard.first + hazard.bytes - 1);
    if (hazard.space >= isa::pim::kDramSpace) {
      where += fmt::format("window {}", hazard.space - isa::pim::kDramSpace);
    } else {
      where += settings_.configuration.memories.at(hazard.space).name();
    }
    const std::string earlier = place_text(program_, hazard.earlier), later = place_text(program_, hazard.later);
    std::string text, mend;
    switch (hazard.kind) {
      case Hazard::Kind::dram:
        text = fmt::format("{} {} {}, which {} {}; nothing orders the two", earlier, verb(hazard.earlier_writes), where, later,
                           verb(hazard.later_writes));
        mend = "a message or a barrier between the two";
        break;
      case Hazard::Kind::destination:
        text = fmt::format("{} {} {}, where the data of {} may not have arrived", later, verb(hazard.later_writes), where, earlier);
        mend = "a wait between the two";
        break;
      case Hazard::Kind::source:
        text = fmt::format("{} writes {}, which {} may still read", later, where, earlier);
        mend = "a wait between the two";
        break;
    }
    report_.errors.push_back({"hazard",
                              {static_cast<std::int32_t>(hazard.earlier.instruction), static_cast<std::int32_t>(hazard.later.instruction)},
                              text,
                              mend});
  }

  const Program &program_;
  const CheckedProgram &checked_;
  const model::pim::Settings &settings_;
  Report report_;
};

}  // namespace

Report check_program(const CheckedProgram &checked, const model::pim::Settings &settings, std::uint64_t most_cycles) {
  const Result<Program> program = Program::open(std::as_bytes(checked.stream));
  if (!program)
    return {
        .errors = {{error_name(program.status().code()), {}, container_text(program.status()), ""}}, .warnings = {}, .mending_bits = {}};
  return Checker(program.value(), checked, settings).check(most_cycles);
}

}  // namespace cox::tools::pim
