// SPDX-License-Identifier: MIT
#include "tests/tflite/reference/operators.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdlib>

#include "tests/tflite/reference/arithmetic.h"

namespace cox::tests::tflite_reference {

namespace {

std::int8_t clamped(std::int64_t value, const tf::Clamp &clamp) {
  return static_cast<std::int8_t>(std::clamp<std::int64_t>(value, clamp.least, clamp.most));
}

std::int64_t requantised(std::int32_t value, const tf::QuantisedMultiplier &by) { return requantise(value, by.multiplier, by.shift); }

template <typename T>
T element(std::span<const T> values, std::int64_t index) {
  return values[static_cast<std::size_t>(index)];
}

/// Sums that leave 32 bits wrap, as in the reference kernels.
class Accumulator {
 public:
  explicit Accumulator(std::int32_t start) : sum_(static_cast<std::uint32_t>(start)) {}
  void add(std::int32_t a, std::int32_t b) { sum_ += static_cast<std::uint32_t>(a * b); }
  [[nodiscard]] std::int32_t value() const { return static_cast<std::int32_t>(sum_); }

 private:
  std::uint32_t sum_;
};

/// Calls `body(index)` for all indices of a shape, the last one fastest.
template <typename Body>
void for_each_index(const tf::Shape &shape, const Body &body) {
  std::vector<std::int32_t> index(shape.rank, 0);
  for (std::int32_t i = 0; i < shape.elements(); ++i) {
    body(index);
    for (std::size_t d = shape.rank; d-- > 0;) {
      if (++index[d] < shape[d]) break;
      index[d] = 0;
    }
  }
}

std::int64_t offset(const tf::Shape &shape, const std::vector<std::int32_t> &index) {
  std::int64_t at = 0;
  for (std::size_t d = 0; d < shape.rank; ++d) at = at * shape[d] + index[d];
  return at;
}

/// Returns the element of an operand that belongs to an index of the output.
std::int32_t repeated(const Operand &operand, const std::vector<std::int32_t> &index) {
  std::vector<std::int32_t> own(operand.shape.rank);
  for (std::size_t d = 0; d < operand.shape.rank; ++d) {
    own[d] = operand.shape[d] == 1 ? 0 : index[index.size() - operand.shape.rank + d];
  }
  return element(operand.values, offset(operand.shape, own));
}

template <typename Function>
Values binary(const Operand &first, const Operand &second, const tf::Shape &output, const Function &function) {
  Values values;
  for_each_index(
      output, [&](const std::vector<std::int32_t> &index) { values.push_back(function(repeated(first, index), repeated(second, index))); });
  return values;
}

Values transposed_convolution(const tf::Convolution &n, std::span<const std::int8_t> input, std::span<const std::int8_t> weights,
                              std::span<const std::int32_t> bias, const Multipliers &multipliers) {
  // Each input element is spread over a window of the output.
  std::vector<std::uint32_t> sums(static_cast<std::size_t>(n.batch) * static_cast<std::size_t>(n.output_height) *
                                  static_cast<std::size_t>(n.output_width) * static_cast<std::size_t>(n.output_channels));
  for (std::int32_t b = 0; b < n.batch; ++b) {
    for (std::int32_t y = 0; y < n.input_height; ++y) {
      for (std::int32_t x = 0; x < n.input_width; ++x) {
        for (std::int32_t ky = 0; ky < n.kernel_height; ++ky) {
          for (std::int32_t kx = 0; kx < n.kernel_width; ++kx) {
            const std::int32_t to_y = y * n.stride_height - n.pads.top + ky, to_x = x * n.stride_width - n.pads.left + kx;
            if (to_y < 0 || to_y >= n.output_height || to_x < 0 || to_x >= n.output_width) continue;
            for (std::int32_t o = 0; o < n.output_channels; ++o) {
              for (std::int32_t c = 0; c < n.input_channels; ++c) {
                const std::int64_t from = ((std::int64_t{b} * n.input_height + y) * n.input_width + x) * n.input_channels + c;
                const std::int64_t weight = ((std::int64_t{o} * n.kernel_height + ky) * n.kernel_width + kx) * n.input_channels + c;
                const std::int64_t to = ((std::int64_t{b} * n.output_height + to_y) * n.output_width + to_x) * n.output_channels + o;
                sums[static_cast<std::size_t>(to)] +=
                    static_cast<std::uint32_t>((element(input, from) - n.input_zero) * element(weights, weight));
              }
            }
          }
        }
      }
    }
  }
  Values output;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const std::size_t channel = i % static_cast<std::size_t>(n.output_channels);
    const auto sum = static_cast<std::int32_t>(sums[i] + (bias.empty() ? 0U : static_cast<std::uint32_t>(bias[channel])));
    output.push_back(clamped(requantised(sum, multipliers[multipliers.size() == 1 ? 0 : channel]) + n.output_zero, n.clamp));
  }
  return output;
}

}  // namespace

