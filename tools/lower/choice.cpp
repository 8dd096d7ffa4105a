// SPDX-License-Identifier: MIT
// Chooses the plan: lowers candidates and compares their durations by the time model.
#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "coxswain/isa/tile/configuration.h"
#include "coxswain/isa/tile/layout.h"
#include "tools/lower/lowering.h"
#include "tools/lower/plan/placement.h"
#include "tools/lower/weights/weight_tiles.h"

namespace cox::lower {
namespace {

constexpr std::int64_t kKib = 1024;
constexpr std::int64_t kTileBytes[] = {384 * kKib, 128 * kKib, 256 * kKib, 576 * kKib};
constexpr std::int64_t kPieceCycles[] = {8000, 2000, 4000, 16000, 32000, 1 << 30};
/// Number of weight tiles for which the maps should leave room in L2. Weights can wait there until WL0 has room for them.
constexpr std::int64_t kLeastStagedTiles = 2;
/// Limit of the bytes of L2 for a layer's strips if a plan has all maps in L2. These strips hold only intermediate results.
constexpr std::int64_t kStripBytes = 256 * kKib;
/// If a map is in DRAM, a layer works on parts of it in L2, called strips. All strips of a layer together get the bytes of L2 divided by
/// one of these numbers. The last number leaves 0 bytes. Each strip then has one row, which is the minimum.
constexpr std::int64_t kStripShares[] = {2, 4, 8, 16, std::numeric_limits<std::int64_t>::max()};

/// Returns the layers before which the network can be divided. A division before a layer is possible if this layer and all later ones read
/// only one map from before it.
std::vector<std::size_t> dividing_layers(const Network &network) {
  std::vector<std::size_t> result;
  for (std::size_t i = 1; i < network.layers.size(); ++i) {
    std::vector<bool> crossing(network.maps.size());
    for (std::size_t j = i; j < network.layers.size(); ++j) {
      for (const std::size_t input : network.layers[j].inputs) crossing[input] = crossing[input] || input <= i;
    }
    crossing[network.output] = crossing[network.output] || network.output <= i;
    if (std::count(crossing.begin(), crossing.end(), true) == 1) result.push_back(i);
  }
  return result;
}

class Choice {
 public:
  Choice(const Network &network, const WeightImage &weights, const Wish &wish, const model::TileGeometry &geometry)
      : network_(network), weights_(weights), wish_(wish), geometry_(geometry) {}

  Lowering run() {
    if (wish_.division == Division::images && network_.batch % wish_.cores != 0) {
      throw NetworkError(network_.file, "", "batch",
                         std::to_string(network_.batch) + (network_.batch == 1 ? " image" : " images") + " cannot be divided among " +
                             std::to_string(wish_.cores) + " cores");
    }
    using Consider = void (Choice::*)(unsigned cores);
    for (const Consider candidates : {&Choice::consider_divisions, &Choice::consider_one_image, &Choice::consider_spilled}) {
      for (unsigned cores = least_cores(); cores <= wish_.cores; ++cores) (this->*candidates)(cores);
      if (!bests_.empty()) return finish();
    }
    return refused();
  }

 private:
  [[nodiscard]] unsigned least_cores() const { return wish_.division == Division::cheapest ? 1 : wish_.cores; }
  [[nodiscard]] std::int64_t l2_bytes() const {
    const std::uint32_t blocks = wish_.l2_kib == 0 ? geometry_.l2_blocks() : wish_.l2_kib;
    return std::int64_t{blocks} * isa::tile::kBlockBytes;
  }

  [[nodiscard]] Plan first_plan(unsigned cores, Division division) const {
    Plan plan;
    plan.cores = cores;
    plan.division = division;
    plan.images = division == Division::images ? network_.batch / cores : network_.batch;
    plan.piece_cycles = kPieceCycles[0];
    plan.tile_bytes = kTileBytes[0];
    plan.l2_bytes = l2_bytes();
    plan.wl0_bytes = static_cast<std::int64_t>(geometry_.wl0_bytes());
    plan.strip_bytes = kStripBytes;
    plan.whole_batches = false;
    plan.segments = {{0, network_.layers.size(), 1}};
    return plan;
  }

  [[nodiscard]] static std::vector<std::uint32_t> group_sizes(std::uint32_t images) {
    std::vector<std::uint32_t> sizes;
    for (std::uint32_t size = 1; size < images; size *= 2) sizes.push_back(size);
    sizes.push_back(images);
    return sizes;
  }

  [[nodiscard]] bool wished(Division division) const { return wish_.division == Division::cheapest || wish_.division == division; }

  void consider_divisions(unsigned cores) {
    for (const Plan &plan : divisions(cores)) consider(plan);
  }

