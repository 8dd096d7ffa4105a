// SPDX-License-Identifier: MIT
#include "coxswain/kernels/pim/coxswain_pim.h"

#include <cstring>
#include <type_traits>

#include "coxswain/hal/cache.h"
#include "coxswain/hal/pim/configuration.h"
#include "coxswain/kernels/engine/c_engine.h"
#include "coxswain/kernels/engine/c_interface.h"
#include "coxswain/kernels/pim/conv2d.h"
#include "coxswain/kernels/pim/elementwise.h"
#include "coxswain/kernels/pim/engine.h"
#include "coxswain/kernels/pim/gemm.h"
#include "coxswain/kernels/pim/pack_weights.h"
#include "coxswain/kernels/pim/pool.h"

namespace {

namespace pim = cox::kernels::pim;
using cox::ErrorCode;
using cox::Result;
using cox::Status;
using cox::kernels::c_interface::memory_at;
using cox::kernels::c_interface::one_of;
using cox::kernels::c_interface::to_c;
using pim::Stream;

static_assert(int{static_cast<int>(pim::WeightForm::bit_sparse)} == COX_PIM_BIT_SPARSE &&
              static_cast<int>(pim::WeightForm::value_sparse) == COX_PIM_VALUE_SPARSE);
static_assert(static_cast<int>(pim::ResultType::int32) == COX_PIM_INT32 && static_cast<int>(pim::Split::outputs) == COX_PIM_SPLIT_OUTPUTS &&
              static_cast<int>(pim::PoolMode::average) == COX_PIM_AVERAGE);
static_assert(sizeof(pim::Mapping) <= sizeof(cox_pim_mapping) && std::is_trivially_copyable_v<pim::Mapping>);

using CEngine = cox::kernels::c_interface::CEngine<pim::Engine, cox_pim_stream>;
constinit CEngine engine("cox_pim_open");
constinit cox::isa::pim::Configuration configuration;

Stream &stream_in(cox_pim_stream &stream) { return CEngine::stream_in(stream); }

pim::Mapping mapping_of(const cox_pim_mapping &mapping) {
  pim::Mapping result;
  std::memcpy(&result, mapping.opaque, sizeof(result));
  return result;
}

template <typename Element>
std::span<const Element> elements(const Element *first, std::size_t count) {
  return first == nullptr ? std::span<const Element>() : std::span(first, count);
}

pim::Conv2dArguments of_c(const cox_pim_conv2d_arguments &a) {
  return {.input = a.input,
          .height = a.height,
          .width = a.width,
          .channels = a.channels,
          .kernel_height = a.kernel_height,
          .kernel_width = a.kernel_width,
          .stride_y = a.stride_y,
          .stride_x = a.stride_x,
          .dilation_y = a.dilation_y,
          .dilation_x = a.dilation_x,
          .pad_top = a.pad_top,
          .pad_left = a.pad_left,
          .pad_bottom = a.pad_bottom,
          .pad_right = a.pad_right,
          .pad_value = a.pad_value,
          .groups = a.groups,
          .output = a.output,
          .output_height = a.output_height,
          .output_width = a.output_width,
          .output_channels = a.output_channels,
          .output_type = one_of<pim::ResultType>(a.output_type),
          .relu = a.relu,
          .zero_point = a.zero_point,
          .form = one_of<pim::WeightForm>(a.form),
          .weight_bits = a.weight_bits,
          .threshold = a.threshold,
          .thresholds = elements(a.thresholds, a.output_channels),
          .window_inputs = a.window_inputs,
          .has_bias = a.has_bias,
          .weights = a.weights,
          .resident = a.resident,
          .first_row = a.first_row,
          .tables_resident = a.tables_resident,
          .first_core = a.first_core,
          .cores = a.cores,
          .split = one_of<pim::Split>(a.split)};
}

cox_pim_conv2d_arguments to_c(const pim::Conv2dArguments &a) {
  return {a.input,
          a.height,
          a.width,
          a.channels,
          a.kernel_height,
          a.kernel_width,
          a.stride_y,
          a.stride_x,
          a.dilation_y,
          a.dilation_x,
          a.pad_top,
          a.pad_left,
          a.pad_bottom,
          a.pad_right,
          a.pad_value,
          a.groups,
          a.output,
          a.output_height,
          a.output_width,
          a.output_channels,
          static_cast<std::uint32_t>(a.output_type),
          a.relu,
          a.zero_point,
          static_cast<std::uint32_t>(a.form),
          a.threshold,
          a.window_inputs,
          a.has_bias,
          a.weights,
          a.resident,
          a.first_row,
          a.tables_resident,
          a.first_core,
          a.cores,
          static_cast<std::uint32_t>(a.split),
          a.thresholds.data(),
          a.weight_bits};
}

pim::GemmArguments of_c(const cox_pim_gemm_arguments &a) {
  return {.left = a.left,
          .m = a.m,
          .k = a.k,
          .n = a.n,
          .output = a.output,
          .output_type = one_of<pim::ResultType>(a.output_type),
          .relu = a.relu,
          .zero_point = a.zero_point,
          .form = one_of<pim::WeightForm>(a.form),
          .weight_bits = a.weight_bits,
          .threshold = a.threshold,
          .thresholds = elements(a.thresholds, a.n),
          .window_inputs = a.window_inputs,
          .has_bias = a.has_bias,
          .weights = a.weights,
          .resident = a.resident,
          .first_row = a.first_row,
          .first_core = a.first_core,
          .cores = a.cores,
          .split = one_of<pim::Split>(a.split)};
}

pim::Factor of_c(const cox_pim_factor &factor) { return {factor.multiplier, factor.shift}; }

pim::Weights of_c(const cox_pim_weights &weights) {
  return {.values = elements(weights.values, weights.count),
          .output_stride = weights.output_stride,
          .input_stride = weights.input_stride,
          .depthwise = weights.depthwise};
}

}  // namespace

