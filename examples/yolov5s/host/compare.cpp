// SPDX-License-Identifier: MIT
#include "examples/yolov5s/host/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "examples/yolov5s/detect.h"
#include "examples/yolov5s/host/error.h"
#include "examples/yolov5s/host/evaluate.h"
#include "examples/yolov5s/host/picture.h"
#include "examples/yolov5s/layers.h"

namespace cox::yolov5s {
namespace {

struct FloatValues {
  std::span<const float> values;
  std::size_t pixels;
  float operator()(std::uint32_t channel, std::uint32_t pixel) const { return values[channel * pixels + pixel]; }
};

double overlap(const Box &a, const Box &b) {
  const double width = std::min(a.x2, b.x2) - std::max(a.x1, b.x1);
  const double height = std::min(a.y2, b.y2) - std::max(a.y1, b.y1);
  if (!(width > 0) || !(height > 0)) return 0;
  const auto area = [](const Box &box) { return (double{box.x2} - box.x1) * (double{box.y2} - box.y1); };
  return width * height / (area(a) + area(b) - width * height);
}

/// Checks that the run has ended well and that its records agree with the network.
void check_records(const MachineData &data, const LayerList &layers) {
  if (data.head.state == State::failed) {
    const std::string text(data.error_text, strnlen(data.error_text, sizeof(data.error_text)));
    throw FileError("the run has failed: " + text);
  }
  if (data.head.state != State::done) throw FileError("the DRAM is not that of a run which ended");
  if (data.layer_count != layers.count()) {
    throw FileError(fmt::format("the run left {} layers; the network has {}", data.layer_count, layers.count()));
  }
  for (std::uint32_t i = 0; i < layers.count(); ++i) {
    const Layer &layer = layers.layers()[i];
    const LayerRecord &record = data.layers[i];
    if (record.kind != layer.kind || record.channels != layer.output.channels || record.height != layer.output.height ||
        record.width != layer.output.width) {
      throw FileError(fmt::format("the run's record of {} is that of another layer", layer.name.view()));
    }
  }
  if (const std::uint32_t boxes = std::max(data.detection.box_count, data.frames[0].box_count); boxes > kMostBoxes) {
    throw FileError(fmt::format("the run left {} boxes; there is room for {}", boxes, kMostBoxes));
  }
}

/// Unpacks the device's activations. A slice that no layer has written stays zero.
void unpack_all(DramImage &dram, const LayerList &layers, Activations &activations) {
  const Map &input = layers.tensors()[kInputTensor];
  const auto fill = [&](const Map &map, std::uint64_t address, const char *what) {
    const std::vector<float> values = dram.unpack(address, map, what);
    std::copy(values.begin(), values.end(), activations.of(map).begin());
  };
  fill(input, dram.data().input.address, "the packed image");
  for (std::uint32_t i = 0; i < layers.count(); ++i) {
    const Layer &layer = layers.layers()[i];
    fill(layer.output, dram.data().layers[i].address, layer.name.c_str());
  }
}

std::vector<Box> detect(const MachineData &data, const LayerList &layers, Activations &activations) {
  const auto detector = std::make_unique<Detector>();
  detector->start(data.least_score, data.most_overlap);
  for (std::uint32_t scale = 0; scale < kScales; ++scale) {
    const Map &map = layers.values(scale);
    detector->add_scale(scale, map.height, map.width, FloatValues{activations.of(map), std::size_t{map.height} * map.width});
  }
  const std::span<const Box> boxes = detector->finish();
  return {boxes.begin(), boxes.end()};
}

std::span<const Box> boxes_of(const Detection &detection) { return std::span(detection.boxes).first(detection.box_count); }

bool same(std::span<const Box> a, std::span<const Box> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Box &one, const Box &other) {
    return one.x1 == other.x1 && one.y1 == other.y1 && one.x2 == other.x2 && one.y2 == other.y2 && one.score == other.score &&
           one.class_number == other.class_number;
  });
}

const char *kind_name(LayerKind kind) {
  switch (kind) {
    case LayerKind::convolution: return "conv";
    case LayerKind::add: return "add";
    case LayerKind::max_pool: return "max pool";
    case LayerKind::upsample: return "upsample";
    case LayerKind::sigmoid: return "sigmoid";
  }
  return "";
}

std::string decibels(double value) { return std::isinf(value) ? "exact" : fmt::format("{:.1f}", value); }

}  // namespace

double signal_to_noise(std::span<const float> wanted, std::span<const float> got) {
  double signal = 0;
  double noise = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const double difference = double{wanted[i]} - double{got[i]};
    signal += double{wanted[i]} * double{wanted[i]};
    noise += difference * difference;
  }
  if (noise == 0) return std::numeric_limits<double>::infinity();
  return 10 * std::log10(signal / noise);
}

