// SPDX-License-Identifier: MIT
// Volumes, and pools of sections: CONV3D, TRANS_CONV3D, POOL3D, ROI_POOL, ADAPTIVV_POOL*.
#include "sim/model/unity/arithmetic/reference.h"

namespace cox::model::unity::reference {

Status volume_convolution(const isa::unity::VolumeConvolution & /*operation*/, Memory & /*memory*/) { return {}; }
Status volume_pool(const isa::unity::VolumePool & /*operation*/, Memory & /*memory*/) { return {}; }
Status section_pool(const isa::unity::SectionPool & /*operation*/, Memory & /*memory*/) { return {}; }

}  // namespace cox::model::unity::reference
