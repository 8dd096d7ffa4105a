// SPDX-License-Identifier: MIT
// Elements of matrices on the core, and the output stages that finish a sum of products. All of it is written from docs/isa/cube.md,
// without code of the model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/isa/cube/table.h"

namespace selftest {

using cox::isa::cube::Activation;
using cox::isa::cube::OutputType;
using cox::isa::cube::ScaleMode;
using cox::isa::cube::Type;

/// Return element `index` of densely packed elements at `memory`.
float read_float(const std::byte *memory, std::size_t index, Type type);
std::int32_t read_integer(const std::byte *memory, std::size_t index, Type type);
/// Fill with random numbers from -1 to 1, or with random integers.
void fill(std::span<std::byte> memory, Type type);
void fill(std::span<float> memory);

/// A sum of products in the array's order, with k ascending.
class Sum {
 public:
  explicit Sum(Type type) : type_(type) {}
  void add(const std::byte *left, std::size_t left_index, const std::byte *right, std::size_t right_index);
  [[nodiscard]] float real() const { return real_; }
  [[nodiscard]] std::int32_t integer() const { return static_cast<std::int32_t>(integer_); }
  [[nodiscard]] bool is_integer() const { return cox::isa::cube::is_integer(type_); }

 private:
  Type type_;
  float real_ = 0;
  std::uint32_t integer_ = 0;
};

/// The output stages of one element of the result, and their parameters.
struct Ending {
  bool scaled = false, has_residual = false, has_bias = false;
  float scale = 1, beta = 0;
  float residual = 0;
  float bias = 0;
  std::int32_t integer_bias = 0;
  Activation activation = Activation::None;
  float parameter = 0;
  std::int32_t zero_point = 0;
  OutputType to = OutputType::float32;
};
/// Returns the bits of the result in the output type.
std::uint32_t finish(const Sum &sum, const Ending &ending);

float read_output(const std::byte *memory, std::size_t index, OutputType type);
std::uint32_t read_bits(const std::byte *memory, std::size_t index, std::uint32_t bytes);

}  // namespace selftest
