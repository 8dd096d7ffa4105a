// SPDX-License-Identifier: MIT
#include "coxswain/kernels/unity/coxswain_unity.h"

#include "coxswain/hal/cache.h"
#include "coxswain/kernels/engine/c_engine.h"
#include "coxswain/kernels/engine/c_interface.h"
#include "coxswain/kernels/unity/conv2d.h"
#include "coxswain/kernels/unity/elementwise.h"
#include "coxswain/kernels/unity/engine.h"
#include "coxswain/kernels/unity/pool.h"
#include "coxswain/tflite/multiplier.h"

namespace {

namespace unity = cox::kernels::unity;
using cox::ErrorCode;
using cox::Status;
using cox::kernels::c_interface::memory_at;
using cox::kernels::c_interface::one_of;
using cox::kernels::c_interface::to_c;

static_assert(static_cast<int>(unity::PoolMode::average) == COX_UNITY_AVERAGE);

using CEngine = cox::kernels::c_interface::CEngine<unity::Engine, cox_unity_stream>;
constinit CEngine engine("cox_unity_open");

unity::Stream &stream_in(cox_unity_stream &stream) { return CEngine::stream_in(stream); }

unity::Bounds of_c(const cox_unity_bounds &bounds) { return {bounds.least, bounds.most}; }
cox_unity_bounds to_c(const unity::Bounds &bounds) { return {bounds.least, bounds.most}; }

unity::Multiplier of_c(const cox_unity_multiplier &multiplier) { return {multiplier.multiplier, multiplier.shift}; }

unity::ChannelResults of_c(const cox_unity_channel_results &r) {
  return {.biases = r.biases, .multipliers = r.multipliers, .shifts = r.shifts, .output_zero = r.output_zero, .bounds = of_c(r.bounds)};
}
cox_unity_channel_results to_c(const unity::ChannelResults &r) {
  return {r.biases, r.multipliers, r.shifts, r.output_zero, to_c(r.bounds)};
}

unity::Conv2dArguments of_c(const cox_unity_conv2d_arguments &a) {
  return {.depthwise = a.depthwise,
          .input = a.input,
          .weights = a.weights,
          .output = a.output,
          .batch = a.batch,
          .height = a.height,
          .width = a.width,
          .channels = a.channels,
          .output_height = a.output_height,
          .output_width = a.output_width,
          .output_channels = a.output_channels,
          .kernel_height = a.kernel_height,
          .kernel_width = a.kernel_width,
          .stride_y = a.stride_y,
          .stride_x = a.stride_x,
          .dilation_y = a.dilation_y,
          .dilation_x = a.dilation_x,
          .enlarge_y = a.enlarge_y,
          .enlarge_x = a.enlarge_x,
          .groups = a.groups,
          .pad_top = a.pad_top,
          .pad_left = a.pad_left,
          .pad_bottom = a.pad_bottom,
          .pad_right = a.pad_right,
          .pad_value = a.pad_value,
          .weights_zero = a.weights_zero,
          .results = of_c(a.results)};
}

}  // namespace

cox_status cox_unity_open() { return engine.open(); }
cox_status cox_unity_close() { return engine.close(); }

cox_status cox_unity_stream_init(cox_unity_stream *stream, void *memory, size_t bytes, uint32_t instructions) {
  return engine.init_stream(*stream, memory, bytes, unity::ContainerBuilder::Capacity{.units = 1, .instructions = instructions});
}
void cox_unity_stream_clear(cox_unity_stream *stream) { stream_in(*stream).clear(); }
uint32_t cox_unity_stream_instructions(const cox_unity_stream *stream) { return CEngine::stream_in(*stream).instructions(0); }
cox_status cox_unity_move_operands(cox_unity_stream *stream, uint64_t from, uint64_t bytes, uint64_t to) {
  return to_c(stream_in(*stream).move_operands(from, bytes, to));
}

cox_status cox_unity_run(cox_unity_stream *stream, uint32_t time_limit_us) { return engine.run(*stream, time_limit_us); }
cox_status cox_unity_submit(cox_unity_stream *stream, cox_handle *handle) { return engine.submit(*stream, handle); }
cox_status cox_unity_wait(cox_handle handle, uint32_t time_limit_us) { return engine.wait(handle, time_limit_us); }
uint64_t cox_unity_end_cycle() { return engine.end_cycle(); }

