// SPDX-License-Identifier: MIT
#include "coxswain/kernels/unity/tflite_kernels.h"

#include <algorithm>
#include <cstring>

#include "coxswain/hal/bus.h"
#include "coxswain/hal/cache.h"
#include "coxswain/kernels/unity/conv2d.h"
#include "coxswain/kernels/unity/data.h"
#include "coxswain/kernels/unity/elementwise.h"
#include "coxswain/kernels/unity/pool.h"
#include "coxswain/kernels/unity/sigmoid_table.h"

namespace cox::kernels::unity {

namespace {

using tflite::Encoding;
using tflite::Model;
using tflite::OperatorCode;
using tflite::Support;

constexpr std::uint32_t positive(std::int32_t value) { return static_cast<std::uint32_t>(value); }
tflite::TensorView tensor_of(const Model &model, std::int32_t tensor) { return model.tensor(positive(tensor)); }
std::uint64_t elements_of(const Model &model, std::int32_t tensor) { return positive(tensor_of(model, tensor).shape.elements()); }
std::uint32_t element_bytes(const Model &model, std::int32_t tensor) { return tflite::element_bits(tensor_of(model, tensor).type) / 8; }
std::span<const std::int8_t> bytes_of(const Model &model, std::int32_t tensor) {
  const std::span<const std::byte> data = tensor_of(model, tensor).data;
  return {reinterpret_cast<const std::int8_t *>(data.data()), data.size()};
}
std::span<const std::int32_t> words_of(const Model &model, std::int32_t tensor) {
  if (tensor < 0) return {};
  const std::span<const std::byte> data = tensor_of(model, tensor).data;
  return {reinterpret_cast<const std::int32_t *>(data.data()), data.size() / sizeof(std::int32_t)};
}
Multiplier multiplier_of(const tflite::QuantisedMultiplier &m) { return {m.multiplier, m.shift}; }
Bounds bounds_of(const tflite::Clamp &clamp) { return {clamp.least, clamp.most}; }
Status at(const Status &status, std::size_t index) { return status ? status : status.at(static_cast<std::int32_t>(index)); }
Support supported(const Status &status, std::size_t index) { return {.status = at(status, index)}; }

/// Returns the bus address of an operand.
std::uint64_t address_of(const Encoding &e, std::int32_t tensor) {
  return hal::bus_address(reinterpret_cast<const void *>(e.addresses.of(tensor)));  // NOLINT(performance-no-int-to-ptr): the core's
}

// What follows the sums of convolutions: the constants hold a bias, a multiplier and a shift for each output channel, and then weights that
// the kernel rewrites.

constexpr std::uint32_t kChannelBytes = 4 + 4 + 1;
constexpr std::uint32_t channel_bytes(std::uint32_t channels) { return (channels * kChannelBytes + 3) / 4 * 4; }

class ChannelConstants {
 public:
  ChannelConstants(std::span<std::byte> memory, std::uint32_t channels) : memory_(memory), channels_(channels) {}

  [[nodiscard]] std::span<std::int32_t> biases() const { return {reinterpret_cast<std::int32_t *>(memory_.data()), channels_}; }
  void set(std::uint32_t channel, const Multiplier &m) const {
    std::memcpy(&memory_[std::size_t{4} * (channels_ + channel)], &m.multiplier, sizeof m.multiplier);
    memory_[std::size_t{8} * channels_ + channel] = static_cast<std::byte>(m.shift);
  }
  [[nodiscard]] std::span<std::int8_t> weights() const {
    const std::span<std::byte> rest = memory_.subspan(channel_bytes(channels_));
    return {reinterpret_cast<std::int8_t *>(rest.data()), rest.size()};
  }
  [[nodiscard]] ChannelResults results(std::int32_t output_zero, const Bounds &bounds) const {
    const std::uint64_t first = hal::bus_address(memory_);
    hal::clean_cache(memory_.data(), memory_.size());
    return {first, first + 4ULL * channels_, first + 8ULL * channels_, output_zero, bounds};
  }

