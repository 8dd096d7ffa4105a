// SPDX-License-Identifier: MIT
#include "tools/lower/network.h"

#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "isa/tile/get.h"
#include "tools/task/file.h"

namespace cox::lower {
namespace {

using isa::tile::DataFmt;
using nlohmann::json;

using isa::tile::field_named;
using isa::tile::Opcode;

// What the instructions can say.
constexpr auto kMaximumExtent = static_cast<std::uint32_t>(field_named<Opcode::pe_cfg_fm, "STile">()->maximum);
constexpr auto kMaximumKernel = static_cast<std::uint32_t>(field_named<Opcode::pe_cfg_tp, "KERNEL">()->maximum);
static_assert(kMaximumKernel == field_named<Opcode::pe_cfg_pm, "STRIDE">()->maximum);

/// One object of the file, with the words for messages about it.
class Object {
 public:
  Object(std::string file, std::string layer, const json &value) : file_(std::move(file)), layer_(std::move(layer)), value_(value) {}

  [[noreturn]] void fail(const std::string &field, const std::string &message) const { throw NetworkError(file_, layer_, field, message); }

  void require_object(const std::string &field) const {
    if (!value_.is_object()) fail(field, "an object is wanted");
  }

  void only(std::initializer_list<std::string_view> known) const {
    for (const auto &[key, unused] : value_.items()) {
      bool found = false;
      for (const std::string_view name : known) found = found || name == key;
      if (!found) fail(key, "unknown field");
    }
  }

  [[nodiscard]] bool has(const std::string &field) const { return value_.contains(field); }

  [[nodiscard]] const json &at(const std::string &field) const {
    if (!has(field)) fail(field, "missing");
    return value_.at(field);
  }

  [[nodiscard]] std::string text(const std::string &field) const {
    const json &value = at(field);
    if (!value.is_string() || value.get_ref<const std::string &>().empty()) fail(field, "a string is wanted");
    return value.get<std::string>();
  }

  /// An integer from `low` to `high`.
  [[nodiscard]] std::uint32_t integer(const std::string &field, std::uint32_t low, std::uint32_t high) const {
    const json &value = at(field);
    if (!value.is_number_integer() || value.get<std::int64_t>() < low || value.get<std::int64_t>() > high) {
      fail(field, value.dump() + " is not an integer from " + std::to_string(low) + " to " + std::to_string(high));
    }
    return value.get<std::uint32_t>();
  }

  /// `count` integers from `low` to `high`.
  [[nodiscard]] std::vector<std::uint32_t> integers(const std::string &field, std::size_t count, std::uint32_t low,
                                                    std::uint32_t high) const {
    const json &value = at(field);
    if (!value.is_array() || value.size() != count) fail(field, "a list of " + std::to_string(count) + " integers is wanted");
    std::vector<std::uint32_t> result;
    for (const json &element : value) {
      if (!element.is_number_integer() || element.get<std::int64_t>() < low || element.get<std::int64_t>() > high) {
        fail(field, element.dump() + " is not an integer from " + std::to_string(low) + " to " + std::to_string(high));
      }
      result.push_back(element.get<std::uint32_t>());
    }
    return result;
  }

  [[nodiscard]] Object child(const std::string &field) const { return {file_, layer_, at(field)}; }
  [[nodiscard]] const std::string &file() const { return file_; }

