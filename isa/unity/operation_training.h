// SPDX-License-Identifier: MIT
// Training: losses, ACCURACY, AUC, optimisers, LABEL_SMOOTH. All units are floats, but for labels.
#pragma once

#include <array>
#include <cstdint>

#include "coxswain/isa/unity/instruction.h"
#include "coxswain/isa/unity/run.h"

namespace cox::isa::unity {

/// What becomes of the terms of a loss. The value is the code in operand tables.
enum class LossReduction : std::uint8_t { none, mean, sum };
inline constexpr unsigned kLossReductions = 3;

/// CROSS_ENTROPY to SOFT_MARGIN_LOSS of `rows` rows of `classes` elements. Losses by rows have a term for each row, the others one for each
/// element.
struct Loss {
  Opcode op{};
  LossReduction reduction = LossReduction::none;
  std::uint64_t rows = 1, classes = 1;
  float parameter = 0;  ///< beta of SMOOTH_L1_LOSS, epsilon of LOG_LOSS: finite, not negative
  Run input{};          ///< [rows][classes]
  Run target{};         ///< [rows][classes] in the input's unit, or with has_labels() a class for each row, s32
  Run result{};         ///< a term each, or one element; in the input's unit

  [[nodiscard]] constexpr bool has_labels() const { return op == Opcode::NLL_LOSS || op == Opcode::SPARSE_CROSS_ENTROPY_LOSS; }
  [[nodiscard]] constexpr bool by_rows() const { return has_labels() || op == Opcode::CROSS_ENTROPY; }
  [[nodiscard]] constexpr std::uint64_t terms() const { return by_rows() ? rows : rows * classes; }
};

/// ACCURACY and AUC.
struct Score {
  Opcode op{};
  std::uint64_t classes = 1;  ///< ACCURACY
  std::uint64_t best = 1;     ///< ACCURACY: a row counts if its label is among this many best scores; 1 to `classes`
  Run scores{};               ///< [rows][classes]
  Run labels{};               ///< one for each row, s32: 0 to classes - 1; AUC: 0 or 1
  Run result{};               ///< one element, FP32
};

/// SGD to ADAM: one step of torch's optimiser of that name. Parameters and states are updated.
/// - MOMENTUM: hyper {mu}; states {momentum_buffer}
/// - ADA_GRAD: hyper {epsilon}; states {sum}
/// - ADA_DELTA: hyper {rho, epsilon}; states {square_avg, acc_delta}
/// - RMS_PROP, CENTERED_RMSPROP: hyper {alpha, epsilon}; states {square_avg}, {square_avg, grad_avg}
/// - ADAM: hyper {beta1, beta2, epsilon}; states {exp_avg, exp_avg_sq}
struct OptimizerStep {
  Opcode op{};
  bool nesterov = false;         ///< MOMENTUM
  float rate = 0;                ///< finite, not negative, as all `hyper` are
  std::array<float, 3> hyper{};  ///< 0 if the optimiser lacks it. rho: up to 1; beta1, beta2: below 1
  std::uint32_t step = 0;        ///< ADAM: 1 for the first step
  Run parameters{}, gradients{};
  std::array<Run, 2> states{};  ///< no elements if the optimiser lacks it
};

/// LABEL_SMOOTH: (1 - epsilon) * source + epsilon * prior, for each row.
struct LabelSmooth {
  float epsilon = 0;          ///< 0 to 1
  std::uint64_t classes = 1;  ///< elements of a row
  Run source{}, result{};     ///< whole rows
  Run prior{};                ///< a row; without elements: 1 / classes each
};

}  // namespace cox::isa::unity
