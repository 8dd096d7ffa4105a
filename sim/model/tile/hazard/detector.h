// SPDX-License-Identifier: MIT
// The hazard detector (docs/hazards.md). A hazard is a pair of accesses to the same bytes, at least one of them a write, that nothing
// orders. The caller adds instructions in any order in which they can run. The result depends neither on that order nor on timing.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "sim/model/hazard/shadow.h"
#include "sim/model/tile/hazard/token_clocks.h"
#include "sim/model/tile/hazard/touch.h"
#include "sim/model/tile/hazard/weight_blocks.h"

namespace cox::model::hazard {

using Shadow = QueueShadow<Lane, kLanes>;

enum class Kind : std::uint8_t {
  read_after_write,   ///< the later instruction reads what the earlier one writes
  write_after_read,   ///< the later instruction overwrites what the earlier one reads
  write_after_write,  ///< both instructions write
};

/// For example "read after write".
[[nodiscard]] const char *kind_name(Kind kind);

/// A hazard, reported once for each pair of instructions, memory (`place`) and kind. The instructions have the numbers that the caller gave
/// them, and program order decides which is the earlier one.
struct Hazard {
  Kind kind = Kind::read_after_write;
  std::int32_t earlier = -1;
  std::int32_t later = -1;
  Place place = Place::l2;
  std::uint8_t core = 0;    ///< the core that has the L2, WL0 or region; 0 for DRAM
  std::uint8_t window = 0;  ///< only for DRAM
  std::int64_t first = 0;   ///< lowest byte that both touch; for Place::region, the number of the region
  std::int64_t last = 0;    ///< highest byte that both touch
  std::int64_t bytes = 0;   ///< number of bytes in this range that both touch
};

class Detector {
 public:
  /// An instruction starts. The caller chooses the number `instruction`, which must grow in program order. The function does not check
  /// tokens, so the caller must make sure that missing() would return 0. `layers.is_for` must outlive this object.
  void start(std::int32_t instruction, const Step &step, const Layers &layers = {});

  /// Call when the instruction that `lane` started last has ended.
  void end(Lane lane);

  /// The lanes whose tokens are missing to start `code`; 0 if it may start.
  [[nodiscard]] LaneSet missing(const isa::tile::MachineCode &code) const;

  [[nodiscard]] const std::vector<Hazard> &hazards() const { return hazards_; }
  [[nodiscard]] const std::vector<StaleWeights> &stale_weights() const { return stale_; }
  [[nodiscard]] const TokenClocks &tokens() const { return tokens_; }

 private:
  void walk(const Shadow::Toucher &toucher, const Clock &clock, const Touch &touch);
  void add(const Shadow::Toucher &toucher, const Touch &touch, const Shadow::Conflict &conflict);

  using Memory = std::tuple<Place, std::uint8_t, std::uint8_t>;  // the place, core and window
  using Identity = std::array<std::int64_t, 6>;

  TokenClocks tokens_;
  std::array<std::uint32_t, kLanes> started_{};
  std::array<LaneSet, kLanes> next_{};  ///< for each lane: the lanes that get tokens from the instruction that it started last
  std::map<Memory, Shadow> shadows_;
  std::array<WeightBlocks, isa::tile::kMostCores> weights_;
  std::map<Identity, std::size_t> known_;
  std::vector<Hazard> hazards_;
  std::vector<StaleWeights> stale_;
};

}  // namespace cox::model::hazard
