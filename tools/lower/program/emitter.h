// SPDX-License-Identifier: MIT
// Builds a program. The emitter encodes each instruction, and resolves it with the configuration that earlier instructions on its core have
// made. So its touches and its duration are the same as in the verifier, the hazard detector and the device model.
#pragma once

#include <array>

#include "coxswain/isa/tile/configuration.h"
#include "coxswain/isa/tile/operation.h"
#include "sim/model/tile/geometry.h"
#include "tools/lower/program/fields.h"
#include "tools/lower/program/program.h"

namespace cox::lower {

class Emitter {
 public:
  explicit Emitter(const model::TileGeometry &geometry) : geometry_(geometry) {}

  /// Selects the core for the following instructions.
  void select(unsigned core) { core_ = core; }
  [[nodiscard]] unsigned core() const { return core_; }

  /// Emits an instruction. `more`: what the instruction uses besides the bytes of its operands, for example a message between cores.
  void emit(const char *name, const Origin &origin, const Fields &fields, const std::vector<Touch> &more = {});

  /// Emits a configuration, unless the core already has it.
  void configure(const char *name, const Origin &origin, const Fields &fields);

  /// Returns the program so far.
  [[nodiscard]] Program &program() { return program_; }

  [[nodiscard]] const model::TileGeometry &geometry() const { return geometry_; }
  [[nodiscard]] Program take() { return std::move(program_); }

 private:
  Instruction &append(const isa::tile::Instruction &entry, const Origin &origin, const isa::tile::MachineCode &code);
  [[nodiscard]] isa::tile::MachineCode encoded(const isa::tile::Instruction &entry, const Fields &fields) const;

  model::TileGeometry geometry_;
  unsigned core_ = 0;
  std::array<isa::tile::Configuration, isa::tile::kMostCores> configurations_;
  Program program_;
};

}  // namespace cox::lower