  /// Considers plans that compute one image after the other. Weights get the L2 bytes that the maps leave.
  void consider_one_image(unsigned cores) {
    for (const Division division : {Division::images, Division::kernels, Division::rows}) {
      const bool possible = division == Division::images ? network_.batch % cores == 0 : cores > 1;
      if (wished(division) && possible) consider(first_plan(cores, division));
    }
  }

  /// Considers plans with maps in DRAM. Such a plan computes one image at a time in all layers. Or it does so only in the first layers, and
  /// the later ones compute several images at a time because their maps fit L2. The cores divide the images among themselves.
  void consider_spilled(unsigned cores) {
    if (!wished(Division::images) || network_.batch % cores != 0) return;
    for (const std::int64_t share : kStripShares) {
      Plan plan = first_plan(cores, Division::images);
      plan.strip_bytes = l2_bytes() / share;
      std::optional<Plan> spilled = spill(network_, plan, l2_bytes() - kLeastStagedTiles * plan.tile_bytes);
      if (!spilled) spilled = spill(network_, plan, l2_bytes());
      if (!spilled) continue;
      consider(*spilled);
      for (const std::uint32_t size : group_sizes(plan.images)) {
        if (size > 1 && divide_at_first(*spilled, 1, size)) consider(*spilled);
      }
    }
  }

  [[nodiscard]] Lowering refused() const {
    Plan plan = first_plan(1, Division::images);
    if (wished(Division::images)) {
      plan.spilled.assign(network_.maps.size(), true);
      plan.strip_bytes = 0;
    } else {
      plan = first_plan(wish_.cores, wish_.division);
    }
    return lower_by(plan, network_, weights_, geometry_);  // throws an error that says what does not fit
  }

  /// Returns plans that divide images among the cores if they can be divided evenly. Adds plans that divide kernels or rows if each core
  /// would have at most one image, or if the images cannot be divided evenly.
  [[nodiscard]] std::vector<Plan> divisions(unsigned cores) const {
    std::vector<Plan> plans;
    const bool even = network_.batch % cores == 0;
    const bool few = cores > 1 && (!even || network_.batch <= cores);
    const bool any = wish_.division == Division::cheapest;
    if (wished(Division::images) && even) add_divisions(first_plan(cores, Division::images), plans);
    if ((any && few) || wish_.division == Division::kernels) add_divisions(first_plan(cores, Division::kernels), plans);
    if ((any && few) || wish_.division == Division::rows) add_divisions(first_plan(cores, Division::rows), plans);
    return plans;
  }

  /// Adds a plan for each number of images in group_sizes(): it computes that many images at a time. If so many images do not fit L2, adds
  /// plans that compute fewer images at a time in the first layers.
  void add_divisions(Plan plan, std::vector<Plan> &plans) const {
    const std::size_t layers = network_.layers.size();
    const std::vector<std::uint32_t> sizes = group_sizes(plan.images);
    for (const std::uint32_t size : sizes) {
      plan.segments = {{0, layers, size}};
      if (fits(plan)) {
        plans.push_back(plan);
        continue;
      }
      for (const std::uint32_t smaller : sizes) {
        if (smaller >= size) break;
        if (divide_at_first(plan, smaller, size)) plans.push_back(plan);
      }
    }
  }

  /// Divides the plan into two segments: layers before the division compute `smaller` images at a time, the other layers `larger` images.
  /// Tries each possible division, from the first layer on, until the plan fits L2. Returns false if it fits with none of them.
  [[nodiscard]] bool divide_at_first(Plan &plan, std::uint32_t smaller, std::uint32_t larger) const {
    const std::size_t layers = network_.layers.size();
    for (const std::size_t layer : dividing_layers(network_)) {
      plan.segments = {{0, layer, smaller}, {layer, layers, larger}};
      if (fits(plan)) return true;
    }
    return false;
  }

  [[nodiscard]] bool fits(const Plan &plan) const {
    return least_bytes(network_, plan) + kLeastStagedTiles * plan.tile_bytes <= l2_bytes();
  }

  /// Tries three amounts of L2 for weights that are loaded before WL0 has room for them: all bytes that the maps leave, a few tiles, and
  /// nothing.
  void consider(Plan plan) {
    const std::int64_t least = least_bytes(network_, plan);
    if (least > l2_bytes()) return;
    std::int64_t largest = 0, all = 0;
    for (const std::vector<WeightTile> &tiles : tile_weights(network_, weights_, plan)) {
      for (const WeightTile &tile : tiles) {
        largest = std::max(largest, tile.bytes);
        all += isa::tile::align_up(tile.bytes, isa::tile::kWeightUnitBytes);
      }
    }
    const std::int64_t free = std::min(l2_bytes() - isa::tile::align_up(least, kKib), all);
    for (const bool compact : {true, false}) {
      for (const std::int64_t staging : {free, std::min(free, kLeastStagedTiles * plan.tile_bytes), std::int64_t{0}}) {
        if (staging < 0 || (staging > 0 && staging < largest)) continue;
        plan.compact = compact;
        plan.staging_bytes = staging;
        try_plan(plan);
        if (compact) break;  // in a compact plan, fewer bytes for weights would not change the places of the maps
      }
    }
  }

