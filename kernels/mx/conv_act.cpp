// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/conv_act.h"

#include <algorithm>

#include "coxswain/isa/mx/operation.h"
#include "coxswain/kernels/mx/append.h"
#include "coxswain/kernels/mx/arguments.h"
#include "coxswain/kernels/mx/copy.h"
#include "coxswain/kernels/mx/elementwise.h"
#include "coxswain/kernels/mx/pieces.h"

namespace cox::kernels::mx {
namespace {

using isa::mx::ConvAct;
using isa::mx::ElementwiseFunction;
using isa::mx::kBlockBytes;
using isa::mx::kBlockElements;
using isa::mx::kMostChannels;
using isa::mx::kWeightAlignment;

constexpr std::uint32_t kMostChannelBlocks = kMostChannels / kBlockElements;
constexpr std::uint32_t kInstructionPadding = 1, kMostPadding = 3;

WindowShape window_of(const ConvActArguments &arguments) { return {arguments.kernel, arguments.stride, arguments.padding}; }

bool is_split(const ConvActArguments &arguments) { return arguments.split_output.channels != 0; }

std::uint32_t output_blocks(const ConvActArguments &arguments) { return arguments.output.blocks() + arguments.split_output.blocks(); }

bool has_parts(const ConvActArguments &arguments) { return arguments.input.channels > kMostChannels; }

Status check_output(const ConvActArguments &arguments, const Tensor &output, const char *name) {
  const auto side = [&](std::uint32_t input) { return isa::mx::output_side(input, arguments.kernel, arguments.stride, arguments.padding); };
  const std::uint32_t height = side(arguments.input.height);
  const std::uint32_t width = side(arguments.input.width);
  if (height == 0 || width == 0) [[unlikely]] {
    const std::uint32_t shorter = std::min(arguments.input.height, arguments.input.width);
    return Status(ErrorCode::shape_mismatch, "input", -1, shorter + 2 * arguments.padding, arguments.kernel);
  }
  if (const Status status = check_size(output.height, height, name); !status) return status;
  return check_size(output.width, width, name);
}

Status check_split(const ConvActArguments &arguments) {
  if (const Status status = check_sizes(arguments.split_output, "split_output"); !status) return status;
  if (const Status status = check_output(arguments, arguments.split_output, "split_output"); !status) return status;
  if (arguments.output.channels % kBlockElements != 0) return invalid("output", arguments.output.channels, kBlockElements);
  return check_size(arguments.split_output.blocks(), arguments.output.blocks(), "split_output");
}

Status check_shapes(const ConvActArguments &arguments) {
  if (const Status status = check_sizes(arguments.input, "input"); !status) return status;
  if (const Status status = check_sizes(arguments.output, "output"); !status) return status;
  if (arguments.kernel != 1 && arguments.kernel != 3) return invalid("kernel", arguments.kernel, 3);
  if (arguments.stride - 1 > 1) return invalid("stride", arguments.stride, 2);
  if (arguments.padding > kMostPadding) return invalid("padding", arguments.padding, kMostPadding);
  if (arguments.activation > Activation::ReLU)
    return invalid("activation", static_cast<std::int64_t>(arguments.activation), static_cast<std::int64_t>(Activation::ReLU));
  if (const Status status = check_output(arguments, arguments.output, "output"); !status) return status;
  return is_split(arguments) ? check_split(arguments) : Status();
}

/// Returns the instruction without shapes and addresses.
ConvAct operation_of(const ConvActArguments &arguments) {
  ConvAct operation;
  operation.kernel = arguments.kernel;
  operation.stride = arguments.stride;
  operation.padding = arguments.padding;
  operation.activation = arguments.activation;
  return operation;
}

/// Returns the bytes of the layer's packed weights (docs/mx9.md, Weights).
std::uint64_t weight_bytes(const ConvActArguments &arguments) {
  const std::uint32_t outputs = output_blocks(arguments);
  const std::uint32_t whole_parts = arguments.input.channels / kMostChannels;
  const std::uint32_t rest = arguments.input.blocks() - whole_parts * kMostChannelBlocks;
  return whole_parts * isa::mx::weight_bytes(arguments.kernel, kMostChannelBlocks, outputs) +
         (rest == 0 ? 0 : isa::mx::weight_bytes(arguments.kernel, rest, outputs));
}

/// Constants of append_relu(). It computes the ReLU of a tensor in memory with a maximum POOL over windows of 2 x 2 blocks. The upper row
/// of a window has two copies of a block of the tensor, and the lower row has two blocks of zeros. The maximum is therefore the larger of
/// each element and zero. The windows lie one below the other. A map has at most 1,024 rows, which hold 512 windows for each 16 channels.
/// The result has the bits of an identity CONVACT with ReLU, which would need identity weights in memory.
constexpr std::uint32_t kWindowsOfMap = isa::mx::kMostSide / 2;
constexpr std::uint32_t kBlocksOfWindow = 4;
constexpr std::uint64_t kMostRectified = std::uint64_t{16} * kWindowsOfMap;  ///< most blocks in one pass of append_relu()

struct ScratchUse {
  std::uint64_t input = 0;             ///< bytes of the largest piece of the input
  std::uint64_t output = 0;            ///< bytes of the outputs of a piece
  std::uint64_t sum = 0, partial = 0;  ///< bytes of the partial sums of a group of output channels
  std::uint64_t windows = 0;           ///< bytes of the pooling windows of append_relu()
  [[nodiscard]] std::uint64_t total() const { return input + output + sum + partial + windows; }
};

ScratchUse scratch_use(const ConvActArguments &arguments) {
  const Tensor &input = arguments.input;
  const WindowShape window = window_of(arguments);
  const std::uint64_t inputs = std::uint64_t{most_piece_inputs(input.height)} * most_piece_inputs(input.width);
  const std::uint64_t outputs = std::uint64_t{most_piece_outputs(window, input.height)} * most_piece_outputs(window, input.width);
  const std::uint64_t group = std::min(arguments.output.blocks(), kMostChannelBlocks) * outputs;
  ScratchUse use;
  if (needs_pieces(input)) {
    use.input = input.blocks() * inputs * kBlockBytes;
    use.output = group * kBlockBytes;
  }
  if (has_parts(arguments)) {
    use.sum = use.partial = group * kBlockBytes;
    if (arguments.activation == Activation::ReLU) use.windows = std::min(group, kMostRectified) * kBlocksOfWindow * kBlockBytes;
  }
  return use;
}

/// Checks alignment, windows and overlap of the whole tensors and of scratch.
Status check_whole(const Stream &stream, const ConvActArguments &arguments, std::uint64_t scratch_bytes) {
  const std::uint64_t weights = weight_bytes(arguments);
  if (arguments.weights % kWeightAlignment != 0)
    return Status(ErrorCode::misaligned_address, "WeightOffset", -1, static_cast<std::int64_t>(arguments.weights), kWeightAlignment);
  isa::mx::Footprint whole;
  add_access(whole, false, arguments.input.address, arguments.input.bytes(), "InOffset");
  add_access(whole, false, arguments.weights, weights, "WeightOffset");
  add_access(whole, true, arguments.output.address, arguments.output.bytes(), "OutOffset1");
  if (is_split(arguments)) add_access(whole, true, arguments.split_output.address, arguments.split_output.bytes(), "OutOffset2");
  if (const Status status = check_memory(stream, whole); !status) return status;
  if (scratch_bytes == 0) return {};
  isa::mx::Footprint scratch;
  if (const Status status = add_scratch(scratch, stream, arguments.scratch, scratch_bytes); !status) return status;
  if (const Status status = check_memory(stream, scratch); !status) return status;
  for (unsigned i = 0; i < whole.count; ++i) {
    isa::mx::Footprint pair = scratch;
    add_access(pair, false, whole.accesses[i].start, whole.accesses[i].run, whole.accesses[i].field);
    if (const Status status = isa::mx::check_apart(pair, false); !status) return status;
  }
  return {};
}

/// Appends a convolution that is too large for one instruction. It keeps the first error and appends nothing after it.
class Decomposition {
 public:
  Decomposition(Stream &stream, const ConvActArguments &arguments) : stream_(stream), arguments_(arguments) {
    const ScratchUse use = scratch_use(arguments);
    input_ = arguments.scratch.address;
    output_ = input_ + use.input;
    sum_ = output_ + use.output;
    partial_ = sum_ + use.sum;
    windows_ = partial_ + use.partial;
  }

