// SPDX-License-Identifier: MIT
#include "tools/lower/network/layer_reader.h"

#include <algorithm>
#include <filesystem>

#include "coxswain/isa/tile/table.h"

namespace cox::lower {
namespace {

using isa::tile::DataFmt;
using isa::tile::field_named;
using isa::tile::Opcode;

// Limits that follow from the fields of the instructions.
constexpr auto kMaximumKernel = static_cast<std::uint32_t>(field_named<Opcode::pe_cfg_tp, "KERNEL">()->maximum);
constexpr auto kMaximumStart = static_cast<std::uint32_t>(field_named<Opcode::pe_conv, "SPHI">()->maximum);
static_assert(kMaximumStart == field_named<Opcode::vp_pool, "IPH">()->maximum);
static_assert(kMaximumKernel == field_named<Opcode::pe_cfg_pm, "STRIDE">()->maximum);
static_assert(kMaximumKernel == field_named<Opcode::pe_cfg_tp, "DILATION">()->maximum);
static_assert(kMaximumKernel == field_named<Opcode::pe_cfg_tp, "UPSAMPLE">()->maximum);

// The names of activations, in the order of the enumeration Activation.
constexpr std::string_view kActivations[] = {"none", "relu", "relu_x", "leaky_relu", "prelu", "sigmoid", "tanh", "gelu", "silu", "relu6"};
constexpr std::string_view kSaturations[] = {"none", "relu"};
constexpr std::string_view kModes[] = {"nearest", "bilinear"};
constexpr std::string_view kCoordinates[] = {"half_pixel", "aligned_corners"};

std::string text_of(const Shape &shape) {
  return std::string("[") + std::to_string(shape.channels) + ", " + std::to_string(shape.height) + ", " + std::to_string(shape.width) + "]";
}

std::string text_of(std::uint32_t rows, std::uint32_t columns) { return std::to_string(rows) + " x " + std::to_string(columns); }

class OperationReader {
 public:
  OperationReader(const Object &object, const OperationRules &rules, const Network &network, Layer &layer)
      : object_(object),
        rules_(rules),
        network_(network),
        layer_(layer),
        input_(network.input_of(layer).shape),
        output_(network.output_of(layer)) {}

  void read() {
    check_formats();
    read_activation();
    switch (layer_.operation) {
      case Operation::fully_connected:
      case Operation::convolution:
      case Operation::transposed_convolution:
        read_groups();
        layer_.operation == Operation::transposed_convolution ? read_transposed() : read_geometry(output_.shape.channels);
        read_weights();
        break;
      case Operation::maximum_pool:
      case Operation::average_pool: read_geometry(input_.channels); break;
      case Operation::global_average_pool: check_shape({input_.channels, 1, 1}); break;
      case Operation::resize: read_resize(); break;
      case Operation::concatenation: check_concatenation(); break;
      case Operation::layer_norm:
        layer_.epsilon = object_.positive("epsilon");
        if (object_.has("weights")) read_weights();
        check_same_shape(0);
        break;
      case Operation::quantise:
      case Operation::softmax:
      case Operation::sigmoid:
      case Operation::tanh:
      case Operation::gelu:
      case Operation::silu: check_same_shape(0); break;
      case Operation::add:
      case Operation::subtract:
      case Operation::multiply:
      case Operation::maximum:
      case Operation::minimum: check_summands(); break;
    }
  }

 private:
  void read_weights() { layer_.weights = (std::filesystem::path(object_.file()).parent_path() / object_.text("weights")).string(); }

  void check_formats() const {
    using Formats = OperationRules::Formats;
    for (const std::size_t input : layer_.inputs) {
      const bool is_fp16 = network_.maps[input].format == DataFmt::FP16;
      if (rules_.inputs == Formats::either || is_fp16 == (rules_.inputs == Formats::fp16)) continue;
      object_.fail("inputs", network_.maps[input].name + " is not " + (is_fp16 ? "INT8" : "FP16"));
    }
    if (output_.format != DataFmt::INT8 && !rules_.fp16_output) {
      object_.fail("output.format", "FP16 does not come from " + std::string(rules_.name));
    }
  }

