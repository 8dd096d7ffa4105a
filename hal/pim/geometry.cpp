// SPDX-License-Identifier: MIT
#include "hal/identify.h"

namespace cox::hal::pim {

Status identify(const GeometryRegisters & /*common*/, hal::Geometry & /*geometry*/) { return Status(); }

}  // namespace cox::hal::pim
