// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/pool.h"

#include <algorithm>

#include "coxswain/isa/mx/operation.h"
#include "coxswain/isa/mx/table.h"
#include "coxswain/kernels/mx/arguments.h"
#include "coxswain/kernels/mx/copy.h"
#include "coxswain/kernels/mx/pieces.h"

namespace cox::kernels::mx {
namespace {

using isa::mx::kBlockBytes;
using isa::mx::kMostChannels;
using isa::mx::Opcode;

constexpr const isa::Field &kKernel = isa::mx::field<Opcode::POOL, "Kernel">();
constexpr const isa::Field &kStride = isa::mx::field<Opcode::POOL, "Stride">();
constexpr const isa::Field &kPadding = isa::mx::field<Opcode::POOL, "Padding">();
constexpr const isa::Field &kMode = isa::mx::field<Opcode::POOL, "Mode">();

WindowShape window_of(const PoolArguments &arguments) { return {arguments.kernel, arguments.stride, arguments.padding}; }

Status check_range(std::uint32_t value, const isa::Field &field, const char *name) {
  if (value < field.minimum) return invalid(name, value, field.minimum);
  return value > field.maximum ? invalid(name, value, field.maximum) : Status();
}

Status check_side(std::uint32_t input, std::uint32_t output, const PoolArguments &arguments) {
  const std::uint32_t side = isa::mx::output_side(input, arguments.kernel, arguments.stride, arguments.padding);
  if (side == 0) return Status(ErrorCode::shape_mismatch, "input", -1, input + 2 * arguments.padding, arguments.kernel);
  return check_size(output, side, "output");
}

Status check_shapes(const PoolArguments &arguments) {
  if (const Status status = check_sizes(arguments.input, "input"); !status) return status;
  if (const Status status = check_range(arguments.kernel, kKernel, "kernel"); !status) return status;
  if (const Status status = check_range(arguments.stride, kStride, "stride"); !status) return status;
  if (const Status status = check_range(arguments.padding, kPadding, "padding"); !status) return status;
  if (const Status status = check_range(static_cast<std::uint32_t>(arguments.mode), kMode, "mode"); !status) return status;
  if (arguments.padding >= arguments.kernel) return invalid("padding", arguments.padding, arguments.kernel - 1);
  if (const Status status = check_size(arguments.output.channels, arguments.input.channels, "output"); !status) return status;
  if (const Status status = check_side(arguments.input.height, arguments.output.height, arguments); !status) return status;
  return check_side(arguments.input.width, arguments.output.width, arguments);
}

/// Returns the largest number of channel blocks of the tensor that one instruction takes.
std::uint32_t most_blocks(const Tensor &tensor) { return std::min(tensor.blocks(), kMostChannels / isa::mx::kBlockElements); }

struct PieceBytes {
  std::uint64_t input = 0, output = 0;  ///< bytes of the largest piece
  [[nodiscard]] std::uint64_t total() const { return input + output; }
};

PieceBytes largest_piece(const PoolArguments &arguments) {
  const Tensor &input = arguments.input;
  const WindowShape window = window_of(arguments);
  const std::uint64_t block_bytes = std::uint64_t{most_blocks(input)} * kBlockBytes;
  return {block_bytes * most_piece_inputs(input.height) * most_piece_inputs(input.width),
          block_bytes * most_piece_outputs(window, input.height) * most_piece_outputs(window, input.width)};
}

isa::mx::Pool operation_of(const PoolArguments &arguments) {
  isa::mx::Pool operation;
  operation.kernel = arguments.kernel;
  operation.stride = arguments.stride;
  operation.padding = arguments.padding;
  operation.average = arguments.mode == PoolMode::Average;
  return operation;
}

/// Appends one piece of at most 1,024 channels: copies it into scratch, pools it there, and copies the wanted outputs out.
Status append_piece(Stream &stream, const PoolArguments &part, const Piece &rows, const Piece &columns) {
  isa::mx::Pool operation = operation_of(part);
  const std::uint32_t blocks = part.input.blocks();
  operation.input = {part.scratch.address, blocks, rows.input_count, columns.input_count};
  operation.output = {part.scratch.address + operation.input.bytes(), blocks, rows.instruction_outputs, columns.instruction_outputs};
  const auto tensor = [](const isa::mx::Map &map) {
    return Tensor{map.address, map.blocks * isa::mx::kBlockElements, map.height, map.width};
  };

  Status status = append_copy(stream, region_of(part.input, rows.input_first, columns.input_first),
                              region_of(tensor(operation.input), 0, 0), blocks, rows.input_count, columns.input_count);
  if (!status) return status;
  if (status = stream.append(operation); !status) return status;
  return append_copy(stream, region_of(tensor(operation.output), rows.discarded, columns.discarded),
                     region_of(part.output, rows.output_first, columns.output_first), blocks, rows.output_count, columns.output_count);
}

Status append_pieces(Stream &stream, const PoolArguments &part) {
  const WindowShape window = window_of(part);
  for (std::uint32_t row = 0; row < part.output.height;) {
    const Piece rows = piece_at(window, part.input.height, row);
    for (std::uint32_t column = 0; column < part.output.width;) {
      const Piece columns = piece_at(window, part.input.width, column);
      if (const Status status = append_piece(stream, part, rows, columns); !status) return status;
      column = columns.output_end();
    }
    row = rows.output_end();
  }
  return {};
}

Status append_one(Stream &stream, const PoolArguments &part) {
  isa::mx::Pool operation = operation_of(part);
  operation.input = map_of(part.input);
  operation.output = map_of(part.output);
  return stream.append(operation);
}

/// Checks alignment, windows and overlap of the whole tensors and of scratch.
Status check_whole(const Stream &stream, const PoolArguments &arguments) {
  isa::mx::Footprint footprint;
  add_access(footprint, false, arguments.input.address, arguments.input.bytes(), "InOffset");
  add_access(footprint, true, arguments.output.address, arguments.output.bytes(), "OutOffset1");
  if (needs_pieces(arguments.input)) {
    const std::uint64_t scratch = largest_piece(arguments).total();
    if (const Status status = add_scratch(footprint, stream, arguments.scratch, scratch); !status) return status;
  }
  return check_memory(stream, footprint);
}

}  // namespace

Result<std::uint64_t> pool_scratch_bytes(const PoolArguments &arguments) {
  if (const Status status = check_shapes(arguments); !status) return status;
  if (!needs_pieces(arguments.input)) return 0;
  return largest_piece(arguments).total();
}

Status pool(Stream &stream, const PoolArguments &arguments) {
  if (const Status status = check_shapes(arguments); !status) return status;
  const bool pieces = needs_pieces(arguments.input);
  const std::uint32_t channels = arguments.input.channels;
  if (!pieces && channels <= kMostChannels) return append_one(stream, arguments);

  if (const Status status = check_whole(stream, arguments); !status) return status;
  const Stream::Mark mark = stream.mark();
  for (std::uint32_t first = 0; first < channels; first += kMostChannels) {
    const std::uint32_t count = std::min(channels - first, kMostChannels);
    PoolArguments part = arguments;
    part.input = arguments.input.slice(first, count);
    part.output = arguments.output.slice(first, count);
    if (const Status status = pieces ? append_pieces(stream, part) : append_one(stream, part); !status) {
      stream.roll_back(mark);
      return status;
    }
  }
  return {};
}

}  // namespace cox::kernels::mx
