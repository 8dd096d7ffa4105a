// SPDX-License-Identifier: MIT
#include "tools/tflite/layer_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "coxswain/tflite/resolve.h"
#include "tools/run/picture/lane_picture.h"
#include "tools/run/picture/layer_colours.h"
#include "tools/tflite/text_table.h"

namespace cox::tools::tflite {

namespace {

using run::LanePicture;

std::uint64_t cycles_of(const LayerReport::Layer &layer) { return layer.time.end - layer.time.start; }

double ratio(std::uint64_t part, std::uint64_t whole) { return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole); }

/// For example "0, 2 to 4".
std::string units_text(const LayerTime &time) {
  std::string text;
  for (std::size_t i = 0; i < time.units.size();) {
    std::size_t last = i;
    while (last + 1 < time.units.size() && time.units[last + 1].unit == time.units[last].unit + 1) ++last;
    text += fmt::format("{}{}", i == 0 ? "" : ", ", time.units[i].unit);
    if (last > i) text += fmt::format(" to {}", time.units[last].unit);
    i = last + 1;
  }
  return text;
}

nlohmann::json units_json(const LayerTime &time) {
  nlohmann::json units = nlohmann::json::array();
  for (const UnitTime &unit : time.units) units.push_back({{"unit", unit.unit}, {"start_cycle", unit.start}, {"end_cycle", unit.end}});
  return units;
}

/// A box in a lane for an operator, or for what one unit does of it.
LanePicture::Box box_of(const LayerReport::Layer &layer, std::size_t lane, std::uint64_t start, std::uint64_t end,
                        const std::string &place) {
  const std::string title = fmt::format("{} {}", layer.index, layer.name), cycles = grouped(end - start);
  LanePicture::Box box{.lane = lane,
                       .start = start,
                       .end = end,
                       .colour = run::layer_colour(static_cast<std::int32_t>(layer.index)),
                       .spoken = {},
                       .labels = {fmt::format("{}: {} cycles", layer.name, cycles), layer.name, std::to_string(layer.index)}};
  box.spoken =
      fmt::format("operator {}{}\noutput {}\n{} to {}: {} cycles", title, place, layer.output, grouped(start), grouped(end), cycles);
  if (layer.multiply_accumulates > 0) box.spoken += fmt::format("\n{} multiply-accumulates", grouped(layer.multiply_accumulates));
  box.spoken += fmt::format("\n{} bytes of DRAM", grouped(layer.time.dram_bytes));
  return box;
}

void draw_operators(LanePicture &picture, const LayerReport &report) {
  picture.lanes_are = "operator";
  for (const LayerReport::Layer &layer : report.layers) {
    if (layer.time.instructions == 0) continue;
    picture.boxes.push_back(box_of(layer, picture.lanes.size(), layer.time.start, layer.time.end, ""));
    picture.lanes.push_back(
        {.name = fmt::format("{} {}", layer.index, layer.name), .what = "output " + layer.output, .busy = cycles_of(layer), .rows = {}});
  }
  picture.notes.emplace_back(
      "A lane is an operator of the model. A box lasts from the start of its first instruction to the end of its last.");
}

void draw_units(LanePicture &picture, const LayerReport &report) {
  picture.lanes_are = "unit";
  for (unsigned unit = 0; unit < report.sizes.units; ++unit)
    picture.lanes.push_back({.name = fmt::format("unit {}", unit), .what = {}, .rows = {}});
  for (const LayerReport::Layer &layer : report.layers) {
    for (const UnitTime &time : layer.time.units) {
      picture.lanes[time.unit].busy += time.end - time.start;
      picture.boxes.push_back(box_of(layer, time.unit, time.start, time.end, fmt::format(" on unit {}", time.unit)));
    }
  }
  picture.notes.emplace_back(
      "A lane is a unit. A box is an operator of the model, from the start of its first instruction on the unit to the end of its last.");
}

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
  const bool side_by_side = report.sizes.units > 1;
  if (side_by_side) rows.front().emplace_back("units");
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
    if (side_by_side) rows.back().push_back(units_text(layer.time));
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
                         {"units", units_json(layer.time)},
                         {"multiply_accumulates", layer.multiply_accumulates},
                         {"dram_bytes", layer.time.dram_bytes}});
  }
  return {{"file", report.file},
          {"inference_cycles", report.cycles},
          {"arena_bytes", report.sizes.arena_bytes},
          {"constant_bytes", report.sizes.constant_bytes},
          {"program_bytes", report.sizes.program_bytes},
          {"instructions", report.sizes.instructions},
          {"units", report.sizes.units},
          {"peak_macs_per_cycle", report.sizes.peak_macs_per_cycle},
          {"dram_bytes_per_cycle", report.sizes.dram_bytes_per_cycle},
          {"operators", std::move(operators)}};
}

void write_picture(std::ostream &out, const LayerReport &report) {
  LanePicture picture;
  const std::uint64_t total = report.cycles.empty() ? 0 : report.cycles.front();
  picture.title = report.file;
  picture.subtitle = fmt::format("one inference in {} cycles ({} µs at 1 GHz)", grouped(total), run::microseconds(total));
  picture.span = std::max<std::uint64_t>(total, 1);
  if (report.sizes.units > 1) {
    draw_units(picture, report);
  } else {
    draw_operators(picture, report);
  }
  run::write_lane_picture(out, picture);
}

}  // namespace cox::tools::tflite
