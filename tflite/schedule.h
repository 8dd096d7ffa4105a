// SPDX-License-Identifier: MIT
// Distributes the operators of a model over several units, and says which of them wait for which.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/tflite/arena.h"
#include "coxswain/tflite/model.h"
#include "coxswain/tflite/operator_set.h"

namespace cox::tflite {

inline constexpr unsigned kMaxUnits = 8;
/// The time of schedule_operators() grows with the square of the number of operators. Of a model with more, unit 0 runs all.
inline constexpr std::size_t kMaxScheduledOperators = 1024;

/// An operator, or a part of it, on its unit. Tasks of one unit run one after another, in the order of the schedule.
struct Task {
  std::uint16_t op = 0;
  std::uint8_t unit = 0;
  Part part;
  std::uint16_t place = 0;   ///< among the tasks of its unit, counted from 1
  std::uint16_t signal = 0;  ///< of the builder, if the task waits; Runner::encode() writes it
  /// For each unit, the place of the task there that must have ended before this one starts; 0: none. What other waits and the order of the
  /// unit imply is left out.
  std::array<std::uint16_t, kMaxUnits> waits{};
  /// For each unit, how many of its tasks have ended for sure when this one ends.
  std::array<std::uint16_t, kMaxUnits> ended{};
  PartBytes bytes;        ///< as OperatorPart::bytes
  std::uint64_t end = 0;  ///< estimate, in multiply-accumulates of a unit

  /// Returns the number of tasks that this one waits for.
  [[nodiscard]] unsigned wait_count() const {
    unsigned count = 0;
    for (const std::uint16_t wait : waits) count += wait != 0 ? 1 : 0;
    return count;
  }
  [[nodiscard]] bool waits_for(const Task &other) const { return waits[other.unit] == other.place; }
};

/// Returns the largest number of tasks of a model.
[[nodiscard]] inline std::size_t schedule_tasks(const Model &model, unsigned units) { return model.operators() * units; }

/// Goes through the operators of the model in order, without those that have nothing to do.
///
/// - If the kernel can run parts of an operator, units may share it: part i runs on unit i. The number of parts is the one for which an
///   estimate of the time is smallest: of several, that of the operator before, or the smallest. Parts read the same weights, and units
///   share the memory's bandwidth.
/// - A whole operator runs on the unit on which it starts first by the estimate, or on the first of several.
/// - A task waits for each earlier one that is_ordered() names.
///
/// Returns the tasks, which lie in `workspace`. `units` is from 1 to kMaxUnits. Errors: no_room ("workspace") if it has fewer than
/// schedule_tasks() elements; invalid_argument ("units").
[[nodiscard]] Result<std::span<Task>> schedule_operators(const Model &model, const ArenaPlan &plan, const OperatorSet &kernels,
                                                         unsigned units, std::span<Task> workspace);

}  // namespace cox::tflite