  Status append() {
    const Tensor &input = arguments_.input;
    if (!needs_pieces(input)) {
      append_groups(input, nullptr, nullptr);
      return status_;
    }
    const WindowShape window = window_of(arguments_);
    for (std::uint32_t row = 0; row < arguments_.output.height && status_;) {
      const Piece rows = piece_at(window, input.height, row);
      for (std::uint32_t column = 0; column < arguments_.output.width && status_;) {
        const Piece columns = piece_at(window, input.width, column);
        append_piece(rows, columns);
        column = columns.output_end();
      }
      row = rows.output_end();
    }
    return status_;
  }

 private:
  void note(const Status &status) {
    if (status_) status_ = status;
  }

  void append_piece(const Piece &rows, const Piece &columns) {
    const Tensor piece{input_, arguments_.input.channels, rows.input_count, columns.input_count};
    note(append_copy(stream_, region_of(arguments_.input, rows.input_first, columns.input_first), region_of(piece, 0, 0), piece.blocks(),
                     piece.height, piece.width));
    append_groups(piece, &rows, &columns);
  }

  /// Appends the instructions for all output channels. `input` is at most kMostSide high and wide.
  void append_groups(const Tensor &input, const Piece *rows, const Piece *columns) {
    append_groups_of(arguments_.output, 0, input, rows, columns);
    if (is_split(arguments_)) append_groups_of(arguments_.split_output, arguments_.output.blocks(), input, rows, columns);
  }

