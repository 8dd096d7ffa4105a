// SPDX-License-Identifier: MIT
// Which rows the cores of a Pipeline send each other, and where they lie. Sender and receiver compute the same.
#pragma once

#include <algorithm>

#include "examples/pim_networks/pipeline.h"
#include "examples/pim_networks/pipeline_memory.h"

namespace cox::pim_networks {

/// What a core needs a row for.
enum class Use : std::uint8_t { input, shortcut, last_stage };
inline constexpr Use kUses[] = {Use::input, Use::shortcut, Use::last_stage};

/// Rows of its input that rows of a layer need.
inline Rows input_rows(unsigned number, const Rows &rows) {
  const Layer &layer = layer_of(number);
  const auto side = static_cast<std::int32_t>(kResnet18.side_of(layer.input));
  return Rows{rows.first * layer.stride - layer.padding, (rows.end - 1) * layer.stride - layer.padding + layer.kernel}.common({0, side});
}

/// Rows of the image that a unit of the stem needs. Behind the first unit, the first kHalo rows are also rows of the unit before it.
inline constexpr std::int32_t kHalo = 7;
inline Rows image_rows(const Unit &stem) {
  const std::int32_t first = stem.rows.first == 0 ? 0 : 2 * stem.rows.first - 1, end = 2 * stem.rows.end;  // rows of the convolution
  return {2 * first - 3, 2 * (end - 1) + 4};
}

class Routes {
 public:
  Routes(const Pipeline &pipeline, const isa::pim::Configuration &configuration) : pipeline_(pipeline), memory_(configuration) {
    for (const Unit &unit : pipeline.units()) {
      // The convolution of a core that also has its projection is behind it, and needs the same rows.
      if (unit.layer != kPool) layers_[unit.core] = &unit;
    }
  }

  /// Rows of `maker`'s that a core needs.
  [[nodiscard]] Rows needed(unsigned core, Use use, const Unit &maker) const {
    if (use == Use::last_stage) {
      const unsigned band = core / Pipeline::kLastBlocks;
      if (maker.layer != kStageFour - 1 || band >= pipeline_.last_bands()) return {};
      return input_rows(kStageFour + 1, pipeline_.last_rows(band)).common(maker.rows);
    }
    const Unit *const unit = layers_[core];
    if (unit == nullptr) return {};
    const Layer &layer = layer_of(unit->layer);
    if (use == Use::input) return layer.input == maker.layer ? input_rows(unit->layer, unit->rows).common(maker.rows) : Rows();
    return layer.shortcut == maker.layer && unit->block == maker.block ? unit->rows.common(maker.rows) : Rows();
  }

  /// The address in the core that needs the row.
  [[nodiscard]] std::uint32_t place_of(Use use, const Unit &maker, std::int32_t row) const {
    const std::uint32_t offset = pipeline_.map_of(maker.layer).row(maker.block, row);
    if (use == Use::input) return memory_.inputs() + offset;
    return (use == Use::shortcut ? memory_.shortcuts() : memory_.last_input()) + offset;
  }
  /// The address of a row of results in the core that makes it.
  [[nodiscard]] std::uint32_t result_of(const Unit &maker, std::int32_t row) const {
    const kernels::pim::ResidentMap map = pipeline_.map_of(maker.layer);
    if (maker.layer == kPool)
      return memory_.pooled() + static_cast<std::uint32_t>(maker.slot * Pipeline::kStemRows + row - maker.rows.first) * map.row_bytes();
    // A core with a projection adds nothing, so the memory for it is free.
    return (is_projection(maker.layer) ? memory_.shortcuts() : memory_.outputs()) + map.row(maker.block, row);
  }

  static constexpr std::uint32_t id_of(unsigned layer, unsigned block, std::int32_t row) {
    return (layer * 16 + block) * 64 + static_cast<std::uint32_t>(row);
  }

 private:
  const Pipeline &pipeline_;
  PipelineMemory memory_;
  std::array<const Unit *, Pipeline::kMostCores> layers_{};
};

}  // namespace cox::pim_networks
