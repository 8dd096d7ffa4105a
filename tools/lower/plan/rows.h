// SPDX-License-Identifier: MIT
// Where cores share the rows of each map: what each computes, and which rows of the others it needs for that.
#pragma once

#include <vector>

#include "tools/lower/emit/emission.h"
#include "tools/lower/program/links.h"

namespace cox::lower {

/// The step as that core does it: with the rows of its output that are the core's. None: 0 images.
[[nodiscard]] Step share_of(const Work &work, const Step &step, unsigned core);

/// Rows [first, end) of a map.
struct Rows {
  std::int64_t first = 0, end = 0;
};

/// Rows of an input of a layer that rows of its output follow from.
[[nodiscard]] Rows rows_needed(const Network &network, const Layer &layer, std::size_t input, const Rows &output);

/// Which rows of which map each core has.
class RowExchange {
 public:
  explicit RowExchange(const Work &work);

  /// Before a step: each core fetches the rows that it needs and does not have from the cores that computed them.
  void before(const Step &step);

  /// Behind it: each core has its own rows of what it has written, and no others.
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
  std::vector<std::vector<std::vector<bool>>> present_;  ///< by core, map and row
  std::vector<Transfer> transfers_;                      ///< of the step
};

}  // namespace cox::lower
