// SPDX-License-Identifier: MIT
// Tensor descriptors and random numbers: CREATE_TENSOR to DESTROY_TENSOR, SHAPE to HAS_NAN, DROPOUT; and UNSTACK.
#pragma once

#include <cstdint>

#include "isa/unity/instruction.h"
#include "isa/unity/run.h"

namespace cox::isa::unity {

/// CREATE_TENSOR to DESTROY_TENSOR.
struct Creation {
  Opcode op{};
};

/// SHAPE to HAS_NAN.
struct Query {
  Opcode op{};
};

/// UNSTACK.
struct Unstack {
  Opcode op{};
};

/// DROPOUT.
struct Dropout {
  Opcode op{};
};

}  // namespace cox::isa::unity
