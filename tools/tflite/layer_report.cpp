// SPDX-License-Identifier: MIT
#include "tools/tflite/layer_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "tflite/resolve.h"
#include "tools/run/picture/lane_picture.h"
#include "tools/run/picture/layer_colours.h"
#include "tools/tflite/text_table.h"

namespace cox::tools::tflite {

namespace {

using run::LanePicture;

std::uint64_t cycles_of(const LayerReport::Layer &layer) { return layer.time.end - layer.time.start; }

double ratio(std::uint64_t part, std::uint64_t whole) { return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole); }

}  // namespace

LayerReport report_of(const std::string &path, const ModelFile &file, const Session::Sizes &sizes, std::span<const InferenceTime> times) {
  LayerReport report{.file = path, .layers = {}, .cycles = {}, .sizes = sizes};
  for (const InferenceTime &time : times) report.cycles.push_back(time.cycles);
  const format::Model &model = file.model();
  for (std::size_t i = 0; i < model.operators(); ++i) {
    const format::OperatorView op = model.op(i);
    LayerReport::Layer layer{.index = i, .name = name_of(op), .output = {}, .time = {}};
    for (const std::int32_t output : op.outputs)
      layer.output += (layer.output.empty() ? "" : ", ") + shape_text(model.tensor(static_cast<std::size_t>(output)).shape);
    if (const Result<format::Operation> operation = format::resolve(model, i))
      layer.multiply_accumulates = format::multiply_accumulates(operation.value());
    if (!times.empty()) layer.time = times.front().layers[i];
    report.layers.push_back(std::move(layer));
  }
  return report;
}

std::string text_of(const LayerReport &report) {
  std::vector<std::vector<std::string>> rows = {{"#", "operator", "output", "cycles", "share", "MACs", "MACs/cycle", "DRAM bytes"}};
  const std::uint64_t total = report.cycles.empty() ? 0 : report.cycles.front();
  std::uint64_t multiply_accumulates = 0, dram_bytes = 0;
  for (const LayerReport::Layer &layer : report.layers) {
    multiply_accumulates += layer.multiply_accumulates;
    dram_bytes += layer.time.dram_bytes;
    rows.push_back({std::to_string(layer.index), layer.name, layer.output});
    if (layer.time.instructions == 0) {
      rows.back().emplace_back("copy");
      continue;
    }
    const std::uint64_t cycles = cycles_of(layer), macs = layer.multiply_accumulates;
    rows.back().insert(rows.back().end(),
                       {grouped(cycles), fmt::format("{:.1f} %", 100 * ratio(cycles, total)), macs == 0 ? "" : grouped(macs),
                        macs == 0 ? "" : fmt::format("{:.1f}", ratio(macs, cycles)), grouped(layer.time.dram_bytes)});
  }
  std::string text = table_of(rows, {0, 3, 4, 5, 6, 7});
  text +=
      fmt::format("{} cycles an inference ({} us at 1 GHz), {} multiply-accumulates ({:.1f} a cycle), {} bytes of DRAM\n", grouped(total),
                  run::microseconds(total), grouped(multiply_accumulates), ratio(multiply_accumulates, total), grouped(dram_bytes));
  text += fmt::format("{} instructions; arena {} bytes, constants {} bytes, program {} bytes\n", grouped(report.sizes.instructions),
                      grouped(report.sizes.arena_bytes), grouped(report.sizes.constant_bytes), grouped(report.sizes.program_bytes));
  if (report.cycles.size() > 1) {
    const auto [least, most] = std::ranges::minmax(report.cycles);
    text += fmt::format("{} inferences of {} to {} cycles\n", grouped(report.cycles.size()), grouped(least), grouped(most));
  }
  return text;
}

nlohmann::json json_of(const LayerReport &report) {
  nlohmann::json operators = nlohmann::json::array();
  for (const LayerReport::Layer &layer : report.layers) {
    operators.push_back({{"index", layer.index},
                         {"name", layer.name},
                         {"output", layer.output},
                         {"start_cycle", layer.time.start},
                         {"end_cycle", layer.time.end},
                         {"instructions", layer.time.instructions},
                         {"multiply_accumulates", layer.multiply_accumulates},
                         {"dram_bytes", layer.time.dram_bytes}});
  }
  return {{"file", report.file},
          {"inference_cycles", report.cycles},
          {"arena_bytes", report.sizes.arena_bytes},
          {"constant_bytes", report.sizes.constant_bytes},
          {"program_bytes", report.sizes.program_bytes},
          {"instructions", report.sizes.instructions},
          {"operators", std::move(operators)}};
}

void write_picture(std::ostream &out, const LayerReport &report) {
  LanePicture picture;
  const std::uint64_t total = report.cycles.empty() ? 0 : report.cycles.front();
  picture.title = report.file;
  picture.subtitle = fmt::format("one inference in {} cycles ({} µs at 1 GHz)", grouped(total), run::microseconds(total));
  picture.lanes_are = "operator";
  picture.span = std::max<std::uint64_t>(total, 1);
  for (const LayerReport::Layer &layer : report.layers) {
    if (layer.time.instructions == 0) continue;
    const std::string title = fmt::format("{} {}", layer.index, layer.name), cycles = grouped(cycles_of(layer));
    LanePicture::Box box{.lane = picture.lanes.size(),
                         .start = layer.time.start,
                         .end = layer.time.end,
                         .colour = run::layer_colour(static_cast<std::int32_t>(layer.index)),
                         .spoken = {},
                         .labels = {fmt::format("{}: {} cycles", layer.name, cycles), layer.name, std::to_string(layer.index)}};
    box.spoken = fmt::format("operator {}\noutput {}\n{} to {}: {} cycles", title, layer.output, grouped(layer.time.start),
                             grouped(layer.time.end), cycles);
    if (layer.multiply_accumulates > 0) box.spoken += fmt::format("\n{} multiply-accumulates", grouped(layer.multiply_accumulates));
    box.spoken += fmt::format("\n{} bytes of DRAM", grouped(layer.time.dram_bytes));
    picture.lanes.push_back({.name = title, .what = "output " + layer.output, .busy = cycles_of(layer), .rows = {}});
    picture.boxes.push_back(std::move(box));
  }
  picture.notes.emplace_back(
      "A lane is an operator of the model. A box lasts from the start of its first instruction to the end of its last.");
  run::write_lane_picture(out, picture);
}

}  // namespace cox::tools::tflite
