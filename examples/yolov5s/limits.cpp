// SPDX-License-Identifier: MIT
// Host program: writes the lowest possible cost of each layer on the MX engine (application.md, Limits) as JSON.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "coxswain/isa/mx/operation.h"
#include "examples/yolov5s/layers.h"

namespace {

using cox::isa::mx::blocks_of;
using cox::yolov5s::Layer;
using cox::yolov5s::LayerKind;
using cox::yolov5s::LayerList;
using cox::yolov5s::Map;

std::uint64_t map_bytes(const Map &map) {
  return std::uint64_t{blocks_of(map.channels)} * map.height * map.width * cox::isa::mx::kBlockBytes;
}

/// Returns the bytes of inputs, weights and output; each byte counts once.
std::uint64_t bytes_of(const Layer &layer) {
  std::uint64_t bytes = map_bytes(layer.output);
  // The second convolution of a pair shares the instruction, and so the input, of the first one.
  if (!layer.second_of_pair) bytes += map_bytes(layer.input1);
  if (layer.kind == LayerKind::add) bytes += map_bytes(layer.input2);
  if (layer.kind == LayerKind::convolution) {
    bytes += cox::isa::mx::weight_bytes(layer.convolution.kernel, blocks_of(layer.input1.channels), blocks_of(layer.output.channels));
  }
  return bytes;
}

int run(int count, char **words) {
  std::uint32_t height = 640, width = 640;
  CLI::App command("Multiply-accumulates and DRAM bytes of each layer of YOLOv5s, as JSON.");
  command.add_option("--height", height, "of the input, a multiple of 32")->capture_default_str();
  command.add_option("--width", width, "of the input, a multiple of 32")->capture_default_str();
  CLI11_PARSE(command, count, words);
  LayerList list;
  if (const cox::Status status = cox::yolov5s::build(list, height, width); !status.ok()) {
    throw std::runtime_error(std::string(status.what()) + " is not a multiple of " + std::to_string(status.limit()));
  }
  auto layers = nlohmann::json::array();
  for (std::uint32_t i = 0; i < list.count(); ++i) {
    const Layer &layer = list.layers()[i];
    layers.push_back({{"name", layer.name.c_str()},
                      {"convolution", layer.kind == LayerKind::convolution},
                      {"second_of_pair", layer.second_of_pair},
                      {"multiply_accumulates", layer.multiply_accumulates},
                      {"bytes", bytes_of(layer)}});
  }
  std::printf("%s\n", layers.dump(1).c_str());
  return 0;
}

}  // namespace

int main(int count, char **words) {
  try {
    return run(count, words);
  } catch (const std::exception &failure) {
    std::fprintf(stderr, "yolov5s_limits: %s\n", failure.what());
    return 1;
  }
}
