// SPDX-License-Identifier: MIT
// A program on the cores of the model, without firmware and device around them: for `cox check`, for the debugger, and to explain a fault.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/model/pim/configuration/settings.h"
#include "sim/model/pim/machine/machine.h"
#include "tools/image/stream_image.h"
#include "tools/pim/window_memory.h"

namespace cox::tools::pim {

class ModelRun {
 public:
  /// `program` and `settings` must outlive the run.
  ModelRun(const isa::pim::Program &program, const model::pim::Settings &settings, unsigned cores);

  /// Adds the windows of an image with its constants. Without windows, those of a program without bindings.
  void add_windows(const std::vector<Window> &windows, const std::vector<Constant> &constants);

  [[nodiscard]] WindowMemory &memory() { return memory_; }
  [[nodiscard]] model::pim::Machine &machine() { return machine_; }
  /// Runs the program from its start. Returns false if it has not ended after so many cycles.
  [[nodiscard]] bool run(std::uint64_t most_cycles);

 private:
  const isa::pim::Program &program_;
  WindowMemory memory_;
  model::pim::Machine machine_;
};

}  // namespace cox::tools::pim
