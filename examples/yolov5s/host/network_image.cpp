// SPDX-License-Identifier: MIT
#include "examples/yolov5s/host/network_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "coxswain/device/engines.h"
#include "examples/yolov5s/host/error.h"
#include "examples/yolov5s/layers.h"
#include "examples/yolov5s/lowering.h"
#include "tools/image/stream_image.h"

namespace cox::yolov5s {
namespace {

using kernels::mx::Tensor;

enum : std::uint8_t { kInput = 0, kOutputs = 1, kWeights = 2, kOthers = 3 };
constexpr unsigned kWindows = 4;
/// Windows begin at multiples of this while the stream is recorded. No network is as large.
constexpr std::uint64_t kSpacing = std::uint64_t{1} << 32;
constexpr std::uint64_t start_of(unsigned window) { return (window + 1) * kSpacing; }
constexpr std::size_t kMostStreamBytes = 1U << 20;

/// Gives each tensor memory in its window.
class ImageLowering final : public Lowering {
 public:
  ImageLowering(kernels::mx::Stream &stream, std::uint64_t weight_bytes) {
    for (unsigned i = 0; i < kWindows; ++i) arenas_[i] = machine::Arena(start_of(i), kSpacing);
    start(stream, {start_of(kWeights), weight_bytes}, arenas_[kOthers]);
  }
  ImageLowering(const ImageLowering &) = delete;
  ImageLowering &operator=(const ImageLowering &) = delete;

  Status tensor(std::uint32_t number, const Name &name, const Map &map) {
    const bool is_output = map.channels == kHeadChannels;
    return place(number, name, map, arenas_[number == kInputTensor ? kInput : is_output ? kOutputs : kOthers]);
  }
  Status head(std::uint32_t /*scale*/, const Map & /*logits*/, const Map & /*values*/) { return {}; }

  [[nodiscard]] std::uint64_t bytes(unsigned window) const { return arenas_[window].next() - start_of(window); }

 private:
  std::array<machine::Arena, kWindows> arenas_;
};

tools::Tensor named(const std::string &name, tools::Direction direction, const Tensor &tensor) {
  tools::Tensor result;
  result.name = name;
  result.direction = direction;
  result.format = firmware::image::Format::MX9;
  result.shape = {1, isa::mx::blocks_of(tensor.channels) * isa::mx::kBlockElements, tensor.height, tensor.width};
  result.window = static_cast<std::uint8_t>(tensor.address / kSpacing - 1);
  result.offset = tensor.address % kSpacing;
  result.size = tensor.bytes();
  return result;
}

void name_tensors(tools::StreamImage &image, const ImageLowering &lowering, const LayerList &list, bool all_layers) {
  image.tensors.push_back(named("image", tools::Direction::input, lowering.image()));
  for (const Layer &layer : list.layers()) {
    tools::Tensor tensor = named(layer.name.c_str(), tools::Direction::output, lowering.at(layer.output));
    if (all_layers || tensor.window == kOutputs) image.tensors.push_back(std::move(tensor));
  }
}

[[noreturn]] void fail(const Status &status, const Name &layer) {
  throw FileError(fmt::format("{}: {}: {}, value {}, limit {}", layer.view(), error_name(status.code()), status.what(), status.value(),
                              status.limit()));
}

}  // namespace

std::vector<std::byte> network_image(std::uint32_t height, std::uint32_t width, std::span<const std::byte> weights, bool all_layers) {
  std::vector<std::uint64_t> memory(kMostStreamBytes / sizeof(std::uint64_t));
  std::array<isa::mx::Window, kWindows> windows;
  for (unsigned i = 0; i < kWindows; ++i) windows[i] = {start_of(i), kSpacing, true, i == kOutputs || i == kOthers};
  kernels::mx::Stream stream;
  ImageLowering lowering(stream, weights.size());
  if (const Status status = stream.init(std::as_writable_bytes(std::span(memory)), windows); !status.ok()) fail(status, Name("stream"));
  if (const Status status = build(lowering, height, width); !status.ok()) fail(status, lowering.layer());
  const auto list = std::make_unique<LayerList>();
  if (const Status status = build(*list, height, width); !status.ok()) fail(status, Name("layers"));

  tools::StreamImage image;
  image.name = "yolov5s";
  image.engine = registers::row_of(registers::Engine::mx).number();
  const auto *const code = reinterpret_cast<const std::uint8_t *>(stream.code().data());
  image.code.assign(code, code + stream.code().size());
  for (std::uint32_t i = 0; i < stream.bases().size(); ++i) {
    const std::uint64_t base = stream.bases()[i];
    image.relocations.push_back(
        {.offset = base % kSpacing, .place = i, .window = static_cast<std::uint8_t>(base / kSpacing - 1), .unused = {}});
  }
  for (std::uint8_t i = 0; i < kWindows; ++i)
    image.windows.push_back({i, i == kWeights ? weights.size() : lowering.bytes(i), windows[i].write});
  const auto *const first = reinterpret_cast<const std::uint8_t *>(weights.data());
  image.constants.push_back({kWeights, 0, {first, first + weights.size()}});
  name_tensors(image, lowering, *list, all_layers);

  const std::vector<std::uint8_t> bytes = tools::build_image(image);
  const std::span<const std::byte> view = std::as_bytes(std::span(bytes));
  return {view.begin(), view.end()};
}

}  // namespace cox::yolov5s
