// SPDX-License-Identifier: MIT
// When the instructions of a core issue and end (docs/pim.md, Timing).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "coxswain/isa/pim/configuration.h"
#include "sim/model/pim/machine/counters.h"
#include "sim/model/pim/machine/timing.h"
#include "sim/model/pim/machine/work.h"

namespace cox::model::pim {

/// The bus to DRAM. Transfers have it one after another, in the order in which their instructions issue.
class DramBus {
 public:
  void clear() { free_ = 0; }
  void slow_down(std::uint64_t factor) { slow_down_ = std::max<std::uint64_t>(factor, 1); }
  /// Books a transfer whose first byte may move at `ready`. Returns its end.
  Cycle book(Cycle ready, std::uint64_t bytes, std::uint32_t bytes_per_cycle) {
    const std::uint64_t cycles = (bytes + bytes_per_cycle - 1) / bytes_per_cycle * slow_down_;
    free_ = std::max(ready, free_) + cycles;
    return free_;
  }

 private:
  Cycle free_ = 0;
  std::uint64_t slow_down_ = 1;
};

class Scoreboard {
 public:
  Scoreboard(const isa::pim::Configuration &configuration, const Timing &timing) : configuration_(configuration), timing_(timing) {}

  void clear();

  struct Start {
    Cycle at = 0;
    Stall cause = Stall::unit;  ///< if `at` is later than asked for
  };
  /// The first cycle, not before `ready`, in which the instruction can issue.
  [[nodiscard]] Start earliest(const Work &work, Cycle ready) const;
  /// The instruction issues at `start`. Returns its end. `delay`: additional cycles.
  Cycle issue(const Work &work, Cycle start, DramBus &bus, Cycle delay);
  /// A message, wait or barrier, which issued before, ends at `end`.
  void extend(Cycle end) { last_end_ = std::max(last_end_, end); }

  [[nodiscard]] Cycle unit_free(Unit unit) const { return free_[static_cast<unsigned>(unit)]; }
  /// The first cycle in which a scalar load (or store) may use a local memory.
  [[nodiscard]] Cycle memory_free(unsigned memory, bool write) const {
    return write || one_port(memory) ? std::max(read_[memory], written_[memory]) : written_[memory];
  }
  /// End of the latest of all instructions so far.
  [[nodiscard]] Cycle last_end() const { return last_end_; }

 private:
  /// True if a memory serves one instruction at a time. Buffers of registers and the array serve several readers.
  [[nodiscard]] bool one_port(unsigned memory) const {
    return memory < isa::pim::kMostMemories && configuration_.memories[memory].type == isa::pim::MemoryType::sram;
  }
  Cycle issue_compute(const Work &work, Cycle start, Cycle delay);
  void hold(MemorySet memories, std::array<Cycle, kUsedMemories> &until, Cycle end);

  const isa::pim::Configuration &configuration_;
  const Timing &timing_;
  std::array<Cycle, kUnits> free_{};
  std::array<Cycle, kUsedMemories> read_{}, written_{};  ///< in use until then
  Cycle array_free_ = 0;                                 ///< the macros have taken all bits of the inputs
  Cycle results_ = 0;                                    ///< all sums are in the output registers
  Cycle last_end_ = 0;
};

}  // namespace cox::model::pim