 private:
  std::string file_, layer_;
  const json &value_;
};

std::optional<Operation> operation_named(std::string_view name) {
  if (name == "quantise") return Operation::quantise;
  if (name == "convolution") return Operation::convolution;
  if (name == "fully_connected") return Operation::fully_connected;
  if (name == "maximum_pool") return Operation::maximum_pool;
  if (name == "average_pool") return Operation::average_pool;
  if (name == "add") return Operation::add;
  return std::nullopt;
}

std::string text_of(const Shape &shape) {
  return std::string("[") + std::to_string(shape.channels) + ", " + std::to_string(shape.height) + ", " + std::to_string(shape.width) + "]";
}

/// Shape, format, scale and zero point. Messages about the output of a layer name its fields `output.scale` and so on.
FeatureMap read_map(const Object &object, const std::string &name, const std::string &prefix) {
  FeatureMap map;
  map.name = name;
  const std::vector<std::uint32_t> shape = object.integers("shape", 3, 1, kMaximumExtent);
  map.shape = {shape[0], shape[1], shape[2]};
  const std::string format = object.text("format");
  if (format == "FP16") {
    map.format = DataFmt::FP16;
    for (const char *field : {"scale", "zero_point"}) {
      if (object.has(field)) object.fail(prefix + field, "an FP16 map has none");
    }
  } else if (format == "INT8") {
    const json &scale = object.at("scale");
    if (!scale.is_number() || !std::isnormal(static_cast<float>(scale.get<double>())) || scale.get<double>() <= 0 ||
        !std::isnormal(static_cast<float>(1.0 / scale.get<double>()))) {
      object.fail(prefix + "scale", scale.dump() + " is not a positive number whose FP32 value and reciprocal are normal");
    }
    map.scale = scale.get<double>();
    const json &zero_point = object.at("zero_point");
    if (!zero_point.is_number_integer() || zero_point.get<std::int64_t>() < -128 || zero_point.get<std::int64_t>() > 127) {
      object.fail(prefix + "zero_point", zero_point.dump() + " is not an integer from -128 to 127");
    }
    map.zero_point = zero_point.get<std::int32_t>();
  } else {
    object.fail(prefix + "format", "'" + format + "' is not INT8 or FP16");
  }
  return map;
}

/// Kernel, stride and padding, and the output shape that follows from them.
void read_geometry(const Object &object, const Shape &input, const Shape &output, std::uint32_t channels, Layer &layer) {
  if (layer.operation == Operation::fully_connected) {
    if (input.height > kMaximumKernel || input.width > kMaximumKernel) {
      object.fail("inputs", "a map of " + text_of(input) + " is larger than a kernel can be (" + std::to_string(kMaximumKernel) + ")");
    }
    layer.kernel = {input.height, input.width};
  } else {
    const std::vector<std::uint32_t> kernel = object.integers("kernel", 2, 1, kMaximumKernel);
    layer.kernel = {kernel[0], kernel[1]};
    if (object.has("stride")) {
      const std::vector<std::uint32_t> stride = object.integers("stride", 2, 1, kMaximumKernel);
      layer.stride = {stride[0], stride[1]};
    }
    if (object.has("padding")) {
      const std::vector<std::uint32_t> padding = object.integers("padding", 4, 0, kMaximumKernel);
      layer.padding = {padding[0], padding[1], padding[2], padding[3]};
      if (std::max(padding[0], padding[2]) >= kernel[0] || std::max(padding[1], padding[3]) >= kernel[1]) {
        object.fail("padding", "must be smaller than the kernel");
      }
    }
  }
  const std::uint32_t height = input.height + layer.padding.top + layer.padding.bottom;
  const std::uint32_t width = input.width + layer.padding.left + layer.padding.right;
  if (layer.kernel[0] > height || layer.kernel[1] > width) {
    object.fail("kernel", std::to_string(layer.kernel[0]) + " x " + std::to_string(layer.kernel[1]) + " is larger than the padded map of " +
                              std::to_string(height) + " x " + std::to_string(width));
  }
  const Shape expected{channels, (height - layer.kernel[0]) / layer.stride[0] + 1, (width - layer.kernel[1]) / layer.stride[1] + 1};
  if (output != expected)
    object.fail("output.shape", text_of(output) + " does not follow from the input, which gives " + text_of(expected));
}

class NetworkReader {
 public:
  NetworkReader(const std::string &path, const json &root) : root_(path, "", root) {}

  Network read() {
    root_.require_object("");
    root_.only({"format", "version", "name", "batch", "input", "layers", "output"});
    if (root_.text("format") != "coxswain-network") root_.fail("format", "'coxswain-network' is wanted");
    if (root_.at("version") != 1) root_.fail("version", root_.at("version").dump() + " is not 1");
    network_.file = root_.file();
    network_.name = root_.text("name");
    if (root_.has("batch")) network_.batch = root_.integer("batch", 1, kMostImages);
    read_input();
    const json &layers = root_.at("layers");
    if (!layers.is_array() || layers.empty()) root_.fail("layers", "a list of layers is wanted");
    for (std::size_t i = 0; i < layers.size(); ++i) read_layer(layers[i], i);
    read_output();
    return std::move(network_);
  }

 private:
  void read_input() {
    const Object input = root_.child("input");
    input.require_object("input");
    input.only({"name", "shape", "format", "scale", "zero_point"});
    network_.maps.push_back(read_map(input, input.text("name"), "input."));
    indices_[network_.maps[0].name] = 0;
  }

  void read_layer(const json &value, std::size_t index) {
    const Object nameless(root_.file(), std::to_string(index), value);
    nameless.require_object("");
    const std::string name = nameless.text("name");
    const Object object(root_.file(), name, value);
    if (indices_.contains(name)) object.fail("name", "used before");

    Layer layer;
    layer.name = name;
    const std::string operation = object.text("operation");
    const std::optional<Operation> found = operation_named(operation);
    if (!found) object.fail("operation", "unknown operation '" + operation + "'");
    layer.operation = *found;
    check_fields(object, layer);
    read_inputs(object, layer);

    const Object output = object.child("output");
    output.require_object("output");
    output.only({"shape", "format", "scale", "zero_point"});
    layer.output = network_.maps.size();
    network_.maps.push_back(read_map(output, name, "output."));
    check_operation(object, layer);
    indices_[name] = layer.output;
    network_.layers.push_back(std::move(layer));
  }