cox_status cox_pim_open() {
  const cox_status opened = engine.open();
  if (opened.error != 0) return opened;
  const Status status = cox::hal::pim::read_configuration(configuration);
  if (!status.ok()) static_cast<void>(engine.close());
  return to_c(status);
}
cox_status cox_pim_close() { return engine.close(); }

cox_status cox_pim_stream_init(cox_pim_stream *stream, void *memory, size_t bytes, uint32_t cores) {
  return engine.init_stream<const cox::isa::pim::Configuration &, unsigned>(*stream, memory, bytes, configuration, cores);
}
void cox_pim_stream_clear(cox_pim_stream *stream) { stream_in(*stream).clear(); }
uint32_t cox_pim_stream_instructions(const cox_pim_stream *stream) { return CEngine::stream_in(*stream).instructions(); }

cox_status cox_pim_run(cox_pim_stream *stream, uint32_t time_limit_us) { return engine.run(*stream, time_limit_us); }
cox_status cox_pim_submit(cox_pim_stream *stream, cox_handle *handle) { return engine.submit(*stream, handle); }
cox_status cox_pim_wait(cox_handle handle, uint32_t time_limit_us) { return engine.wait(handle, time_limit_us); }
uint64_t cox_pim_end_cycle() { return engine.end_cycle(); }

void cox_pim_give(uint64_t address, size_t bytes) { cox::hal::clean_cache(memory_at(address), bytes); }
void cox_pim_take(uint64_t address, size_t bytes) { cox::hal::invalidate_cache(memory_at(address), bytes); }

cox_status cox_pim_address(const cox_pim_stream *stream, uint64_t bus_address, uint64_t bytes, uint32_t *address) {
  const Result<std::uint32_t> result = CEngine::stream_in(*stream).address_of(bus_address, bytes);
  if (result.ok()) *address = result.value();
  return to_c(result.status());
}

cox_pim_conv2d_arguments cox_pim_conv2d_defaults() { return to_c(pim::Conv2dArguments()); }

cox_status cox_pim_conv2d_mapping(const cox_pim_conv2d_arguments *arguments, cox_pim_mapping *mapping) {
  if (engine.engine() == nullptr) return engine.before_open();
  const Result<pim::LayerShape> layer = pim::conv2d_layer(of_c(*arguments));
  if (!layer) return to_c(layer.status());
  const Result<pim::Mapping> chosen = pim::choose_mapping(layer.value(), configuration);
  if (chosen.ok()) {
    *mapping = {};
    std::memcpy(mapping->opaque, &chosen.value(), sizeof(pim::Mapping));
  }
  return to_c(chosen.status());
}

cox_status cox_pim_packed_bytes(const cox_pim_mapping *mapping, uint64_t *bytes) {
  if (engine.engine() == nullptr) return engine.before_open();
  *bytes = mapping_of(*mapping).bytes(configuration.array);
  return to_c(Status());
}

cox_status cox_pim_choose_thresholds(const cox_pim_conv2d_arguments *arguments, const cox_pim_weights *weights, uint64_t bound,
                                     uint8_t *thresholds) {
  const Result<pim::LayerShape> layer = pim::conv2d_layer(of_c(*arguments));
  if (!layer) return to_c(layer.status());
  const auto error = pim::choose_thresholds(layer.value(), of_c(*weights), bound, {thresholds, layer.value().outputs});
  return to_c(error.status());
}

