// SPDX-License-Identifier: MIT
// Volumes, and pools of sections: CONV3D, TRANS_CONV3D, POOL3D, ROI_POOL, ADAPTIVV_POOL*.
#include "isa/unity/operands.h"
#include "isa/unity/region_sink.h"

namespace cox::isa::unity::detail {

Result<Operation> resolve_volume(const Operands &operands) { return Status(ErrorCode::unsupported, operands.row().name); }

void list_regions(const VolumeConvolution & /*operation*/, RegionSink & /*sink*/) {}
void list_regions(const VolumePool & /*operation*/, RegionSink & /*sink*/) {}
void list_regions(const SectionPool & /*operation*/, RegionSink & /*sink*/) {}

}  // namespace cox::isa::unity::detail
