// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/upsample_nearest.h"

#include <algorithm>

#include "coxswain/isa/mx/table.h"
#include "coxswain/kernels/mx/arguments.h"
#include "coxswain/kernels/mx/copy.h"

namespace cox::kernels::mx {
namespace {

using isa::mx::kBlockBytes;
using isa::mx::kMostBlocks;
using isa::mx::kMostOffset;

/// The largest number of times that a MOVE can repeat a run.
constexpr auto kMostFactor = static_cast<std::uint32_t>(isa::mx::field<isa::mx::Opcode::MOVE, "Repeat">().maximum + 1);

Status check_shapes(const UpsampleNearestArguments &arguments) {
  if (const Status status = check_sizes(arguments.input, "input"); !status) return status;
  if (arguments.factor - 1 >= kMostFactor) return invalid("factor", arguments.factor, arguments.factor == 0 ? 1 : kMostFactor);
  const Tensor &input = arguments.input;
  const Tensor &output = arguments.output;
  if (const Status status = check_sizes(output, "output"); !status) return status;
  if (const Status status = check_size(output.channels, input.channels, "output"); !status) return status;
  if (const Status status = check_size(output.height, std::uint64_t{input.height} * arguments.factor, "output"); !status) return status;
  return check_size(output.width, std::uint64_t{input.width} * arguments.factor, "output");
}

std::uint64_t scratch_bytes(const UpsampleNearestArguments &arguments) {
  return arguments.factor == 1 ? 0 : arguments.input.bytes() * arguments.factor;
}

/// Appends `count` runs of `run` blocks; each run is repeated `factor` times, one copy behind the other.
Status append_repeated(Stream &stream, std::uint64_t from, std::uint64_t to, std::uint64_t run, std::uint64_t count, std::uint32_t factor) {
  const bool fits = run * factor <= kMostOffset;
  const std::uint64_t most = fits ? kMostBlocks : 1;
  for (std::uint64_t done = 0; done < count; done += most) {
    isa::mx::Move move;
    move.from = from + done * run * kBlockBytes;
    move.to = to + done * run * factor * kBlockBytes;
    move.run = static_cast<std::uint32_t>(run);
    move.count = static_cast<std::uint32_t>(std::min(count - done, most));
    move.repeat = factor;
    if (move.count > 1) {
      move.from_stride = move.run;
      move.to_stride = move.run * factor;
    }
    if (const Status status = stream.append(move); !status) return status;
  }
  return {};
}

/// Copies each of `count` rows `factor` times, for rows that are longer than the longest run of a MOVE.
Status append_long_rows(Stream &stream, std::uint64_t from, std::uint64_t to, std::uint64_t run, std::uint64_t count,
                        std::uint32_t factor) {
  for (std::uint64_t row = 0; row < count * factor; ++row) {
    const Status status = append_copy(stream, from + row / factor * run * kBlockBytes, to + row * run * kBlockBytes, run);
    if (!status) return status;
  }
  return {};
}

}  // namespace

Result<std::uint64_t> upsample_nearest_scratch_bytes(const UpsampleNearestArguments &arguments) {
  if (const Status status = check_shapes(arguments); !status) return status;
  return scratch_bytes(arguments);
}

Status upsample_nearest(Stream &stream, const UpsampleNearestArguments &arguments) {
  if (const Status status = check_shapes(arguments); !status) return status;
  const Tensor &input = arguments.input;
  const Tensor &output = arguments.output;
  const std::uint32_t factor = arguments.factor;
  isa::mx::Footprint footprint;
  add_access(footprint, false, input.address, input.bytes(), "InOffset");
  add_access(footprint, true, output.address, output.bytes(), "OutOffset");
  if (factor > 1) {
    if (const Status status = add_scratch(footprint, stream, arguments.scratch, scratch_bytes(arguments)); !status) return status;
  }
  if (const Status status = check_memory(stream, footprint); !status) return status;

  const Stream::Mark mark = stream.mark();
  const std::uint64_t rows = std::uint64_t{input.blocks()} * input.height;
  const std::uint64_t scratch = arguments.scratch.address;
  Status status;
  if (factor == 1) {
    status = append_copy(stream, input.address, output.address, input.count());
  } else {
    status = append_repeated(stream, input.address, scratch, 1, input.count(), factor);
    if (status.ok()) {
      const bool long_rows = output.width > kMostBlocks;
      status = long_rows ? append_long_rows(stream, scratch, output.address, output.width, rows, factor)
                         : append_repeated(stream, scratch, output.address, output.width, rows, factor);
    }
  }
  if (!status) stream.roll_back(mark);
  return status;
}

}  // namespace cox::kernels::mx
