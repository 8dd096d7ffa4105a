// SPDX-License-Identifier: MIT
#include "sim/model/hazard/mending.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "isa/tile/table.h"
#include "sim/model/hazard/overlap.h"
#include "sim/model/hazard/schedule.h"

namespace cox::model::hazard {
namespace {

namespace tile = isa::tile;

/// The bits that could even out the one pair that does not come out even.
std::vector<DependencyBit> candidates(std::span<const Step> steps, const Imbalance &pair) {
  const bool next = pair.put < pair.taken;
  const Lane where = next ? pair.from : pair.to;
  const Lane other = next ? pair.to : pair.from;
  std::vector<DependencyBit> bits;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const tile::Instruction &entry = *tile::find_instruction(tile::opcode_of(steps[i].code));
    if (lane_of(steps[i]) != where || entry.configuration) continue;
    const LaneSet present = next ? next_lanes(steps[i].code) : previous_lanes(steps[i].code);
    if ((present >> other & 1U) == 0) bits.push_back({static_cast<std::int32_t>(i), next, other, false});
  }
  return bits;
}

bool has_stale_weights(const Schedule &schedule, std::span<const Step> steps, std::span<const Layers> layers) {
  std::array<WeightBlocks, tile::kMostCores> weights;
  return std::any_of(schedule.order.begin(), schedule.order.end(), [&](std::int32_t i) {
    const auto index = static_cast<std::size_t>(i);
    StaleWeights stale;
    return weights[core_of(lane_of(steps[index]))].is_stale_after(i, steps[index].operation, layers.empty() ? Layers{} : layers[index],
                                                                  stale);
  });
}

}  // namespace

tile::MachineCode with_bit(const tile::MachineCode &code, const DependencyBit &bit) {
  tile::MachineCode changed = code;
  unsigned place = (bit.next ? tile::kNextBit : tile::kPreviousBit) + static_cast<unsigned>(class_of(bit.other));
  if (core_of(bit.other) != tile::core_of(code)) {
    const tile::Instruction &entry = *tile::find_instruction(tile::opcode_of(code));
    const isa::Field *cores = tile::find_field(entry, bit.next ? "Next_Cores" : "Prev_Cores");
    if (cores == nullptr) return code;
    place = cores->bit + core_of(bit.other);
  }
  isa::insert_bits(changed, place, 1, 1);
  return changed;
}

std::vector<DependencyBit> mending_bits(std::span<const Step> steps, std::span<const Layers> layers) {
  const std::vector<Imbalance> imbalances = make_schedule(steps).imbalances;
  if (imbalances.size() != 1 || std::abs(imbalances.front().put - imbalances.front().taken) != 1) return {};
  const std::vector<std::pair<std::int32_t, std::int32_t>> pairs = conflicting_pairs(steps);
  std::vector<DependencyBit> bits;
  std::vector<Step> variation(steps.begin(), steps.end());
  for (DependencyBit bit : candidates(steps, imbalances.front())) {
    Step &step = variation[static_cast<std::size_t>(bit.instruction)];
    const tile::MachineCode before = step.code;
    step.code = with_bit(before, bit);
    const Schedule schedule = make_schedule(variation);
    const auto ordered = [&](const std::pair<std::int32_t, std::int32_t> &pair) {
      return schedule.happens_before(variation, pair.first, pair.second) || schedule.happens_before(variation, pair.second, pair.first);
    };
    if (schedule.complete() && std::all_of(pairs.begin(), pairs.end(), ordered)) {
      bit.stale_weights = has_stale_weights(schedule, variation, layers);
      bits.push_back(bit);
    }
    step.code = before;
  }
  std::stable_sort(bits.begin(), bits.end(),
                   [](const DependencyBit &a, const DependencyBit &b) { return !a.stale_weights && b.stale_weights; });
  return bits;
}

}  // namespace cox::model::hazard
