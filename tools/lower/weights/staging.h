// SPDX-License-Identifier: MIT
// Places in L2 for weights that are loaded before WL0 has room for them. A place overlaps no map of the current step.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "tools/lower/plan/placement.h"
#include "tools/lower/weights/ring.h"

namespace cox::lower {

/// Chooses the bytes of L2 for weights: those whose last use is longest ago in program order. The instruction that loads the weights is
/// then least likely to wait for that use.
class Staging {
 public:
  /// Uses the first `bytes` of L2, in which `placement` places the maps.
  Staging(const Placement &placement, std::int64_t bytes);

  /// Begins the next step. Evicts and returns the entries that the step's maps overwrite.
  [[nodiscard]] std::vector<Ring::Entry> begin_step();

  /// Reserves `bytes` bytes of L2 for the entry `key`, if it has no place yet. Place::evicted lists the entries that lose their places.
  /// Throws std::logic_error if no place has enough free bytes.
  [[nodiscard]] Ring::Place take(const Ring::Key &key, std::int64_t bytes);

 private:
  void mark(std::int64_t begin, std::int64_t end, std::int64_t last_use);
  void divide(std::int64_t address);
  [[nodiscard]] std::vector<Ring::Entry> evict(std::int64_t begin, std::int64_t end);
  [[nodiscard]] std::int64_t longest_idle(std::int64_t bytes) const;

  const Placement &placement_;
  std::int64_t bytes_;
  std::int64_t uses_ = 0;                          ///< number of steps and tiles so far, which serves as the time
  std::size_t step_ = 0;                           ///< number of the next step
  std::map<std::int64_t, std::int64_t> last_use_;  ///< key: first byte of a range, which ends at the next key; value: time of its last use
  std::vector<Ring::Entry> tiles_;
};

}  // namespace cox::lower