void cox_unity_give(uint64_t address, size_t bytes) { cox::hal::clean_cache(memory_at(address), bytes); }
void cox_unity_take(uint64_t address, size_t bytes) { cox::hal::invalidate_cache(memory_at(address), bytes); }

cox_status cox_unity_quantised_multiplier(double value, cox_unity_multiplier *multiplier) {
  constexpr double kEnd = 0x1p30;
  if (!(value > 0 && value < kEnd)) return to_c(Status(ErrorCode::invalid_argument, "value"));
  const cox::tflite::QuantisedMultiplier quantised = cox::tflite::quantised_multiplier(value);
  if (quantised.multiplier == 0 || quantised.shift > cox::tflite::kMaxShift) return to_c(Status(ErrorCode::invalid_argument, "value"));
  *multiplier = {quantised.multiplier, quantised.shift};
  return to_c(Status());
}

cox_status cox_unity_fold_zero_point(const cox_unity_fold_arguments *a, int32_t *folded) {
  if (a->channels == 0) return to_c(Status(ErrorCode::invalid_argument, "channels"));
  if (a->count == 0) return to_c(Status(ErrorCode::invalid_argument, "count"));
  if (a->count % a->channels != 0) return to_c(Status(ErrorCode::shape_mismatch, "count", -1, cox::signed_of(a->count), a->channels));
  const std::span<const std::int32_t> bias = a->bias == nullptr ? std::span<const std::int32_t>() : std::span(a->bias, a->channels);
  unity::fold_zero_point(bias, {a->weights, a->count}, a->by_channel, a->input_zero, a->weights_zero, {folded, a->channels});
  return to_c(Status());
}

cox_unity_conv2d_arguments cox_unity_conv2d_defaults() {
  const unity::Conv2dArguments a;
  return {a.depthwise, a.input,         a.weights,      a.output,          a.batch,         a.height,       a.width,
          a.channels,  a.output_height, a.output_width, a.output_channels, a.kernel_height, a.kernel_width, a.stride_y,
          a.stride_x,  a.dilation_y,    a.dilation_x,   a.enlarge_y,       a.enlarge_x,     a.groups,       a.pad_top,
          a.pad_left,  a.pad_bottom,    a.pad_right,    a.pad_value,       a.weights_zero,  to_c(a.results)};
}
cox_status cox_unity_conv2d(cox_unity_stream *stream, const cox_unity_conv2d_arguments *arguments) {
  return to_c(unity::conv2d(stream_in(*stream), of_c(*arguments)));
}

cox_unity_fully_connected_arguments cox_unity_fully_connected_defaults() {
  const unity::FullyConnectedArguments a;
  return {a.input, a.weights, a.output, a.rows, a.depth, a.columns, a.weights_zero, to_c(a.results)};
}
cox_status cox_unity_fully_connected(cox_unity_stream *stream, const cox_unity_fully_connected_arguments *a) {
  return to_c(unity::fully_connected(stream_in(*stream), {.input = a->input,
                                                          .weights = a->weights,
                                                          .output = a->output,
                                                          .rows = a->rows,
                                                          .depth = a->depth,
                                                          .columns = a->columns,
                                                          .weights_zero = a->weights_zero,
                                                          .results = of_c(a->results)}));
}

cox_unity_pool_arguments cox_unity_pool_defaults() {
  const unity::PoolArguments a;
  return {static_cast<std::uint32_t>(a.mode),
          a.input,
          a.output,
          a.batch,
          a.height,
          a.width,
          a.channels,
          a.output_height,
          a.output_width,
          a.kernel_height,
          a.kernel_width,
          a.stride_y,
          a.stride_x,
          a.pad_top,
          a.pad_left,
          a.pad_bottom,
          a.pad_right,
          to_c(a.bounds)};
}
cox_status cox_unity_pool(cox_unity_stream *stream, const cox_unity_pool_arguments *a) {
  return to_c(unity::pool(stream_in(*stream), {.mode = one_of<unity::PoolMode>(a->mode),
                                               .input = a->input,
                                               .output = a->output,
                                               .batch = a->batch,
                                               .height = a->height,
                                               .width = a->width,
                                               .channels = a->channels,
                                               .output_height = a->output_height,
                                               .output_width = a->output_width,
                                               .kernel_height = a->kernel_height,
                                               .kernel_width = a->kernel_width,
                                               .stride_y = a->stride_y,
                                               .stride_x = a->stride_x,
                                               .pad_top = a->pad_top,
                                               .pad_left = a->pad_left,
                                               .pad_bottom = a->pad_bottom,
                                               .pad_right = a->pad_right,
                                               .bounds = of_c(a->bounds)}));
}

