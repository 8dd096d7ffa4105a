// SPDX-License-Identifier: MIT
// Training: losses, ACCURACY, AUC, optimisers, LABEL_SMOOTH.
#include "isa/unity/operands.h"
#include "isa/unity/region_sink.h"

namespace cox::isa::unity::detail {

Result<Operation> resolve_training(const Operands &operands) { return Status(ErrorCode::unsupported, operands.row().name); }

void list_regions(const Loss & /*operation*/, RegionSink & /*sink*/) {}
void list_regions(const Score & /*operation*/, RegionSink & /*sink*/) {}
void list_regions(const OptimizerStep & /*operation*/, RegionSink & /*sink*/) {}
void list_regions(const LabelSmooth & /*operation*/, RegionSink & /*sink*/) {}

}  // namespace cox::isa::unity::detail
