// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/concat.h"

#include "coxswain/kernels/mx/arguments.h"
#include "coxswain/kernels/mx/copy.h"

namespace cox::kernels::mx {
namespace {

using isa::mx::kBlockElements;

/// The last input may end inside a block; all other inputs must fill their last block.
Status check_inputs(std::span<const Tensor> inputs, const Tensor &output) {
  if (inputs.empty()) return invalid("inputs", 0, 1);
  std::uint64_t channels = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto index = static_cast<std::int32_t>(i);
    const Tensor &input = inputs[i];
    if (const Status status = check_sizes(input, "inputs"); !status) return status.at(index);
    if (const Status status = check_size(input.height, output.height, "inputs"); !status) return status.at(index);
    if (const Status status = check_size(input.width, output.width, "inputs"); !status) return status.at(index);
    if (i + 1 < inputs.size() && input.channels % kBlockElements != 0) return invalid("inputs", input.channels, kBlockElements).at(index);
    channels += input.channels;
  }
  if (channels != output.channels)
    return Status(ErrorCode::shape_mismatch, "output", -1, output.channels, static_cast<std::int64_t>(channels));
  return {};
}

}  // namespace

Status concat(Stream &stream, std::span<const Tensor> inputs, const Tensor &output) {
  if (const Status status = check_sizes(output, "output"); !status) return status;
  if (const Status status = check_inputs(inputs, output); !status) return status;
  const auto for_copied = [&](auto &&use) -> Status {
    std::uint32_t first = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const Tensor place = output.slice(first, inputs[i].channels);
      first += inputs[i].channels;
      if (place.address == inputs[i].address) continue;
      if (const Status status = use(inputs[i], place); !status) return status.at(static_cast<std::int32_t>(i));
    }
    return {};
  };

  const Status checked = for_copied([&](const Tensor &input, const Tensor &) {
    isa::mx::Footprint footprint;
    add_access(footprint, false, input.address, input.bytes(), "InOffset");
    add_access(footprint, true, output.address, output.bytes(), "OutOffset");
    return check_memory(stream, footprint);
  });
  if (!checked) return checked;
  const Stream::Mark mark = stream.mark();
  const Status status = for_copied(
      [&](const Tensor &input, const Tensor &place) { return append_copy(stream, input.address, place.address, input.count()); });
  if (!status) stream.roll_back(mark);
  return status;
}

}  // namespace cox::kernels::mx
