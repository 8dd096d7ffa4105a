// SPDX-License-Identifier: MIT
// One PIM core: memories, registers, and where it is in its code.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/isa/pim/operation.h"
#include "coxswain/isa/pim/registers.h"
#include "sim/model/pim/arithmetic/execute.h"
#include "sim/model/pim/machine/code.h"
#include "sim/model/pim/machine/counters.h"
#include "sim/model/pim/machine/energy.h"
#include "sim/model/pim/machine/scoreboard.h"
#include "sim/model/pim/machine/state.h"

namespace cox::model::pim {

/// The memories of a core. They are 0 at first.
class CoreStorage final : public isa::pim::LocalMemory {
 public:
  explicit CoreStorage(const isa::pim::Configuration &configuration) : memories_{configuration, {}, {}, {}, 0} {}

  /// Sets all bytes to 0 and gives their memory back.
  void clear();
  /// Must come before all functions below, after construction and after clear(). A core that is never used needs no memory.
  void allocate();
  [[nodiscard]] CoreMemories &memories() { return memories_; }
  [[nodiscard]] std::span<const std::uint32_t> output_registers() const { return memories_.output_registers; }
  /// All bytes of a local memory or of the array; empty for another space.
  [[nodiscard]] std::span<std::byte> bytes(unsigned space) const;
  [[nodiscard]] std::span<std::byte> at(isa::pim::Place place, std::uint64_t bytes) const {
    return this->bytes(place.space).subspan(place.offset, bytes);
  }
  void read(isa::pim::Place place, std::span<std::byte> bytes) const override;

 private:
  struct Free {
    void operator()(void *bytes) const { std::free(bytes); }  // NOLINT(cppcoreguidelines-no-malloc): calloc() gives zero pages lazily
  };
  using Bytes = std::unique_ptr<std::byte, Free>;
  static Bytes zeros(std::uint64_t bytes);

  std::array<Bytes, isa::pim::kMostMemories> local_;
  Bytes array_, registers_;
  CoreMemories memories_;
};

/// An instruction whose operands are known and that has not issued yet.
struct Prepared {
  bool is = false;
  isa::pim::MachineCode code{}, batch{};
  bool batched = false;
  isa::pim::Operation operation;
  Work work;
  Scoreboard::Start start;
};

class Core {
 public:
  Core(unsigned core_number, const isa::pim::Configuration &configuration, const Timing &timing, const Energy &energy_table)
      : number(core_number),
        storage(configuration),
        scoreboard(configuration, timing),
        configuration_(configuration),
        energy_(energy_table) {}

  /// Begins a program. The core's first instruction may issue at `first`.
  void begin(std::shared_ptr<Code> program_code, Cycle first);
  /// Runs scalar instructions that issue before `horizon`, until one comes that run_quick() leaves to others: one that is not scalar, that
  /// touches DRAM, that must wait for a memory, or that faults.
  void run_quick(Cycle horizon);
  /// Goes to the core's end if its counter is there. Returns whether it is.
  bool end_reached();
  void charge(const Work &work);
  void charge_access(unsigned space, bool write, std::uint64_t bytes);
  [[nodiscard]] Counters report(Cycle now) const;

  unsigned number;
  CoreStorage storage;
  isa::pim::Registers registers;
  Scoreboard scoreboard;
  Counters counters;
  std::shared_ptr<Code> code;

  Phase phase = Phase::absent;
  std::uint32_t counter = 0;
  Cycle next = kNever;  ///< when the instruction at `counter` may issue; kNever while the core waits for others, or has ended
  Cycle ready = 0;      ///< the same without what it waits for
  Cycle end = 0;        ///< phases ended and faulted
  Prepared prepared;
  std::uint32_t other = 0, id = 0;  ///< what the core waits for
  Cycle waits_since = 0;
  bool no_room = false;  ///< phase message: it waits for room for one more open message
  Status fault;
  Cycle fault_time = 0;

 private:
  [[nodiscard]] int find_word(std::uint32_t address) const;

  const isa::pim::Configuration &configuration_;
  const Energy &energy_;
};

}  // namespace cox::model::pim
