// SPDX-License-Identifier: MIT
#include "independent.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace cox::test::independent {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kBytes = 18;

unsigned byte_of(const std::byte *bytes, std::size_t index) { return std::to_integer<unsigned>(bytes[index]); }

float real_to_float(double value) { return static_cast<float>(value); }

/// An FP32 operation equals the same operation in double precision, rounded to FP32 afterwards. This needs at least 2 * 24 + 2 significant
/// bits; a double has 53.
float rounded_sum(float a, float b) { return real_to_float(static_cast<double>(a) + static_cast<double>(b)); }
float rounded_product(float a, float b) { return real_to_float(static_cast<double>(a) * static_cast<double>(b)); }
float rounded_quotient(float a, float b) { return real_to_float(static_cast<double>(a) / static_cast<double>(b)); }

float exponential(float x) {
  if (std::isnan(x)) return x;
  x = std::clamp(x, -87.0F, 88.0F);
  const auto n = static_cast<float>(std::nearbyint(static_cast<double>(rounded_product(x, 1.44269504F))));
  float r = rounded_sum(x, -rounded_product(n, 0.693359375F));
  r = rounded_sum(r, -rounded_product(n, -2.12194440e-4F));
  float p = 1.9875691500e-4F;
  for (const float c : {1.3981999507e-3F, 8.3334519073e-3F, 4.1665795894e-2F, 1.6666665459e-1F, 5.0000001201e-1F}) {
    p = rounded_sum(rounded_product(p, r), c);
  }
  p = rounded_sum(rounded_sum(rounded_product(p, rounded_product(r, r)), r), 1.0F);
  return real_to_float(std::ldexp(static_cast<double>(p), static_cast<int>(n)));
}

float sigmoid(float x) { return rounded_quotient(1.0F, rounded_sum(1.0F, exponential(-x))); }

void append(std::vector<std::byte> &to, const std::array<float, 16> &values) {
  const auto block = encode(values);
  to.insert(to.end(), block.begin(), block.end());
}

/// Calls `visit(tap, y, x)` for each position of the kernel inside the map, row by row.
template <typename Operation, typename Visit>
void for_each_tap(const Operation &op, std::uint32_t row, std::uint32_t column, const Visit &visit) {
  for (unsigned tap = 0; tap < op.kernel * op.kernel; ++tap) {
    const int y = static_cast<int>(row * op.stride + tap / op.kernel) - static_cast<int>(op.padding);
    const int x = static_cast<int>(column * op.stride + tap % op.kernel) - static_cast<int>(op.padding);
    if (y < 0 || x < 0 || y >= static_cast<int>(op.input.height) || x >= static_cast<int>(op.input.width)) continue;
    visit(tap, static_cast<std::size_t>(y), static_cast<std::size_t>(x));
  }
}

struct Tensors {
  const isa::mx::ConvAct &op;
  const std::byte *input, *weights;

  [[nodiscard]] std::size_t record() const { return std::size_t{op.kernel} * op.kernel * op.input.blocks * 16 * kBytes + 64; }
  [[nodiscard]] Numbers source(std::size_t c, std::size_t y, std::size_t x) const {
    return decode(input + ((c * op.input.height + y) * op.input.width + x) * kBytes);
  }
  [[nodiscard]] Numbers weight(std::size_t channel, std::size_t tap, std::size_t c) const {
    return decode(weights + channel / 16 * record() + ((tap * op.input.blocks + c) * 16 + channel % 16) * kBytes);
  }
  [[nodiscard]] float bias(std::size_t channel) const {
    float value = 0;
    std::memcpy(&value, weights + (channel / 16 + 1) * record() - 64 + channel % 16 * 4, 4);
    return value;
  }
};