 private:
  std::span<std::byte> memory_;
  std::uint32_t channels_;
};

Status check_scales(const tflite::ChannelScales &scales, std::uint32_t channels) {
  for (std::uint32_t i = 0; i < (scales.count == 1 ? 1 : channels); ++i) {
    const std::int32_t shift = scales.multiplier(i).shift;
    if (shift > tflite::kMaxShift) return {ErrorCode::unsupported, "shift", -1, shift, tflite::kMaxShift};
  }
  return {};
}

// Parts of operators: runs of rows.

/// Lets a convolution or a pool of one image have the rows of a part.
template <typename Arguments>
void cut(Arguments &a, const Encoding &e, std::uint32_t kernel_rows, std::uint64_t output_row) {
  if (e.part.is_whole()) return;
  const tflite::Rows output = tflite::rows_of(e.part, a.output_height);
  const tflite::Window window = tflite::window_of(output, a.height, kernel_rows, a.stride_y, a.pad_top);
  a.input += std::uint64_t{window.input.first} * a.width * a.channels;
  a.output += output.first * output_row;
  a.height = window.input.count;
  a.output_height = output.count;
  a.pad_top = window.pad_before;
  a.pad_bottom = window.pad_after;
}
/// Lets an operator on elements have those of a part.
template <typename Arguments>
void cut_elements(Arguments &a, const Encoding &e) {
  if (e.part.is_whole()) return;
  const tflite::PartBytes bytes = tflite::bytes_of(e.model, e.operation, e.part);
  a.elements = bytes.output_bytes;
  a.output += bytes.output;
  if constexpr (requires { a.inputs; }) {
    for (std::uint64_t &input : a.inputs) input += bytes.input;
  } else {
    a.input += bytes.input;
  }
}

// Convolutions.

/// The arguments without addresses.
Conv2dArguments arguments_of(const tflite::Convolution &n) {
  Conv2dArguments a{.depthwise = n.kind == tflite::Convolution::Kind::depthwise,
                    .batch = positive(n.batch),
                    .height = positive(n.input_height),
                    .width = positive(n.input_width),
                    .channels = positive(n.input_channels),
                    .output_height = positive(n.output_height),
                    .output_width = positive(n.output_width),
                    .output_channels = positive(n.output_channels),
                    .kernel_height = positive(n.kernel_height),
                    .kernel_width = positive(n.kernel_width),
                    .stride_y = positive(n.stride_height),
                    .stride_x = positive(n.stride_width),
                    .dilation_y = positive(n.dilation_height),
                    .dilation_x = positive(n.dilation_width),
                    .groups = positive(n.groups),
                    .pad_top = positive(n.pads.top),
                    .pad_left = positive(n.pads.left),
                    .pad_bottom = positive(n.pads.bottom),
                    .pad_right = positive(n.pads.right),
                    .pad_value = n.input_zero,
                    .results = {.output_zero = n.output_zero, .bounds = bounds_of(n.clamp)}};
  if (n.kind == tflite::Convolution::Kind::transposed) {
    a.enlarge_y = a.stride_y;
    a.enlarge_x = a.stride_x;
    a.stride_y = a.stride_x = a.groups = 1;
    a.pad_top = a.kernel_height - 1 - a.pad_top;
    a.pad_left = a.kernel_width - 1 - a.pad_left;
    a.pad_bottom = a.output_height + a.kernel_height - 2 - (a.height - 1) * a.enlarge_y - a.pad_top;
    a.pad_right = a.output_width + a.kernel_width - 2 - (a.width - 1) * a.enlarge_x - a.pad_left;
  }
  if (a.depthwise && is_general(a)) {  // groups of one channel
    a.depthwise = false;
    a.groups = a.channels;
  }
  return a;
}
/// The weights have another order than those in the file.
bool rewrites_weights(const tflite::Convolution &n, const Conv2dArguments &a) {
  return n.kind == tflite::Convolution::Kind::transposed || (n.kind == tflite::Convolution::Kind::depthwise && !a.depthwise);
}

Support check(const Model &model, std::size_t index, const tflite::Convolution &n) {
  const Conv2dArguments a = arguments_of(n);
  Support support = supported(check_conv2d(a), index);
  if (support.status && !tensor_of(model, n.weights).constant()) support = supported({ErrorCode::unsupported, "weights"}, index);
  if (support.status && n.bias >= 0 && !tensor_of(model, n.bias).constant()) support = supported({ErrorCode::unsupported, "bias"}, index);
  if (support.status) support.status = at(check_scales(n.scales, a.output_channels), index);
  support.by_parts = true;
  support.constant_bytes = channel_bytes(a.output_channels);
  if (rewrites_weights(n, a)) support.constant_bytes += static_cast<std::uint32_t>(elements_of(model, n.weights));
  return support;
}

/// Writes the weights as the instruction reads them.
void rewrite_weights(const tflite::Convolution &n, std::span<const std::int8_t> from, std::span<std::int8_t> to) {
  const std::size_t kernel = std::size_t{positive(n.kernel_height)} * positive(n.kernel_width), outputs = positive(n.output_channels);
  const std::size_t inputs = from.size() / (kernel * outputs);
  for (std::size_t output = 0; output < outputs; ++output) {
    for (std::size_t place = 0; place < kernel; ++place) {
      if (n.kind == tflite::Convolution::Kind::depthwise) {
        to[output * kernel + place] = from[place * outputs + output];
      } else {
        std::memcpy(&to[(output * kernel + kernel - 1 - place) * inputs], &from[(output * kernel + place) * inputs], inputs);
      }
    }
  }
}

Status encode(const Encoding &e, ContainerBuilder &builder, const tflite::Convolution &n) {
  Conv2dArguments a = arguments_of(n);
  const ChannelConstants constants(e.constants, a.output_channels);
  a.weights = rewrites_weights(n, a) ? hal::bus_address(constants.weights().data()) : address_of(e, n.weights);
  if (e.part.index == 0) {
    const std::span<const std::int8_t> weights = bytes_of(e.model, n.weights);
    fold_zero_point(words_of(e.model, n.bias), weights, n.kind == tflite::Convolution::Kind::depthwise, n.input_zero, 0,
                    constants.biases());
    for (std::uint32_t i = 0; i < a.output_channels; ++i) constants.set(i, multiplier_of(n.scales.multiplier(i)));
    if (rewrites_weights(n, a)) rewrite_weights(n, weights, constants.weights());
  }
  a.input = address_of(e, n.input);
  a.output = address_of(e, n.output);
  a.results = constants.results(n.output_zero, bounds_of(n.clamp));
  cut(a, e, (a.kernel_height - 1) * a.dilation_y + 1, std::uint64_t{a.output_width} * a.output_channels);
  return conv2d(builder, a);
}

FullyConnectedArguments arguments_of(const tflite::FullyConnected &n) {
  return {.rows = positive(n.rows),
          .depth = positive(n.depth),
          .columns = positive(n.columns),
          .weights_zero = n.weights_zero,
          .results = {.output_zero = n.output_zero, .bounds = bounds_of(n.clamp)}};
}
Support check(const Model &model, std::size_t index, const tflite::FullyConnected &n) {
  Support support = supported(check_fully_connected(arguments_of(n)), index);
  if (support.status && !tensor_of(model, n.weights).constant()) support = supported({ErrorCode::unsupported, "weights"}, index);
  if (support.status && n.bias >= 0 && !tensor_of(model, n.bias).constant()) support = supported({ErrorCode::unsupported, "bias"}, index);
  if (support.status) support.status = at(check_scales(n.scales, positive(n.columns)), index);
  support.constant_bytes = channel_bytes(positive(n.columns));
  return support;
}
Status encode(const Encoding &e, ContainerBuilder &builder, const tflite::FullyConnected &n) {
  FullyConnectedArguments a = arguments_of(n);
  const ChannelConstants constants(e.constants, a.columns);
  fold_zero_point(words_of(e.model, n.bias), bytes_of(e.model, n.weights), false, n.input_zero, n.weights_zero, constants.biases());
  for (std::uint32_t i = 0; i < a.columns; ++i) constants.set(i, multiplier_of(n.scales.multiplier(i)));
  a.input = address_of(e, n.input);
  a.weights = address_of(e, n.weights);
  a.output = address_of(e, n.output);
  a.results = constants.results(n.output_zero, bounds_of(n.clamp));
  return fully_connected(builder, a);
}

// Means: depthwise convolutions of ones.

/// A tensor seen as [outer][count][inner], of which `count` is reduced or repeated.
struct View {
  std::uint32_t outer = 1, count = 1, inner = 1;
  bool found = true;

