// SPDX-License-Identifier: MIT
// A network as kernels of kernels/pim, one after another. Maps and packed weights are in DRAM. Host and control core compute the same
// layout from the list of layers (README.md, Layer after layer).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/kernels/pim/conv2d.h"
#include "coxswain/kernels/pim/program_builder.h"
#include "examples/pim_networks/network.h"

namespace cox::pim_networks {

class LayerChain {
 public:
  static constexpr unsigned kMostLayers = 24;

  /// Chooses mapping and places of all layers for a number of cores. Errors: those of conv2d_layer() and choose_mapping().
  Status plan(const Network &network, const isa::pim::Configuration &configuration, unsigned cores);

  [[nodiscard]] std::uint32_t weights_bytes() const { return weights_bytes_; }
  [[nodiscard]] std::uint32_t maps_bytes() const { return maps_bytes_; }
  // Places of maps from the first byte of all.
  [[nodiscard]] static constexpr std::uint32_t image_offset() { return 0; }
  [[nodiscard]] std::uint32_t result_offset() const { return result_; }

  struct Step {
    kernels::pim::Conv2dArguments arguments;  ///< of convolutions. Addresses are offsets in weights and maps
    kernels::pim::LayerShape shape;
    kernels::pim::Mapping mapping;
    std::uint32_t output = 0;  ///< offset of the layer's output: behind a shortcut's sum not that of the convolution
  };
  [[nodiscard]] const Step &step(std::size_t layer) const { return steps_[layer]; }

  /// Numbers of quantify-resadd for each layer with a shortcut, in the order of the layers.
  using AddNumbers = std::span<const std::array<std::int32_t, 9>>;
  /// Appends the network to a program for the cores of plan(). `weights` and `maps` are device addresses.
  Status append(kernels::pim::ProgramBuilder &builder, std::uint32_t weights, std::uint32_t maps, AddNumbers adds) const;

 private:
  std::uint32_t take_map(std::uint32_t bytes);
  [[nodiscard]] std::uint32_t map_of(std::int8_t layer) const {
    return layer == kImage ? image_offset() : steps_[static_cast<std::size_t>(layer)].output;
  }

  const Network *network_ = nullptr;
  unsigned cores_ = 1;
  std::array<Step, kMostLayers> steps_{};
  std::uint32_t weights_bytes_ = 0, maps_bytes_ = 0, result_ = 0;
};

}  // namespace cox::pim_networks
