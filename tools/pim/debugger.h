// SPDX-License-Identifier: MIT
// A look at a PIM program while it runs (docs/pim.md, Debugger): `cox run PROGRAM --step`. It runs the program on the cores of the model,
// without firmware and device, and obeys commands from a stream.
#pragma once

#include <cstdint>
#include <istream>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "coxswain/isa/pim/program.h"
#include "sim/model/pim/configuration/settings.h"
#include "sim/model/pim/machine/machine.h"
#include "tools/pim/window_memory.h"

namespace cox::tools::pim {

class Debugger {
 public:
  /// All cores stand before their first instruction. `program` and `memory` must outlive the debugger. Throws FileError if the device has
  /// fewer cores than the program.
  Debugger(const isa::pim::Program &program, const model::pim::Settings &settings, WindowMemory &memory, std::ostream &out);

  /// Obeys the commands in `in` until `quit` or its end. `prompt`: print a prompt before each command.
  void run(std::istream &in, bool prompt);
  /// Returns false after `quit`. A command that is not understood prints a line and changes nothing.
  bool obey(const std::string &line);

 private:
  class InTime final : public model::pim::Listener {
   public:
    void on_start(const model::pim::CoreEvent & /*event*/) override {}
    void on_end(const model::pim::CoreEvent & /*event*/) override {}
  };

  void step(std::uint64_t count);
  void resume_all();
  void breakpoint(std::string_view word, bool set);
  void select(std::uint64_t core);
  void print_place(std::uint32_t around = 0);
  void print_cores();
  void print_registers();
  void print_memory(const std::vector<std::string> &words);
  void print_end();
  /// Runs until all cores are halted or wait, `core` has stopped, or the program ends.
  void pump(unsigned core, bool any_halt);
  [[nodiscard]] bool is_held(unsigned core) const { return machine_.state(core).phase == model::pim::Phase::halted; }

  const isa::pim::Program &program_;
  model::pim::Settings settings_;
  WindowMemory &memory_;
  std::ostream &out_;
  InTime in_time_;  ///< the machine runs instructions in the order of time if it has a listener
  model::pim::Machine machine_;
  unsigned core_ = 0;
  std::uint64_t now_ = 0;
  bool end_printed_ = false;
  std::set<std::pair<unsigned, std::uint32_t>> breakpoints_;
};

}  // namespace cox::tools::pim
