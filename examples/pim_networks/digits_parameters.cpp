// SPDX-License-Identifier: MIT
// Parameters of the digits from examples/digits: network.json has the scales, the weights files have INT8 weights, FP32 factors and biases.
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "examples/pim_networks/parameters.h"

namespace cox::pim_networks {

namespace {

constexpr double kLogitScale = 0.2;  // of INT8 logits

std::vector<char> read_file(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path.string() + " cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

class Description {
 public:
  explicit Description(const std::filesystem::path &folder) : folder_(folder) {
    const std::vector<char> text = read_file(folder / "network.json");
    const nlohmann::json document = nlohmann::json::parse(text.begin(), text.end());
    for (const nlohmann::json &layer : document.at("layers")) layers_[layer.at("name").get<std::string>()] = layer;
  }

  [[nodiscard]] double scale(const std::string &layer) const { return layers_.at(layer).at("output").at("scale").get<double>(); }
  [[nodiscard]] std::int32_t zero_point(const std::string &layer) const {
    return layers_.at(layer).at("output").at("zero_point").get<std::int32_t>();
  }
  [[nodiscard]] std::vector<char> weights(const std::string &layer) const {
    return read_file(folder_ / layers_.at(layer).at("weights").get<std::string>());
  }

 private:
  std::filesystem::path folder_;
  std::map<std::string, nlohmann::json> layers_;
};

/// A file has the weights, then the factor of each filter, then its bias.
LayerParameters convert(const Layer &layer, const std::vector<char> &file, std::uint32_t filter_weights, double input_scale,
                        double output_scale) {
  LayerParameters made;
  const std::size_t weights = std::size_t{filter_weights} * layer.channels;
  if (file.size() != weights + 8 * std::size_t{layer.channels})
    throw std::runtime_error(std::string(layer.name) + ": weights of another size");
  made.weights.assign(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(weights));
  for (std::size_t filter = 0; filter < layer.channels; ++filter) {
    float factor = 0, bias = 0;
    std::memcpy(&factor, &file[weights + 4 * filter], 4);
    std::memcpy(&bias, &file[weights + 4 * (layer.channels + filter)], 4);
    const double step = input_scale * double{factor};
    made.biases.push_back(static_cast<std::int32_t>(std::llround(double{bias} / step)));
    const Factor quantised = factor_of(step / output_scale);
    made.multipliers.push_back(quantised.multiplier);
    made.shifts.push_back(quantised.shift);
  }
  return made;
}

}  // namespace

Parameters digits_parameters(const std::filesystem::path &folder) {
  const Description description(folder);
  // The scales of each layer's input, and of its convolution. "residual" is conv3 and the sum behind it.
  const std::map<std::string, std::array<std::string, 2>> sources = {
      {"conv1", {"quantise", "conv1"}}, {"conv2", {"conv1", "conv2"}}, {"residual", {"pool", "conv3"}}, {"logits", {"average", "logits"}}};
  Parameters parameters;
  double average_scale = 0;
  for (const Layer &layer : kDigits.layers) {
    LayerParameters &made = parameters.emplace_back();
    const std::string name = layer.name;
    if (!layer.is_convolution()) continue;
    const auto &[input, sums] = sources.at(name);
    // An average keeps the scale of its input here.
    const double input_scale = name == "logits" ? average_scale : description.scale(input);
    const double sum_scale = name == "logits" ? kLogitScale : description.scale(sums);
    made = convert(layer, description.weights(sums), kDigits.filter_weights(layer), input_scale, sum_scale);
    if (!layer.has_shortcut()) continue;
    if (description.zero_point(sums) != layer.sum_zero_point) throw std::runtime_error("network.json: conv3 has another zero point");
    average_scale = description.scale("residual");
    made.add =
        add_block({sum_scale, input_scale}, layer.sum_zero_point, kDigits.zero_point_of(layer.shortcut), average_scale, layer.zero_point);
  }
  return parameters;
}

std::vector<std::int8_t> digits_images(const std::filesystem::path &folder) {
  const std::vector<char> file = read_file(folder / "images.bin");  // FP16, from 0 to 1
  const double scale = Description(folder).scale("quantise");
  std::vector<std::int8_t> images;
  for (std::size_t i = 0; i + 1 < file.size(); i += 2) {
    std::uint16_t half = 0;
    std::memcpy(&half, &file[i], 2);
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    const double value = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    images.push_back(static_cast<std::int8_t>(std::min(std::lround(value / scale) - 128, 127L)));
  }
  return images;
}

}  // namespace cox::pim_networks