  /// `first` is the number of the output's first channel block within the layer.
  void append_groups_of(const Tensor &output, std::uint32_t first, const Tensor &input, const Piece *rows, const Piece *columns) {
    for (std::uint32_t channel = 0; channel < output.channels && status_; channel += kMostChannels) {
      const Tensor group = output.slice(channel, std::min(output.channels - channel, kMostChannels));
      const std::uint32_t block = first + channel / kBlockElements;
      if (rows == nullptr) {
        append_group(input, group, block);
        continue;
      }
      const Tensor made{output_, group.channels, rows->instruction_outputs, columns->instruction_outputs};
      append_group(input, made, block);
      if (!status_) return;
      note(append_copy(stream_, region_of(made, rows->discarded, columns->discarded),
                       region_of(group, rows->output_first, columns->output_first), group.blocks(), rows->output_count,
                       columns->output_count));
    }
  }

  /// Appends the instructions for `output`, at most kMostChannels channels. The first one is in channel block `block` of the layer.
  void append_group(const Tensor &input, const Tensor &output, std::uint32_t block) {
    if (!status_) return;
    if (!has_parts(arguments_)) {
      append_part(input, 0, output, block, arguments_.activation);
      return;
    }
    const Tensor sum{sum_, output.channels, output.height, output.width};
    const Tensor partial{partial_, output.channels, output.height, output.width};
    append_part(input, 0, sum, block, Activation::None);
    for (std::uint32_t channel = kMostChannels; channel < input.channels; channel += kMostChannels) {
      append_part(input, channel, partial, block, Activation::None);
      const bool last = input.channels - channel <= kMostChannels;
      const bool done = last && arguments_.activation == Activation::None;
      append_sum(ElementwiseFunction::add, sum, partial, done ? output : sum);
    }
    if (arguments_.activation == Activation::SiLU) {
      if (status_) note(append_one_tensor(stream_, ElementwiseFunction::sigmoid, sum, partial));
      append_sum(ElementwiseFunction::multiply, sum, partial, output);
    }
    if (arguments_.activation == Activation::ReLU) append_relu(sum, partial, output);
  }

  void append_sum(ElementwiseFunction function, const Tensor &input1, const Tensor &input2, const Tensor &output) {
    if (status_) note(append_two_tensors(stream_, function, input1, input2, output));
  }

  /// Appends the convolution of at most 1,024 input channels, starting at `channel`.
  void append_part(const Tensor &input, std::uint32_t channel, const Tensor &output, std::uint32_t block, Activation activation) {
    if (!status_) return;
    const Tensor part = input.slice(channel, std::min(input.channels - channel, kMostChannels));
    const std::uint64_t parts_before = channel / kMostChannels;
    ConvAct operation = operation_of(arguments_);
    operation.activation = activation;
    operation.input = map_of(part);
    operation.output1 = map_of(output);
    operation.weights = arguments_.weights +
                        parts_before * isa::mx::weight_bytes(arguments_.kernel, kMostChannelBlocks, output_blocks(arguments_)) +
                        isa::mx::weight_bytes(arguments_.kernel, part.blocks(), block);
    note(stream_.append(operation));
  }

