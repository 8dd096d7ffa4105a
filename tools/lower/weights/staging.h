// SPDX-License-Identifier: MIT
// Where in L2 weights wait for WL0: wherever no map lives.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "tools/lower/plan/placement.h"
#include "tools/lower/weights/ring.h"

namespace cox::lower {

/// Bytes are taken that have been idle longest, by the program's order: so a load comes early, for nobody still works with what lay there.
class Staging {
 public:
  /// The first `bytes` of L2, in which the maps lie as `placement` says.
  Staging(const Placement &placement, std::int64_t bytes);

  /// A step begins, the next one after that of the last call. What its maps overwrite is evicted.
  [[nodiscard]] std::vector<Ring::Entry> begin_step();

  /// Place::evicted says what is overwritten. Throws std::logic_error where so many bytes are nowhere free.
  [[nodiscard]] Ring::Place take(const Ring::Key &key, std::int64_t bytes);

 private:
  void mark(std::int64_t begin, std::int64_t end, std::int64_t last_use);
  void divide(std::int64_t address);
  [[nodiscard]] std::vector<Ring::Entry> evict(std::int64_t begin, std::int64_t end);
  [[nodiscard]] std::int64_t longest_idle(std::int64_t bytes) const;

  const Placement &placement_;
  std::int64_t bytes_;
  std::int64_t uses_ = 0;                          ///< counts steps and tiles
  std::size_t step_ = 0;                           ///< the next one
  std::map<std::int64_t, std::int64_t> last_use_;  ///< of the bytes from each address to the next
  std::vector<Ring::Entry> tiles_;
};

}  // namespace cox::lower