Values convolution(const tf::Convolution &n, std::span<const std::int8_t> input, std::span<const std::int8_t> weights,
                   std::span<const std::int32_t> bias, const Multipliers &multipliers) {
  if (n.kind == tf::Convolution::Kind::transposed) return transposed_convolution(n, input, weights, bias, multipliers);
  const bool depthwise = n.kind == tf::Convolution::Kind::depthwise;
  const std::int32_t group_inputs = n.input_channels / n.groups, group_outputs = n.output_channels / n.groups;
  Values output;
  for (std::int32_t b = 0; b < n.batch; ++b) {
    for (std::int32_t y = 0; y < n.output_height; ++y) {
      for (std::int32_t x = 0; x < n.output_width; ++x) {
        for (std::int32_t o = 0; o < n.output_channels; ++o) {
          Accumulator sum(bias.empty() ? 0 : element(bias, o));
          for (std::int32_t ky = 0; ky < n.kernel_height; ++ky) {
            for (std::int32_t kx = 0; kx < n.kernel_width; ++kx) {
              const std::int32_t in_y = y * n.stride_height - n.pads.top + ky * n.dilation_height;
              const std::int32_t in_x = x * n.stride_width - n.pads.left + kx * n.dilation_width;
              if (in_y < 0 || in_y >= n.input_height || in_x < 0 || in_x >= n.input_width) continue;
              const std::int64_t pixel = ((std::int64_t{b} * n.input_height + in_y) * n.input_width + in_x) * n.input_channels;
              if (depthwise) {
                const std::int64_t weight = (std::int64_t{ky} * n.kernel_width + kx) * n.output_channels + o;
                sum.add(element(input, pixel + o / n.depth_multiplier) - n.input_zero, element(weights, weight));
                continue;
              }
              const std::int64_t first = pixel + std::int64_t{o / group_outputs} * group_inputs;
              const std::int64_t weight = ((std::int64_t{o} * n.kernel_height + ky) * n.kernel_width + kx) * group_inputs;
              for (std::int32_t c = 0; c < group_inputs; ++c)
                sum.add(element(input, first + c) - n.input_zero, element(weights, weight + c));
            }
          }
          const tf::QuantisedMultiplier &by = multipliers[multipliers.size() == 1 ? 0 : static_cast<std::size_t>(o)];
          output.push_back(clamped(requantised(sum.value(), by) + n.output_zero, n.clamp));
        }
      }
    }
  }
  return output;
}

Values fully_connected(const tf::FullyConnected &n, std::span<const std::int8_t> input, std::span<const std::int8_t> weights,
                       std::span<const std::int32_t> bias, const Multipliers &multipliers) {
  Values output;
  for (std::int32_t row = 0; row < n.rows; ++row) {
    for (std::int32_t column = 0; column < n.columns; ++column) {
      Accumulator sum(bias.empty() ? 0 : element(bias, column));
      for (std::int32_t i = 0; i < n.depth; ++i) {
        sum.add(element(input, std::int64_t{row} * n.depth + i) - n.input_zero,
                element(weights, std::int64_t{column} * n.depth + i) - n.weights_zero);
      }
      const tf::QuantisedMultiplier &by = multipliers[multipliers.size() == 1 ? 0 : static_cast<std::size_t>(column)];
      output.push_back(clamped(requantised(sum.value(), by) + n.output_zero, n.clamp));
    }
  }
  return output;
}

Values pool(const tf::Pool &n, std::span<const std::int8_t> input) {
  Values output;
  for (std::int32_t b = 0; b < n.batch; ++b) {
    for (std::int32_t y = 0; y < n.output_height; ++y) {
      for (std::int32_t x = 0; x < n.output_width; ++x) {
        for (std::int32_t c = 0; c < n.channels; ++c) {
          std::int32_t sum = 0, count = 0, most = INT8_MIN;
          for (std::int32_t ky = 0; ky < n.kernel_height; ++ky) {
            for (std::int32_t kx = 0; kx < n.kernel_width; ++kx) {
              const std::int32_t in_y = y * n.stride_height - n.pads.top + ky, in_x = x * n.stride_width - n.pads.left + kx;
              if (in_y < 0 || in_y >= n.input_height || in_x < 0 || in_x >= n.input_width) continue;
              const std::int32_t value =
                  element(input, ((std::int64_t{b} * n.input_height + in_y) * n.input_width + in_x) * n.channels + c);
              sum += value;
              most = std::max(most, value);
              ++count;
            }
          }
          const std::int32_t average = sum > 0 ? (sum + count / 2) / count : (sum - count / 2) / count;
          output.push_back(clamped(n.kind == tf::Pool::Kind::maximum ? most : average, n.clamp));
        }
      }
    }
  }
  return output;
}