cox_unity_sum_arguments cox_unity_sum_defaults() {
  const unity::SumArguments a;
  return {.subtract = a.subtract,
          .inputs = {},
          .output = 0,
          .elements = a.elements,
          .left_shift = a.left_shift,
          .input_zero = {},
          .input_multiplier = {},
          .multiplier = {},
          .output_zero = a.output_zero,
          .bounds = to_c(a.bounds)};
}
cox_status cox_unity_sum(cox_unity_stream *stream, const cox_unity_sum_arguments *a) {
  return to_c(unity::sum(stream_in(*stream), {.subtract = a->subtract,
                                              .inputs = {a->inputs[0], a->inputs[1]},
                                              .output = a->output,
                                              .elements = a->elements,
                                              .left_shift = a->left_shift,
                                              .input_zero = {a->input_zero[0], a->input_zero[1]},
                                              .input_multiplier = {of_c(a->input_multiplier[0]), of_c(a->input_multiplier[1])},
                                              .multiplier = of_c(a->multiplier),
                                              .output_zero = a->output_zero,
                                              .bounds = of_c(a->bounds)}));
}

uint64_t cox_unity_product_scratch(uint64_t elements) { return unity::product_scratch(elements); }
cox_unity_product_arguments cox_unity_product_defaults() {
  const unity::ProductArguments a;
  return {.inputs = {},
          .output = 0,
          .scratch = 0,
          .elements = a.elements,
          .input_zero = {},
          .multiplier = {},
          .output_zero = a.output_zero,
          .bounds = to_c(a.bounds)};
}
cox_status cox_unity_product(cox_unity_stream *stream, const cox_unity_product_arguments *a) {
  return to_c(unity::product(stream_in(*stream), {.inputs = {a->inputs[0], a->inputs[1]},
                                                  .output = a->output,
                                                  .scratch = a->scratch,
                                                  .elements = a->elements,
                                                  .input_zero = {a->input_zero[0], a->input_zero[1]},
                                                  .multiplier = of_c(a->multiplier),
                                                  .output_zero = a->output_zero,
                                                  .bounds = of_c(a->bounds)}));
}

cox_unity_rescale_arguments cox_unity_rescale_defaults() {
  const unity::RescaleArguments a;
  return {.input = 0,
          .output = 0,
          .elements = a.elements,
          .input_zero = a.input_zero,
          .output_zero = a.output_zero,
          .multiplier = {},
          .bounds = to_c(a.bounds)};
}
cox_status cox_unity_rescale(cox_unity_stream *stream, const cox_unity_rescale_arguments *a) {
  return to_c(unity::rescale(stream_in(*stream), {.input = a->input,
                                                  .output = a->output,
                                                  .elements = a->elements,
                                                  .input_zero = a->input_zero,
                                                  .output_zero = a->output_zero,
                                                  .multiplier = of_c(a->multiplier),
                                                  .bounds = of_c(a->bounds)}));
}

cox_unity_softmax_arguments cox_unity_softmax_defaults() {
  const unity::SoftmaxArguments a;
  return {.input = 0, .output = 0, .rows = a.rows, .depth = a.depth, .multiplier = {}, .least_difference = a.least_difference};
}
cox_status cox_unity_softmax(cox_unity_stream *stream, const cox_unity_softmax_arguments *a) {
  return to_c(unity::softmax(stream_in(*stream), {.input = a->input,
                                                  .output = a->output,
                                                  .rows = a->rows,
                                                  .depth = a->depth,
                                                  .multiplier = of_c(a->multiplier),
                                                  .least_difference = a->least_difference}));
}
