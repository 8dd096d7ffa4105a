// SPDX-License-Identifier: MIT
// A convolution, cut as it is told, on its way into a stream (docs/kernels/cube.md, conv2d). Of the kernels' inside.
#pragma once

#include "kernels/cube/conv2d.h"
#include "kernels/cube/conv2d_shape.h"
#include "kernels/cube/conv2d_tiles.h"

namespace cox::kernels::cube {

/// Arguments that were checked, their shape, and tiles of choose_conv2d_tiles() or others that the buffers hold. Returns slots; without a
/// stream they are counted alone. What the stream refuses: slots may have been written.
Result<std::uint64_t> write_conv2d(Stream *stream, const Conv2dArguments &arguments, const Conv2dShape &shape, const Conv2dTiles &tiles);

}  // namespace cox::kernels::cube
