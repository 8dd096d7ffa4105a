// SPDX-License-Identifier: MIT
// A .tflite file in memory, read and checked.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "coxswain/tflite/arena.h"
#include "coxswain/tflite/model.h"

namespace cox::tools::tflite {

namespace format = cox::tflite;

class ModelFile {
 public:
  /// Reads and checks a file. Throws FileError, with the path, the tensor or operator, the field and its value, if the file cannot be read
  /// or tflite::open() refuses it.
  explicit ModelFile(const std::string &path);
  ModelFile(const ModelFile &) = delete;
  ModelFile &operator=(const ModelFile &) = delete;

  [[nodiscard]] const format::Model &model() const { return model_; }
  [[nodiscard]] std::size_t file_bytes() const { return model_.file_bytes(); }
  [[nodiscard]] std::span<const std::byte> bytes() const { return std::as_bytes(std::span(file_)).first(file_bytes()); }

  /// Plans the arena. The plan is valid until the next call. Throws FileError if plan_arena() refuses the model.
  [[nodiscard]] format::ArenaPlan plan(const format::OperatorSet &kernels);

 private:
  struct alignas(format::kFileAlignment) Line {
    std::byte bytes[format::kFileAlignment];
  };

  std::string path_;
  std::vector<Line> file_;
  std::vector<format::TensorUse> uses_;
  std::vector<format::ArenaRecord> records_;
  format::Model model_;
};

/// Returns text about an error of the reader or of a kernel, for example `tensor 3: tensor.shape: field_out_of_range: 0, the limit is 1`.
[[nodiscard]] std::string describe(const Status &status);

/// Returns a shape as text, for example `1x32x32x3`, or `scalar`.
[[nodiscard]] std::string shape_text(const format::Shape &shape);

/// Returns the operator's name, for example `CONV_2D`, `CUSTOM name` or `unknown (300)`.
[[nodiscard]] std::string name_of(const format::OperatorView &op);

/// Returns text without characters that a terminal would interpret: each of these is `?`.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace cox::tools::tflite
