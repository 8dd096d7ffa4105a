// SPDX-License-Identifier: MIT
// Division by rows: the rows of each map that each core computes, and the rows of other cores that it needs.
#pragma once

#include <vector>

#include "tools/lower/emit/emission.h"
#include "tools/lower/program/links.h"

namespace cox::lower {

/// Returns the step with only the core's rows of its output. If the core has none, the step has 0 images.
[[nodiscard]] Step share_of(const Work &work, const Step &step, unsigned core);

/// Rows [first, end) of a map.
struct Rows {
  std::int64_t first = 0, end = 0;
};

/// Returns the rows of a layer's input that are needed for rows of its output.
[[nodiscard]] Rows rows_needed(const Network &network, const Layer &layer, std::size_t input, const Rows &output);

/// Tracks the rows of each map that each core has, and exchanges rows between cores.
class RowExchange {
 public:
  explicit RowExchange(const Work &work);

  /// Called before a step: each core fetches the rows that it needs but does not have. It fetches them from the cores that computed them.
  void before(const Step &step);

  /// Called after a step. Records that each core has only its own rows of the maps that the step has written.
  void behind(const Step &step);

 private:
  /// Rows that one core fetches from another.
  struct Transfer {
    std::size_t map = 0;
    unsigned from = 0, to = 0;
    Rows rows;
  };

  void collect(std::size_t map, unsigned core, const Rows &needed);
  void fetch(const Step &step, const Origin &origin, const Transfer &transfer, const Link &link);

  const Work &work_;
  std::vector<std::vector<std::vector<bool>>> present_;  ///< by core, map and row: true if the core has the row
  std::vector<Transfer> transfers_;                      ///< transfers of the current step
};

}  // namespace cox::lower
