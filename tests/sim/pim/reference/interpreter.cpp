// SPDX-License-Identifier: MIT
#include "tests/sim/pim/reference/interpreter.h"

#include "tests/sim/pim/reference/instructions.h"

namespace cox::model::pim::oracle {

Interpreter::Interpreter(const Configuration &configuration, const std::vector<Code> &codes)
    : cores(codes.size(), Core(configuration)),
      configuration_(configuration),
      codes_(codes),
      faults_(codes.size()),
      waiting_(codes.size()) {}

bool Interpreter::run(std::uint64_t instructions, std::uint64_t turn) {
  for (bool progress = true; progress;) {
    progress = false;
    for (unsigned core = 0; core < cores.size(); ++core) {
      for (std::uint64_t i = 0; i < turn && step(core); ++i) {
        if (instructions-- == 0) return false;
        progress = true;
      }
    }
  }
  report_deadlocks();
  return true;
}

/// Also ends the waiting of a core that has nothing to wait for any more.
bool Interpreter::can_step(unsigned core) {
  Waiting &waiting = waiting_[core];
  if (faults_[core]) return false;
  if (waiting.wait && !open(core, waiting.other, waiting.id)) go_on(core);
  return !waiting.message && !waiting.wait && !waiting.barrier && !ended(core);
}

bool Interpreter::step(unsigned core) {
  if (!can_step(core)) return false;
  Core &state = cores[core];
  const Code &code = codes_[core];
  const std::uint32_t at = state.counter;
  std::uint32_t named = at;  // the instruction that a fault names
  try {
    const Decoded instruction = decode(code[at]);
    if (instruction.opcode == Opcode::pim_batch) {
      require(at + 1 < code.size() && code[at + 1] >> 28 == 0, ErrorCode::batch_without_compute);
      named = at + 1;
      pim_compute(view(core), decode(code[named]), &instruction);
      state.counter = at + 2;
    } else {
      execute(core, instruction);
    }
  } catch (const Stop &stop) {
    fault(core, named, stop.code);
  }
  return true;
}

/// Carries out any instruction but pim-batch, and moves the counter on.
void Interpreter::execute(unsigned core, const Decoded &instruction) {
  Core &state = cores[core];
  std::uint32_t next = state.counter + 1;
  switch (instruction.opcode) {
    case Opcode::pim_compute: pim_compute(view(core), instruction, nullptr); break;
    case Opcode::pim_output: pim_output(view(core), instruction); break;
    case Opcode::pim_transfer: pim_transfer(view(core), instruction); break;
    case Opcode::simd_compute: simd_compute(view(core), instruction); break;
    case Opcode::beq:
    case Opcode::bne:
    case Opcode::bgt:
    case Opcode::blt:
    case Opcode::jmp: next = branch(view(core), instruction, static_cast<std::uint32_t>(codes_[core].size())); break;
    // A core that waits has not ended its instruction yet. These four move the counter when they do.
    case Opcode::send:
    case Opcode::receive: message(core, instruction); return;
    case Opcode::barrier: barrier(core, instruction); return;
    case Opcode::wait:
      waiting_[core] = {.wait = true, .id = state.general[instruction.rs2], .other = other_core(core, state.general[instruction.rs1])};
      return;
    default: scalar(view(core), instruction); break;
  }
  state.counter = next;
}

/// Ends the instruction at which a core waits, unless it has faulted meanwhile.
void Interpreter::go_on(unsigned core) {
  if (faults_[core]) return;
  waiting_[core] = {};
  ++cores[core].counter;
}

void Interpreter::fault(unsigned core, std::uint32_t instruction, ErrorCode code) {
  if (faults_[core]) return;
  faults_[core] = Fault{instruction, code};
  waiting_[core] = {};
  cores[core].counter = instruction;
}

}  // namespace cox::model::pim::oracle