cox_status cox_pim_conv2d_pack(const cox_pim_conv2d_arguments *arguments, const cox_pim_mapping *mapping, const cox_pim_weights *weights,
                               void *packed, size_t bytes) {
  if (engine.engine() == nullptr) return engine.before_open();
  const Result<pim::LayerShape> layer = pim::conv2d_layer(of_c(*arguments));
  if (!layer) return to_c(layer.status());
  const std::size_t outputs = layer.value().sums();
  return to_c(pim::pack_weights(layer.value(), mapping_of(*mapping), configuration, of_c(*weights),
                                {.biases = elements(weights->biases, outputs),
                                 .multipliers = elements(weights->multipliers, outputs),
                                 .shifts = elements(weights->shifts, outputs)},
                                {static_cast<std::byte *>(packed), bytes}));
}

cox_status cox_pim_conv2d(cox_pim_stream *stream, const cox_pim_conv2d_arguments *arguments, const cox_pim_mapping *mapping) {
  return to_c(pim::conv2d(stream_in(*stream), of_c(*arguments), mapping_of(*mapping)));
}
cox_status cox_pim_load_weights(cox_pim_stream *stream, const cox_pim_conv2d_arguments *arguments, const cox_pim_mapping *mapping) {
  return to_c(pim::load_weights(stream_in(*stream), of_c(*arguments), mapping_of(*mapping)));
}

cox_pim_gemm_arguments cox_pim_gemm_defaults() {
  const pim::GemmArguments a;
  return {.left = 0,
          .m = a.m,
          .k = a.k,
          .n = a.n,
          .output = 0,
          .output_type = COX_PIM_INT8,
          .relu = a.relu,
          .zero_point = a.zero_point,
          .form = COX_PIM_DENSE,
          .threshold = a.threshold,
          .window_inputs = a.window_inputs,
          .has_bias = a.has_bias,
          .weights = 0,
          .resident = a.resident,
          .first_row = a.first_row,
          .first_core = a.first_core,
          .cores = a.cores,
          .split = COX_PIM_SPLIT_PIXELS,
          .thresholds = nullptr,
          .weight_bits = a.weight_bits};
}
cox_pim_conv2d_arguments cox_pim_conv2d_of_gemm(const cox_pim_gemm_arguments *arguments) {
  return to_c(pim::convolution_of(of_c(*arguments)));
}
cox_status cox_pim_gemm(cox_pim_stream *stream, const cox_pim_gemm_arguments *arguments, const cox_pim_mapping *mapping) {
  return to_c(pim::gemm(stream_in(*stream), of_c(*arguments), mapping_of(*mapping)));
}

cox_status cox_pim_eladd(cox_pim_stream *stream, const cox_pim_eladd_arguments *a) {
  return to_c(pim::eladd(stream_in(*stream), {.left = a->left,
                                              .right = a->right,
                                              .output = a->output,
                                              .count = a->count,
                                              .left_zero_point = a->left_zero_point,
                                              .right_zero_point = a->right_zero_point,
                                              .zero_point = a->zero_point,
                                              .left_factor = of_c(a->left_factor),
                                              .right_factor = of_c(a->right_factor),
                                              .output_factor = of_c(a->output_factor),
                                              .first_core = a->first_core,
                                              .cores = a->cores}));
}
cox_status cox_pim_elmul(cox_pim_stream *stream, const cox_pim_elmul_arguments *a) {
  return to_c(pim::elmul(stream_in(*stream), {.left = a->left,
                                              .right = a->right,
                                              .output = a->output,
                                              .count = a->count,
                                              .left_zero_point = a->left_zero_point,
                                              .right_zero_point = a->right_zero_point,
                                              .zero_point = a->zero_point,
                                              .factor = of_c(a->factor),
                                              .first_core = a->first_core,
                                              .cores = a->cores}));
}
cox_status cox_pim_quantise(cox_pim_stream *stream, const cox_pim_quantise_arguments *a) {
  return to_c(pim::quantise(stream_in(*stream), {.input = a->input,
                                                 .output = a->output,
                                                 .pixels = a->pixels,
                                                 .channels = a->channels,
                                                 .multipliers = a->multipliers,
                                                 .zero_point = a->zero_point,
                                                 .relu = a->relu,
                                                 .first_core = a->first_core,
                                                 .cores = a->cores}));
}
cox_status cox_pim_pool(cox_pim_stream *stream, const cox_pim_pool_arguments *a) {
  return to_c(pim::pool(stream_in(*stream), {.mode = one_of<pim::PoolMode>(a->mode),
                                             .input = a->input,
                                             .height = a->height,
                                             .width = a->width,
                                             .channels = a->channels,
                                             .kernel_height = a->kernel_height,
                                             .kernel_width = a->kernel_width,
                                             .stride_y = a->stride_y,
                                             .stride_x = a->stride_x,
                                             .pad_top = a->pad_top,
                                             .pad_left = a->pad_left,
                                             .pad_bottom = a->pad_bottom,
                                             .pad_right = a->pad_right,
                                             .output = a->output,
                                             .output_height = a->output_height,
                                             .output_width = a->output_width,
                                             .first_core = a->first_core,
                                             .cores = a->cores}));
}