  void append_relu(const Tensor &sum, const Tensor &zeros, const Tensor &output) {
    if (status_) note(append_one_tensor(stream_, ElementwiseFunction::scale, sum, zeros));
    for (std::uint64_t done = 0; done < sum.count() && status_; done += kMostRectified) {
      const std::uint64_t count = std::min(sum.count() - done, kMostRectified);
      append_windows(sum.address + done * kBlockBytes, windows_, count);
      append_windows(zeros.address + done * kBlockBytes, windows_ + std::uint64_t{2} * kBlockBytes, count);
      const auto maps = static_cast<std::uint32_t>(count / kWindowsOfMap);
      const std::uint64_t rest = count % kWindowsOfMap;
      const std::uint64_t in_maps = count - rest;
      append_maximum(windows_, output.address + done * kBlockBytes, maps, kWindowsOfMap);
      append_maximum(windows_ + in_maps * kBlocksOfWindow * kBlockBytes, output.address + (done + in_maps) * kBlockBytes, 1,
                     static_cast<std::uint32_t>(rest));
    }
  }

  /// Copies each of `count` blocks twice, into a row of its own window of 2 x 2 blocks. `to` is that row in the first window.
  void append_windows(std::uint64_t from, std::uint64_t to, std::uint64_t count) {
    isa::mx::Move move;
    move.from = from;
    move.to = to;
    move.count = static_cast<std::uint32_t>(count);
    move.repeat = 2;
    move.from_stride = 1;
    move.to_stride = kBlocksOfWindow;
    if (status_) note(stream_.append(move));
  }

  void append_maximum(std::uint64_t windows, std::uint64_t output, std::uint32_t maps, std::uint32_t windows_of_map) {
    if (maps == 0 || windows_of_map == 0 || !status_) return;
    isa::mx::Pool pool;
    pool.input = {windows, maps, 2 * windows_of_map, 2};
    pool.output = {output, maps, windows_of_map, 1};
    pool.kernel = pool.stride = 2;
    note(stream_.append(pool));
  }

