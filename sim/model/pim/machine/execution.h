// SPDX-License-Identifier: MIT
// Carries out instructions of PIM cores, with everything that cores share: DRAM, messages, barriers.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "coxswain/isa/pim/operation.h"
#include "sim/model/pim/arithmetic/execute.h"
#include "sim/model/pim/machine/barriers.h"
#include "sim/model/pim/machine/core.h"
#include "sim/model/pim/machine/dram.h"
#include "sim/model/pim/machine/messages.h"
#include "sim/model/pim/machine/reporter.h"

namespace cox::model::pim {

class Execution {
 public:
  Execution(const isa::pim::Configuration &configuration, const Timing &timing, const Energy &energy, Path path);

  /// Begins a program of `cores` cores. Forgets all that earlier programs have left open.
  void begin(std::span<const std::unique_ptr<Core>> cores, Dram &dram);

  /// How far an instruction may go.
  struct Horizon {
    Cycle own = 0;     ///< first cycle in which no instruction may issue
    Cycle shared = 0;  ///< the same for instructions that touch more than the core's own memories
  };
  /// Issues the instruction at the core's counter. Returns false if it does not issue before the horizon (core.next says when it would), if
  /// it faults, or if other cores may now go on before this one.
  bool issue(Core &core, const Horizon &horizon);
  /// Delivers the message that lands next.
  void land();
  /// Stops a core. `position`: the instruction whose fault it is.
  void fault(Core &core, std::uint32_t instruction, const Status &status, Cycle now);
  /// Tells the listener that a core which waits for others never goes on.
  void give_up(const Core &core, Cycle now);

  /// Copies bytes between DRAM and a memory of a core, or DRAM. What fails changes nothing.
  [[nodiscard]] Status copy(Core &core, isa::pim::Place from, isa::pim::Place to, std::uint64_t bytes);

  [[nodiscard]] DramBus &bus() { return bus_; }
  [[nodiscard]] Dram &dram() { return *dram_; }
  [[nodiscard]] Messages &messages() { return messages_; }
  [[nodiscard]] const Messages &messages() const { return messages_; }
  [[nodiscard]] Barriers &barriers() { return barriers_; }
  [[nodiscard]] const Barriers &barriers() const { return barriers_; }
  [[nodiscard]] Reporter &reporter() { return reporter_; }
  [[nodiscard]] const Reporter &reporter() const { return reporter_; }

 private:
  bool prepare(Core &core);
  void take_effect(Core &core, Cycle now);
  [[nodiscard]] Status carry_out(Core &core, const isa::pim::Operation &operation);
  void go_on(Core &core, std::uint32_t to, Cycle next);
  void block(Core &core, Phase phase, std::uint32_t other, std::uint32_t id, Cycle now);
  void unblock(Core &core, Cycle end);
  void begin_waiting(Core &core, Cycle now, Cycle end);
  bool send_or_receive(Core &core, const isa::pim::Message &message, Cycle now);
  void differ(const Route &route, const MessageSide &send, const MessageSide &receive, Cycle now);
  void landed(Core &core, const MessageSide &side, unsigned other, std::uint32_t id, Cycle now);
  bool wait(Core &core, const isa::pim::Wait &wait, Cycle now);
  bool arrive(Core &core, const isa::pim::Barrier &barrier, Cycle now);
  [[nodiscard]] Cycle jitter(unsigned core, std::uint64_t number) const;
  [[nodiscard]] CoreEvent event_of(const Core &core, Cycle start, Cycle end) const;

  const isa::pim::Configuration &configuration_;
  const Timing &timing_;
  const Energy &energy_;
  Path path_;
  std::span<const std::unique_ptr<Core>> cores_;
  Dram *dram_ = nullptr;
  DramBus bus_;
  Messages messages_;
  Barriers barriers_;
  Reporter reporter_;
  std::vector<std::byte> scratch_;
};

}  // namespace cox::model::pim