  void read_activation() {
    const char *parameter = "activation_parameter";
    if (object_.has("activation")) {
      if (layer_.has_weights()) {
        read_activation_of_kernels();
      } else {
        layer_.activation = static_cast<Activation>(object_.choice("activation", kSaturations));
      }
    }
    const bool wants_parameter =
        layer_.activation_parameter == 0 && (layer_.activation == Activation::relu_x || layer_.activation == Activation::leaky_relu);
    if (wants_parameter) {
      layer_.activation_parameter = object_.positive(parameter);
    } else if (object_.has(parameter)) {
      object_.fail(parameter, "relu_x and leaky_relu alone have one");
    }
    // The adder has no ReLU of its own. Saturation at a zero point of -128 has the same effect (docs/arithmetic.md, After the function).
    if (layer_.is_element_wise() && layer_.activation == Activation::relu && output_.zero_point != -128) {
      object_.fail("output.zero_point",
                   "must be -128 where " + std::string(rules_.name) + " has a ReLU, which is saturation at the zero point");
    }
  }

  void read_activation_of_kernels() {
    constexpr double kLimitOfRelu6 = 6;
    const std::size_t choice = object_.choice("activation", kActivations);
    if (kActivations[choice] == "relu6") {
      layer_.activation = Activation::relu_x;
      layer_.activation_parameter = kLimitOfRelu6;
    } else {
      layer_.activation = static_cast<Activation>(choice);
    }
  }

  void check_shape(const Shape &expected) const {
    if (output_.shape == expected) return;
    object_.fail("output.shape", text_of(output_.shape) + " does not follow from the input, which gives " + text_of(expected));
  }

  /// Checks, for each output row, that the number of the first row under the kernel fits the instruction's field.
  void check_rows() const {
    const std::uint64_t last = std::uint64_t{output_.shape.height - 1} * layer_.stride[0];
    if (last <= kMaximumStart) return;
    object_.fail("output.shape",
                 "the last row begins at row " + std::to_string(last) + " under the kernel, the most are " + std::to_string(kMaximumStart));
  }

  void check_same_shape(std::size_t input) const {
    const FeatureMap &map = network_.input_of(layer_, input);
    if (map.shape == output_.shape) return;
    object_.fail("output.shape", text_of(output_.shape) + " is not the shape of " + map.name + ", " + text_of(map.shape));
  }

  /// Checks the shapes of two inputs. If the second has extent 1 in a dimension in which the first has more, the second is repeated there.
  void check_summands() const {
    check_same_shape(0);
    const FeatureMap &second = network_.input_of(layer_, 1);
    const auto matches = [](std::uint32_t extent, std::uint32_t whole) { return extent == whole || extent == 1; };
    const Shape &shape = second.shape;
    const bool one_element = shape.channels * shape.height * shape.width == 1 && shape != output_.shape;
    if (!one_element && matches(shape.channels, output_.shape.channels) && matches(shape.height, output_.shape.height) &&
        matches(shape.width, output_.shape.width)) {
      return;
    }
    object_.fail("output.shape", text_of(output_.shape) + " is not the shape of " + second.name + ", " + text_of(shape));
  }

  void read_groups() {
    if (object_.has("groups")) layer_.groups = object_.integer("groups", 1, kMaximumExtent);
    if (input_.channels % layer_.groups == 0 && output_.shape.channels % layer_.groups == 0) return;
    object_.fail("groups", std::to_string(layer_.groups) + " do not divide " + std::to_string(input_.channels) + " channels into " +
                               std::to_string(output_.shape.channels) + " evenly");
  }

  void read_pair(const char *field, std::array<std::uint32_t, 2> &pair) const {
    const std::vector<std::uint32_t> values = object_.integers(field, 2, 1, kMaximumKernel);
    pair = {values[0], values[1]};
  }

  /// Reads the padding. The kernel's taps cover `rows` by `columns`, and the padding must be smaller in both dimensions.
  [[nodiscard]] Padding read_padding(std::uint32_t rows, std::uint32_t columns) const {
    if (!object_.has("padding")) return {};
    const std::vector<std::uint32_t> padding = object_.integers("padding", 4, 0, kMaximumStart);
    if (std::max(padding[0], padding[2]) >= rows || std::max(padding[1], padding[3]) >= columns) {
      object_.fail("padding", "must be smaller than the kernel");
    }
    return {padding[0], padding[1], padding[2], padding[3]};
  }

