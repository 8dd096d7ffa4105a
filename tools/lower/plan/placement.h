// SPDX-License-Identifier: MIT
// The place of each feature map in the L2 buffer, and the time for which it needs the place.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tools/lower/plan/plan.h"

namespace cox::lower {

/// Layout of one image of a map in L2: NHWC, each pixel padded to 8 bytes (docs/isa/tile.md, Feature maps).
struct MapLayout {
  std::int64_t pixel_bytes = 0, row_bytes = 0, image_bytes = 0;
};

[[nodiscard]] MapLayout layout_of(const FeatureMap &map);

[[nodiscard]] FeatureMap as_fp32(FeatureMap map);

/// Images [first_image, first_image + images) of a map that is not spilled, one behind the other. They live from the step that writes the
/// first of them to the last step that reads one of them.
struct PlacedMap {
  std::size_t map = 0;
  std::uint32_t first_image = 0, images = 1;
  std::int64_t base = 0, bytes = 0;
  std::size_t first_step = 0, last_step = 0;
};

/// Map number that stands for the constants, which live for the whole task and are placed first.
inline constexpr std::size_t kConstants = SIZE_MAX;
/// Map number that stands for the strips of a layer (tools/lower/plan/strips.h), which only the layer's step needs.
inline constexpr std::size_t kStrips = SIZE_MAX - 1;

/// Returns the bytes that the maps and constants of a plan need in the most compact placement.
[[nodiscard]] std::int64_t least_bytes(const Network &network, const Plan &plan);

/// Spills maps to DRAM until the others and the strips fit into `capacity` bytes of L2. Returns the new plan, or nothing if they never fit.
[[nodiscard]] std::optional<Plan> spill(const Network &network, Plan plan, std::int64_t capacity);

class Placement {
 public:
  /// Places the maps; maps that do not live at the same time share bytes. The placement takes the bytes that have been idle longest, so
  /// that few instructions wait for each other. If `plan.compact` is set, or if the maps do not fit into `capacity` bytes in this way, it
  /// takes the lowest free bytes. Throws NetworkError if the maps do not fit then.
  Placement(const Network &network, const Plan &plan, std::int64_t capacity);

  /// Returns the address of pixel (0, 0) of the image.
  [[nodiscard]] std::int64_t address(std::size_t map, std::uint32_t image) const;
  [[nodiscard]] std::int64_t constants() const { return placed_.front().base; }
  /// Returns the address of the strips of the step.
  [[nodiscard]] std::int64_t strips(std::size_t step) const { return placed_[strips_.at(step)].base; }
  [[nodiscard]] const std::vector<PlacedMap> &maps() const { return placed_; }
  /// Returns the number of bytes up to the highest used one.
  [[nodiscard]] std::int64_t bytes() const;

 private:
  friend std::int64_t least_bytes(const Network &network, const Plan &plan);
  friend std::optional<Plan> spill(const Network &network, Plan plan, std::int64_t capacity);

  enum class Choice : std::uint8_t { longest_idle, lowest };

  Placement() = default;
  void collect(const Network &network, const Plan &plan);
  [[noreturn]] void refuse(const Network &network, const Plan &plan, std::int64_t capacity, const PlacedMap &failed) const;
  /// Returns the first map that does not fit, or kNone if all fit.
  std::size_t place_all(std::int64_t capacity, Choice choice);
  [[nodiscard]] std::optional<std::int64_t> place_one(std::size_t index, std::int64_t capacity, Choice choice) const;

  static constexpr std::size_t kNone = SIZE_MAX;

  std::vector<PlacedMap> placed_;
  std::vector<std::size_t> strips_;               ///< for each step: index in placed_ of the buffer for its strips
  std::vector<std::size_t> in_place_of_;          ///< for each placed map: the map whose bytes it takes over, element by element
  std::vector<std::vector<std::size_t>> by_map_;  ///< for each map: indices in placed_, in the order of the images
  std::vector<std::int64_t> image_bytes_;
};

}  // namespace cox::lower