std::uint32_t match_boxes(std::span<const Box> wanted, std::span<const Box> got) {
  std::vector<bool> taken(got.size());
  std::uint32_t matched = 0;
  for (const Box &box : wanted) {
    std::size_t best = got.size();
    double most = kLeastOverlap;
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (taken[i] || got[i].class_number != box.class_number) continue;
      const double share = overlap(box, got[i]);
      if (share > most || (share == most && best == got.size())) {
        most = share;
        best = i;
      }
    }
    if (best == got.size()) continue;
    taken[best] = true;
    ++matched;
  }
  return matched;
}

double Comparison::matched_share() const {
  const std::uint32_t all = std::max(wanted_boxes, got_boxes);
  return all == 0 ? 1.0 : static_cast<double>(matched_boxes) / all;
}

std::vector<std::string> Comparison::misses() const {
  std::vector<std::string> result;
  for (const LayerComparison &layer : layers) {
    if (!(layer.alone > kLeastLayerDecibels)) {
      result.push_back(
          fmt::format("{}: {:.1f} dB on the device's inputs, more than {} are wanted", layer.name, layer.alone, kLeastLayerDecibels));
    }
    if (layer.is_output && !(layer.accumulated > kLeastOutputDecibels)) {
      result.push_back(
          fmt::format("{}: {:.1f} dB accumulated, more than {} are wanted", layer.name, layer.accumulated, kLeastOutputDecibels));
    }
  }
  if (matched_share() < kLeastMatched) {
    result.push_back(fmt::format("{} of {} boxes are matched, {:.0f} % are wanted", matched_boxes, std::max(wanted_boxes, got_boxes),
                                 100 * kLeastMatched));
  }
  if (!boxes_are_decoded) result.emplace_back("the device's boxes are not what its outputs decode to");
  if (!frames_agree) result.emplace_back("the first of the pictures in a row has other boxes than by itself");
  return result;
}

Comparison compare(DramImage &dram, const Weights &weights) {
  const MachineData &data = dram.data();
  const auto layers = std::make_unique<LayerList>();
  if (const Status status = build(*layers, data.height, data.width); !status.ok()) {
    throw FileError(fmt::format("DRAM: {} {} is no multiple of {}", status.what(), status.value(), status.limit()));
  }
  check_records(data, *layers);
  // This checks the sides before memory is allocated, because a damaged block may state huge ones.
  const std::span<const std::uint8_t> picture = dram.picture(0);
  Activations device(*layers);
  unpack_all(dram, *layers, device);

  Activations exact(*layers);
  const Map &input = layers->tensors()[kInputTensor];
  space_to_depth(planes_of(picture), data.height, data.width, exact.of(input));
  Evaluator evaluator;
  evaluator.network(*layers, weights, exact);

  Comparison result;
  result.input = signal_to_noise(exact.of(input), device.of(input));
  std::size_t convolution = 0;
  std::vector<float> output;
  for (std::uint32_t i = 0; i < layers->count(); ++i) {
    const Layer &layer = layers->layers()[i];
    const LayerRecord &record = data.layers[i];
    const bool convolves = layer.kind == LayerKind::convolution;
    const std::span<const float> second = layer.kind == LayerKind::add ? device.of(layer.input2) : std::span<float>();
    output.resize(device.of(layer.output).size());
    evaluator.layer(layer, device.of(layer.input1), second, convolves ? &weights[convolution++] : nullptr, output);
    bool is_output = false;
    for (std::uint32_t scale = 0; scale < kScales; ++scale) {
      is_output = is_output || layer.output.tensor == layers->logits(scale).tensor || layer.output.tensor == layers->values(scale).tensor;
    }
    result.layers.push_back({std::string(layer.name.view()), layer.kind, layer.output.channels, layer.output.height, layer.output.width,
                             layer.multiply_accumulates, signal_to_noise(output, device.of(layer.output)),
                             signal_to_noise(exact.of(layer.output), device.of(layer.output)), record.device_cycles,
                             record.control_instructions, is_output});
  }
  const std::span<const Box> got = boxes_of(data.detection);
  const std::vector<Box> wanted = detect(data, *layers, exact);
  result.boxes_are_decoded = same(detect(data, *layers, device), got);
  result.wanted_boxes = static_cast<std::uint32_t>(wanted.size());
  result.frames_agree = same(boxes_of(data.frames[0]), got);
  result.got_boxes = data.detection.box_count;
  result.boxes.assign(got.begin(), got.end());
  result.matched_boxes = match_boxes(wanted, got);
  return result;
}

