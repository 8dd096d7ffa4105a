// SPDX-License-Identifier: MIT
// A convolution from numbers to numbers in one call, made of the other functions of kernels/mx/coxswain_mx.h.
#include "coxswain/base/c_status.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/cache.h"
#include "coxswain/hal/places.h"
#include "coxswain/kernels/mx/coxswain_mx.h"

namespace {

using cox::ErrorCode;
using cox::Status;
using cox::to_c;
using cox::hal::Places;

/// Arrays of a program.
struct Numbers {
  const float *weights, *biases, *input;
  float *output;
};

/// Takes memory that the engine will write. A line that the core has changed there must not be written back later.
std::uint64_t take_written(Places &places, std::uint64_t bytes) {
  std::byte *const place = places.take(bytes);
  if (place != nullptr) cox::hal::clean_and_invalidate_cache(place, static_cast<std::size_t>(bytes));
  return cox::hal::bus_address(place);
}

cox_status run_layer(cox_mx_conv_act_arguments layer, const Numbers &numbers, Places &places) {
  cox_status status{};
  const auto good = [&status](const cox_status &outcome) {
    status = outcome;
    return outcome.error == COX_OK;
  };
  std::uint64_t weights_bytes = 0;
  std::uint64_t scratch_bytes = 0;
  if (!good(cox_mx_packed_weights_bytes(layer.kernel, layer.input.channels, layer.output.channels, &weights_bytes)) ||
      !good(cox_mx_conv_act_scratch_bytes(&layer, &scratch_bytes)))
    return status;
  layer.weights = cox::hal::bus_address(places.take(weights_bytes));
  layer.input.address = cox::hal::bus_address(places.take(cox_mx_tensor_bytes(&layer.input)));
  layer.output.address = take_written(places, cox_mx_tensor_bytes(&layer.output));
  layer.scratch = {take_written(places, scratch_bytes), scratch_bytes};
  auto *const stream = reinterpret_cast<cox_mx_stream *>(places.take(sizeof(cox_mx_stream)));
  const std::span<std::byte> instructions = places.take_rest();
  if (!places.status().ok()) return to_c(places.status());

  if (!good(cox_mx_stream_init(stream, instructions.data(), instructions.size())) || !good(cox_mx_conv_act(stream, &layer)) ||
      !good(
          cox_mx_pack_weights(layer.kernel, layer.input.channels, layer.output.channels, numbers.weights, numbers.biases, layer.weights)) ||
      !good(cox_mx_pack(numbers.input, &layer.input)))
    return status;
  cox_mx_give(&layer.input);
  if (!good(cox_mx_run(stream, 0))) return status;
  cox_mx_take(&layer.output);
  return cox_mx_unpack(&layer.output, numbers.output);
}

}  // namespace

cox_status cox_mx_conv_act_once(const cox_mx_conv_act_arguments *arguments, const float *weights, const float *biases, const float *input,
                                float *output, cox_memory memory) {
  if (arguments->split_output.channels != 0)
    return to_c(Status(ErrorCode::invalid_argument, "split_output", -1, arguments->split_output.channels, 0));
  const cox_status opened = cox_mx_open();
  if (opened.error != COX_OK && opened.error != COX_ERROR_NOT_OWNER) return opened;
  Places places(memory);
  const cox_status status = run_layer(*arguments, {weights, biases, input, output}, places);
  if (opened.error != COX_OK) return status;
  const cox_status closed = cox_mx_close();
  return status.error == COX_OK ? closed : status;
}
