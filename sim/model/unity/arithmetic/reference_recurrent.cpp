// SPDX-License-Identifier: MIT
// Recurrent layers: LSTM, RNN, GRU and their cells.
#include "sim/model/unity/arithmetic/reference.h"

namespace cox::model::unity::reference {

Status recurrent(const isa::unity::Recurrent & /*operation*/, Memory & /*memory*/) { return {}; }

}  // namespace cox::model::unity::reference
