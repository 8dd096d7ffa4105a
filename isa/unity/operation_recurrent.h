// SPDX-License-Identifier: MIT
// Recurrent layers: LSTM, RNN, GRU and their cells.
#pragma once

#include <cstdint>

#include "isa/unity/instruction.h"
#include "isa/unity/run.h"

namespace cox::isa::unity {

/// LSTM to GRU.
struct Recurrent {
  Opcode op{};
};

}  // namespace cox::isa::unity
