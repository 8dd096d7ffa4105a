// SPDX-License-Identifier: MIT
// Faults of the interrupt lines: rises that are lost, and pulses without a cause.
#pragma once

#include <array>
#include <vector>

#include "sim/model/faults/plan.h"

namespace cox::model::faults {

class InterruptLines {
 public:
  void add(const Planned &fault) { lines_[fault.line].faults.push_back({fault, false}); }

  /// The next time at which a pulse begins or ends.
  [[nodiscard]] Cycle next_event(Cycle now) const;
  /// The level that the host sees. `condition` is the level without faults.
  [[nodiscard]] bool level(unsigned line, bool condition, Cycle now);
  /// Called when an instruction or stream starts that will write a completion. If a fault with Effect::early is due, raises line 0 for one
  /// cycle.
  void on_start(Cycle now);
  /// Raises the line for one cycle.
  void pulse(unsigned line, Cycle begin) { lines_[line].pulse = {begin, begin + 1}; }
  /// Takes the faults that have happened since the last call.
  [[nodiscard]] std::vector<Planned> take_fired();

 private:
  struct Entry {
    Planned fault;
    bool done;
  };
  struct Pulse {
    Cycle begin = kNever, end = kNever;
  };
  struct Line {
    std::vector<Entry> faults;
    bool condition = false;
    bool lost = false;     ///< true if the host does not see this rise
    bool doubled = false;  ///< true if a pulse follows when the line falls
    std::uint64_t rises = 0;
    Pulse pulse;
  };

  /// Returns whether a fault with this effect is due at rise number `rise` of the line. If so, the first such fault is used up.
  [[nodiscard]] bool happens(Line &line, Effect effect, std::uint64_t rise, Cycle now);

  std::array<Line, 3> lines_;
  std::vector<Planned> fired_;
};

}  // namespace cox::model::faults
