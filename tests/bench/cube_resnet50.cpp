// SPDX-License-Identifier: MIT
#include "cube_resnet50.h"

#include "coxswain/isa/cube/layout.h"

namespace cox::bench {
namespace {

using isa::cube::fractals;
using isa::cube::kFractalRows;
using kernels::cube::Conv2dArguments;

constexpr std::uint64_t kDramBytesPerCycle = 128;

CubeLayer layer(const std::string &name, std::uint32_t channels, std::uint32_t kernels, std::uint32_t size, std::uint32_t kernel,
                std::uint32_t stride, bool relu) {
  CubeLayer result{name, {}};
  Conv2dArguments &call = result.call;
  call.height = call.width = size;
  call.channels = channels;
  call.output_channels = kernels;
  call.kernel_height = call.kernel_width = kernel;
  call.stride_y = call.stride_x = stride;
  call.pad_top = call.pad_left = call.pad_bottom = call.pad_right = kernel / 2;
  call.output_height = call.output_width = kernels::cube::conv2d_output_side(size, kernel / 2, kernel / 2, kernel, 1, stride);
  call.scale_mode = kernels::cube::ScaleMode::channel;
  if (relu) call.activation = kernels::cube::Activation::ReLU;
  return result;
}

}  // namespace

double CubeLayer::multiply_accumulates() const {
  return static_cast<double>(call.output_height) * call.output_width * call.output_channels * call.kernel_height * call.kernel_width *
         call.channels;
}

std::uint64_t CubeLayer::array_cycles() const {
  const std::uint32_t k = call.kernel_height * call.kernel_width * call.channels;
  return std::uint64_t{fractals(call.output_height * call.output_width, kFractalRows)} * fractals(call.output_channels, kFractalRows) *
         fractals(k, isa::cube::fractal_width(call.type));
}

std::uint64_t CubeLayer::dram_cycles() const {
  // A 1 x 1 kernel with a stride does not read the pixels that it steps over.
  const std::uint64_t places = std::uint64_t{call.output_height} * call.output_width;
  const std::uint64_t pixels = call.kernel_height == 1 ? places : std::uint64_t{call.height} * call.width;
  const std::uint64_t weights = std::uint64_t{call.output_channels} * call.kernel_height * call.kernel_width * call.channels;
  const std::uint64_t bytes = pixels * call.channels + weights + places * call.output_channels;
  return (bytes + kDramBytesPerCycle - 1) / kDramBytesPerCycle;
}

std::vector<CubeLayer> resnet50_convolutions() {
  std::vector<CubeLayer> layers{layer("conv1", 3, 64, 224, 7, 2, true)};
  constexpr std::uint32_t kBlocks[] = {3, 4, 6, 3};
  std::uint32_t channels = 64, size = 56;
  for (std::uint32_t stage = 0; stage < std::size(kBlocks); ++stage) {
    const std::uint32_t width = 64U << stage;
    for (std::uint32_t block = 0; block < kBlocks[stage]; ++block) {
      const std::uint32_t stride = stage > 0 && block == 0 ? 2 : 1;
      const std::string name = "conv" + std::to_string(stage + 2) + "_" + std::to_string(block + 1);
      layers.push_back(layer(name + "_1", channels, width, size, 1, 1, true));
      layers.push_back(layer(name + "_2", width, width, size, 3, stride, true));
      layers.push_back(layer(name + "_3", width, 4 * width, size / stride, 1, 1, false));
      if (block == 0) layers.push_back(layer(name + "_shortcut", channels, 4 * width, size, 1, stride, false));
      channels = 4 * width;
      size /= stride;
    }
  }
  return layers;
}

}  // namespace cox::bench
