// SPDX-License-Identifier: MIT
#include "coxswain/tflite/check/tensors.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "coxswain/tflite/flatbuffer.h"
#include "coxswain/tflite/lists.h"
#include "coxswain/tflite/model.h"

namespace cox::tflite::check {

namespace {

constexpr std::uint64_t kMaximumElements = INT32_MAX;
constexpr std::uint64_t kMaximumBytes = INT32_MAX;

/// Checks that the shape is known, and returns the tensor's size in bytes.
Result<std::uint64_t> check_shape(const schema::Tensor &tensor, unsigned bits) {
  const std::span<const std::int32_t> shape = lists::span_of(tensor.shape());
  if (shape.size() > kMaxRank) return Status{ErrorCode::unsupported, "tensor.shape", -1, signed_of(shape.size()), kMaxRank};
  std::uint64_t elements = 1;
  for (const std::int32_t size : shape) {
    if (size <= 0) return Status{ErrorCode::field_out_of_range, "tensor.shape", -1, size, 1};
    elements *= static_cast<std::uint32_t>(size);
    if (elements > kMaximumElements)
      return Status{ErrorCode::tensor_size, "tensor.shape", -1, signed_of(elements), signed_of(kMaximumElements)};
  }
  const std::uint64_t bytes = (elements * bits + 7) / 8;
  if (bytes > kMaximumBytes) return Status{ErrorCode::tensor_size, "tensor.shape", -1, signed_of(bytes), signed_of(kMaximumBytes)};
  return bytes;
}

Status check_data(const schema::Model &model, const schema::Tensor &tensor, std::uint64_t bytes, unsigned bits) {
  if (tensor.buffer() >= model.buffers()->size())
    return {ErrorCode::image_malformed, "tensor.buffer", -1, tensor.buffer(), model.buffers()->size()};
  const schema::Buffer &buffer = *model.buffers()->Get(tensor.buffer());
  if (buffer.offset() != 0 || buffer.size() != 0)
    return {ErrorCode::unsupported, "buffer.offset", -1, static_cast<std::int64_t>(buffer.offset()), 0};
  const std::span<const std::uint8_t> data = lists::span_of(buffer.data());
  if (data.empty()) return {};
  if (tensor.is_variable()) return {ErrorCode::unsupported, "variable tensor with data", -1, signed_of(data.size()), 0};
  if (data.size() != bytes) return {ErrorCode::tensor_size, "buffer.data", -1, signed_of(data.size()), signed_of(bytes)};
  const std::uintptr_t alignment = std::clamp(bits / 8, 1U, 8U);
  const std::uintptr_t misalignment = reinterpret_cast<std::uintptr_t>(data.data()) % alignment;
  if (misalignment != 0) {
    return {ErrorCode::misaligned_address, "buffer.data", -1, static_cast<std::int64_t>(misalignment),
            static_cast<std::int64_t>(alignment)};
  }
  return {};
}

Status check_quantisation(const schema::Tensor &tensor, ElementType type) {
  const schema::QuantizationParameters &quantisation = *tensor.quantization();
  if (quantisation.details_type() != schema::QuantizationDetails::NONE) {
    return {ErrorCode::unsupported, "quantization.details", -1, static_cast<std::int64_t>(quantisation.details_type()), 0};
  }
  const std::span<const float> scales = lists::span_of(quantisation.scale());
  if (scales.empty()) return {};
  if (scales.size() > 1) {
    const std::span<const std::int32_t> shape = lists::span_of(tensor.shape());
    const std::int32_t dimension = quantisation.quantized_dimension();
    if (dimension < 0 || static_cast<std::size_t>(dimension) >= shape.size()) {
      return {ErrorCode::field_out_of_range, "quantization.quantized_dimension", -1, dimension, signed_of(shape.size()) - 1};
    }
    const std::int32_t channels = shape[static_cast<std::size_t>(dimension)];
    if (scales.size() != static_cast<std::size_t>(channels)) {
      return {ErrorCode::image_malformed, "quantization.scale", -1, signed_of(scales.size()), channels};
    }
  }
  for (std::size_t i = 0; i < scales.size(); ++i) {
    if (!(scales[i] > 0 && std::isfinite(scales[i]))) return {ErrorCode::field_out_of_range, "quantization.scale", -1, signed_of(i)};
  }
  const std::size_t zero_points = lists::count_of(quantisation.zero_point());
  if (zero_points > 1 && zero_points != scales.size()) {
    return {ErrorCode::image_malformed, "quantization.zero_point", -1, signed_of(zero_points), signed_of(scales.size())};
  }
  IntegerRange range = range_of(type);
  range = {std::max<std::int64_t>(range.least, INT32_MIN), std::min<std::int64_t>(range.most, INT32_MAX)};
  for (std::size_t i = 0; i < zero_points; ++i) {
    std::int64_t value = 0;
    std::memcpy(&value, quantisation.zero_point()->Data() + i * sizeof(value), sizeof(value));
    if (value != 0 && !range.contains(value)) {
      return {ErrorCode::field_out_of_range, "quantization.zero_point", -1, value, value < range.least ? range.least : range.most};
    }
  }
  return {};
}

Status check_tensor(const schema::Model &model, const schema::Tensor &tensor) {
  const auto type = static_cast<ElementType>(tensor.type());
  const unsigned bits = element_bits(type);
  if (bits == 0) return {ErrorCode::unsupported, "tensor.type", -1, tensor.type()};
  if (tensor.sparsity() != nullptr) return {ErrorCode::unsupported, "tensor.sparsity"};
  const Result<std::uint64_t> bytes = check_shape(tensor, bits);
  if (!bytes) return bytes.status();
  if (Status status = check_data(model, tensor, bytes.value(), bits); !status) return status;
  return tensor.quantization() == nullptr ? Status() : check_quantisation(tensor, type);
}

}  // namespace

Status tensors(const schema::Model &model, std::size_t file_bytes) {
  const auto &list = *model.subgraphs()->Get(0)->tensors();
  // Many tensors may name the same long list. This limit keeps the time of the checks proportional to the size of the file; lists that are
  // not shared never reach it.
  std::size_t listed_bytes = 0;
  for (flatbuffers::uoffset_t i = 0; i < list.size(); ++i) {
    const schema::Tensor &tensor = *list.Get(i);
    if (tensor.quantization() != nullptr) {
      listed_bytes += 4 * lists::count_of(tensor.quantization()->scale()) + 8 * lists::count_of(tensor.quantization()->zero_point());
    }
    const auto index = static_cast<std::int32_t>(i);
    if (listed_bytes > file_bytes)
      return {ErrorCode::image_malformed, "quantization.scale", index, signed_of(listed_bytes), signed_of(file_bytes)};
    if (Status status = check_tensor(model, tensor); !status) return status.at(index);
  }
  return {};
}

}  // namespace cox::tflite::check
