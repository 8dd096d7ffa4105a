// SPDX-License-Identifier: MIT
// What a fault plan makes of the interrupt lines: rises that are lost, and pulses with nothing behind them.
#pragma once

#include <array>
#include <vector>

#include "sim/model/faults/plan.h"

namespace cox::model::faults {

class InterruptLines {
 public:
  void add(const Planned &fault) { lines_[fault.line].faults.push_back({fault, false}); }

  /// When a pulse begins or ends.
  [[nodiscard]] Cycle next_event(Cycle now) const;
  /// The level that the host sees, where `condition` is what it ought to see.
  [[nodiscard]] bool level(unsigned line, bool condition, Cycle now);
  /// Something has started that will write a completion.
  void on_start(Cycle now);
  /// Up for a cycle.
  void pulse(unsigned line, Cycle begin) { lines_[line].pulse = {begin, begin + 1}; }
  /// What has happened since this was last asked.
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
    bool lost = false;     ///< this rise is not seen
    bool doubled = false;  ///< a pulse follows this rise when it falls
    std::uint64_t rises = 0;
    Pulse pulse;
  };

  /// The first fault of this effect that is due with rise number `rise`.
  [[nodiscard]] bool happens(Line &line, Effect effect, std::uint64_t rise, Cycle now);

  std::array<Line, 2> lines_;
  std::vector<Planned> fired_;
};

}  // namespace cox::model::faults