  /// Adds the next dimension. Dimensions that are reduced must be neighbours.
  void add(std::uint32_t size, bool counted) {
    if (size == 1) return;
    if (counted) {
      found = found && inner == 1;
      count *= size;
    } else {
      (count == 1 ? outer : inner) *= size;
    }
  }
};

View view_of(const Model &model, const tflite::Mean &n) {
  View view;
  const tflite::Shape shape = tensor_of(model, n.input).shape;
  for (std::size_t i = 0; i < shape.rank; ++i) view.add(positive(shape[i]), (n.axes >> i & 1) != 0);
  return view;
}
Conv2dArguments arguments_of(const View &view, const tflite::Mean &n) {
  std::uint32_t height = 1;
  if (view.outer == 1 && view.count > kMostKernel) {
    for (std::uint32_t i = 2; i <= kMostKernel; ++i) {
      if (view.count % i == 0 && view.count / i <= kMostKernel) height = i;
    }
  }
  const bool is_small = view.count / height <= kMostKernel;
  return {.depthwise = is_small,
          .height = height == 1 ? view.outer : height,
          .width = view.count / height,
          .channels = view.inner,
          .output_height = view.outer,
          .output_channels = view.inner,
          .kernel_height = height,
          .kernel_width = view.count / height,
          .groups = is_small ? 1 : view.inner,
          .results = {.output_zero = n.output_zero, .bounds = {}}};
}
Support check(const Model &model, std::size_t index, const tflite::Mean &n) {
  const View view = view_of(model, n);
  if (!view.found) return supported({ErrorCode::unsupported, "axes", -1, n.axes}, index);
  Support support = supported(check_conv2d(arguments_of(view, n)), index);
  if (support.status && n.multiplier.shift > tflite::kMaxShift)
    support = supported({ErrorCode::unsupported, "shift", -1, n.multiplier.shift, tflite::kMaxShift}, index);
  support.constant_bytes = channel_bytes(view.inner) + view.count * view.inner;
  return support;
}
Status encode(const Encoding &e, ContainerBuilder &builder, const tflite::Mean &n) {
  const View view = view_of(e.model, n);
  Conv2dArguments a = arguments_of(view, n);
  const ChannelConstants constants(e.constants, view.inner);
  std::ranges::fill(constants.biases(), -n.count * n.input_zero);
  std::ranges::fill(constants.weights(), std::int8_t{1});
  for (std::uint32_t i = 0; i < view.inner; ++i) constants.set(i, multiplier_of(n.multiplier));
  a.input = address_of(e, n.input);
  a.output = address_of(e, n.output);
  a.weights = hal::bus_address(constants.weights().data());
  a.results = constants.results(n.output_zero, {});
  return conv2d(builder, a);
}

// Pools.

PoolArguments arguments_of(const tflite::Pool &n) {
  return {.mode = n.kind == tflite::Pool::Kind::maximum ? PoolMode::maximum : PoolMode::average,
          .batch = positive(n.batch),
          .height = positive(n.input_height),
          .width = positive(n.input_width),
          .channels = positive(n.channels),
          .output_height = positive(n.output_height),
          .output_width = positive(n.output_width),
          .kernel_height = positive(n.kernel_height),
          .kernel_width = positive(n.kernel_width),
          .stride_y = positive(n.stride_height),
          .stride_x = positive(n.stride_width),
          .pad_top = positive(n.pads.top),
          .pad_left = positive(n.pads.left),
          .pad_bottom = positive(n.pads.bottom),
          .pad_right = positive(n.pads.right),
          .bounds = bounds_of(n.clamp)};
}
Support check(const Model & /*model*/, std::size_t index, const tflite::Pool &n) {
  Support support = supported(check_pool(arguments_of(n)), index);
  support.by_parts = true;
  return support;
}
Status encode(const Encoding &e, ContainerBuilder &builder, const tflite::Pool &n) {
  PoolArguments a = arguments_of(n);
  a.input = address_of(e, n.input);
  a.output = address_of(e, n.output);
  cut(a, e, a.kernel_height, std::uint64_t{a.output_width} * a.channels);
  return pool(builder, a);
}

// Binary operators. Inputs that are repeated are written to scratch memory first.

View repetition(const Model &model, std::int32_t input, std::int32_t output) {
  const tflite::Shape from = tensor_of(model, input).shape, to = tensor_of(model, output).shape;
  View view;
  for (std::size_t i = to.rank; i-- > 0;) view.add(positive(to.from_last(i)), from.from_last(i) != to.from_last(i));
  return view;
}
constexpr std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + tflite::kArenaAlignment - 1) & -std::uint64_t{tflite::kArenaAlignment};
}

