// SPDX-License-Identifier: MIT
#include "tools/lower/plan/rows.h"

#include <algorithm>

#include "tools/lower/emit/resize.h"

namespace cox::lower {
namespace {

Rows own_rows(std::uint32_t height, unsigned core, unsigned cores) {
  return {std::int64_t{height} * core / cores, std::int64_t{height} * (core + 1) / cores};
}

/// Returns the map whose rows the cores divide among themselves in a step.
std::size_t map_of(const Network &network, const Step &step) {
  switch (step.kind) {
    case Step::Kind::load: return 0;
    case Step::Kind::store: return network.output;
    case Step::Kind::layer: break;
  }
  return network.layers[step.layer].output;
}

std::int64_t floor_divide(std::int64_t value, std::int64_t divisor) { return value / divisor - (value % divisor < 0 ? 1 : 0); }

/// Returns the input rows that a convolution or a pool needs for `output`.
Rows under_kernel(const Layer &layer, const Rows &output) {
  const std::int64_t first = output.first * layer.stride[0] - layer.padding.top;
  const std::int64_t last = (output.end - 1) * layer.stride[0] - layer.padding.top + std::int64_t{layer.kernel[0] - 1} * layer.dilation[0];
  const std::int64_t apart = layer.upsample[0];
  return {floor_divide(first + apart - 1, apart), floor_divide(last, apart) + 1};
}

/// Returns the input rows that a resize needs for `output`. Outside the map, the resize repeats the map's edge row.
Rows under_resize(const Layer &layer, std::uint32_t from, std::uint32_t to, const Rows &output) {
  const Fraction fraction = fraction_of(layer, from, to);
  const auto row = [&fraction](std::int64_t i) {
    return floor_divide(2 * i * fraction.numerator + fraction.offset, 2 * fraction.denominator);
  };
  const std::int64_t last = std::int64_t{from} - 1;
  return {std::clamp<std::int64_t>(row(output.first), 0, last),
          std::clamp<std::int64_t>(row(output.end - 1) + (layer.bilinear ? 1 : 0), 0, last) + 1};
}

}  // namespace

Step share_of(const Work &work, const Step &step, unsigned core) {
  Step share = step;
  if (work.plan.division != Division::rows) return share;
  const Rows rows = own_rows(work.network.maps[map_of(work.network, step)].shape.height, core, work.plan.cores);
  share.first_row = static_cast<std::uint32_t>(rows.first);
  share.rows = static_cast<std::uint32_t>(rows.end - rows.first);
  if (share.rows == 0) share.images = 0;
  return share;
}

Rows rows_needed(const Network &network, const Layer &layer, std::size_t input, const Rows &output) {
  const std::uint32_t height = network.maps[input].shape.height;
  Rows rows = output;
  switch (layer.operation) {
    case Operation::convolution:
    case Operation::transposed_convolution:
    case Operation::fully_connected:
    case Operation::maximum_pool:
    case Operation::average_pool: rows = under_kernel(layer, output); break;
    case Operation::resize: return under_resize(layer, height, network.output_of(layer).shape.height, output);
    case Operation::global_average_pool: return {0, height};
    default:
      if (height != network.output_of(layer).shape.height) return {0, height};  // the input has one row, which serves all output rows
      break;
  }
  return {std::max<std::int64_t>(rows.first, 0), std::min<std::int64_t>(rows.end, height)};
}

RowExchange::RowExchange(const Work &work) : work_(work) {
  std::vector<std::vector<bool>> none;
  for (const FeatureMap &map : work.network.maps) none.emplace_back(map.shape.height, false);
  present_.assign(work.plan.cores, none);
}

void RowExchange::before(const Step &step) {
  transfers_.clear();
  if (step.kind == Step::Kind::layer) {
    const Layer &layer = work_.network.layers[step.layer];
    for (unsigned core = 0; core < work_.plan.cores; ++core) {
      const Step share = share_of(work_, step, core);
      if (share.images == 0) continue;
      const Rows output{share.first_row, std::int64_t{share.first_row} + share.rows};
      for (const std::size_t input : layer.inputs) collect(input, core, rows_needed(work_.network, layer, input, output));
    }
  }
  // All transfers of the same map from the same core share one so_sync.
  const Origin origin{static_cast<std::int32_t>(step.layer)};
  for (std::size_t i = 0; i < transfers_.size(); ++i) {
    const Transfer &first = transfers_[i];
    const auto same = [&first](const Transfer &other) { return other.map == first.map && other.from == first.from; };
    if (std::any_of(transfers_.begin(), transfers_.begin() + static_cast<std::ptrdiff_t>(i), same)) continue;
    Rows all = first.rows;
    for (const Transfer &transfer : transfers_) {
      if (same(transfer)) all = {std::min(all.first, transfer.rows.first), std::max(all.end, transfer.rows.end)};
    }
    const Link link = work_.links.announce(origin, first.from, row_address(work_, first.map, step.first_image, all.first),
                                           row_address(work_, first.map, step.first_image + step.images - 1, all.end));
    for (const Transfer &transfer : transfers_) {
      if (same(transfer)) fetch(step, origin, transfer, link);
    }
    work_.links.defer(link);
  }
}

/// Collects the missing rows as ranges. All rows of a range have the same owner.
void RowExchange::collect(std::size_t map, unsigned core, const Rows &needed) {
  std::vector<bool> &present = present_[core][map];
  const std::uint32_t height = work_.network.maps[map].shape.height;
  for (unsigned owner = 0; owner < work_.plan.cores; ++owner) {
    const Rows own = own_rows(height, owner, work_.plan.cores);
    for (std::int64_t row = std::max(needed.first, own.first); row < std::min(needed.end, own.end); ++row) {
      if (present[static_cast<std::size_t>(row)]) continue;
      present[static_cast<std::size_t>(row)] = true;
      const bool goes_on = !transfers_.empty() && transfers_.back().map == map && transfers_.back().from == owner &&
                           transfers_.back().to == core && transfers_.back().rows.end == row;
      if (!goes_on) transfers_.push_back({map, owner, core, {row, row}});
      ++transfers_.back().rows.end;
    }
  }
}

void RowExchange::fetch(const Step &step, const Origin &origin, const Transfer &transfer, const Link &link) {
  const FeatureMap &map = work_.network.maps[transfer.map];
  const std::int64_t address = row_address(work_, transfer.map, step.first_image, transfer.rows.first);
  work_.emitter.select(transfer.to);
  work_.emitter.configure("si_cfg", origin,
                          {{"DF", name_of(map.format)}, shape_field("STile", map.shape), shape_field("DTile", map.shape)});
  work_.emitter.emit("si_mov", origin,
                     {{"CORE", transfer.from},
                      {"DBSG", 0},
                      {"STaddr", address},
                      {"DTaddr", address},
                      {"Tile", {step.images, map.shape.channels, transfer.rows.end - transfer.rows.first, map.shape.width}},
                      {"Prev_Cores", 0},
                      {"Next_Cores", 0}},
                     Links::heard(link));
}

void RowExchange::behind(const Step &step) {
  if (step.kind == Step::Kind::store) return;
  const std::size_t map = map_of(work_.network, step);
  for (unsigned core = 0; core < work_.plan.cores; ++core) {
    std::vector<bool> &present = present_[core][map];
    const Rows own = own_rows(static_cast<std::uint32_t>(present.size()), core, work_.plan.cores);
    for (std::size_t row = 0; row < present.size(); ++row) {
      present[row] = static_cast<std::int64_t>(row) >= own.first && static_cast<std::int64_t>(row) < own.end;
    }
  }
}

}  // namespace cox::lower
