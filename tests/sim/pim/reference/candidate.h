// SPDX-License-Identifier: MIT
// One core that runs on isa::pim::resolve() and the model's arithmetic, without time: what the slow interpreter judges.
#pragma once

#include <cstdint>
#include <optional>

#include "coxswain/isa/pim/operation.h"
#include "sim/model/pim/arithmetic/execute.h"
#include "tests/sim/pim/reference/interpreter.h"

namespace cox::model::pim::oracle {

class Candidate {
 public:
  /// The core that runs `code`, with the registers and bytes of `core`.
  Candidate(const Configuration &configuration, const Code &code, const Core &core, const Dram &dram, Path path);
  Candidate(const Candidate &) = delete;
  Candidate &operator=(const Candidate &) = delete;

  /// Carries out the next instruction, if there is one and none has faulted.
  void step();
  [[nodiscard]] const std::optional<Fault> &fault() const { return fault_; }
  [[nodiscard]] const Core &core();
  [[nodiscard]] const Dram &dram() const { return dram_; }

 private:
  Status carry_out(const isa::pim::Operation &operation);
  Status execute(std::uint32_t at, std::uint32_t batch_at);
  std::uint8_t *byte(const isa::pim::Place &place);

  const Configuration &configuration_;
  const Code &code_;
  Core core_;
  Dram dram_;
  Path path_;
  isa::pim::Registers registers_;
  CoreMemories memories_;
  std::optional<Fault> fault_;
  std::uint32_t next_ = 0;
};

}  // namespace cox::model::pim::oracle