  /// Reads kernel, stride, padding and dilation, and checks the output shape that follows from them.
  void read_geometry(std::uint32_t channels) {
    std::uint32_t rows = input_.height, columns = input_.width;
    if (layer_.operation == Operation::fully_connected) {
      if (rows > kMaximumKernel || columns > kMaximumKernel) {
        object_.fail("inputs", "a map of " + text_of(input_) + " is larger than a kernel can be (" + std::to_string(kMaximumKernel) + ")");
      }
      layer_.kernel = {rows, columns};
    } else {
      read_pair("kernel", layer_.kernel);
      if (object_.has("stride")) read_pair("stride", layer_.stride);
      if (object_.has("dilation")) read_pair("dilation", layer_.dilation);
      rows = (layer_.kernel[0] - 1) * layer_.dilation[0] + 1;
      columns = (layer_.kernel[1] - 1) * layer_.dilation[1] + 1;
      layer_.padding = read_padding(rows, columns);
    }
    const std::uint32_t height = input_.height + layer_.padding.top + layer_.padding.bottom;
    const std::uint32_t width = input_.width + layer_.padding.left + layer_.padding.right;
    if (rows > height || columns > width) {
      object_.fail("kernel", text_of(rows, columns) + " is larger than the padded map of " + text_of(height, width));
    }
    check_shape({channels, (height - rows) / layer_.stride[0] + 1, (width - columns) / layer_.stride[1] + 1});
    check_rows();
  }

  /// Reads a transposed convolution as a convolution with stride 1 over the upsampled map. The file's `padding` is cut off from the result.
  void read_transposed() {
    read_pair("kernel", layer_.kernel);
    if (object_.has("stride")) read_pair("stride", layer_.upsample);
    const Padding cut = read_padding(layer_.kernel[0], layer_.kernel[1]);
    std::vector<std::uint32_t> more = {0, 0};
    if (object_.has("output_padding")) {
      more = object_.integers("output_padding", 2, 0, kMaximumKernel);
      if (more[0] >= layer_.upsample[0] || more[1] >= layer_.upsample[1]) object_.fail("output_padding", "must be smaller than the stride");
    }
    const std::uint32_t height = (input_.height - 1) * layer_.upsample[0] + layer_.kernel[0] + more[0];
    const std::uint32_t width = (input_.width - 1) * layer_.upsample[1] + layer_.kernel[1] + more[1];
    if (cut.top + cut.bottom >= height || cut.left + cut.right >= width)
      object_.fail("padding", "leaves nothing of " + text_of(height, width));
    layer_.padding = {layer_.kernel[0] - 1 - cut.top, layer_.kernel[1] - 1 - cut.left, 0, 0};
    check_shape({output_.shape.channels, height - cut.top - cut.bottom, width - cut.left - cut.right});
    check_rows();
  }

  void read_resize() {
    layer_.bilinear = object_.choice("mode", kModes) == 1;
    if (object_.has("coordinates")) layer_.coordinates = static_cast<Coordinates>(object_.choice("coordinates", kCoordinates));
    if (output_.shape.channels != input_.channels) check_shape({input_.channels, output_.shape.height, output_.shape.width});
    // An instruction holds the number of its first row in a signed field of 16 bits (docs/isa/tile.md, vp_pool, IPH).
    constexpr std::uint32_t kMostRows = kMaximumStart + 1;
    if (output_.shape.height > kMostRows) {
      object_.fail("output.shape",
                   std::to_string(output_.shape.height) + " rows, a resize makes " + std::to_string(kMostRows) + " at most");
    }
  }

  void check_concatenation() const {
    Shape expected = input_;
    expected.channels = 0;
    for (const std::size_t input : layer_.inputs) {
      const Shape &shape = network_.maps[input].shape;
      if (shape.height != input_.height || shape.width != input_.width) {
        object_.fail("inputs", network_.maps[input].name + " is " + text_of(shape.height, shape.width) + ", " +
                                   network_.maps[layer_.inputs[0]].name + " " + text_of(input_.height, input_.width));
      }
      expected.channels += shape.channels;
    }
    check_shape(expected);
  }

  const Object &object_;
  const OperationRules &rules_;
  const Network &network_;
  Layer &layer_;
  const Shape &input_;
  const FeatureMap &output_;
};

}  // namespace

void read_operation(const Object &object, const OperationRules &rules, const Network &network, Layer &layer) {
  OperationReader(object, rules, network, layer).read();
}

}  // namespace cox::lower
