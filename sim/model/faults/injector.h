// SPDX-License-Identifier: MIT
// Applies a fault plan (docs/faults.md). At each event that a fault could change, the device asks the injector whether a fault happens.
// Without a plan, the answer is always no.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/model/faults/counted.h"
#include "sim/model/faults/interrupt_lines.h"
#include "sim/model/faults/memory_errors.h"
#include "sim/model/host.h"

namespace cox::model::faults {

class Injector {
 public:
  Injector(const std::vector<Planned> &plan, const Host &host, MemoryErrors::Transfer transfer);

  // Faults that happen at a given time.
  /// The beginning of a fault, or, if `over` is set, the end of a fault that has a duration.
  struct Timed {
    Cycle time = 0;
    Planned fault;
    bool over = false;
  };
  [[nodiscard]] Cycle next_event(Cycle now) const;
  /// Takes the next fault that is due at `now`, if there is one.
  [[nodiscard]] std::optional<Timed> take_due(Cycle now);

  // A fault planned for the n-th event of a queue happens at the n-th call. `queue` is the number by which completions name the queue.
  /// Called when a queue reads or writes DRAM. Returns whether the bus refuses the access.
  [[nodiscard]] bool refuses_access(unsigned queue, Cycle now) { return happens(accesses_, queue, now) != nullptr; }
  /// Called when a queue starts an instruction. Returns for how many cycles the instruction stands still; kNever: until a reset.
  [[nodiscard]] Cycle stands_still(unsigned queue, Cycle now) {
    const Planned *fault = happens(instructions_, queue, now);
    return fault == nullptr ? 0 : fault->cycles;
  }
  /// Called when a doorbell is rung. Returns whether the device misses it.
  [[nodiscard]] bool loses_doorbell(unsigned queue, Cycle now) { return happens(doorbells_, queue, now) != nullptr; }
  /// Called when an entry is due in this completion queue. Returns the fault that changes the entry, or nullptr.
  [[nodiscard]] const Planned *spoils_completion(unsigned completion_queue, Cycle now) { return happens(entries_, completion_queue, now); }

  // Interrupt lines and memory.
  [[nodiscard]] bool line_level(unsigned line, bool condition, Cycle now);
  /// Called when an instruction or stream starts that will write a completion. If a fault with Effect::early is due, raises interrupt line
  /// 0 for one cycle.
  void on_start(Cycle now);
  [[nodiscard]] MemoryErrors &memory() { return memory_; }
  [[nodiscard]] const MemoryErrors &memory() const { return memory_; }

 private:
  void add(const Planned &fault);
  void log(const Planned &fault, Cycle now) const;
  template <typename Events>
  const Planned *happens(Events &events, unsigned target, Cycle now) {
    const Planned *fault = events.count(target);
    if (fault != nullptr) log(*fault, now);
    return fault;
  }

  const Host &host_;
  std::vector<Timed> timed_;  ///< ordered by time
  std::size_t next_ = 0;
  Counted<kMostTargets> accesses_, instructions_, doorbells_;
  Counted<kMostUnits> entries_;
  InterruptLines lines_;
  MemoryErrors memory_;
};

}  // namespace cox::model::faults
