// SPDX-License-Identifier: MIT
// Puts a program together: each instruction is encoded, joined with the configuration that stands before it on its core, and so what it
// touches and how long it takes are what verifier, hazard detector and device model will say.
#pragma once

#include <array>

#include "isa/tile/configuration.h"
#include "isa/tile/operation.h"
#include "sim/model/tile/geometry.h"
#include "tools/lower/program/fields.h"
#include "tools/lower/program/program.h"

namespace cox::lower {

class Emitter {
 public:
  explicit Emitter(const model::TileGeometry &geometry) : geometry_(geometry) {}

  /// The core that runs what follows.
  void select(unsigned core) { core_ = core; }
  [[nodiscard]] unsigned core() const { return core_; }

  /// `more` is what it touches beside the bytes of its operands.
  void emit(const char *name, const Origin &origin, const Fields &fields, const std::vector<Touch> &more = {});

  /// A configuration that stands already is not written again.
  void configure(const char *name, const Origin &origin, const Fields &fields);

  /// What has been emitted.
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