  Stream &stream_;
  const ConvActArguments &arguments_;
  std::uint64_t input_ = 0, output_ = 0, sum_ = 0, partial_ = 0, windows_ = 0;
  Status status_;
};

/// Height and width of the map that append_zero_block() writes to scratch: one pixel, and padding of 1 on each side.
constexpr std::uint32_t kSeedSide = 3;
constexpr std::uint64_t kSeedBytes = std::uint64_t{kSeedSide} * kSeedSide * kBlockBytes;

/// Returns `arguments` with a padded copy of the input, in scratch, as input. `padding` becomes kInstructionPadding.
ConvActArguments padded(const ConvActArguments &arguments) {
  ConvActArguments inner = arguments;
  const std::uint32_t zeros = arguments.padding - kInstructionPadding;
  inner.padding = kInstructionPadding;
  inner.input.height += 2 * zeros;
  inner.input.width += 2 * zeros;
  inner.input.address = arguments.scratch.address + kSeedBytes;
  inner.scratch.address = inner.input.address + inner.input.bytes();
  return inner;
}

std::uint64_t scratch_bytes(const ConvActArguments &arguments) {
  if (arguments.padding <= kInstructionPadding) return scratch_use(arguments).total();
  const ConvActArguments inner = padded(arguments);
  return kSeedBytes + inner.input.bytes() + scratch_use(inner).total();
}

/// Appends instructions that make the block at `seed` zero for any input. Multiplying an input block by zero would not do, because a NaN
/// block would stay NaN. Instead, a 1x1 convolution of one block with padding 1 gives 3 x 3 blocks. All except the middle one hold only the
/// biases of the layer's first 16 output channels. The block at `seed` is one of these, and is then multiplied by zero.
Status append_zero_block(Stream &stream, const ConvActArguments &arguments, std::uint64_t seed) {
  constexpr std::uint64_t kBiasBytes = kBlockElements * sizeof(float);
  const std::uint32_t blocks = std::min(arguments.input.blocks(), kMostChannelBlocks);
  ConvAct biases;
  biases.input = {arguments.input.address, 1, 1, 1};
  biases.output1 = {seed, 1, kSeedSide, kSeedSide};
  // The 1x1 convolution reads 288 bytes of weights, then its biases. With this address, the biases that it reads are those of the layer's
  // first 16 output channels.
  biases.weights = arguments.weights + isa::mx::weight_bytes(arguments.kernel, blocks, 1) - isa::mx::weight_bytes(1, 1, 1);
  static_assert(isa::mx::weight_bytes(1, 1, 1) > kBiasBytes);
  biases.kernel = 1;
  biases.stride = 1;
  biases.padding = 1;
  if (const Status status = stream.append(biases); !status) return status;
  const Tensor zero{seed, kBlockElements, 1, 1};
  return append_one_tensor(stream, ElementwiseFunction::scale, zero, zero);
}

/// Appends MOVEs that fill `map` with the block at `zero`.
Status append_zeros(Stream &stream, std::uint64_t zero, const Tensor &map) {
  for (std::uint64_t done = 0; done < map.count(); done += isa::mx::kMostBlocks) {
    isa::mx::Move move;
    move.from = zero;
    move.to = map.address + done * kBlockBytes;
    move.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(map.count() - done, isa::mx::kMostBlocks));
    move.to_stride = 1;
    if (const Status status = stream.append(move); !status) return status;
  }
  return {};
}

/// Appends instructions that copy the input to the middle of `to` and fill the rest of `to` with zeros.
Status append_padded_input(Stream &stream, const ConvActArguments &arguments, const Tensor &to) {
  const std::uint64_t seed = arguments.scratch.address;
  if (const Status status = append_zero_block(stream, arguments, seed); !status) return status;
  if (const Status status = append_zeros(stream, seed, to); !status) return status;
  const std::uint32_t zeros = arguments.padding - kInstructionPadding;
  const Tensor &from = arguments.input;
  return append_copy(stream, region_of(from, 0, 0), region_of(to, zeros, zeros), from.blocks(), from.height, from.width);
}

/// Returns true if channels, sides and padding are small enough for one instruction.
bool is_one(const ConvActArguments &arguments) {
  return arguments.input.channels <= kMostChannels && output_blocks(arguments) <= kMostChannelBlocks && !needs_pieces(arguments.input) &&
         arguments.padding <= kInstructionPadding;
}

[[gnu::always_inline]] inline Status append_one(Stream &stream, const ConvActArguments &arguments, const isa::mx::Map &output2) {
  return stream.append_conv_act(ConvAct{.input = map_of(arguments.input),
                                        .weights = arguments.weights,
                                        .output1 = map_of(arguments.output),
                                        .output2 = output2,
                                        .kernel = arguments.kernel,
                                        .stride = arguments.stride,
                                        .padding = arguments.padding,
                                        .activation = arguments.activation});
}

Status append_many(Stream &stream, const ConvActArguments &arguments) {
  if (const Status status = check_whole(stream, arguments, scratch_bytes(arguments)); !status) return status;
  const Stream::Mark mark = stream.mark();
  Status status;
  if (arguments.padding <= kInstructionPadding) {
    status = Decomposition(stream, arguments).append();
  } else {
    const ConvActArguments inner = padded(arguments);
    status = append_padded_input(stream, arguments, inner.input);
    const isa::mx::Map split = is_split(inner) ? map_of(inner.split_output) : isa::mx::Map();
    if (status) status = is_one(inner) ? append_one(stream, inner, split) : Decomposition(stream, inner).append();
  }
  if (!status) stream.roll_back(mark);
  return status;
}

/// Checks the shapes. Then appends a convolution that has a split output or needs several instructions. For any other convolution it
/// returns `refusal`, the error with which the stream refused the instruction.
[[gnu::noinline]] Status append_checked(Stream &stream, const ConvActArguments &arguments, const Status &refusal) {
  if (const Status status = check_shapes(arguments); !status) return status;
  if (!is_one(arguments)) return append_many(stream, arguments);
  return is_split(arguments) ? append_one(stream, arguments, map_of(arguments.split_output)) : refusal;
}

}  // namespace

Result<std::uint64_t> conv_act_scratch_bytes(const ConvActArguments &arguments) {
  if (const Status status = check_shapes(arguments); !status) return status;
  return scratch_bytes(arguments);
}

Status conv_act(Stream &stream, const ConvActArguments &arguments) {
  // The stream checks an instruction completely, shapes included. Shapes are checked here only if the stream refuses, to give a better
  // message. The stream refuses what is too large for an instruction before it appends or flushes anything.
  Status status = is_split(arguments) ? Status(ErrorCode::invalid_argument, "split_output") : append_one(stream, arguments, {});
  if (!status.ok()) [[unlikely]]
    status = append_checked(stream, arguments, status);
  return status;
}

}  // namespace cox::kernels::mx