double dot(const Numbers &a, const Numbers &b) {
  double sum = 0;  // exact: all terms are multiples of one power of two and have at most 14 bits
  for (std::size_t i = 0; i < 16; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

Numbers decode(const std::byte *block) {
  Numbers numbers{};
  const unsigned exponent = byte_of(block, 0);
  if (exponent == 0) return numbers;
  for (std::size_t i = 0; i < 16; ++i) {
    const unsigned element = byte_of(block, 2 + i);
    const int shift = static_cast<int>(byte_of(block, 1) >> (i / 2)) & 1;
    const double magnitude = (element & 127) / 64.0 * std::exp2(static_cast<int>(exponent) - 127 - shift);
    numbers[i] = exponent == 255 ? kNan : magnitude == 0 ? 0 : element > 127 ? -magnitude : magnitude;
  }
  return numbers;
}

std::array<std::byte, 18> encode(const std::array<float, 16> &values) {
  std::array<std::byte, 18> block{};
  int largest = -1000;
  std::array<int, 16> exponents{};
  for (std::size_t i = 0; i < 16; ++i) {
    if (!std::isfinite(values[i])) {
      block[0] = std::byte{255};
      return block;
    }
    exponents[i] = std::isnormal(values[i]) ? std::ilogb(values[i]) : -1000;
    largest = std::max(largest, exponents[i]);
  }
  if (largest == -1000) return block;
  block[0] = static_cast<std::byte>(largest + 127);
  for (std::size_t i = 0; i < 16; ++i) {
    const int shift = std::min(largest - std::max(exponents[i], exponents[i ^ 1]), 1);
    if (shift == 1) block[1] |= std::byte{1} << static_cast<int>(i / 2);
    if (exponents[i] == -1000) continue;
    const double units = std::nearbyint(std::ldexp(std::abs(static_cast<double>(values[i])), 6 + shift - largest));
    const auto m = static_cast<unsigned>(std::min(units, 127.0));
    block[2 + i] = static_cast<std::byte>(m != 0 && std::signbit(values[i]) ? m + 128 : m);
  }
  return block;
}

std::vector<std::byte> convolve(const isa::mx::ConvAct &op, const std::byte *input, const std::byte *weights) {
  const Tensors tensors{op, input, weights};
  std::vector<std::byte> out;
  for (std::size_t group = 0; group < op.output_blocks(); ++group) {
    for (std::uint32_t pixel = 0; pixel < op.output1.height * op.output1.width; ++pixel) {
      std::array<float, 16> values{};
      for (std::size_t k = 0; k < 16; ++k) {
        float sum = 0;
        for_each_tap(op, pixel / op.output1.width, pixel % op.output1.width, [&](unsigned tap, std::size_t y, std::size_t x) {
          for (std::size_t c = 0; c < op.input.blocks; ++c) {
            sum = rounded_sum(sum, real_to_float(dot(tensors.source(c, y, x), tensors.weight(group * 16 + k, tap, c))));
          }
        });
        sum = rounded_sum(sum, tensors.bias(group * 16 + k));
        if (op.activation == isa::mx::Activation::SiLU) sum = rounded_product(sum, sigmoid(sum));
        if (op.activation == isa::mx::Activation::ReLU && sum <= 0) sum = 0;
        values[k] = sum;
      }
      append(out, values);
    }
  }
  return out;
}

RealConvolution convolve_real(const isa::mx::ConvAct &op, const std::byte *input, const std::byte *weights) {
  const Tensors tensors{op, input, weights};
  RealConvolution result;
  for (std::size_t channel = 0; channel < std::size_t{op.output_blocks()} * 16; ++channel) {
    for (std::uint32_t pixel = 0; pixel < op.output1.height * op.output1.width; ++pixel) {
      double sum = tensors.bias(channel);
      double magnitude = std::abs(sum);
      for_each_tap(op, pixel / op.output1.width, pixel % op.output1.width, [&](unsigned tap, std::size_t y, std::size_t x) {
        for (std::size_t c = 0; c < op.input.blocks; ++c) {
          const double product = dot(tensors.source(c, y, x), tensors.weight(channel, tap, c));
          sum += product;
          magnitude += std::abs(product);
        }
      });
      result.values.push_back(sum);
      result.magnitudes.push_back(magnitude);
    }
  }
  return result;
}

std::vector<std::byte> elementwise(const isa::mx::Elementwise &op, const std::byte *input1, const std::byte *input2) {
  using Function = isa::mx::ElementwiseFunction;
  std::vector<std::byte> out;
  float immediate = 0;
  const std::uint16_t halves[2] = {0, op.immediate};
  std::memcpy(&immediate, halves, 4);
  for (std::size_t block = 0; block < op.blocks; ++block) {
    const Numbers a = decode(input1 + block * kBytes);
    const Numbers b = input2 == nullptr ? Numbers{} : decode(input2 + block * kBytes);
    std::array<float, 16> values{};
    const auto largest = static_cast<float>(*std::max_element(a.begin(), a.end()));
    for (std::size_t i = 0; i < 16; ++i) {
      const auto x = static_cast<float>(a[i]);
      const auto y = static_cast<float>(b[i]);
      switch (op.function) {
        case Function::add: values[i] = rounded_sum(x, y); break;
        case Function::multiply: values[i] = rounded_product(x, y); break;
        case Function::scale: values[i] = rounded_product(x, immediate); break;
        case Function::sigmoid: values[i] = sigmoid(x); break;
        case Function::softmax: values[i] = exponential(rounded_sum(x, -largest)); break;
      }
    }
    if (op.function == Function::softmax) {
      float sum = 0;
      for (const float value : values) sum = rounded_sum(sum, value);
      for (float &value : values) value = rounded_quotient(value, sum);
    }
    append(out, values);
  }
  return out;
}

std::vector<std::byte> pool(const isa::mx::Pool &op, const std::byte *input) {
  std::vector<std::byte> out;
  for (std::size_t block = 0; block < op.output.blocks; ++block) {
    for (std::uint32_t pixel = 0; pixel < op.output.height * op.output.width; ++pixel) {
      std::array<std::vector<float>, 16> window;
      for_each_tap(op, pixel / op.output.width, pixel % op.output.width, [&](unsigned, std::size_t y, std::size_t x) {
        const Numbers numbers = decode(input + ((block * op.input.height + y) * op.input.width + x) * kBytes);
        for (std::size_t i = 0; i < 16; ++i) window[i].push_back(static_cast<float>(numbers[i]));
      });
      std::array<float, 16> values{};
      for (std::size_t i = 0; i < 16; ++i) {
        if (op.average) {
          for (const float value : window[i]) values[i] = rounded_sum(values[i], value);
          values[i] = rounded_quotient(values[i], static_cast<float>(window[i].size()));
        } else if (std::any_of(window[i].begin(), window[i].end(), [](float value) { return std::isnan(value); })) {
          values[i] = std::numeric_limits<float>::quiet_NaN();
        } else {
          values[i] = *std::max_element(window[i].begin(), window[i].end());
        }
      }
      append(out, values);
    }
  }
  return out;
}

}  // namespace cox::test::independent