template <typename Numbers>
Support check_binary(const Model &model, std::size_t index, const Numbers &n, const Status &status, std::uint64_t scratch) {
  Support support = supported(status, index);
  support.by_parts = true;
  for (unsigned i = 0; i < 2; ++i) {
    if (!n.broadcast[i]) {
      support.overwritable |= 1U << i;
      continue;
    }
    if (support.status && !repetition(model, n.inputs[i], n.output).found)
      support.status = at({ErrorCode::unsupported, "broadcast"}, index);
    scratch += aligned(elements_of(model, n.output));
  }
  support.scratch_bytes = static_cast<std::uint32_t>(scratch);
  return support;
}
/// Appends the repetitions, and returns the addresses of the inputs. `scratch` is what they leave.
template <typename Numbers>
Result<std::array<std::uint64_t, 2>> repeat_inputs(const Encoding &e, ContainerBuilder &builder, const Numbers &n, std::uint64_t &scratch) {
  std::array<std::uint64_t, 2> inputs{};
  scratch = hal::bus_address(e.scratch);
  for (unsigned i = 0; i < 2; ++i) {
    inputs[i] = address_of(e, n.inputs[i]);
    if (!n.broadcast[i]) continue;
    const View view = repetition(e.model, n.inputs[i], n.output);
    const Status status = repeat(builder, {inputs[i], scratch, view.outer, view.count, view.inner});
    if (!status) return status;
    inputs[i] = scratch;
    scratch += aligned(elements_of(e.model, n.output));
  }
  return inputs;
}

