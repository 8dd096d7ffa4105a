// SPDX-License-Identifier: MIT
// The four key tables of the system (docs/isa/unity.md, Keys). Units wait for keys in the order in which they came.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "coxswain/base/status.h"
#include "coxswain/isa/unity/sync.h"

namespace cox::model::unity {

class KeyTables {
 public:
  using Key = isa::unity::Key;

  [[nodiscard]] std::uint16_t held(Key key) const { return entries_[key.table][key.entry]; }
  void set(Key key, std::uint16_t count) { entries_[key.table][key.entry] = count; }
  /// Error: field_out_of_range ("deposit_key", `index` the table, `value` the sum, `limit` kMostCount); nothing is added then.
  [[nodiscard]] Status add(Key key, std::uint32_t count);
  /// Sets all entries to 0 and forgets the units that wait.
  void clear();

  /// A unit asks for keys at `now`. Returns whether it gets them at once; if not, it waits. A unit waits for one entry at a time.
  [[nodiscard]] bool take(unsigned unit, Key key, unsigned count);
  /// Gives waiting units what they find: in the order of arrival, units that came in the same cycle by number. Calls served(unit) for each
  /// one that has got its keys.
  template <typename Served>
  void serve(Served served) {
    for (auto waiter = waiting_.begin(); waiter != waiting_.end();) {
      if (!spend(waiter->key, waiter->count)) {
        ++waiter;
        continue;
      }
      const unsigned unit = waiter->unit;
      waiter = waiting_.erase(waiter);
      served(unit);
    }
  }
  void forget_waiting() { waiting_.clear(); }

 private:
  struct Waiter {
    unsigned unit = 0;
    Key key;
    unsigned count = 0;
  };
  [[nodiscard]] bool spend(Key key, unsigned count);

  std::array<std::array<std::uint16_t, isa::unity::kKeyEntries>, isa::unity::kKeyTables> entries_{};
  std::vector<Waiter> waiting_;  ///< by arrival
};

}  // namespace cox::model::unity
