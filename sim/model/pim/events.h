// SPDX-License-Identifier: MIT
// Tells the device's observers of the instructions of PIM cores.
#pragma once

#include <vector>

#include "sim/model/device/stream_port.h"
#include "sim/model/observer.h"
#include "sim/model/pim/dram_port.h"
#include "sim/model/pim/machine/listener.h"

namespace cox::model::pim {

/// A lane of a core is a unit (sim/model/pim/machine/counters.h). The position of an instruction is its packed isa::pim::Position.
class Events final : public Listener {
 public:
  Events(const Observers &observers, const DramPort &dram) : observers_(observers), dram_(dram) {}

  /// `frame` has what all events of a program share. The arguments must last as long as the program.
  void begin(const InstructionEvent &frame, const isa::pim::Program &program, const isa::pim::Configuration &configuration);
  /// Tells of the copies of the program, as one instruction without an opcode. The stream's end is its end.
  void start_copies(Cycle now);

  void on_start(const CoreEvent &event) override;
  void on_end(const CoreEvent &event) override;
  void on_message(const CoreMessageEvent &event) override;
  void on_barrier(const CoreBarrierEvent &event) override;

 private:
  [[nodiscard]] InstructionEvent convert(const CoreEvent &event);
  void add_touches(const CoreEvent &event);
  void add_touch(bool write, isa::pim::Place place, std::uint64_t bytes);

  const Observers &observers_;
  const DramPort &dram_;
  InstructionEvent frame_;
  const isa::pim::Program *program_ = nullptr;
  const isa::pim::Configuration *configuration_ = nullptr;
  std::array<isa::pim::MachineCode, 2> code_{};  ///< of the event
  std::vector<Touch> touches_;
};

}  // namespace cox::model::pim
