// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/elementwise.h"

#include <algorithm>

#include "coxswain/kernels/mx/arguments.h"

namespace cox::kernels::mx {
namespace {

using isa::mx::Elementwise;
using isa::mx::ElementwiseFunction;
using isa::mx::kMostBlocks;

Status append_pieces(Stream &stream, Elementwise operation, std::uint64_t blocks) {
  operation.blocks = static_cast<std::uint32_t>(blocks);
  if (const Status status = check_memory(stream, isa::mx::footprint(operation), true); !status) return status;
  const Stream::Mark mark = stream.mark();
  for (std::uint64_t left = blocks; left > 0; left -= operation.blocks) {
    operation.blocks = static_cast<std::uint32_t>(std::min<std::uint64_t>(left, kMostBlocks));
    if (const Status status = stream.append(operation); !status) {
      stream.roll_back(mark);
      return status;
    }
    const std::uint64_t bytes = std::uint64_t{operation.blocks} * isa::mx::kBlockBytes;
    operation.input1 += bytes;
    operation.input2 += bytes;
    operation.output += bytes;
  }
  return {};
}

/// Appends the operation for `blocks` blocks, in several instructions if necessary, and sets `operation.blocks` for each.
Status append_any_length(Stream &stream, Elementwise &operation, std::uint64_t blocks) {
  if (blocks > kMostBlocks) [[unlikely]]
    return append_pieces(stream, operation, blocks);
  operation.blocks = static_cast<std::uint32_t>(blocks);
  return stream.append(operation);
}

}  // namespace

Status append_one_tensor(Stream &stream, ElementwiseFunction function, const Tensor &input, const Tensor &output, std::uint16_t immediate) {
  if (const Status status = check_sizes(input, "input"); !status) return status;
  if (const Status status = check_shape(output, input, "output"); !status) return status;
  Elementwise operation{.function = function, .input1 = input.address, .output = output.address, .immediate = immediate};
  return append_any_length(stream, operation, input.count());
}

Status append_two_tensors(Stream &stream, ElementwiseFunction function, const Tensor &input1, const Tensor &input2, const Tensor &output) {
  if (const Status status = check_sizes(input1, "input1"); !status) return status;
  if (const Status status = check_shape(input2, input1, "input2"); !status) return status;
  if (const Status status = check_shape(output, input1, "output"); !status) return status;
  Elementwise operation{.function = function, .input1 = input1.address, .input2 = input2.address, .output = output.address};
  return append_any_length(stream, operation, input1.count());
}

}  // namespace cox::kernels::mx