SumArguments arguments_of(const Model &model, const tflite::Sum &n) {
  return {.subtract = n.subtract,
          .elements = elements_of(model, n.output),
          .left_shift = positive(n.left_shift),
          .input_zero = n.input_zero,
          .input_multiplier = {multiplier_of(n.input_multiplier[0]), multiplier_of(n.input_multiplier[1])},
          .multiplier = multiplier_of(n.output_multiplier),
          .output_zero = n.output_zero,
          .bounds = bounds_of(n.clamp)};
}
Support check(const Model &model, std::size_t index, const tflite::Sum &n) {
  return check_binary(model, index, n, check_sum(arguments_of(model, n)), 0);
}
Status encode(const Encoding &e, ContainerBuilder &builder, const tflite::Sum &n) {
  SumArguments a = arguments_of(e.model, n);
  std::uint64_t scratch = 0;
  const Result<std::array<std::uint64_t, 2>> inputs = repeat_inputs(e, builder, n, scratch);
  if (!inputs) return inputs.status();
  a.inputs = inputs.value();
  a.output = address_of(e, n.output);
  cut_elements(a, e);
  return sum(builder, a);
}

ProductArguments arguments_of(const Model &model, const tflite::Product &n) {
  return {.elements = elements_of(model, n.output),
          .input_zero = n.input_zero,
          .multiplier = multiplier_of(n.multiplier),
          .output_zero = n.output_zero,
          .bounds = bounds_of(n.clamp)};
}
Support check(const Model &model, std::size_t index, const tflite::Product &n) {
  const ProductArguments a = arguments_of(model, n);
  return check_binary(model, index, n, check_product(a), product_scratch(a.elements));
}
Status encode(const Encoding &e, ContainerBuilder &builder, const tflite::Product &n) {
  ProductArguments a = arguments_of(e.model, n);
  const Result<std::array<std::uint64_t, 2>> inputs = repeat_inputs(e, builder, n, a.scratch);
  if (!inputs) return inputs.status();
  a.inputs = inputs.value();
  a.output = address_of(e, n.output);
  return product(builder, a);
}

Support check(const Model &model, std::size_t index, const tflite::Extremum &n) { return check_binary(model, index, n, {}, 0); }
Status encode(const Encoding &e, ContainerBuilder &builder, const tflite::Extremum &n) {
  std::uint64_t scratch = 0;
  const Result<std::array<std::uint64_t, 2>> inputs = repeat_inputs(e, builder, n, scratch);
  if (!inputs) return inputs.status();
  ExtremumArguments a{n.maximum, inputs.value(), address_of(e, n.output), elements_of(e.model, n.output)};
  cut_elements(a, e);
  return extremum(builder, a);
}

// Other operators on elements.

