// SPDX-License-Identifier: MIT
// Does the application's work without a board. It runs the same layers with the model's arithmetic, so the results equal the device's bit
// for bit. This is useful for trying weights.
#pragma once

#include "examples/yolov5s/host/dram_image.h"

namespace cox::yolov5s {

/// Writes all results of the application except cycles and instructions. Throws FileError if the DRAM is too small.
void emulate(DramImage &dram);

}  // namespace cox::yolov5s
