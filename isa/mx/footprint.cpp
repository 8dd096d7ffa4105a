// SPDX-License-Identifier: MIT
#include "coxswain/isa/mx/operation.h"

namespace cox::isa::mx {
namespace {

void add(Footprint &footprint, bool write, std::uint64_t start, std::uint64_t bytes, const char *field) {
  footprint.accesses[footprint.count++] = Access{start, bytes, 0, 1, write, field};
}

Footprint footprint_of(const Selection &) { return {}; }

Footprint footprint_of(const ConvAct &op) {
  Footprint result;
  add(result, false, op.input.address, op.input.bytes(), "InOffset");
  add(result, false, op.weights, weight_bytes(op.kernel, op.input.blocks, op.output_blocks()), "WeightOffset");
  add(result, true, op.output1.address, op.output1.bytes(), "OutOffset1");
  if (op.output2.blocks != 0) add(result, true, op.output2.address, op.output2.bytes(), "OutOffset2");
  return result;
}

Footprint footprint_of(const Elementwise &op) {
  Footprint result;
  const std::uint64_t bytes = std::uint64_t{op.blocks} * kBlockBytes;
  const bool two = takes_two_tensors(op.function);
  add(result, false, op.input1, bytes, two ? "InOffset1" : "InOffset");
  if (two) add(result, false, op.input2, bytes, "InOffset2");
  add(result, true, op.output, bytes, "OutOffset");
  return result;
}

Footprint footprint_of(const Pool &op) {
  Footprint result;
  add(result, false, op.input.address, op.input.bytes(), "InOffset");
  add(result, true, op.output.address, op.output.bytes(), "OutOffset1");
  return result;
}

Footprint footprint_of(const Move &op) {
  Footprint result;
  const std::uint64_t run = std::uint64_t{op.run} * kBlockBytes;
  const bool again = op.from_stride == 0;  // with a stride of 0, a MOVE reads the same run `count` times
  result.accesses[0] = Access{op.from, run, std::uint64_t{op.from_stride} * kBlockBytes, again ? 1 : op.count, false, "InOffset"};
  result.accesses[1] = Access{op.to, run * op.repeat, std::uint64_t{op.to_stride} * kBlockBytes, op.count, true, "OutOffset"};
  result.count = 2;
  return result;
}

bool overlaps(const Access &a, const Access &b) { return a.start < b.end() && b.start < a.end(); }

}  // namespace

Footprint footprint(const Operation &operation) {
  return std::visit([](const auto &op) { return footprint_of(op); }, operation);
}

Status check_windows(const Footprint &footprint, std::span<const Window> windows) {
  for (unsigned i = 0; i < footprint.count; ++i) {
    if (const Status status = isa::check_windows(footprint.accesses[i], windows); !status) return status;
  }
  return {};
}

Status check_apart(const Footprint &footprint, bool in_place) {
  for (unsigned i = 0; i < footprint.count; ++i) {
    const Access &output = footprint.accesses[i];
    if (output.end() < output.start)
      return Status(ErrorCode::address_outside_window, output.field, -1, static_cast<std::int64_t>(output.start));
    if (!output.write) continue;
    for (unsigned j = 0; j < footprint.count; ++j) {
      const Access &other = footprint.accesses[j];
      if (i == j || !overlaps(output, other) || (in_place && output.start == other.start)) continue;
      return Status(ErrorCode::tensor_overlap, output.field, -1, static_cast<std::int64_t>(output.start),
                    static_cast<std::int64_t>(other.start));
    }
  }
  return {};
}

std::uint64_t multiply_accumulates(const Operation &operation) {
  const auto *convolution = std::get_if<ConvAct>(&operation);
  if (convolution == nullptr) return 0;
  const std::uint64_t pixels = std::uint64_t{convolution->output1.height} * convolution->output1.width;
  const std::uint64_t products = std::uint64_t{convolution->kernel} * convolution->kernel * convolution->input.blocks * kBlockElements;
  return pixels * products * convolution->output_blocks() * kBlockElements;
}

}  // namespace cox::isa::mx
