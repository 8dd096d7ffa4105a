// SPDX-License-Identifier: MIT
// Recurrent layers: LSTM, RNN, GRU and their cells.
#include "isa/unity/operands.h"
#include "isa/unity/region_sink.h"

namespace cox::isa::unity::detail {

Result<Operation> resolve_recurrent(const Operands &operands) { return Status(ErrorCode::unsupported, operands.row().name); }

void list_regions(const Recurrent & /*operation*/, RegionSink & /*sink*/) {}

}  // namespace cox::isa::unity::detail
