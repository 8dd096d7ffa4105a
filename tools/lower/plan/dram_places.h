// SPDX-License-Identifier: MIT
// Places of feature maps in the tensor window (docs/lowering.md, The plan).
#pragma once

#include <cstdint>
#include <vector>

#include "tools/lower/plan/plan.h"

namespace cox::lower {

/// The window holds the dense images of the input, then those of the output, then for each core its spilled intermediate maps.
class DramPlaces {
 public:
  /// Throws NetworkError if the maps do not fit a window.
  DramPlaces(const Network &network, const Plan &plan);

  /// Returns the byte offset in the window at which a row of a map begins. `image`: number among the core's images.
  [[nodiscard]] std::int64_t address(std::size_t map, unsigned core, std::uint32_t image, std::uint32_t row) const;

  [[nodiscard]] std::int64_t output() const { return output_; }
  [[nodiscard]] std::int64_t bytes() const { return spilled_ + plan_.cores * core_bytes_; }

 private:
  void place_spilled();

  const Network &network_;
  Plan plan_;
  std::int64_t output_ = 0, spilled_ = 0, core_bytes_ = 0;
  std::vector<std::int64_t> offsets_;  ///< for each spilled map: byte offset in a core's part of the window
  std::vector<std::uint32_t> images_;  ///< for each map: number of its images that are in DRAM at once
};

}  // namespace cox::lower
