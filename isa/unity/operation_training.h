// SPDX-License-Identifier: MIT
// Training: losses, ACCURACY, AUC, optimisers, LABEL_SMOOTH.
#pragma once

#include <cstdint>

#include "isa/unity/instruction.h"
#include "isa/unity/run.h"

namespace cox::isa::unity {

/// CROSS_ENTROPY to SOFT_MARGIN_LOSS.
struct Loss {
  Opcode op{};
};

/// ACCURACY and AUC.
struct Score {
  Opcode op{};
};

/// SGD to ADAM.
struct OptimizerStep {
  Opcode op{};
};

/// LABEL_SMOOTH.
struct LabelSmooth {
  Opcode op{};
};

}  // namespace cox::isa::unity
