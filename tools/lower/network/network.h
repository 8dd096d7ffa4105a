// SPDX-License-Identifier: MIT
// A quantised network, as its file describes it (docs/lowering.md, The network file).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "coxswain/isa/tile/enumerations.h"
#include "tools/file/error.h"

namespace cox::lower {

/// The error for a network that cannot be lowered. Its message is `FILE: layer NAME: FIELD: what is wrong`.
class NetworkError : public tools::FileError {
 public:
  /// `layer` and `field` may be empty.
  NetworkError(const std::string &file, const std::string &layer, const std::string &field, const std::string &message);
};

enum class Operation : std::uint8_t {
  quantise,
  convolution,
  transposed_convolution,
  fully_connected,
  maximum_pool,
  average_pool,
  global_average_pool,
  resize,
  concatenation,
  add,
  subtract,
  multiply,
  maximum,
  minimum,
  softmax,
  layer_norm,
  sigmoid,
  tanh,
  gelu,
  silu,
};

/// Activation of a convolution, after scale and bias. Sums and other element-wise operations can have only relu.
enum class Activation : std::uint8_t { none, relu, relu_x, leaky_relu, prelu, sigmoid, tanh, gelu, silu };

/// The rule that maps pixels of a resized map to pixels of its source.
enum class Coordinates : std::uint8_t { half_pixel, aligned_corners };

struct Shape {
  std::uint32_t channels = 0, height = 0, width = 0;

  bool operator==(const Shape &) const = default;
};

/// A map of features: the network's input, or the output of one layer.
struct FeatureMap {
  std::string name;
  Shape shape;
  isa::tile::DataFmt format = isa::tile::DataFmt::INT8;  ///< INT8 or FP16; FP32 for intermediate results
  double scale = 1;                                      ///< for INT8: an element q has the value (q - zero_point) * scale
  std::int32_t zero_point = 0;

  [[nodiscard]] std::uint32_t element_bytes() const {
    return format == isa::tile::DataFmt::FP32 ? 4 : format == isa::tile::DataFmt::FP16 ? 2 : 1;
  }
};

struct Padding {
  std::uint32_t top = 0, left = 0, bottom = 0, right = 0;
};

struct Layer {
  std::string name;
  Operation operation = Operation::quantise;
  std::vector<std::size_t> inputs;  ///< indices into Network::maps
  std::size_t output = 0;           ///< index into Network::maps
  std::array<std::uint32_t, 2> kernel{1, 1}, stride{1, 1}, dilation{1, 1};
  /// For a transposed convolution: the strides in the network file. In the map over which the kernel slides, neighbouring rows and columns
  /// of the source are this far apart. The kernel itself moves in steps of `stride`, which is then 1.
  std::array<std::uint32_t, 2> upsample{1, 1};
  Padding padding;  ///< padding of the map over which the kernel slides
  std::uint32_t groups = 1;
  Activation activation = Activation::none;
  double activation_parameter = 0;  ///< relu_x: the limit; leaky_relu: the slope
  bool bilinear = false;            ///< resize: bilinear instead of nearest
  Coordinates coordinates = Coordinates::half_pixel;
  double epsilon = 0;   ///< of a layer_norm
  std::string weights;  ///< path of the weights' file; for convolutions, fully_connected, and optionally layer_norm

  [[nodiscard]] bool has_weights() const {
    return operation == Operation::convolution || operation == Operation::transposed_convolution || operation == Operation::fully_connected;
  }
  /// Returns true for a layer norm with gamma and beta.
  [[nodiscard]] bool has_gamma() const { return operation == Operation::layer_norm && !weights.empty(); }
  /// Returns true if the layer combines two tensors element by element.
  [[nodiscard]] bool is_element_wise() const { return operation >= Operation::add && operation <= Operation::minimum; }
};

struct Network {
  std::string file;
  std::string name;
  std::uint32_t batch = 1;  ///< images of a task

  std::vector<FeatureMap> maps;  ///< the input, then the outputs of the layers in their order
  std::vector<Layer> layers;     ///< each layer comes after the layers whose outputs it reads
  std::size_t output = 0;        ///< index of the network's output map
  std::string output_name;

  [[nodiscard]] const FeatureMap &input_of(const Layer &layer, std::size_t i = 0) const { return maps[layer.inputs[i]]; }
  [[nodiscard]] const FeatureMap &output_of(const Layer &layer) const { return maps[layer.output]; }
  /// Returns the number of channels of one kernel.
  [[nodiscard]] std::uint32_t kernel_channels(const Layer &layer) const { return input_of(layer).shape.channels / layer.groups; }
};

inline constexpr std::uint32_t kMostImages = 256;
inline constexpr std::size_t kMostConcatenated = 16;

/// Throws NetworkError if the network is wrong, and tools::FileError if the file cannot be read or is not JSON.
[[nodiscard]] Network read_network(const std::string &path);

}  // namespace cox::lower
