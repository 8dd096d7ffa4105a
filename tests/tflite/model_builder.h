// SPDX-License-Identifier: MIT
// Writes small models for tests. Every part is public, so that a test can break it before it writes the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "coxswain/tflite/flatbuffer.h"
#include "coxswain/tflite/operator_code.h"
#include "coxswain/tflite/tensor.h"

namespace cox::tests::tflite_models {

namespace schema = cox::tflite::schema;
using cox::tflite::ElementType;
using cox::tflite::OperatorCode;

struct TensorPart {
  std::vector<std::int32_t> shape;
  std::int8_t type = static_cast<std::int8_t>(ElementType::int8);
  std::uint32_t buffer = 0;
  std::string name = "t";
  std::vector<float> scales;
  std::vector<std::int64_t> zero_points;
  std::int32_t dimension = 0;
  bool variable = false;
  bool sparse = false;
  bool custom_quantisation = false;
};

struct BufferPart {
  std::vector<std::uint8_t> data;
  std::uint64_t offset = 0, size = 0;
};

struct CodePart {
  std::int32_t code = 0;
  std::int32_t version = 1;
  std::optional<std::int8_t> deprecated_code;  ///< default: the code, at most 127
  std::string custom;
};

using Options = std::function<flatbuffers::Offset<void>(flatbuffers::FlatBufferBuilder &)>;

struct OperatorPart {
  std::uint32_t code = 0;  ///< index in codes
  std::vector<std::int32_t> inputs, outputs;
  schema::BuiltinOptions options_type = schema::BuiltinOptions::NONE;
  Options options;
};

struct ModelParts {
  std::uint32_t version = 3;
  std::vector<TensorPart> tensors;
  std::vector<BufferPart> buffers = std::vector<BufferPart>(1);
  std::vector<CodePart> codes;
  std::vector<OperatorPart> operators;
  std::vector<std::int32_t> inputs, outputs;
  unsigned subgraphs = 1;
  std::string identifier = "TFL3";

  /// Adds a tensor with one scale, or without quantisation if `scale` is 0. Returns its index.
  std::int32_t tensor(std::vector<std::int32_t> shape, float scale = 0, std::int64_t zero_point = 0, ElementType type = ElementType::int8);
  /// Adds a constant, whose bytes are those of `values`. Returns its index.
  template <typename T>
  std::int32_t constant(std::vector<std::int32_t> shape, const std::vector<T> &values, ElementType type, float scale = 0,
                        std::int64_t zero_point = 0) {
    const std::int32_t index = tensor(std::move(shape), scale, zero_point, type);
    const auto *const bytes = reinterpret_cast<const std::uint8_t *>(values.data());
    BufferPart buffer;
    buffer.data.assign(bytes, bytes + values.size() * sizeof(T));
    tensors.back().buffer = static_cast<std::uint32_t>(buffers.size());
    buffers.push_back(std::move(buffer));
    return index;
  }
  /// Adds an operator, with a code of its own. Returns its index.
  std::size_t op(OperatorCode code, std::vector<std::int32_t> op_inputs, std::vector<std::int32_t> op_outputs,
                 schema::BuiltinOptions options_type = schema::BuiltinOptions::NONE, Options options = {});
};

/// A file in memory, aligned, in an allocation that ends where the file ends, so that AddressSanitizer sees each byte that is read beyond.
class File {
 public:
  explicit File(std::span<const std::uint8_t> bytes);
  explicit File(const ModelParts &parts);
  File(const File &other) : File(std::span(other.data_, other.size_)) {}
  File &operator=(const File &) = delete;
  ~File();

  [[nodiscard]] std::span<std::uint8_t> bytes() { return {data_, size_}; }
  [[nodiscard]] std::span<const std::byte> view() const { return std::as_bytes(std::span<const std::uint8_t>(data_, size_)); }

 private:
  std::uint8_t *data_;
  std::size_t size_;
};

/// Reads a whole file. The test fails if there is no such file.
[[nodiscard]] File read(const std::string &path);

/// A model with two operators: CONV_2D with a kernel of 3x3, four channels, scales for each channel, and a bias; and ADD of its result and
/// a second input.
[[nodiscard]] ModelParts convolution_and_add();

/// A model with each operator that resolve() knows, at least once.
[[nodiscard]] ModelParts all_operators();

}  // namespace cox::tests::tflite_models
