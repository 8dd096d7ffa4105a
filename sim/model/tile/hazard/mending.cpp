// SPDX-License-Identifier: MIT
#include "sim/model/tile/hazard/mending.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "coxswain/isa/tile/table.h"
#include "sim/model/tile/hazard/analysis.h"
#include "sim/model/tile/hazard/passing_range.h"
#include "sim/model/tile/hazard/schedule.h"

namespace cox::model::hazard {
namespace {

namespace tile = isa::tile;

/// Returns the dependency bits that could balance `pair`, the only pair of lanes that is not balanced.
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
    return weights[core_of_lane(lane_of(steps[index]))].is_stale_after(i, steps[index].operation, layers.empty() ? Layers{} : layers[index],
                                                                       stale);
  });
}

}  // namespace

tile::MachineCode with_bit(const tile::MachineCode &code, const DependencyBit &bit) {
  tile::MachineCode changed = code;
  unsigned place = (bit.next ? tile::kNextBit : tile::kPreviousBit) + class_of_lane(bit.other);
  if (core_of_lane(bit.other) != tile::core_of(code)) {
    const tile::Instruction &entry = *tile::find_instruction(tile::opcode_of(code));
    const isa::Field *cores = tile::find_field(entry, bit.next ? "Next_Cores" : "Prev_Cores");
    if (cores == nullptr) return code;
    place = cores->bit + core_of_lane(bit.other);
  }
  isa::insert_bits(changed, place, 1, 1);
  return changed;
}

std::vector<DependencyBit> mending_bits(std::span<const Step> steps, std::span<const Layers> layers) {
  const std::vector<Imbalance> imbalances = find_imbalances(steps);
  if (imbalances.size() != 1 || std::abs(imbalances.front().put - imbalances.front().taken) != 1) return {};
  std::vector<DependencyBit> bits = candidates(steps, imbalances.front());
  if (bits.empty()) return {};
  // passing_range() needs the bits from the least to the most restrictive. A bit of Next_Insts restricts more in a later instruction, which
  // gives the token later. A bit of Prev_Insts restricts more in an earlier instruction, because more instructions then wait for the token.
  if (!bits.front().next) std::reverse(bits.begin(), bits.end());
  std::vector<Step> variation(steps.begin(), steps.end());
  const auto with = [&variation](const DependencyBit &bit, auto test) {
    tile::MachineCode &code = variation[static_cast<std::size_t>(bit.instruction)].code;
    const tile::MachineCode before = code;
    code = with_bit(before, bit);
    const bool result = test(variation);
    code = before;
    return result;
  };
  const auto runs = [](std::span<const Step> task) { return make_schedule(task).complete(); };
  const Range passing = passing_range(
      bits.size(), [&](std::size_t i) { return with(bits[i], runs); }, [&](std::size_t i) { return with(bits[i], passes); });
  bits.erase(bits.begin() + static_cast<std::ptrdiff_t>(passing.end), bits.end());
  bits.erase(bits.begin(), bits.begin() + static_cast<std::ptrdiff_t>(passing.first));
  if (bits.empty()) return {};
  // Whichever of the remaining bits is added, a convolution reads weights from the same loads. One test for stale weights is enough.
  const bool stale = with(bits.front(), [&](std::span<const Step> task) { return has_stale_weights(make_schedule(task), task, layers); });
  for (DependencyBit &bit : bits) bit.stale_weights = stale;
  if (!bits.front().next) std::reverse(bits.begin(), bits.end());
  return bits;
}

}  // namespace cox::model::hazard
