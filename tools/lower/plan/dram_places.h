// SPDX-License-Identifier: MIT
// Where feature maps lie in the tensor window (docs/lowering.md, The plan).
#pragma once

#include <cstdint>
#include <vector>

#include "tools/lower/plan/plan.h"

namespace cox::lower {

/// The images of the input, dense; those of the output after them; behind both, for each core, the maps between that are spilled.
class DramPlaces {
 public:
  /// Throws NetworkError where they do not fit a window.
  DramPlaces(const Network &network, const Plan &plan);

  /// Byte of the window where a row of a map begins. `image`: of the core's.
  [[nodiscard]] std::int64_t address(std::size_t map, unsigned core, std::uint32_t image, std::uint32_t row) const;

  [[nodiscard]] std::int64_t output() const { return output_; }
  [[nodiscard]] std::int64_t bytes() const { return spilled_ + plan_.cores * core_bytes_; }

 private:
  void place_spilled();

  const Network &network_;
  Plan plan_;
  std::int64_t output_ = 0, spilled_ = 0, core_bytes_ = 0;
  std::vector<std::int64_t> offsets_;  ///< of spilled maps, by map, from the core's first byte on
  std::vector<std::uint32_t> images_;  ///< that lie there at once, by map
};

}  // namespace cox::lower
