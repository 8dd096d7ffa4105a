// SPDX-License-Identifier: MIT
#include "coxswain/kernels/cube/conv2d.h"

#include "coxswain/kernels/cube/conv2d_arguments.h"
#include "coxswain/kernels/cube/conv2d_emission.h"

namespace cox::kernels::cube {

Result<std::uint64_t> conv2d_slots(const Conv2dArguments &arguments) {
  const Result<Conv2dShape> shape = shape_of(arguments);
  if (!shape) return shape.status();
  return write_conv2d(nullptr, arguments, shape.value(), choose_conv2d_tiles(shape.value()));
}

Status conv2d(Stream &stream, const Conv2dArguments &arguments) {
  const Result<Conv2dShape> shape = shape_of(arguments);
  if (!shape) return shape.status();
  if (const Status status = check_memory(arguments, stream.windows()); !status) return status;
  const Stream::Mark mark = stream.mark();
  const Result<std::uint64_t> slots = write_conv2d(&stream, arguments, shape.value(), choose_conv2d_tiles(shape.value()));
  if (!slots) stream.roll_back(mark);
  return slots.status();
}

}  // namespace cox::kernels::cube
