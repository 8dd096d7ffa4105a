// SPDX-License-Identifier: MIT
// Tensor descriptors and random numbers: CREATE_TENSOR to DESTROY_TENSOR, SHAPE to HAS_NAN, DROPOUT; and UNSTACK.
#include "isa/unity/operands.h"
#include "isa/unity/region_sink.h"

namespace cox::isa::unity::detail {

Result<Operation> resolve_creation(const Operands &operands) { return Status(ErrorCode::unsupported, operands.row().name); }

void list_regions(const Creation & /*operation*/, RegionSink & /*sink*/) {}
void list_regions(const Query & /*operation*/, RegionSink & /*sink*/) {}
void list_regions(const Unstack & /*operation*/, RegionSink & /*sink*/) {}
void list_regions(const Dropout & /*operation*/, RegionSink & /*sink*/) {}

}  // namespace cox::isa::unity::detail