SoftmaxArguments arguments_of(const tflite::Softmax &n) {
  return {.rows = positive(n.rows),
          .depth = positive(n.depth),
          .multiplier = multiplier_of(n.multiplier),
          .least_difference = std::max<std::int32_t>(n.least_difference, INT16_MIN)};
}
Support check(const Model & /*model*/, std::size_t index, const tflite::Softmax &n) {
  return supported(check_softmax(arguments_of(n)), index);
}
Status encode(const Encoding &e, ContainerBuilder &builder, const tflite::Softmax &n) {
  SoftmaxArguments a = arguments_of(n);
  a.input = address_of(e, n.input);
  a.output = address_of(e, n.output);
  return softmax(builder, a);
}

RescaleArguments arguments_of(const Model &model, const tflite::Rescale &n) {
  return {.elements = elements_of(model, n.output),
          .input_zero = n.input_zero,
          .output_zero = n.output_zero,
          .multiplier = multiplier_of(n.multiplier),
          .bounds = bounds_of(n.clamp)};
}
Support check(const Model &model, std::size_t index, const tflite::Rescale &n) {
  Support support = supported(check_rescale(arguments_of(model, n)), index);
  support.overwritable = 1;
  support.by_parts = true;
  return support;
}
Status encode(const Encoding &e, ContainerBuilder &builder, const tflite::Rescale &n) {
  RescaleArguments a = arguments_of(e.model, n);
  a.input = address_of(e, n.input);
  a.output = address_of(e, n.output);
  cut_elements(a, e);
  return rescale(builder, a);
}

Support check(const Model & /*model*/, std::size_t index, const tflite::Sigmoid & /*n*/) {
  Support support = supported({}, index);
  support.constant_bytes = kLookUpBytes;
  return support;
}
Status encode(const Encoding &e, ContainerBuilder &builder, const tflite::Sigmoid &n) {
  auto *const table = reinterpret_cast<std::int8_t *>(e.constants.data());
  write_sigmoid_table({n.tanh, n.input_zero, multiplier_of(n.multiplier), n.radius},
                      std::span<std::int8_t, kLookUpBytes>(table, kLookUpBytes));
  hal::clean_cache(table, kLookUpBytes);
  return look_up(builder, {address_of(e, n.input), hal::bus_address(table), address_of(e, n.output), elements_of(e.model, n.output)});
}

Support check(const Model &model, std::size_t index, const tflite::Conversion &n) {
  Support support = supported({}, index);
  if (!n.to_float) support.scratch_bytes = static_cast<std::uint32_t>(conversion_scratch(elements_of(model, n.output)));
  return support;
}
Status encode(const Encoding &e, ContainerBuilder &builder, const tflite::Conversion &n) {
  return convert(builder, {n.to_float, address_of(e, n.input), address_of(e, n.output), hal::bus_address(e.scratch),
                           elements_of(e.model, n.output), n.scale, n.zero});
}

// Operators that move elements.

using Strides = std::array<std::int64_t, kMostDimensions>;
/// Distances of a dense tensor's dimensions, in elements.
Strides strides_of(const tflite::Shape &shape) {
  Strides strides{};
  std::int64_t step = 1;
  for (std::size_t i = shape.rank; i-- > 0;) {
    strides[i] = step;
    step *= shape[i];
  }
  return strides;
}
/// A copy of all elements of a tensor of shape `shape`, which is dense on both sides.
StridedCopyArguments dense_copy(const Model &model, std::int32_t tensor, const tflite::Shape &shape) {
  StridedCopyArguments a{.element_bytes = element_bytes(model, tensor), .dimensions = shape.rank};
  std::copy_n(shape.dimensions.begin(), shape.rank, a.count.begin());
  a.input_stride = a.output_stride = strides_of(shape);
  return a;
}
Support check_moves(const Model &model, std::size_t index, std::int32_t tensor) {
  const bool whole = tflite::element_bits(tensor_of(model, tensor).type) >= 8;
  return supported(whole ? Status() : Status(ErrorCode::unsupported, "type"), index);
}

Support check(const Model &model, std::size_t index, const tflite::Copy &n) { return check_moves(model, index, n.output); }
Status encode(const Encoding &e, ContainerBuilder &builder, const tflite::Copy &n) {
  StridedCopyArguments a = dense_copy(e.model, n.output, tensor_of(e.model, n.output).shape);
  a.input = address_of(e, n.input);
  a.output = address_of(e, n.output);
  return strided_copy(builder, a);
}

