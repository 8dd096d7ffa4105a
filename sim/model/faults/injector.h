// SPDX-License-Identifier: MIT
// A fault plan at work: the device asks at each place where something can go wrong whether it does (docs/faults.md). Without a plan the
// answer is always no.
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

  // What happens at a time.
  /// A fault whose time has come, or, where `over`, one that lasts for a while and ends.
  struct Timed {
    Cycle time = 0;
    Planned fault;
    bool over = false;
  };
  [[nodiscard]] Cycle next_event(Cycle now) const;
  /// The next that is due at `now`, or none.
  [[nodiscard]] std::optional<Timed> take_due(Cycle now);

  // What happens with the n-th. Queues are numbered as in completions.
  /// A queue reads or writes DRAM: whether the bus refuses.
  [[nodiscard]] bool refuses_access(unsigned queue, Cycle now) { return happens(accesses_, queue, now) != nullptr; }
  /// A queue starts an instruction: how long it stands still before it goes on; kNever: until a reset.
  [[nodiscard]] Cycle stands_still(unsigned queue, Cycle now) {
    const Planned *fault = happens(instructions_, queue, now);
    return fault == nullptr ? 0 : fault->cycles;
  }
  /// A doorbell is rung.
  [[nodiscard]] bool loses_doorbell(unsigned queue, Cycle now) { return happens(doorbells_, queue, now) != nullptr; }
  /// A completion is due in the queue with that number: what becomes of it, or nullptr.
  [[nodiscard]] const Planned *spoils_completion(unsigned completion_queue, Cycle now) { return happens(entries_, completion_queue, now); }

  // Lines and memory have a state of their own.
  [[nodiscard]] bool line_level(unsigned line, bool condition, Cycle now);
  /// Something has started that will write a completion.
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
  std::vector<Timed> timed_;  ///< in the order of time
  std::size_t next_ = 0;
  Counted<kMostQueues> accesses_, instructions_, doorbells_;
  Counted<kMostUnits> entries_;
  InterruptLines lines_;
  MemoryErrors memory_;
};

}  // namespace cox::model::faults
