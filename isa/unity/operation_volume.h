// SPDX-License-Identifier: MIT
// Volumes, and pools of sections: CONV3D, TRANS_CONV3D, POOL3D, ROI_POOL, ADAPTIVV_POOL*.
#pragma once

#include <cstdint>

#include "isa/unity/instruction.h"
#include "isa/unity/run.h"

namespace cox::isa::unity {

/// CONV3D and TRANS_CONV3D.
struct VolumeConvolution {
  Opcode op{};
};

/// POOL3D.
struct VolumePool {
  Opcode op{};
};

/// ROI_POOL and ADAPTIVV_POOL*.
struct SectionPool {
  Opcode op{};
};

}  // namespace cox::isa::unity