Values softmax(const tf::Softmax &n, std::span<const std::int8_t> input) {
  constexpr int kIntegerBits = 5, kSumBits = 12;
  Values output;
  for (std::int32_t row = 0; row < n.rows; ++row) {
    const std::span<const std::int8_t> values =
        input.subspan(static_cast<std::size_t>(row) * static_cast<std::size_t>(n.depth), static_cast<std::size_t>(n.depth));
    const std::int32_t most = *std::max_element(values.begin(), values.end());
    const auto exponential_of = [&](std::int32_t value) {
      const auto shifted = static_cast<std::int32_t>(std::int64_t{value - most} * (std::int64_t{1} << n.multiplier.shift));
      return exponential(high_product(shifted, n.multiplier.multiplier), kIntegerBits);
    };
    std::uint32_t sum = 0;
    for (const std::int8_t value : values) {
      if (value - most >= n.least_difference) sum += static_cast<std::uint32_t>(rounded_quotient(exponential_of(value), kSumBits));
    }
    const int headroom = std::countl_zero(sum);
    const auto fraction = static_cast<std::int32_t>((sum << headroom) - (std::uint32_t{1} << 31));
    const std::int32_t scale = reciprocal_of_one_plus(fraction);
    for (const std::int8_t value : values) {
      std::int32_t result = INT8_MIN;
      if (value - most >= n.least_difference)
        result += rounded_quotient(high_product(scale, exponential_of(value)), kSumBits - headroom + 31 - 8);
      output.push_back(clamped(result, {}));
    }
  }
  return output;
}

Values sigmoid(const tf::Sigmoid &n, std::span<const std::int8_t> input) {
  Values output;
  for (const std::int8_t value : input) {
    const std::int32_t difference = value - n.input_zero;
    if (std::abs(difference) >= n.radius) {
      output.push_back(difference < 0 ? INT8_MIN : INT8_MAX);
      continue;
    }
    const auto argument = static_cast<std::int32_t>(requantised(difference, n.multiplier));
    output.push_back(
        clamped(n.tanh ? rounded_quotient(hyperbolic_tangent(argument), 31 - 7) : rounded_quotient(logistic(argument), 31 - 8) - 128, {}));
  }
  return output;
}

Values rescale(const tf::Rescale &n, std::span<const std::int8_t> input) {
  Values output;
  for (const std::int8_t value : input) output.push_back(clamped(requantised(value - n.input_zero, n.multiplier) + n.output_zero, n.clamp));
  return output;
}

Values resize(const tf::Resize &n, std::span<const std::int8_t> input) {
  // The place in the input for each place in the output, with 10 fractional bits: the elements below and above it, and the distance.
  struct Place {
    std::int32_t lower = 0, upper = 0, at = 0;
  };
  const auto place = [&n](std::int32_t index, std::int32_t in, std::int32_t out) {
    const bool corners = n.align_corners && out > 1;
    Place result;
    if (n.bilinear) {
      std::int32_t scale = ((1 << 10) * in + out / 2) / out;
      if (corners) scale = ((1 << 10) * (in - 1) + (out - 1) / 2) / (out - 1);
      result.at = n.half_pixel_centers ? index * scale + scale / 2 - (1 << 9) : index * scale;
      result.lower = std::max(result.at / (1 << 10), 0);
      result.upper = std::min((result.at + (1 << 10) - 1) / (1 << 10), in - 1);
      return result;
    }
    const float scale =
        corners ? static_cast<float>(in - 1) / static_cast<float>(out - 1) : static_cast<float>(in) / static_cast<float>(out);
    const float exact = (static_cast<float>(index) + (n.half_pixel_centers ? 0.5F : 0.0F)) * scale;
    result.lower = std::min(static_cast<std::int32_t>(n.align_corners ? std::round(exact) : std::floor(exact)), in - 1);
    if (n.half_pixel_centers) result.lower = std::max(0, result.lower);
    return result;
  };
  Values output;
  for (std::int32_t b = 0; b < n.batch; ++b) {
    for (std::int32_t y = 0; y < n.output_height; ++y) {
      const Place row = place(y, n.input_height, n.output_height);
      for (std::int32_t x = 0; x < n.output_width; ++x) {
        const Place column = place(x, n.input_width, n.output_width);
        for (std::int32_t c = 0; c < n.channels; ++c) {
          const auto at = [&](std::int32_t in_y, std::int32_t in_x) {
            return std::int64_t{element(input, ((std::int64_t{b} * n.input_height + in_y) * n.input_width + in_x) * n.channels + c)};
          };
          if (!n.bilinear) {
            output.push_back(static_cast<std::int8_t>(at(row.lower, column.lower)));
            continue;
          }
          const std::int64_t down = row.at - 1024 * row.lower, right = column.at - 1024 * column.lower;
          const std::int64_t sum = at(row.lower, column.lower) * (1024 - down) * (1024 - right) +
                                   at(row.upper, column.lower) * down * (1024 - right) +
                                   at(row.lower, column.upper) * (1024 - down) * right + at(row.upper, column.upper) * down * right;
          constexpr std::int64_t kUnit = std::int64_t{1} << 20;
          output.push_back(static_cast<std::int8_t>((sum + (sum > 0 ? kUnit / 2 : -kUnit / 2)) / kUnit));
        }
      }
    }
  }
  return output;
}

