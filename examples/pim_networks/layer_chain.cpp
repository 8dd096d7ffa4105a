// SPDX-License-Identifier: MIT
#include "examples/pim_networks/layer_chain.h"

#include <algorithm>

#include "coxswain/kernels/pim/elementwise.h"
#include "coxswain/kernels/pim/pool.h"

namespace cox::pim_networks {

using kernels::pim::Conv2dArguments;
using kernels::pim::Split;

namespace {

constexpr std::uint32_t kAlignment = 64;

constexpr std::uint32_t round_up(std::uint32_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

/// Maps of so many pixels are shared by rows, smaller ones by filters: their weights are more than their pixels.
constexpr std::uint32_t kLeastPixels = 28 * 28;

Conv2dArguments convolution(const Network &network, const Layer &layer, unsigned cores) {
  Conv2dArguments arguments;
  arguments.height = arguments.width = network.side_of(layer.input);
  arguments.channels = network.channels_of(layer.input);
  arguments.kernel_height = arguments.kernel_width = layer.kernel;
  arguments.stride_y = arguments.stride_x = layer.stride;
  arguments.pad_top = arguments.pad_left = arguments.pad_bottom = arguments.pad_right = layer.padding;
  arguments.pad_value = network.zero_point_of(layer.input);
  // With an even side and a stride, the last padding is not used.
  arguments.output_height = arguments.output_width = layer.side;
  arguments.output_channels = layer.channels;
  arguments.zero_point = layer.sum_zero_point;
  arguments.cores = cores;
  arguments.split = std::uint32_t{layer.side} * layer.side >= kLeastPixels ? Split::pixels : Split::outputs;
  return arguments;
}

}  // namespace

std::uint32_t LayerChain::take_map(std::uint32_t bytes) {
  const std::uint32_t first = maps_bytes_;
  maps_bytes_ += round_up(bytes);
  return first;
}

Status LayerChain::plan(const Network &network, const isa::pim::Configuration &configuration, unsigned cores) {
  network_ = &network;
  cores_ = cores;
  weights_bytes_ = maps_bytes_ = 0;
  take_map(network.image_elements());
  for (std::size_t number = 0; number < network.layers.size(); ++number) {
    const Layer &layer = network.layers[number];
    Step &step = steps_[number];
    step = {};
    step.output = take_map(layer.elements());
    if (!layer.is_convolution()) continue;
    step.arguments = convolution(network, layer, cores);
    auto shape = conv2d_layer(step.arguments);
    if (!shape) return shape.status();
    auto mapping = choose_mapping(shape.value(), configuration);
    if (!mapping) return mapping.status();
    if (step.arguments.split == Split::outputs && mapping.value().passes < cores) {
      // Fewer parts than cores: some cores have nothing to do.
      step.arguments.cores = mapping.value().passes;
      shape = conv2d_layer(step.arguments);
      if (shape) mapping = choose_mapping(shape.value(), configuration);
      if (!mapping) return mapping.status();
    }
    step.shape = shape.value();
    step.mapping = mapping.value();
    step.arguments.weights = weights_bytes_;
    weights_bytes_ += round_up(static_cast<std::uint32_t>(step.mapping.bytes(configuration.array)));
    step.arguments.input = map_of(layer.input);
    step.arguments.output = layer.has_shortcut() ? take_map(layer.elements()) : step.output;
  }
  result_ = steps_[network.layers.size() - 1].output;
  return {};
}

Status LayerChain::append(kernels::pim::ProgramBuilder &builder, std::uint32_t weights, std::uint32_t maps, AddNumbers adds) const {
  std::size_t next_add = 0;
  for (std::size_t number = 0; number < network_->layers.size(); ++number) {
    const Layer &layer = network_->layers[number];
    const Step &step = steps_[number];
    const bool is_shared = std::uint32_t{layer.side} >= cores_;
    if (!layer.is_convolution()) {
      kernels::pim::PoolArguments pool;
      pool.mode = layer.kind == Kind::maximum_pool ? kernels::pim::PoolMode::maximum : kernels::pim::PoolMode::average;
      pool.input = maps + map_of(layer.input);
      pool.height = pool.width = network_->side_of(layer.input);
      pool.channels = layer.channels;
      pool.kernel_height = pool.kernel_width = layer.kernel;
      pool.stride_y = pool.stride_x = layer.stride;
      pool.pad_top = pool.pad_left = pool.pad_bottom = pool.pad_right = layer.padding;
      pool.output_height = pool.output_width = layer.side;
      pool.output = maps + step.output;
      pool.cores = is_shared ? cores_ : 1;
      if (Status status = kernels::pim::pool(builder, pool); !status.ok()) return status;
    } else {
      Conv2dArguments arguments = step.arguments;
      arguments.input += maps;
      arguments.output += maps;
      arguments.weights += weights;
      if (Status status = kernels::pim::conv2d(builder, arguments, step.mapping); !status.ok()) return status;
    }
    // Kernels of fewer cores end before the next kernel of all begins.
    const auto meet = [&] {
      if (cores_ == 1) return Status();
      if (Status status = builder.begin_kernel(); !status.ok()) return status;
      for (unsigned core = 0; core < cores_; ++core) {
        builder.begin_core(core);
        builder.barrier(1, cores_);
      }
      return builder.end_kernel();
    };
    if (Status status = meet(); !status.ok()) return status;
    if (!layer.has_shortcut()) continue;
    const auto &add = adds[next_add++];
    kernels::pim::EladdArguments sum;
    sum.left = maps + step.arguments.output;
    sum.right = maps + map_of(layer.shortcut);
    sum.output = maps + step.output;
    sum.count = layer.elements();
    sum.left_zero_point = add[0];
    sum.left_factor = {add[1], add[2]};
    sum.right_zero_point = add[3];
    sum.right_factor = {add[4], add[5]};
    sum.output_factor = {add[6], add[7]};
    sum.zero_point = add[8];
    sum.cores = cores_;
    if (Status status = kernels::pim::eladd(builder, sum); !status.ok()) return status;
  }
  return {};
}

}  // namespace cox::pim_networks
