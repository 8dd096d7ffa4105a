// SPDX-License-Identifier: MIT
#include "tests/kernels/cube/conv2d_problem.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

#include "coxswain/kernels/cube/conv2d_arguments.h"
#include "coxswain/kernels/cube/conv2d_emission.h"
#include "sim/model/cube/arithmetic/execute.h"
#include "sim/model/cube/hazard/detector.h"
#include "tests/kernels/cube/numbers.h"

namespace cox::tests {
namespace {

using isa::cube::Activation;
using isa::cube::kSlotBytes;
using isa::cube::MachineCode;
using isa::cube::OutputType;
using isa::cube::ScaleMode;
using isa::cube::Type;

template <typename T>
T read(std::span<const std::byte> bytes, std::size_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

double output_value(std::span<const std::byte> bytes, std::size_t index, OutputType type) {
  switch (type) {
    case OutputType::float32: return read<float>(bytes, index);
    case OutputType::half: return half_value(read<std::uint16_t>(bytes, index));
    case OutputType::bfloat16: return bfloat16_value(read<std::uint16_t>(bytes, index));
    case OutputType::int32: return read<std::int32_t>(bytes, index);
    case OutputType::int8: return read<std::int8_t>(bytes, index);
  }
  return 0;
}

/// Random elements: floating-point numbers with magnitudes of about 1, or any integers.
std::vector<std::byte> random_elements(std::size_t count, Type type, std::mt19937 &random) {
  std::vector<std::byte> bytes((count * isa::cube::element_bits(type) + 7) / 8);
  std::normal_distribution<float> normal;
  for (std::size_t i = 0; i < bytes.size();) {
    if (isa::cube::is_integer(type)) {
      bytes[i++] = static_cast<std::byte>(random());
      continue;
    }
    const float value = normal(random);
    std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    if (type == Type::bfloat16) bits >>= 16;
    if (type == Type::half) bits = bits >> 31 << 15 | (12 + (bits >> 23 & 3)) << 10 | (bits >> 13 & 0x3FF);  // magnitudes of 1/8 to 2
    std::memcpy(&bytes[i], &bits, isa::cube::element_bits(type) / 8);
    i += isa::cube::element_bits(type) / 8;
  }
  return bytes;
}

std::uint64_t address(const std::vector<std::byte> &bytes) { return reinterpret_cast<std::uint64_t>(bytes.data()); }

/// The largest error that rounding to an output type adds.
double output_rounding(OutputType type, double number) {
  const double magnitude = std::fabs(number);
  switch (type) {
    case OutputType::bfloat16: return std::ldexp(magnitude, -8) + 1e-38;
    case OutputType::half: return std::ldexp(magnitude, -11) + std::ldexp(1.0, -24);
    default: return std::ldexp(magnitude, -23) + 1e-38;
  }
}

}  // namespace

void execute(std::span<const std::byte> code) {
  auto buffers = std::make_unique<model::cube::Buffers>();
  std::fill(buffers->l1.begin(), buffers->l1.end(), std::byte{0xFF});  // stands for data of earlier streams: NaN as floats, -1 as integers
  isa::cube::Configuration configuration;
  for (std::size_t at = 0; at < code.size(); at += kSlotBytes) {
    MachineCode slot;
    std::memcpy(slot.data(), code.data() + at, kSlotBytes);
    ASSERT_TRUE(isa::cube::check(slot).ok()) << isa::cube::check(slot).what() << " of slot " << at / kSlotBytes;
    const Result<isa::cube::Operation> resolved = isa::cube::resolve(slot, configuration);
    ASSERT_TRUE(resolved.ok()) << error_name(resolved.status().code()) << " " << resolved.status().what() << " of slot " << at / kSlotBytes;
    configuration.apply(resolved.value());
    const isa::cube::Footprint footprint = isa::cube::footprint(resolved.value());
    std::byte *dram = nullptr;
    for (unsigned i = 0; i < footprint.count; ++i) {
      if (footprint.accesses[i].memory == isa::cube::Memory::dram) dram = reinterpret_cast<std::byte *>(footprint.accesses[i].start);
    }
    model::cube::execute(resolved.value(), *buffers, dram, model::cube::Path::fast);
  }
}

Conv2dProblem::Conv2dProblem(const Conv2dArguments &wanted, std::mt19937 &random) : arguments(wanted) {
  Conv2dArguments &a = arguments;
  a.output_height = kernels::cube::conv2d_output_side(a.height, a.pad_top, a.pad_bottom, a.kernel_height, a.dilation_y, a.stride_y);
  a.output_width = kernels::cube::conv2d_output_side(a.width, a.pad_left, a.pad_right, a.kernel_width, a.dilation_x, a.stride_x);
  input = random_elements(std::size_t{a.batch} * a.height * a.width * a.channels, a.type, random);
  weights = random_elements(std::size_t{a.output_channels} * a.kernel_height * a.kernel_width * (a.channels / a.groups), a.type, random);
  const std::size_t outputs = std::size_t{a.batch} * a.output_height * a.output_width * a.output_channels;
  output.resize(outputs * element_bytes(a.output_type) + 8, std::byte{0x5A});
  a.input = address(input);
  a.weights = address(weights);
  a.output = address(output);
  if (a.bias != 0) {
    bias = random_elements(a.output_channels, Type::float32, random);
    if (isa::cube::is_integer(a.type)) {
      for (std::size_t i = 0; i < bias.size(); i += 4) {
        const auto number = static_cast<std::int32_t>(random()) >> 16;
        std::memcpy(&bias[i], &number, sizeof number);
      }
    }
    a.bias = address(bias);
  }
  if (a.scale_mode == ScaleMode::channel) {
    std::uniform_real_distribution<float> uniform(a.scale * 0.5F, a.scale);
    scales.resize(std::size_t{a.output_channels} * 4);
    for (std::size_t i = 0; i < scales.size(); i += 4) {
      const float factor = uniform(random);
      std::memcpy(&scales[i], &factor, sizeof factor);
    }
    a.scales = address(scales);
  }
  if (a.residual != 0) {
    constexpr Type kTypes[] = {Type::float32, Type::half, Type::bfloat16, Type::float32, Type::int8};
    residual = random_elements(outputs, kTypes[static_cast<unsigned>(a.output_type)], random);
    a.residual = address(residual);
  }
}

std::string Conv2dProblem::text() const {
  const Conv2dArguments &a = arguments;
  const auto n = [](std::int64_t number) { return std::to_string(number) + " "; };
  return "type " + n(static_cast<int>(a.type)) + "to " + n(static_cast<int>(a.output_type)) + "map " + n(a.batch) + n(a.height) +
         n(a.width) + n(a.channels) + "kernel " + n(a.kernel_height) + n(a.kernel_width) + "stride " + n(a.stride_y) + n(a.stride_x) +
         "dilation " + n(a.dilation_y) + n(a.dilation_x) + "pad " + n(a.pad_top) + n(a.pad_left) + n(a.pad_bottom) + n(a.pad_right) +
         "groups " + n(a.groups) + "outputs " + n(a.output_channels) + (a.bias != 0 ? "bias " : "") + "scale " +
         n(static_cast<int>(a.scale_mode)) + (a.residual != 0 ? "residual " : "") + "activation " + n(static_cast<int>(a.activation));
}

void Conv2dProblem::init_stream(std::uint64_t slots) {
  const isa::Window window{.base = 0, .bytes = ~std::uint64_t{0}, .read = true, .write = true};
  const std::size_t wanted = std::max<std::size_t>(slots, Stream::kMostReserved) * kSlotBytes;
  code_memory_.resize(wanted + kSlotBytes);
  void *memory = code_memory_.data();
  std::size_t bytes = code_memory_.size();
  std::align(kSlotBytes, wanted, memory, bytes);
  ASSERT_TRUE(stream_.init({static_cast<std::byte *>(memory), wanted}, {&window, 1}).ok());
}

void Conv2dProblem::execute_stream() {
  const model::cube::Analysis analysis = model::cube::analyse(stream_.code());
  ASSERT_TRUE(analysis.refusal.ok()) << text() << analysis.refusal.what() << " of slot " << analysis.refusal.index();
  ASSERT_TRUE(analysis.findings.empty()) << text() << analysis.findings.front().text();
  execute(stream_.code());
}

void Conv2dProblem::run() {
  const Result<std::uint64_t> slots = kernels::cube::conv2d_slots(arguments);
  ASSERT_TRUE(slots.ok()) << text() << error_name(slots.status().code()) << " " << slots.status().what();
  init_stream(slots.value());
  const Status status = kernels::cube::conv2d(stream_, arguments);
  ASSERT_TRUE(status.ok()) << text() << error_name(status.code()) << " " << status.what();
  ASSERT_EQ(stream_.slots(), slots.value()) << text();
  execute_stream();
}

void Conv2dProblem::run(const kernels::cube::Conv2dTiles &tiles) {
  const Result<std::uint64_t> slots = kernels::cube::write_conv2d(nullptr, arguments, shape(), tiles);
  ASSERT_TRUE(slots.ok()) << text();
  init_stream(slots.value());
  ASSERT_TRUE(kernels::cube::write_conv2d(&stream_, arguments, shape(), tiles).ok()) << text();
  ASSERT_EQ(stream_.slots(), slots.value()) << text();
  execute_stream();
}

kernels::cube::Conv2dShape Conv2dProblem::shape() const { return kernels::cube::shape_of(arguments).value(); }

std::vector<double> Conv2dProblem::values(const std::vector<std::byte> &bytes, Type type) {
  std::vector<double> result(bytes.size() * 8 / isa::cube::element_bits(type));
  for (std::size_t i = 0; i < result.size(); ++i) {
    switch (type) {
      case Type::bfloat16: result[i] = bfloat16_value(read<std::uint16_t>(bytes, i)); break;
      case Type::half: result[i] = half_value(read<std::uint16_t>(bytes, i)); break;
      case Type::float32: result[i] = read<float>(bytes, i); break;
      case Type::int8: result[i] = read<std::int8_t>(bytes, i); break;
      case Type::int4: {
        const int nibble = std::to_integer<int>(bytes[i / 2]) >> (i % 2 * 4) & 15;
        result[i] = nibble < 8 ? nibble : nibble - 16;
        break;
      }
    }
  }
  return result;
}

Conv2dProblem::Sums Conv2dProblem::sums() const {
  const Conv2dArguments &a = arguments;
  const std::vector<double> map = input_values(), matrix = weight_values();
  const std::uint32_t of_group = a.channels / a.groups, outputs_of_group = a.output_channels / a.groups;
  Sums result;
  for (std::uint32_t image = 0; image < a.batch; ++image) {
    for (std::uint32_t row = 0; row < a.output_height; ++row) {
      for (std::uint32_t column = 0; column < a.output_width; ++column) {
        for (std::uint32_t filter = 0; filter < a.output_channels; ++filter) {
          double sum = 0, magnitude = 0;
          std::size_t weight = std::size_t{filter} * a.kernel_height * a.kernel_width * of_group;
          for (std::uint32_t ky = 0; ky < a.kernel_height; ++ky) {
            const std::int64_t y = std::int64_t{row} * a.stride_y + std::int64_t{ky} * a.dilation_y - a.pad_top;
            for (std::uint32_t kx = 0; kx < a.kernel_width; ++kx) {
              const std::int64_t x = std::int64_t{column} * a.stride_x + std::int64_t{kx} * a.dilation_x - a.pad_left;
              const bool inside = y >= 0 && x >= 0 && y < a.height && x < a.width;
              const std::size_t pixel =
                  inside ? (std::size_t{image} * a.height + static_cast<std::size_t>(y)) * a.width + static_cast<std::size_t>(x) : 0;
              for (std::uint32_t channel = 0; channel < of_group; ++channel, ++weight) {
                const double value = inside ? map[pixel * a.channels + filter / outputs_of_group * of_group + channel] : a.pad_value;
                sum += value * matrix[weight];
                magnitude += std::fabs(value * matrix[weight]);
              }
            }
          }
          result.sums.push_back(sum);
          result.magnitudes.push_back(magnitude);
        }
      }
    }
  }
  return result;
}

void Conv2dProblem::expect_right() const {
  const std::size_t depth = std::size_t{arguments.kernel_height} * arguments.kernel_width * (arguments.channels / arguments.groups);
  expect_output_of(sums(), isa::cube::is_integer(arguments.type) ? 0 : std::ldexp(static_cast<double>(depth), -24));
}

void Conv2dProblem::expect_output_of(const Sums &sums, double relative) const {
  const Conv2dArguments &a = arguments;
  const bool integer = isa::cube::is_integer(a.type);
  for (std::size_t i = 0; i < sums.sums.size(); ++i) {
    const std::size_t channel = i % a.output_channels;
    double value = sums.sums[i], slack = sums.magnitudes[i] * relative;
    const double factor = a.scale_mode == ScaleMode::none ? 1 : a.scale_mode == ScaleMode::tensor ? a.scale : read<float>(scales, channel);
    const double added = a.residual == 0 ? 0 : output_value(residual, i, a.output_type);
    if (integer) {
      // Computes in INT32 with wrap-around, then in FP32 with rounding after each step, as the unit does. So the results must be equal.
      auto sum = static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::int64_t>(value)));
      if (a.bias != 0) sum = static_cast<std::int32_t>(static_cast<std::uint32_t>(sum) + read<std::uint32_t>(bias, channel));
      if (a.output_type == OutputType::int32) {
        if (a.activation == Activation::ReLU) sum = std::max(sum, 0);
        ASSERT_EQ(read<std::int32_t>(output, i), sum) << text() << "at " << i;
        continue;
      }
      auto number = static_cast<float>(sum);
      if (a.scale_mode != ScaleMode::none) number *= static_cast<float>(factor);
      if (a.residual != 0) number = std::fma(a.beta, static_cast<float>(added), number);
      value = number;
    } else {
      value = value * factor + a.beta * added;
      slack = (slack + std::ldexp(std::fabs(sums.sums[i]), -23)) * std::fabs(factor) + std::ldexp(std::fabs(a.beta * added), -22);
      if (a.bias != 0) {
        value += read<float>(bias, channel);
        slack += std::ldexp(std::fabs(value) + std::fabs(read<float>(bias, channel)), -22);
      }
    }
    if (value < 0 && a.activation == Activation::LeakyReLU)
      value = integer ? static_cast<double>(static_cast<float>(value) * a.activation_parameter) : value * a.activation_parameter;
    if (value < 0 && (a.activation == Activation::ReLU || a.activation == Activation::Clip)) value = 0;
    if (a.activation == Activation::Clip) value = std::min<double>(value, a.activation_parameter);
    const double actual = output_value(output, i, a.output_type);
    if (a.output_type == OutputType::int8) {
      const double least = std::clamp(std::nearbyint(value - slack) + a.zero_point, -128.0, 127.0);
      const double most = std::clamp(std::nearbyint(value + slack) + a.zero_point, -128.0, 127.0);
      ASSERT_TRUE(actual >= least && actual <= most) << text() << "at " << i << ": " << actual << ", not " << least << " to " << most;
      continue;
    }
    const double limit = a.output_type == OutputType::half ? 65504 : std::numeric_limits<float>::max();
    if (std::fabs(value) > limit * 0.999) continue;
    ASSERT_LE(std::fabs(actual - value), slack + output_rounding(a.output_type, std::fabs(value) + slack))
        << text() << "at " << i << ": " << actual << ", not " << value;
  }
  for (std::size_t i = output.size() - 8; i < output.size(); ++i) ASSERT_EQ(output[i], std::byte{0x5A}) << text() << "behind the output";
}

}  // namespace cox::tests
