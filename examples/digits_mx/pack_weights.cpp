// SPDX-License-Identifier: MIT
// Host program: packs the FP32 weights of the demo's network for the MX engine, in the order of network.h.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "coxswain/isa/numbers/mx9_block.h"
#include "coxswain/kernels/mx/pack_weights.h"
#include "examples/digits_mx/network.h"

namespace {

using cox::digits_mx::Convolution;
using cox::kernels::mx::WeightShape;

/// A layer in the order of the weights file: weights [output channel][row][column][input channel], then biases.
struct Layer {
  std::vector<float> weights, biases;
};

Layer read_layer(const std::string &network, const char *name, std::size_t weights, std::size_t biases) {
  std::ifstream description(network);
  if (!description) throw std::runtime_error("cannot read " + network);
  const auto layers = nlohmann::json::parse(description).at("layers");
  for (const auto &layer : layers) {
    if (layer.at("name") != name) continue;
    const std::string path = network.substr(0, network.rfind('/') + 1) + layer.at("unquantised").get<std::string>();
    Layer values{std::vector<float>(weights), std::vector<float>(biases)};
    std::ifstream file(path, std::ios::binary);
    file.read(reinterpret_cast<char *>(values.weights.data()), static_cast<std::streamsize>(weights * sizeof(float)));
    file.read(reinterpret_cast<char *>(values.biases.data()), static_cast<std::streamsize>(biases * sizeof(float)));
    if (!file || file.peek() != std::ifstream::traits_type::eof()) {
      throw std::runtime_error(path + ": should hold " + std::to_string(weights) + " weights and " + std::to_string(biases) + " biases");
    }
    return values;
  }
  throw std::runtime_error(network + ": no layer " + name);
}

/// Reads a layer and reorders it with input channels before rows and columns, as pack_weights() needs it.
Layer convolution(const std::string &network, const char *name, const WeightShape &shape) {
  const std::size_t outputs = shape.output_channels, inputs = shape.input_channels, positions = std::size_t{shape.kernel} * shape.kernel;
  const Layer file = read_layer(network, name, outputs * inputs * positions, outputs);
  Layer turned = file;
  for (std::size_t k = 0; k < outputs; ++k) {
    for (std::size_t c = 0; c < inputs; ++c) {
      for (std::size_t p = 0; p < positions; ++p)
        turned.weights[(k * inputs + c) * positions + p] = file.weights[(k * positions + p) * inputs + c];
    }
  }
  return turned;
}

/// Reads the fully connected layer over 4 pixels of 32 channels. Reorders its inputs to match their order in memory (network.h).
Layer fully_connected(const std::string &network, const char *name, const WeightShape &shape) {
  constexpr std::size_t kPixels = 4, kBlock = cox::isa::mx::kBlockElements;
  const std::size_t channels = shape.input_channels / kPixels;
  const Layer file = read_layer(network, name, std::size_t{shape.output_channels} * shape.input_channels, shape.output_channels);
  Layer turned = file;
  for (std::size_t k = 0; k < shape.output_channels; ++k) {
    for (std::size_t p = 0; p < kPixels; ++p) {
      for (std::size_t c = 0; c < channels; ++c) {
        turned.weights[k * shape.input_channels + (c / kBlock * kPixels + p) * kBlock + c % kBlock] =
            file.weights[(k * kPixels + p) * channels + c];
      }
    }
  }
  return turned;
}

Layer identity(const WeightShape &shape) {
  Layer layer{std::vector<float>(std::size_t{shape.output_channels} * shape.input_channels), std::vector<float>(shape.output_channels)};
  for (std::size_t k = 0; k < shape.output_channels; ++k) layer.weights[k * shape.input_channels + k] = 1.0F;
  return layer;
}

void append(std::vector<std::byte> &packed, const WeightShape &shape, const Layer &layer) {
  const cox::Result<std::uint64_t> bytes = cox::kernels::mx::packed_weights_bytes(shape);
  if (!bytes) throw std::runtime_error(bytes.status().what());
  std::vector<std::byte> part(bytes.value());
  if (const cox::Status status = cox::kernels::mx::pack_weights(shape, layer.weights, layer.biases, part); !status.ok()) {
    throw std::runtime_error(status.what());
  }
  packed.insert(packed.end(), part.begin(), part.end());
}

std::vector<std::byte> pack(const std::string &network) {
  using cox::digits_mx::shape_of;
  std::vector<std::byte> packed;
  append(packed, shape_of(Convolution::conv1), convolution(network, "conv1", shape_of(Convolution::conv1)));
  append(packed, shape_of(Convolution::conv2), convolution(network, "conv2", shape_of(Convolution::conv2)));
  append(packed, shape_of(Convolution::conv3), convolution(network, "conv3", shape_of(Convolution::conv3)));
  append(packed, shape_of(Convolution::rectify), identity(shape_of(Convolution::rectify)));
  append(packed, shape_of(Convolution::logits), fully_connected(network, "logits", shape_of(Convolution::logits)));
  return packed;
}

int run(int count, char **words) {
  std::string network, out;
  CLI::App command("Packs the FP32 weights of the digits network for the MX engine.");
  command.add_option("network", network, "network.json")->required()->check(CLI::ExistingFile);
  command.add_option("-o,--out", out, "the packed weights")->required();
  CLI11_PARSE(command, count, words);
  const std::vector<std::byte> packed = pack(network);
  std::ofstream file(out, std::ios::binary);
  file.write(reinterpret_cast<const char *>(packed.data()), static_cast<std::streamsize>(packed.size()));
  if (!file.flush()) throw std::runtime_error("cannot write " + out);
  return 0;
}

}  // namespace

int main(int count, char **words) {
  try {
    return run(count, words);
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "digits_mx_pack_weights: %s\n", failure.what());
    return 1;
  }
}
