// SPDX-License-Identifier: MIT
#include "tools/lower/weights/weights.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "coxswain/isa/tile/layout.h"
#include "tools/file/error.h"
#include "tools/file/file.h"
#include "tools/lower/weights/constants.h"

namespace cox::lower {
namespace {

constexpr std::int64_t kLayerAlignment = 64;  // a layer's first record begins at the start of a DRAM burst

float load_float(const std::uint8_t *bytes) {
  static_assert(std::numeric_limits<float>::is_iec559);
  float value = 0;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

std::vector<std::uint8_t> read_weights(const Network &network, const Layer &layer) {
  try {
    return tools::read_file(layer.weights);
  } catch (const tools::FileError &error) {
    throw NetworkError(network.file, layer.name, "weights", error.what());
  }
}

void require_window(const Network &network, std::int64_t bytes) {
  if (bytes <= std::numeric_limits<std::uint32_t>::max()) return;
  throw NetworkError(network.file, "", "layers", "the network's weights do not fit a window of 4 GiB");
}

/// The contents of a layer's file (docs/lowering.md, Weights files). It has the weights in the order K, R, S, C, then a scale for each
/// kernel, then a bias for each kernel, and for a prelu a slope for each kernel.
struct LayerWeights {
  LayerWeights(const Network &network, const Layer &layer)
      : kernels(network.output_of(layer).shape.channels),
        positions(std::size_t{layer.kernel[0]} * layer.kernel[1]),
        channels(network.kernel_channels(layer)),
        has_slopes(layer.activation == Activation::prelu) {
    bytes = read_weights(network, layer);
    const std::size_t expected = kernels * (positions * channels + (has_slopes ? 3 : 2) * sizeof(float));
    if (bytes.size() != expected) {
      throw NetworkError(network.file, layer.name, "weights",
                         layer.weights + " has " + std::to_string(bytes.size()) + " bytes; " + std::to_string(kernels) + " kernels of " +
                             std::to_string(positions * channels) + " weights with a scale" +
                             (has_slopes ? ", a bias and a slope" : " and a bias") + " each are " + std::to_string(expected));
    }
  }

  [[nodiscard]] const std::uint8_t *position(std::size_t kernel, std::size_t position) const {
    return bytes.data() + (kernel * positions + position) * channels;
  }
  [[nodiscard]] float scale(std::size_t kernel) const { return parameter(0, kernel); }
  [[nodiscard]] float bias(std::size_t kernel) const { return parameter(1, kernel); }
  [[nodiscard]] float slope(std::size_t kernel) const { return has_slopes ? parameter(2, kernel) : 0; }
  [[nodiscard]] std::int64_t sum(std::size_t kernel) const {
    std::int64_t total = 0;
    const std::uint8_t *first = position(kernel, 0);
    for (std::size_t i = 0; i < positions * channels; ++i) total += static_cast<std::int8_t>(first[i]);
    return total;
  }

  std::size_t kernels, positions, channels;
  bool has_slopes;
  std::vector<std::uint8_t> bytes;

 private:
  [[nodiscard]] float parameter(std::size_t which, std::size_t kernel) const {
    return load_float(bytes.data() + kernels * (positions * channels + which * sizeof(float)) + kernel * sizeof(float));
  }
};

/// The device multiplies the accumulator by `scale` and adds `bias`. fold() computes each of them in FP64 and rounds it once. The network's
/// independent evaluation does the same, so both get the same bits (docs/lowering.md, Arithmetic).
struct Parameters {
  float scale = 0, bias = 0;
};

Parameters fold(const FeatureMap &input, float weight_scale, float bias, std::int64_t sum) {
  const float scale = static_cast<float>(input.scale * static_cast<double>(weight_scale));
  const auto shift = static_cast<double>(-std::int64_t{input.zero_point} * sum);
  return {scale, static_cast<float>(static_cast<double>(bias) + static_cast<double>(scale) * shift)};
}

void pack_layer(const Network &network, const Layer &layer, std::uint8_t *records, std::size_t record_bytes) {
  const LayerWeights weights(network, layer);
  const auto padded_channels = static_cast<std::size_t>(isa::tile::padded_pixel(static_cast<std::int64_t>(weights.channels)));
  for (std::size_t k = 0; k < weights.kernels; ++k) {
    std::uint8_t *record = records + k * record_bytes;
    for (std::size_t p = 0; p < weights.positions; ++p) {
      // A transposed convolution is a convolution with the kernel reversed (docs/lowering.md, Arithmetic).
      const std::size_t source = layer.operation == Operation::transposed_convolution ? weights.positions - 1 - p : p;
      std::memcpy(record + p * padded_channels, weights.position(k, source), weights.channels);
    }
    const Parameters parameters = fold(network.input_of(layer), weights.scale(k), weights.bias(k), weights.sum(k));
    const float slope = weights.slope(k);
    if (!std::isfinite(parameters.scale) || !std::isfinite(parameters.bias) || !std::isfinite(slope)) {
      throw NetworkError(network.file, layer.name, "weights",
                         std::string(weights.has_slopes ? "the scale, bias or slope" : "the scale or bias") + " of kernel " +
                             std::to_string(k) + " is not finite");
    }
    const float values[] = {parameters.scale, parameters.bias, slope};
    std::memcpy(record + weights.positions * padded_channels, values, sizeof values);
  }
}

/// The layer's file has an FP32 gamma for each channel, then an FP32 beta for each channel.
void pack_norm(const Network &network, const Layer &layer, std::uint8_t *rows) {
  const std::vector<std::uint8_t> bytes = read_weights(network, layer);
  const std::size_t channels = network.output_of(layer).shape.channels;
  const std::size_t row = channels * sizeof(float);
  if (bytes.size() != 2 * row) {
    throw NetworkError(network.file, layer.name, "weights",
                       layer.weights + " has " + std::to_string(bytes.size()) + " bytes; a gamma and a beta for each of " +
                           std::to_string(channels) + " channels are " + std::to_string(2 * row));
  }
  for (std::size_t i = 0; i < 2 * channels; ++i) {
    if (std::isfinite(load_float(bytes.data() + i * sizeof(float)))) continue;
    throw NetworkError(network.file, layer.name, "weights",
                       std::string(i < channels ? "gamma " : "beta ") + std::to_string(i % channels) + " is not finite");
  }
  std::memcpy(rows, bytes.data(), row);
  std::memcpy(rows + norm_row_bytes(network, layer), bytes.data() + row, row);
}

void pack_constants(const Network &network, WeightImage &image) {
  const std::int64_t bytes = constant_bytes(network);
  if (bytes == 0) return;
  image.constants_offset = isa::tile::align_up(static_cast<std::int64_t>(image.bytes.size()), kLayerAlignment);
  require_window(network, image.constants_offset + bytes);
  image.bytes.resize(static_cast<std::size_t>(image.constants_offset + bytes));
  const auto at = [&image](std::int64_t offset) { return image.bytes.data() + image.constants_offset + offset; };
  for (const TableFunction function : tables_of(network)) {
    const std::vector<float> entries = entries_of(function);
    std::memcpy(at(table_offset(network, function)), entries.data(), entries.size() * sizeof(float));
  }
  for (const Layer &layer : network.layers) {
    if (layer.has_gamma()) pack_norm(network, layer, at(norm_offset(network, layer)));
  }
}

}  // namespace

WeightImage pack_weights(const Network &network) {
  WeightImage image;
  for (const Layer &layer : network.layers) {
    WeightRecords &records = image.layers.emplace_back();
    if (!layer.has_weights()) continue;
    const auto record_bytes =
        static_cast<std::size_t>(isa::tile::record_bytes(network.kernel_channels(layer), layer.kernel[0], layer.kernel[1]));
    const auto offset = static_cast<std::size_t>(isa::tile::align_up(static_cast<std::int64_t>(image.bytes.size()), kLayerAlignment));
    const std::size_t end = offset + record_bytes * network.output_of(layer).shape.channels;
    require_window(network, static_cast<std::int64_t>(end));
    image.bytes.resize(end);
    records = {static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(record_bytes)};
    pack_layer(network, layer, image.bytes.data() + offset, record_bytes);
  }
  pack_constants(network, image);
  return image;
}

}  // namespace cox::lower
