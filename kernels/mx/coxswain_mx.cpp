// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/coxswain_mx.h"

#include <algorithm>
#include <array>
#include <new>
#include <type_traits>

#include "coxswain/hal/cache.h"
#include "coxswain/kernels/engine/c_engine.h"
#include "coxswain/kernels/engine/c_interface.h"
#include "coxswain/kernels/mx/concat.h"
#include "coxswain/kernels/mx/conv_act.h"
#include "coxswain/kernels/mx/eladd.h"
#include "coxswain/kernels/mx/elmul.h"
#include "coxswain/kernels/mx/engine.h"
#include "coxswain/kernels/mx/mx9_pack.h"
#include "coxswain/kernels/mx/mx9_pack_u8.h"
#include "coxswain/kernels/mx/mx9_unpack.h"
#include "coxswain/kernels/mx/pack_weights.h"
#include "coxswain/kernels/mx/pool.h"
#include "coxswain/kernels/mx/sigmoid.h"
#include "coxswain/kernels/mx/smuli.h"
#include "coxswain/kernels/mx/softmax.h"
#include "coxswain/kernels/mx/upsample_nearest.h"

namespace {

namespace mx = cox::kernels::mx;
using cox::ErrorCode;
using cox::Result;
using cox::Status;
using cox::isa::mx::Block;
using cox::kernels::c_interface::memory_at;
using cox::kernels::c_interface::one_of;
using cox::kernels::c_interface::to_c;
using mx::Stream;

static_assert(COX_MX_BLOCK_BYTES == cox::isa::mx::kBlockBytes && COX_MX_BLOCK_ELEMENTS == cox::isa::mx::kBlockElements);
static_assert(static_cast<int>(mx::Activation::SiLU) == COX_MX_SILU && static_cast<int>(mx::Activation::ReLU) == COX_MX_RELU);
static_assert(static_cast<int>(mx::PoolMode::Average) == COX_MX_AVERAGE);
static_assert(sizeof(mx::ByteConversion) == sizeof(cox_mx_u8_conversion) && alignof(mx::ByteConversion) == COX_MX_U8_CONVERSION_ALIGNMENT);
static_assert(alignof(cox_mx_u8_conversion) == COX_MX_U8_CONVERSION_ALIGNMENT && std::is_trivially_destructible_v<mx::ByteConversion>);

using CEngine = cox::kernels::c_interface::CEngine<mx::Engine, cox_mx_stream>;
constinit CEngine engine("cox_mx_open");

Stream &stream_in(cox_mx_stream &stream) { return CEngine::stream_in(stream); }

mx::Tensor tensor_of(const cox_mx_tensor &tensor) { return {tensor.address, tensor.channels, tensor.height, tensor.width}; }
mx::Scratch scratch_of(const cox_mx_scratch &scratch) { return {scratch.address, scratch.bytes}; }

std::span<Block> blocks_of(const cox_mx_tensor &tensor) {
  return {static_cast<Block *>(memory_at(tensor.address)), static_cast<std::size_t>(tensor_of(tensor).count())};
}

/// A C program may give memory of its own, for example of an allocator, that is not aligned as the type demands.
Status check_alignment(const cox_mx_u8_conversion *conversion) {
  const auto address = reinterpret_cast<std::uintptr_t>(conversion);
  return address % COX_MX_U8_CONVERSION_ALIGNMENT == 0
             ? Status()
             : Status(ErrorCode::misaligned_address, "conversion", -1, cox::signed_of(address), COX_MX_U8_CONVERSION_ALIGNMENT);
}
const mx::ByteConversion &conversion_in(const cox_mx_u8_conversion &conversion) {
  return *std::launder(reinterpret_cast<const mx::ByteConversion *>(&conversion));
}

mx::ConvActArguments arguments_of(const cox_mx_conv_act_arguments &arguments) {
  mx::ConvActArguments result;
  result.input = tensor_of(arguments.input);
  result.weights = arguments.weights;
  result.output = tensor_of(arguments.output);
  result.split_output = tensor_of(arguments.split_output);
  result.kernel = arguments.kernel;
  result.stride = arguments.stride;
  result.padding = arguments.padding;
  result.activation = one_of<mx::Activation>(arguments.activation);
  result.scratch = scratch_of(arguments.scratch);
  return result;
}

mx::PoolArguments arguments_of(const cox_mx_pool_arguments &arguments) {
  mx::PoolArguments result;
  result.input = tensor_of(arguments.input);
  result.output = tensor_of(arguments.output);
  result.mode = one_of<mx::PoolMode>(arguments.mode);
  result.kernel = arguments.kernel;
  result.stride = arguments.stride;
  result.padding = arguments.padding;
  result.scratch = scratch_of(arguments.scratch);
  return result;
}

mx::UpsampleNearestArguments arguments_of(const cox_mx_upsample_nearest_arguments &arguments) {
  return {tensor_of(arguments.input), tensor_of(arguments.output), arguments.factor, scratch_of(arguments.scratch)};
}

mx::WeightShape shape_of(std::uint32_t kernel, std::uint32_t input_channels, std::uint32_t output_channels) {
  mx::WeightShape shape;
  shape.kernel = kernel;
  shape.input_channels = input_channels;
  shape.output_channels = output_channels;
  return shape;
}

}  // namespace