Values quantise(const tf::Conversion &n, std::span<const float> input) {
  Values output;
  for (const float value : input) {
    const float rounded = std::round(value / n.scale);
    output.push_back(clamped(static_cast<std::int32_t>(std::clamp(rounded, -1e6F, 1e6F)) + n.zero, {}));
  }
  return output;
}

std::vector<float> dequantise(const tf::Conversion &n, std::span<const std::int8_t> input) {
  std::vector<float> output;
  for (const std::int8_t value : input) output.push_back(static_cast<float>(static_cast<double>(n.scale) * (value - n.zero)));
  return output;
}

Values sum(const tf::Sum &n, const Operand &first, const Operand &second, const tf::Shape &output) {
  return binary(first, second, output, [&n](std::int32_t a, std::int32_t b) {
    const std::int64_t x = requantised((a - n.input_zero[0]) * (1 << n.left_shift), n.input_multiplier[0]);
    const std::int64_t y = requantised((b - n.input_zero[1]) * (1 << n.left_shift), n.input_multiplier[1]);
    return clamped(requantised(static_cast<std::int32_t>(n.subtract ? x - y : x + y), n.output_multiplier) + n.output_zero, n.clamp);
  });
}

Values product(const tf::Product &n, const Operand &first, const Operand &second, const tf::Shape &output) {
  return binary(first, second, output, [&n](std::int32_t a, std::int32_t b) {
    return clamped(requantised((a - n.input_zero[0]) * (b - n.input_zero[1]), n.multiplier) + n.output_zero, n.clamp);
  });
}

Values extremum(const tf::Extremum &n, const Operand &first, const Operand &second, const tf::Shape &output) {
  return binary(first, second, output,
                [&n](std::int32_t a, std::int32_t b) { return static_cast<std::int8_t>(n.maximum ? std::max(a, b) : std::min(a, b)); });
}

Values mean(const tf::Mean &n, std::span<const std::int8_t> input, const tf::Shape &shape) {
  tf::Shape kept = shape;
  for (std::size_t d = 0; d < shape.rank; ++d) {
    if ((n.axes >> d & 1) != 0) kept.dimensions[d] = 1;
  }
  std::vector<std::int32_t> sums(static_cast<std::size_t>(kept.elements()));
  std::size_t next = 0;
  for_each_index(shape, [&](std::vector<std::int32_t> index) {
    for (std::size_t d = 0; d < shape.rank; ++d) {
      if ((n.axes >> d & 1) != 0) index[d] = 0;
    }
    sums[static_cast<std::size_t>(offset(kept, index))] += input[next++];
  });
  Values output;
  for (const std::int32_t sum : sums)
    output.push_back(clamped(requantised(sum - n.count * n.input_zero, n.multiplier) + n.output_zero, {}));
  return output;
}

Values pad(const tf::Pad &n, std::span<const std::int8_t> input, const tf::Shape &input_shape, const tf::Shape &output_shape) {
  Values output;
  for_each_index(output_shape, [&](std::vector<std::int32_t> index) {
    bool inside = true;
    for (std::size_t d = 0; d < index.size(); ++d) {
      index[d] -= n.before[d];
      inside = inside && index[d] >= 0 && index[d] < input_shape[d];
    }
    output.push_back(inside ? element(input, offset(input_shape, index)) : static_cast<std::int8_t>(n.value));
  });
  return output;
}

}  // namespace cox::tests::tflite_reference