Support check(const Model &model, std::size_t index, const tflite::Pad &n) { return check_moves(model, index, n.output); }
Status encode(const Encoding &e, ContainerBuilder &builder, const tflite::Pad &n) {
  const tflite::Shape output = tensor_of(e.model, n.output).shape;
  StridedCopyArguments a = dense_copy(e.model, n.input, tensor_of(e.model, n.input).shape);
  a.input = address_of(e, n.input);
  a.output = address_of(e, n.output);
  a.output_stride = strides_of(output);
  if (const Status status = fill(builder, {a.output, positive(output.elements()), n.value}); !status) return status;
  for (std::size_t i = 0; i < output.rank; ++i) a.output += static_cast<std::uint64_t>(n.before[i] * a.output_stride[i]);
  return strided_copy(builder, a);
}

Support check(const Model &model, std::size_t index, const tflite::Concatenation &n) { return check_moves(model, index, n.output); }
Status encode(const Encoding &e, ContainerBuilder &builder, const tflite::Concatenation &n) {
  const tflite::Shape output = tensor_of(e.model, n.output).shape;
  const Strides strides = strides_of(output);
  std::uint64_t first = address_of(e, n.output);
  for (const std::int32_t input : e.model.op(e.index).inputs) {
    tflite::Shape part = output;
    part.dimensions[n.axis] = n.pack ? 1 : tensor_of(e.model, input).shape[n.axis];
    StridedCopyArguments a = dense_copy(e.model, input, part);
    a.input = address_of(e, input);
    a.output = first;
    a.output_stride = strides;
    if (const Status status = strided_copy(builder, a); !status) return status;
    first += static_cast<std::uint64_t>(part[n.axis] * strides[n.axis]) * a.element_bytes;
  }
  return {};
}

Support check(const Model &model, std::size_t index, const tflite::Split &n) { return check_moves(model, index, n.input); }
Status encode(const Encoding &e, ContainerBuilder &builder, const tflite::Split &n) {
  const tflite::Shape input = tensor_of(e.model, n.input).shape;
  const Strides strides = strides_of(input);
  std::uint64_t first = address_of(e, n.input);
  for (const std::int32_t output : e.model.op(e.index).outputs) {
    tflite::Shape part = input;
    part.dimensions[n.axis] = n.unpack ? 1 : tensor_of(e.model, output).shape[n.axis];
    StridedCopyArguments a = dense_copy(e.model, output, part);
    a.input = first;
    a.input_stride = strides;
    first += static_cast<std::uint64_t>(part[n.axis] * strides[n.axis]) * a.element_bytes;
    if (e.model.use(positive(output)).last_reader < 0 && !e.model.use(positive(output)).is_output) continue;  // has no memory
    a.output = address_of(e, output);
    if (const Status status = strided_copy(builder, a); !status) return status;
  }
  return {};
}

Support check(const Model &model, std::size_t index, const tflite::Transpose &n) { return check_moves(model, index, n.output); }
Status encode(const Encoding &e, ContainerBuilder &builder, const tflite::Transpose &n) {
  const Strides strides = strides_of(tensor_of(e.model, n.input).shape);
  StridedCopyArguments a = dense_copy(e.model, n.output, tensor_of(e.model, n.output).shape);
  for (std::size_t i = 0; i < n.rank; ++i) a.input_stride[i] = strides[n.permutation[i]];
  a.input = address_of(e, n.input);
  a.output = address_of(e, n.output);
  return strided_copy(builder, a);
}

Support check(const Model &model, std::size_t index, const tflite::Slice &n) { return check_moves(model, index, n.output); }
Status encode(const Encoding &e, ContainerBuilder &builder, const tflite::Slice &n) {
  const Strides strides = strides_of(tensor_of(e.model, n.input).shape);
  tflite::Shape taken;
  taken.rank = static_cast<std::uint8_t>(n.rank);
  taken.dimensions = n.count;
  StridedCopyArguments a = dense_copy(e.model, n.output, taken);
  a.input = address_of(e, n.input);
  a.output = address_of(e, n.output);
  for (std::size_t i = 0; i < n.rank; ++i) {
    a.input_stride[i] = strides[i] * n.stride[i];
    a.input += static_cast<std::uint64_t>(strides[i] * n.begin[i]) * a.element_bytes;
  }
  return strided_copy(builder, a);
}