cox_status cox_mx_open() { return engine.open(); }

cox_status cox_mx_close() { return engine.close(); }

cox_status cox_mx_stream_init(cox_mx_stream *stream, void *memory, size_t bytes) { return engine.init_stream(*stream, memory, bytes); }

void cox_mx_stream_clear(cox_mx_stream *stream) { stream_in(*stream).clear(); }

cox_status cox_mx_run(const cox_mx_stream *stream, uint32_t time_limit_us) { return engine.run(*stream, time_limit_us); }
cox_status cox_mx_submit(const cox_mx_stream *stream, cox_handle *handle) { return engine.submit(*stream, handle); }
cox_status cox_mx_wait(cox_handle handle, uint32_t time_limit_us) { return engine.wait(handle, time_limit_us); }
uint64_t cox_mx_end_cycle() { return engine.end_cycle(); }

uint64_t cox_mx_tensor_bytes(const cox_mx_tensor *tensor) { return tensor_of(*tensor).bytes(); }

void cox_mx_give(const cox_mx_tensor *tensor) {
  cox::hal::clean_cache(memory_at(tensor->address), static_cast<std::size_t>(tensor_of(*tensor).bytes()));
}

void cox_mx_take(const cox_mx_tensor *tensor) {
  cox::hal::invalidate_cache(memory_at(tensor->address), static_cast<std::size_t>(tensor_of(*tensor).bytes()));
}

cox_status cox_mx_pack(const float *values, const cox_mx_tensor *tensor) {
  const auto pixels = static_cast<std::size_t>(tensor_of(*tensor).plane());
  return to_c(mx::mx9_pack_planes({values, tensor->channels * pixels}, tensor->channels, pixels, blocks_of(*tensor)));
}

cox_status cox_mx_unpack(const cox_mx_tensor *tensor, float *values) {
  const auto pixels = static_cast<std::size_t>(tensor_of(*tensor).plane());
  return to_c(mx::mx9_unpack_planes(blocks_of(*tensor), tensor->channels, pixels, {values, tensor->channels * pixels}));
}

cox_status cox_mx_u8_conversion_init(cox_mx_u8_conversion *conversion, float scale, float offset) {
  if (const Status status = check_alignment(conversion); !status) return to_c(status);
  return to_c((new (conversion) mx::ByteConversion)->init(scale, offset));
}

cox_status cox_mx_pack_u8(const uint8_t *values, const cox_mx_u8_conversion *conversion, const cox_mx_tensor *tensor) {
  if (const Status status = check_alignment(conversion); !status) return to_c(status);
  const std::span<Block> blocks = blocks_of(*tensor);
  return to_c(mx::mx9_pack_u8({values, blocks.size() * COX_MX_BLOCK_ELEMENTS}, conversion_in(*conversion), blocks));
}

cox_status cox_mx_pack_u8_space_to_depth(const uint8_t *picture, uint32_t channels, const cox_mx_u8_conversion *conversion,
                                         const cox_mx_tensor *tensor) {
  if (const Status status = check_alignment(conversion); !status) return to_c(status);
  if (tensor->channels != 4 * channels) return to_c(Status(ErrorCode::shape_mismatch, "channels", -1, tensor->channels, 4 * channels));
  const std::size_t height = std::size_t{2} * tensor->height;
  const std::size_t width = std::size_t{2} * tensor->width;
  return to_c(mx::mx9_pack_u8_space_to_depth({picture, channels * height * width}, channels, height, width, conversion_in(*conversion),
                                             blocks_of(*tensor)));
}

cox_status cox_mx_packed_weights_bytes(uint32_t kernel, uint32_t input_channels, uint32_t output_channels, uint64_t *bytes) {
  return to_c(mx::packed_weights_bytes(shape_of(kernel, input_channels, output_channels)), bytes);
}