std::string comparison_text(const Comparison &comparison, const MachineData &data) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{:<22} {:<8} {:>15} {:>9} {:>9} {:>9} {:>10} {:>9}\n", "layer", "kind", "output", "MMAC", "alone dB", "total dB",
                 "cycles", "core");
  for (const LayerComparison &layer : comparison.layers) {
    const std::string shape = fmt::format("{} x {} x {}", layer.channels, layer.height, layer.width);
    const auto mega = static_cast<double>(layer.multiply_accumulates) * 1e-6;
    fmt::format_to(out, "{:<22} {:<8} {:>15} {:>9} {:>9} {:>9} {:>10} {:>9}\n", layer.name, kind_name(layer.kind), shape,
                   mega > 0 ? fmt::format("{:.1f}", mega) : "", decibels(layer.alone), decibels(layer.accumulated),
                   layer.device_cycles != 0 ? fmt::format("{}", layer.device_cycles) : "",
                   layer.control_instructions != 0 ? fmt::format("{}", layer.control_instructions) : "");
  }
  double least = std::numeric_limits<double>::infinity();
  double least_output = least;
  for (const LayerComparison &layer : comparison.layers) {
    least = std::min(least, layer.alone);
    if (layer.is_output) least_output = std::min(least_output, layer.accumulated);
  }
  fmt::format_to(out, "\nlayers alone: at least {:.1f} dB (more than {} are wanted); outputs: at least {:.1f} dB (more than {})\n", least,
                 kLeastLayerDecibels, least_output, kLeastOutputDecibels);
  fmt::format_to(out, "boxes: {} in FP32, {} on the device, {} matched: {:.1f} % ({:.0f} % are wanted)\n", comparison.wanted_boxes,
                 comparison.got_boxes, comparison.matched_boxes, 100 * comparison.matched_share(), 100 * kLeastMatched);
  if (data.network_cycles != 0) fmt::format_to(out, "network: {} device cycles\n", data.network_cycles);
  if (data.frames_cycles != 0) {
    fmt::format_to(out, "frames: {} in a row, {} device cycles each\n", data.picture_count, data.frames_cycles / data.picture_count);
  }
  for (std::uint32_t i = 0; i < std::min(data.stage_count, kStages); ++i) {
    const StageRecord &stage = data.stages[i];
    const std::string name(stage.name, strnlen(stage.name, sizeof(stage.name)));
    fmt::format_to(out, "stage {:<10} {:>12} cycles {:>12} instructions\n", name, stage.device_cycles, stage.control_instructions);
  }
  for (const std::string &miss : comparison.misses()) fmt::format_to(out, "MISSED: {}\n", miss);
  return fmt::to_string(text);
}

std::string comparison_json(const Comparison &comparison, const MachineData &data) {
  using nlohmann::ordered_json;
  // A ratio of signal to noise is infinite if the device's values equal those of FP32. JSON has no infinity, so the ratio is then null.
  const auto finite = [](double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr); };
  ordered_json result;
  result["layers"] = ordered_json::array();
  for (const LayerComparison &layer : comparison.layers) {
    result["layers"].push_back({{"name", layer.name},
                                {"kind", kind_name(layer.kind)},
                                {"output", {layer.channels, layer.height, layer.width}},
                                {"multiply_accumulates", layer.multiply_accumulates},
                                {"alone_db", finite(layer.alone)},
                                {"total_db", finite(layer.accumulated)},
                                {"device_cycles", layer.device_cycles},
                                {"control_instructions", layer.control_instructions}});
  }
  result["boxes"] = {{"fp32", comparison.wanted_boxes}, {"device", comparison.got_boxes}, {"matched", comparison.matched_boxes}};
  result["boxes"]["list"] = ordered_json::array();
  for (const Box &box : comparison.boxes) {
    result["boxes"]["list"].push_back(
        {{"left", box.x1}, {"top", box.y1}, {"right", box.x2}, {"bottom", box.y2}, {"score", box.score}, {"class", box.class_number}});
  }
  result["network_cycles"] = data.network_cycles;
  result["frames"] = {{"count", data.picture_count}, {"cycles", data.frames_cycles}};
  result["stages"] = ordered_json::array();
  for (std::uint32_t i = 0; i < std::min(data.stage_count, kStages); ++i) {
    const StageRecord &stage = data.stages[i];
    result["stages"].push_back({{"name", std::string(stage.name, strnlen(stage.name, sizeof(stage.name)))},
                                {"device_cycles", stage.device_cycles},
                                {"control_instructions", stage.control_instructions}});
  }
  result["misses"] = comparison.misses();
  return result.dump(1) + "\n";
}

}  // namespace cox::yolov5s
