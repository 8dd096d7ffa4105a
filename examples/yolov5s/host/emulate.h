// SPDX-License-Identifier: MIT
// The application's work without a board: the same layers with the model's arithmetic, so with the device's bits. For trying weights.
#pragma once

#include "examples/yolov5s/host/dram_image.h"

namespace cox::yolov5s {

/// Fills in what the application does, but for cycles and instructions. Throws FileError where the DRAM is too small.
void emulate(DramImage &dram);

}  // namespace cox::yolov5s
