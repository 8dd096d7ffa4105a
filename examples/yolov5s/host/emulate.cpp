// SPDX-License-Identifier: MIT
#include "examples/yolov5s/host/emulate.h"

#include <fmt/format.h>

#include <array>
#include <memory>

#include "coxswain/isa/mx/operation.h"
#include "examples/yolov5s/host/error.h"
#include "examples/yolov5s/host/network_ends.h"
#include "examples/yolov5s/layers.h"
#include "sim/model/mx/arithmetic/execute.h"

namespace cox::yolov5s {
namespace {

using isa::mx::kBlockBytes;
using isa::mx::kBlockElements;

/// The largest number of blocks of one element-wise instruction.
constexpr std::uint32_t kMostElementwiseBlocks = 1U << 18;

class Emulation {
 public:
  explicit Emulation(DramImage &dram, const LayerList &layers) : dram_(dram), layers_(layers) {
    std::uint64_t address = dram.data().arena.address;
    for (std::uint32_t number = 0; number < layers.tensor_count(); ++number) {
      addresses_[number] = address;
      address += (map_of(layers.tensors()[number]).bytes() + kAlignment - 1) / kAlignment * kAlignment;
    }
    weights_ = dram.data().weights.address;
  }

  [[nodiscard]] isa::mx::Map map_of(const Map &map) const {
    return {addresses_[map.tensor] + std::uint64_t{map.first / kBlockElements} * map.height * map.width * kBlockBytes,
            isa::mx::blocks_of(map.channels), map.height, map.width};
  }
  [[nodiscard]] std::byte *pointer(const isa::mx::Map &map) { return dram_.at(map.address, map.bytes(), "a tensor").data(); }

  void run(const Layer &layer) {
    const isa::mx::Map input = map_of(layer.input1);
    const isa::mx::Map output = map_of(layer.output);
    model::mx::Operands operands{.input1 = pointer(input), .output1 = pointer(output)};
    switch (layer.kind) {
      case LayerKind::convolution: {
        const Convolution &convolution = layer.convolution;
        const std::uint64_t bytes = isa::mx::weight_bytes(convolution.kernel, input.blocks, output.blocks);
        operands.weights = dram_.at(weights_, bytes, "weights").data();
        execute(
            isa::mx::ConvAct{
                input, weights_, output, {}, convolution.kernel, convolution.stride, convolution.padding, convolution.activation},
            operands);
        weights_ += bytes;
        break;
      }
      case LayerKind::add: {
        operands.input2 = pointer(map_of(layer.input2));
        elementwise(isa::mx::ElementwiseFunction::add, output, operands);
        break;
      }
      case LayerKind::sigmoid: elementwise(isa::mx::ElementwiseFunction::sigmoid, output, operands); break;
      case LayerKind::max_pool: execute(isa::mx::Pool{input, output, kPoolKernel, 1, kPoolKernel / 2, false}, operands); break;
      case LayerKind::upsample: upsample(input, output); break;
    }
  }

 private:
  static constexpr std::uint64_t kAlignment = 64;

  static void execute(const isa::mx::Operation &operation, const model::mx::Operands &operands) {
    model::mx::execute(operation, operands, model::mx::Path::fast);
  }
  static void elementwise(isa::mx::ElementwiseFunction function, const isa::mx::Map &map, model::mx::Operands operands) {
    for (std::uint64_t done = 0; done < map.count(); done += kMostElementwiseBlocks) {
      isa::mx::Elementwise operation;
      operation.function = function;
      operation.blocks = static_cast<std::uint32_t>(std::min<std::uint64_t>(map.count() - done, kMostElementwiseBlocks));
      execute(operation, operands);
      const std::size_t bytes = std::size_t{operation.blocks} * kBlockBytes;
      operands.input1 += bytes;
      operands.output1 += bytes;
      if (operands.input2 != nullptr) operands.input2 += bytes;
    }
  }
  void upsample(const isa::mx::Map &input, const isa::mx::Map &output) {
    const auto *from = reinterpret_cast<const isa::mx::Block *>(pointer(input));
    auto *to = reinterpret_cast<isa::mx::Block *>(pointer(output));
    for (std::size_t row = 0; row < std::size_t{output.blocks} * output.height; ++row) {
      for (std::size_t column = 0; column < output.width; ++column) {
        to[row * output.width + column] = from[row / 2 * input.width + column / 2];
      }
    }
  }

  DramImage &dram_;
  const LayerList &layers_;
  std::array<std::uint64_t, kTensors> addresses_{};
  std::uint64_t weights_ = 0;
};

/// Processes a picture, and leaves records of the layers.
Detection emulate(DramImage &dram, const LayerList &layers, std::span<const std::uint8_t> picture) {
  MachineData &data = dram.data();
  Emulation emulation(dram, layers);
  const auto blocks_at = [&emulation](const isa::mx::Map &map) { return reinterpret_cast<isa::mx::Block *>(emulation.pointer(map)); };
  const isa::mx::Map input = emulation.map_of(layers.tensors()[kInputTensor]);
  pack_picture(picture, data.height, data.width, {blocks_at(input), input.count()});
  data.input = {input.address, input.bytes()};
  data.layer_count = 0;
  for (const Layer &layer : layers.layers()) {
    emulation.run(layer);
    data.layers[data.layer_count++] = {
        layer.kind, layer.output.channels, layer.output.height, layer.output.width, emulation.map_of(layer.output).address, 0, 0};
  }
  HeadBlocks values;
  for (std::uint32_t scale = 0; scale < kScales; ++scale) values[scale] = blocks_at(emulation.map_of(layers.values(scale)));
  return find_boxes(values, data.height, data.width, data.least_score, data.most_overlap);
}

}  // namespace

void emulate(DramImage &dram) {
  MachineData &data = dram.data();
  const auto layers = std::make_unique<LayerList>();
  if (const Status status = build(*layers, data.height, data.width); !status.ok()) {
    throw FileError(fmt::format("DRAM: {} {} is no multiple of {}", status.what(), status.value(), status.limit()));
  }
  // The first picture comes last, because the records are of its layers.
  for (std::uint32_t number = std::min(data.picture_count, kMostPictures); number-- != 0;) {
    data.frames[number] = emulate(dram, *layers, dram.picture(number));
  }
  data.detection = data.frames[0];
  data.head.state = State::done;
}

}  // namespace cox::yolov5s