  /// Returns the duration with the control core's work, which the time model leaves out. Most of this work happens while the device
  /// computes, so each instruction adds only a few cycles. But no task ends before the control core has done all of its work.
  static std::uint64_t cost_of(const Lowering &lowering) {
    constexpr std::uint64_t kCyclesAnInstruction = 10;
    return std::max(lowering.cycles, control_cycles(lowering.program.size())) + kCyclesAnInstruction * lowering.program.size();
  }

  void try_plan(const Plan &plan) {
    Lowering lowering = lower_by(plan, network_, weights_, geometry_);
    if (!fastest_ || lowering.cycles < fastest_->cycles) {
      fastest_ = Alternative{plan.cores, plan.division, lowering.cycles, lowering.program.size()};
    }
    for (Instruction &instruction : lowering.program) instruction.touches = {};  // frees memory: they served only to set the tokens
    const auto [best, is_new] = bests_.try_emplace({plan.cores, plan.division});
    if (is_new || cost_of(lowering) < cost_of(best->second)) best->second = std::move(lowering);
  }

  /// Tries variants of each lowering that costs at most 5% more than the cheapest. Then returns the cheapest of all.
  Lowering finish() {
    constexpr std::uint64_t kNearlyPercent = 105;
    const auto cheaper = [](const auto &a, const auto &b) { return cost_of(a.second) < cost_of(b.second); };
    const std::uint64_t least = cost_of(std::min_element(bests_.begin(), bests_.end(), cheaper)->second);
    for (auto &[key, best] : bests_) {
      if (cost_of(best) * 100 <= least * kNearlyPercent) refine(best);
    }
    Lowering best = std::move(std::min_element(bests_.begin(), bests_.end(), cheaper)->second);
    const bool other = fastest_->cores != best.plan.cores || fastest_->division != best.plan.division;
    if (other && fastest_->cycles < best.cycles) best.faster = fastest_;
    return best;
  }

  void refine(const Lowering &best) {
    const Plan first = best.plan;
    for (const std::int64_t cycles : kPieceCycles) {
      for (const bool whole : {false, true}) {
        Plan plan = best.plan;
        plan.piece_cycles = cycles;
        plan.whole_batches = whole;
        if (!whole || plan.images > 1) try_plan(plan);
      }
    }
    const Plan pieces = best.plan;
    const bool other_pieces = pieces.piece_cycles != first.piece_cycles || pieces.whole_batches != first.whole_batches;
    for (const std::int64_t bytes : kTileBytes) {
      // The loop above found the plan `pieces` with one size of tiles. With another size, the plan `first` may be better.
      for (Plan plan : {first, pieces}) {
        plan.tile_bytes = bytes;
        consider(plan);
        if (!other_pieces) break;
      }
    }
  }

  const Network &network_;
  const WeightImage &weights_;
  Wish wish_;
  model::TileGeometry geometry_;
  std::map<std::pair<unsigned, Division>, Lowering> bests_;  ///< the cheapest lowering for each number of cores and each division
  std::optional<Alternative> fastest_;                       ///< the plan with the fewest device cycles
};

}  // namespace

Lowering lower(const Network &network, const WeightImage &weights, const Wish &wish, const model::TileGeometry &geometry) {
  return Choice(network, weights, wish, geometry).run();
}

std::uint64_t control_cycles(std::size_t instructions) {
  // The control core takes about sixty instructions for each accelerator instruction, at two cycles each.
  constexpr std::uint64_t kCycles = 120;
  return kCycles * instructions;
}

std::string describe_control_core(const Lowering &lowering) {
  const auto of = [](std::size_t instructions) {
    return "about " + std::to_string(control_cycles(instructions)) + " cycles for " + std::to_string(instructions) + " instructions";
  };
  std::string text;
  if (control_cycles(lowering.program.size()) > lowering.cycles) {
    text = "the control core has more to do than the device: " + of(lowering.program.size()) + "\n";
  }
  if (const std::optional<Alternative> &faster = lowering.faster) {
    text += "the control core decided: by " + describe_cores(faster->cores, faster->division) + " the device would take " +
            std::to_string(faster->cycles) + " cycles, but the control core " + of(faster->instructions) + "\n";
  }
  return text;
}

}  // namespace cox::lower
