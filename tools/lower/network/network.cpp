// SPDX-License-Identifier: MIT
#include "tools/lower/network/network.h"

#include <cmath>
#include <map>

#include "coxswain/isa/tile/table.h"
#include "tools/file/file.h"
#include "tools/json/parse.h"
#include "tools/lower/network/layer_reader.h"

namespace cox::lower {
namespace {

using isa::tile::DataFmt;
using nlohmann::json;

constexpr std::string_view kNetworkFields[] = {"$schema", "format", "version", "name", "batch", "input", "layers", "output"};
constexpr std::string_view kInputFields[] = {"name", "shape", "format", "scale", "zero_point"};
constexpr std::string_view kMapFields[] = {"shape", "format", "scale", "zero_point"};
constexpr std::string_view kOutputFields[] = {"name", "layer"};

/// Reads shape, format, scale and zero point. In messages, `prefix` precedes the names of these fields, as in `output.scale`.
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

class NetworkReader {
 public:
  NetworkReader(const std::string &path, const json &root) : root_(path, "", root) {}

  Network read() {
    root_.require_object("");
    root_.only(kNetworkFields);
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
    input.only(kInputFields);
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
    const OperationRules &rules = rules_of(object);
    layer.operation = rules.operation;
    read_inputs(object, rules, layer);

    const Object output = object.child("output");
    output.require_object("output");
    output.only(kMapFields);
    layer.output = network_.maps.size();
    network_.maps.push_back(read_map(output, name, "output."));
    read_operation(object, rules, network_, layer);
    indices_[name] = layer.output;
    network_.layers.push_back(std::move(layer));
  }

  void read_inputs(const Object &object, const OperationRules &rules, Layer &layer) {
    const json &inputs = object.at("inputs");
    if (!inputs.is_array() || inputs.size() < rules.least_inputs || inputs.size() > rules.most_inputs) {
      const std::string least = std::to_string(rules.least_inputs);
      const std::string count = rules.least_inputs == rules.most_inputs ? least : least + " to " + std::to_string(rules.most_inputs);
      object.fail("inputs", "a list of " + count + " names is wanted");
    }
    for (const json &input : inputs) {
      const auto found = input.is_string() ? indices_.find(input.get<std::string>()) : indices_.end();
      if (found == indices_.end()) {
        const std::string near = input.is_string() ? near_map(input.get<std::string>()) : "";
        object.fail("inputs", input.dump() + " is neither the network's input nor a layer before this one" + near);
      }
      layer.inputs.push_back(found->second);
    }
  }

  void read_output() {
    const Object output = root_.child("output");
    output.require_object("output");
    output.only(kOutputFields);
    network_.output_name = output.text("name");
    const auto found = indices_.find(output.text("layer"));
    if (found == indices_.end() || found->second == 0)
      output.fail("output.layer", "no layer '" + output.text("layer") + "'" + near_map(output.text("layer")));
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

  [[nodiscard]] std::string near_map(const std::string &name) const { return tools::did_you_mean(name, network_.maps, &FeatureMap::name); }

  Object root_;
  Network network_;
  std::map<std::string, std::size_t> indices_;  // indices of feature maps, by name
};

}  // namespace

NetworkError::NetworkError(const std::string &file, const std::string &layer, const std::string &field, const std::string &message)
    : tools::FileError(file + ": " + (layer.empty() ? "" : "layer " + layer + ": ") + (field.empty() ? "" : field + ": ") + message) {}

Network read_network(const std::string &path) {
  const std::vector<std::uint8_t> bytes = tools::read_file(path);
  const json root = tools::parse_json(bytes, path);
  return NetworkReader(path, root).read();
}

}  // namespace cox::lower
