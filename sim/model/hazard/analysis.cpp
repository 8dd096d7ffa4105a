// SPDX-License-Identifier: MIT
#include "sim/model/hazard/analysis.h"

#include <algorithm>

#include "isa/tile/check.h"
#include "isa/tile/table.h"

namespace cox::model::hazard {
namespace {

namespace tile = isa::tile;
using tile::Class;
using tile::kClasses;

const tile::Instruction &entry_of(const Step &step) { return *tile::find_instruction(tile::opcode_of(step.code)); }

/// Indices of `steps`, class by class.
std::array<std::vector<std::int32_t>, kClasses> by_class(std::span<const Step> steps) {
  std::array<std::vector<std::int32_t>, kClasses> queues;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    queues[static_cast<std::size_t>(entry_of(steps[i]).queue)].push_back(static_cast<std::int32_t>(i));
  }
  return queues;
}

std::vector<Imbalance> find_imbalances(std::span<const Step> steps) {
  std::array<std::array<Imbalance, kClasses>, kClasses> pairs{};
  for (const Step &step : steps) {
    const auto own = static_cast<std::size_t>(entry_of(step).queue);
    for (std::size_t c = 0; c < kClasses; ++c) {
      pairs[own][c].put += tile::next_of(step.code) >> c & 1U;
      pairs[c][own].taken += tile::previous_of(step.code) >> c & 1U;
    }
  }
  std::vector<Imbalance> found;
  for (std::size_t from = 0; from < kClasses; ++from) {
    for (std::size_t to = 0; to < kClasses; ++to) {
      Imbalance &pair = pairs[from][to];
      pair.from = static_cast<Class>(from);
      pair.to = static_cast<Class>(to);
      if (pair.put != pair.taken) found.push_back(pair);
    }
  }
  return found;
}

/// Starts and ends each step as soon as its turn and its tokens have come: `run(index)` does it, `missing(index)` says what it waits for.
/// Which of the possible orders it is makes no difference to what happens-before says.
template <typename Missing, typename Run>
std::vector<Stuck> run_all(std::span<const Step> steps, Missing missing, Run run) {
  const auto queues = by_class(steps);
  std::array<std::size_t, kClasses> heads{};
  for (bool progress = true; progress;) {
    progress = false;
    for (std::size_t c = 0; c < kClasses; ++c) {
      while (heads[c] < queues[c].size() && missing(queues[c][heads[c]]) == 0) {
        run(queues[c][heads[c]++]);
        progress = true;
      }
    }
  }
  std::vector<Stuck> stuck;
  for (std::size_t c = 0; c < kClasses; ++c) {
    if (heads[c] < queues[c].size()) stuck.push_back({queues[c][heads[c]], missing(queues[c][heads[c]])});
  }
  return stuck;
}

/// The bits that could even out the one pair that does not come out even.
std::vector<DependencyBit> candidates(std::span<const Step> steps, const Imbalance &pair) {
  const bool next = pair.put < pair.taken;
  const Class where = next ? pair.from : pair.to;
  const Class other = next ? pair.to : pair.from;
  std::vector<DependencyBit> bits;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (entry_of(steps[i]).queue != where || entry_of(steps[i]).configuration) continue;
    const std::uint32_t present = next ? tile::next_of(steps[i].code) : tile::previous_of(steps[i].code);
    if ((present >> static_cast<unsigned>(other) & 1U) == 0) bits.push_back({static_cast<std::int32_t>(i), next, other, false});
  }
  return bits;
}

}  // namespace

Result<std::vector<Step>> make_steps(std::span<const tile::MachineCode> instructions) {
  std::vector<Step> steps;
  tile::Configuration configuration;
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    const auto index = static_cast<std::int32_t>(i);
    if (Status status = tile::check(instructions[i]); !status) return status.at(index);
    if (Status status = configuration.apply(instructions[i]); !status) return status.at(index);
    Result<Step> step = make_step(instructions[i], configuration);
    if (!step) return step.status().at(index);
    steps.push_back(std::move(step).value());
  }
  return steps;
}

Analysis analyse(std::span<const Step> steps, std::span<const Layers> layers) {
  Analysis analysis;
  Detector detector;
  analysis.imbalances = find_imbalances(steps);
  analysis.stuck = run_all(
      steps, [&](std::int32_t i) { return detector.missing(steps[static_cast<std::size_t>(i)].code); },
      [&](std::int32_t i) {
        const auto index = static_cast<std::size_t>(i);
        detector.start(i, steps[index], layers.empty() ? Layers{} : layers[index]);
        detector.end(entry_of(steps[index]).queue);
      });
  analysis.hazards = detector.hazards();
  std::sort(analysis.hazards.begin(), analysis.hazards.end(),
            [](const Hazard &a, const Hazard &b) { return a.later != b.later ? a.later < b.later : a.earlier < b.earlier; });
  analysis.stale_weights = detector.stale_weights();
  return analysis;
}

Analysis analyse_tokens(std::span<const Step> steps) {
  Analysis analysis;
  TokenClocks tokens;
  analysis.imbalances = find_imbalances(steps);
  analysis.stuck = run_all(
      steps,
      [&](std::int32_t i) {
        const Step &step = steps[static_cast<std::size_t>(i)];
        return tokens.missing(entry_of(step).queue, tile::previous_of(step.code));
      },
      [&](std::int32_t i) {
        const Step &step = steps[static_cast<std::size_t>(i)];
        tokens.start(entry_of(step).queue, tile::previous_of(step.code));
        tokens.end(entry_of(step).queue, tile::next_of(step.code));
      });
  return analysis;
}

tile::MachineCode with_bit(const tile::MachineCode &code, const DependencyBit &bit) {
  tile::MachineCode changed = code;
  isa::insert_bits(changed, (bit.next ? tile::kNextBit : tile::kPreviousBit) + static_cast<unsigned>(bit.other), 1, 1);
  return changed;
}

std::vector<DependencyBit> mending_bits(std::span<const Step> steps, std::span<const Layers> layers) {
  const std::vector<Imbalance> imbalances = find_imbalances(steps);
  if (imbalances.size() != 1 || std::abs(imbalances.front().put - imbalances.front().taken) != 1) return {};
  std::vector<DependencyBit> bits;
  std::vector<Step> variation(steps.begin(), steps.end());
  for (DependencyBit bit : candidates(steps, imbalances.front())) {
    Step &step = variation[static_cast<std::size_t>(bit.instruction)];
    const tile::MachineCode before = step.code;
    step.code = with_bit(before, bit);
    if (analyse_tokens(variation).passes()) {
      const Analysis analysis = analyse(variation, layers);
      bit.warnings = !analysis.stale_weights.empty();
      if (analysis.passes()) bits.push_back(bit);
    }
    step.code = before;
  }
  std::stable_sort(bits.begin(), bits.end(), [](const DependencyBit &a, const DependencyBit &b) { return !a.warnings && b.warnings; });
  return bits;
}

}  // namespace cox::model::hazard