cox_status cox_mx_pack_weights(uint32_t kernel, uint32_t input_channels, uint32_t output_channels, const float *weights,
                               const float *biases, uint64_t packed) {
  const mx::WeightShape shape = shape_of(kernel, input_channels, output_channels);
  const Result<std::uint64_t> bytes = mx::packed_weights_bytes(shape);
  if (!bytes) return to_c(bytes.status());
  const std::size_t count = std::size_t{output_channels} * input_channels * kernel * kernel;
  const std::span<std::byte> memory(static_cast<std::byte *>(memory_at(packed)), static_cast<std::size_t>(bytes.value()));
  const Status status = mx::pack_weights(shape, {weights, count}, {biases, biases == nullptr ? 0 : std::size_t{output_channels}}, memory);
  if (status.ok()) cox::hal::clean_cache(memory.data(), memory.size());
  return to_c(status);
}

cox_status cox_mx_conv_act(cox_mx_stream *stream, const cox_mx_conv_act_arguments *arguments) {
  return to_c(mx::conv_act(stream_in(*stream), arguments_of(*arguments)));
}
cox_status cox_mx_conv_act_scratch_bytes(const cox_mx_conv_act_arguments *arguments, uint64_t *bytes) {
  return to_c(mx::conv_act_scratch_bytes(arguments_of(*arguments)), bytes);
}
cox_status cox_mx_eladd(cox_mx_stream *stream, const cox_mx_tensor *input1, const cox_mx_tensor *input2, const cox_mx_tensor *output) {
  return to_c(mx::eladd(stream_in(*stream), tensor_of(*input1), tensor_of(*input2), tensor_of(*output)));
}
cox_status cox_mx_elmul(cox_mx_stream *stream, const cox_mx_tensor *input1, const cox_mx_tensor *input2, const cox_mx_tensor *output) {
  return to_c(mx::elmul(stream_in(*stream), tensor_of(*input1), tensor_of(*input2), tensor_of(*output)));
}
cox_status cox_mx_smuli(cox_mx_stream *stream, const cox_mx_tensor *input, float factor, const cox_mx_tensor *output) {
  return to_c(mx::smuli(stream_in(*stream), tensor_of(*input), factor, tensor_of(*output)));
}
cox_status cox_mx_sigmoid(cox_mx_stream *stream, const cox_mx_tensor *input, const cox_mx_tensor *output) {
  return to_c(mx::sigmoid(stream_in(*stream), tensor_of(*input), tensor_of(*output)));
}
cox_status cox_mx_softmax(cox_mx_stream *stream, const cox_mx_tensor *input, const cox_mx_tensor *output) {
  return to_c(mx::softmax(stream_in(*stream), tensor_of(*input), tensor_of(*output)));
}
cox_status cox_mx_softmax_channels(const cox_mx_tensor *input, const cox_mx_tensor *output) {
  return to_c(
      mx::softmax_channels(blocks_of(*input), input->channels, static_cast<std::size_t>(tensor_of(*input).plane()), blocks_of(*output)));
}
cox_status cox_mx_pool(cox_mx_stream *stream, const cox_mx_pool_arguments *arguments) {
  return to_c(mx::pool(stream_in(*stream), arguments_of(*arguments)));
}
cox_status cox_mx_pool_scratch_bytes(const cox_mx_pool_arguments *arguments, uint64_t *bytes) {
  return to_c(mx::pool_scratch_bytes(arguments_of(*arguments)), bytes);
}
cox_status cox_mx_concat(cox_mx_stream *stream, const cox_mx_tensor *inputs, size_t count, const cox_mx_tensor *output) {
  std::array<mx::Tensor, COX_MX_MOST_INPUTS> tensors{};
  if (count > tensors.size())
    return to_c(Status(ErrorCode::invalid_argument, "inputs", -1, static_cast<std::int64_t>(count), COX_MX_MOST_INPUTS));
  std::transform(inputs, inputs + count, tensors.begin(), tensor_of);
  return to_c(mx::concat(stream_in(*stream), std::span(tensors).first(count), tensor_of(*output)));
}
cox_status cox_mx_upsample_nearest(cox_mx_stream *stream, const cox_mx_upsample_nearest_arguments *arguments) {
  return to_c(mx::upsample_nearest(stream_in(*stream), arguments_of(*arguments)));
}
cox_status cox_mx_upsample_nearest_scratch_bytes(const cox_mx_upsample_nearest_arguments *arguments, uint64_t *bytes) {
  return to_c(mx::upsample_nearest_scratch_bytes(arguments_of(*arguments)), bytes);
}
