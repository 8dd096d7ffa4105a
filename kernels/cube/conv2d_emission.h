// SPDX-License-Identifier: MIT
// Writes a convolution with given tiles into a stream (docs/kernels/cube.md, conv2d). Internal to the kernels.
#pragma once

#include "coxswain/kernels/cube/conv2d.h"
#include "coxswain/kernels/cube/conv2d_shape.h"
#include "coxswain/kernels/cube/conv2d_tiles.h"

namespace cox::kernels::cube {

/// Writes the convolution and returns the number of its slots; without a stream, only counts the slots. The caller has checked the
/// arguments. The tiles come from choose_conv2d_tiles(); other tiles may be passed if the buffers hold them. Errors: the stream's, after
/// which some slots may have been written.
Result<std::uint64_t> write_conv2d(Stream *stream, const Conv2dArguments &arguments, const Conv2dShape &shape, const Conv2dTiles &tiles);

}  // namespace cox::kernels::cube