  static void check_fields(const Object &object, const Layer &layer) {
    switch (layer.operation) {
      case Operation::quantise: return object.only({"name", "operation", "inputs", "output"});
      case Operation::convolution:
        return object.only(
            {"name", "operation", "inputs", "kernel", "stride", "padding", "activation", "weights", "unquantised", "output"});
      case Operation::fully_connected:
        return object.only({"name", "operation", "inputs", "activation", "weights", "unquantised", "output"});
      case Operation::maximum_pool:
      case Operation::average_pool: return object.only({"name", "operation", "inputs", "kernel", "stride", "padding", "output"});
      case Operation::add: return object.only({"name", "operation", "inputs", "activation", "output"});
    }
  }

  void read_inputs(const Object &object, Layer &layer) {
    const std::size_t wanted = layer.operation == Operation::add ? 2 : 1;
    const json &inputs = object.at("inputs");
    if (!inputs.is_array() || inputs.size() != wanted) object.fail("inputs", "a list of " + std::to_string(wanted) + " names is wanted");
    for (const json &input : inputs) {
      const auto found = input.is_string() ? indices_.find(input.get<std::string>()) : indices_.end();
      if (found == indices_.end()) object.fail("inputs", input.dump() + " is neither the network's input nor a layer before this one");
      layer.inputs.push_back(found->second);
    }
  }

  void check_operation(const Object &object, Layer &layer) {
    const FeatureMap &output = network_.maps[layer.output];
    for (const std::size_t input : layer.inputs) {
      const bool wants_fp16 = layer.operation == Operation::quantise;
      if ((network_.maps[input].format == DataFmt::FP16) != wants_fp16) {
        object.fail("inputs", network_.maps[input].name + " is not " + (wants_fp16 ? "FP16" : "INT8"));
      }
    }
    if (output.format != DataFmt::INT8 && !layer.has_weights())
      object.fail("output.format", "FP16 comes from convolution and fully_connected alone");
    read_activation(object, layer);

    const Shape &input_shape = network_.input_of(layer).shape;
    switch (layer.operation) {
      case Operation::convolution:
      case Operation::fully_connected:
        read_geometry(object, input_shape, output.shape, output.shape.channels, layer);
        layer.weights = (std::filesystem::path(root_.file()).parent_path() / object.text("weights")).string();
        break;
      case Operation::maximum_pool:
      case Operation::average_pool: read_geometry(object, input_shape, output.shape, input_shape.channels, layer); break;
      case Operation::quantise:
      case Operation::add:
        for (const std::size_t input : layer.inputs) {
          if (network_.maps[input].shape != output.shape) {
            object.fail("output.shape", text_of(output.shape) + " is not the shape of " + network_.maps[input].name + ", " +
                                            text_of(network_.maps[input].shape));
          }
        }
        break;
    }
  }

  void read_activation(const Object &object, Layer &layer) {
    if (!object.has("activation")) return;
    const std::string activation = object.text("activation");
    if (activation != "relu" && activation != "none") object.fail("activation", "'" + activation + "' is not relu or none");
    layer.relu = activation == "relu";
    // The adder has no ReLU of its own: saturation at the zero point is one (docs/isa/tile.md, Arithmetic).
    if (layer.operation == Operation::add && layer.relu && network_.maps[layer.output].zero_point != -128) {
      object.fail("output.zero_point", "must be -128 where an add has a ReLU, which is saturation at the zero point");
    }
  }

  void read_output() {
    const Object output = root_.child("output");
    output.require_object("output");
    output.only({"name", "layer"});
    network_.output_name = output.text("name");
    const auto found = indices_.find(output.text("layer"));
    if (found == indices_.end() || found->second == 0) output.fail("output.layer", "no layer '" + output.text("layer") + "'");
    if (network_.output_name == network_.maps[0].name) output.fail("output.name", "is the input's name");
    network_.output = found->second;
    std::vector<bool> used(network_.maps.size());
    used[network_.output] = true;
    for (const Layer &layer : network_.layers) {
      for (const std::size_t input : layer.inputs) used[input] = true;
    }
    for (const Layer &layer : network_.layers) {
      if (!used[layer.output]) throw NetworkError(root_.file(), layer.name, "output", "is never used");
    }
  }

  Object root_;
  Network network_;
  std::map<std::string, std::size_t> indices_;  // of feature maps
};

}  // namespace

NetworkError::NetworkError(const std::string &file, const std::string &layer, const std::string &field, const std::string &message)
    : std::runtime_error(file + ": " + (layer.empty() ? "" : "layer " + layer + ": ") + (field.empty() ? "" : field + ": ") + message) {}

Network read_network(const std::string &path) {
  const std::vector<std::uint8_t> bytes = task::read_file(path);
  json root;
  try {
    root = json::parse(bytes);
  } catch (const json::exception &error) {  // a number that no type holds is no parse_error
    throw NetworkError(path, "", "", error.what());
  }
  return NetworkReader(path, root).read();
}

}  // namespace cox::lower