ResizeArguments arguments_of(const tflite::Resize &n) {
  return {.bilinear = n.bilinear,
          .batch = positive(n.batch),
          .height = positive(n.input_height),
          .width = positive(n.input_width),
          .channels = positive(n.channels),
          .output_height = positive(n.output_height),
          .output_width = positive(n.output_width),
          .align_corners = n.align_corners,
          .half_pixel_centres = n.half_pixel_centers};
}
Support check(const Model & /*model*/, std::size_t index, const tflite::Resize &n) {
  return supported(check_resize(arguments_of(n)), index);
}
Status encode(const Encoding &e, ContainerBuilder &builder, const tflite::Resize &n) {
  ResizeArguments a = arguments_of(n);
  a.input = address_of(e, n.input);
  a.output = address_of(e, n.output);
  return resize(builder, a);
}

// The table.

/// Finds which of the types of numbers the operation has.
template <typename First, typename... Others>
Support check_row(const Model &model, std::size_t index, const tflite::Operation &operation) {
  if (const auto *const numbers = std::get_if<First>(&operation)) return check(model, index, *numbers);
  if constexpr (sizeof...(Others) != 0) return check_row<Others...>(model, index, operation);
  return supported({ErrorCode::unsupported, "operator"}, index);
}
template <typename First, typename... Others>
Status encode_row(const Encoding &e, ContainerBuilder &builder) {
  if (const auto *const numbers = std::get_if<First>(&e.operation)) return encode(e, builder, *numbers);
  if constexpr (sizeof...(Others) != 0) return encode_row<Others...>(e, builder);
  return {ErrorCode::unsupported, "operator"};
}
template <typename... Numbers>
constexpr tflite::OperatorRow<ContainerBuilder> row(OperatorCode code) {
  return {code, check_row<Numbers...>, encode_row<Numbers...>};
}

constexpr tflite::OperatorRow<ContainerBuilder> kRows[] = {
    row<tflite::Sum>(OperatorCode::add),
    row<tflite::Pool>(OperatorCode::average_pool_2d),
    row<tflite::Concatenation>(OperatorCode::concatenation),
    row<tflite::Convolution>(OperatorCode::conv_2d),
    row<tflite::Convolution>(OperatorCode::depthwise_conv_2d),
    row<tflite::Conversion>(OperatorCode::dequantize),
    row<tflite::FullyConnected>(OperatorCode::fully_connected),
    row<tflite::Sigmoid>(OperatorCode::logistic),
    row<tflite::Pool>(OperatorCode::max_pool_2d),
    row<tflite::Product>(OperatorCode::mul),
    row<tflite::Rescale>(OperatorCode::relu),
    row<tflite::Rescale>(OperatorCode::relu_n1_to_1),
    row<tflite::Rescale>(OperatorCode::relu6),
    row<tflite::Copy>(OperatorCode::reshape),
    row<tflite::Resize>(OperatorCode::resize_bilinear),
    row<tflite::Softmax>(OperatorCode::softmax),
    row<tflite::Sigmoid>(OperatorCode::tanh),
    row<tflite::Pad>(OperatorCode::pad),
    row<tflite::Transpose>(OperatorCode::transpose),
    row<tflite::Mean>(OperatorCode::mean),
    row<tflite::Sum>(OperatorCode::sub),
    row<tflite::Copy>(OperatorCode::squeeze),
    row<tflite::Slice>(OperatorCode::strided_slice),
    row<tflite::Split>(OperatorCode::split),
    row<tflite::Extremum>(OperatorCode::maximum),
    row<tflite::Extremum>(OperatorCode::minimum),
    row<tflite::Pad>(OperatorCode::padv2),
    row<tflite::Convolution>(OperatorCode::transpose_conv),
    row<tflite::Copy>(OperatorCode::expand_dims),
    row<tflite::Concatenation>(OperatorCode::pack),
    row<tflite::Split>(OperatorCode::unpack),
    row<tflite::Resize>(OperatorCode::resize_nearest_neighbor),
    row<tflite::Rescale, tflite::Conversion>(OperatorCode::quantize),
};

constexpr tflite::OperatorTable<ContainerBuilder> kTable(kRows);

}  // namespace

const tflite::OperatorTable<ContainerBuilder> &tflite_kernels() { return kTable; }

}  // namespace cox::kernels::unity
