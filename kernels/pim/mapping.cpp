// SPDX-License-Identifier: MIT
#include "coxswain/kernels/pim/mapping.h"

#include <algorithm>

#include "coxswain/kernels/pim/input_reads.h"
#include "coxswain/kernels/pim/layer_sums.h"
#include "coxswain/kernels/pim/memories.h"

namespace cox::kernels::pim {

using isa::pim::Configuration;

namespace {

constexpr std::uint32_t divide_up(std::uint32_t a, std::uint32_t b) { return (a + b - 1) / b; }

/// Cycles from the last bit of a compute to the first bit of the next tile's, without those that masks add for each group.
constexpr std::uint32_t kTilePipeline = 16;
constexpr std::uint32_t kResultWidth = 128;
constexpr std::uint32_t kDramWidth = 16;

class Chooser {
 public:
  Chooser(const LayerShape &shape, const Configuration &configuration, const Memories &memories, std::uint32_t rows)
      : shape_(shape),
        array_(configuration.array),
        memories_(memories),
        rows_(rows),
        input_width_(shape.padded ? 0 : sram_width(configuration, shape.input)) {}

  bool choose(Mapping &best) {
    for (unsigned i = 0; i < array_.group_sizes_count; ++i) try_group(array_.group_sizes[i]);
    best = best_;
    return best_cost_ != kNoCost;
  }

 private:
  static constexpr std::uint64_t kNoCost = ~std::uint64_t{0};

  [[nodiscard]] bool fits(const Mapping &mapping) const {
    const std::uint64_t results = std::uint64_t{mapping.groups()} * mapping.group_results(array_) * kSumBytes;
    return results <= std::min(memories_.results[0].bytes, memories_.results[1].bytes);
  }

  [[nodiscard]] std::uint64_t cost(const Mapping &mapping, std::uint64_t sums) const {
    const bool in_sram = input_width_ != 0 && reads_sram(mapping, array_, memories_, input_width_, shape_.input_bytes);
    const std::uint32_t step = in_sram ? sram_compute_cycles(mapping, input_width_) : kInputBits;
    const std::uint64_t compute =
        std::uint64_t{mapping.rows()} * step + (in_sram ? step : 0) + kTilePipeline + (mapping.is_masked() ? mapping.groups() : 0);
    const std::uint64_t output = 2 + std::uint64_t{mapping.groups()} * mapping.group_results(array_) * kSumBytes / kResultWidth;
    const std::uint64_t slowest = std::max({compute, output, sums}), all = compute + output + sums;
    const std::uint64_t tiles = std::uint64_t{divide_up(shape_.width, mapping.tile_width)} * divide_up(shape_.height, mapping.tile_height);
    const std::uint64_t tables = mapping.mask_bytes(array_) + mapping.meta_bytes(array_);
    const std::uint64_t load = shape_.resident ? 0 : (mapping.array_bytes(array_) + tables) / kDramWidth;
    // The sum of all parts decides between mappings whose slowest part is the same.
    return ((tiles * slowest + all + load + (in_sram ? 0 : staging(mapping, all))) * core_passes(mapping)) * 4 + all / tiles;
  }

  /// The most passes of a core.
  [[nodiscard]] std::uint32_t core_passes(const Mapping &mapping) const { return divide_up(mapping.passes, shape_.least_passes); }

  /// Cycles for copies of the map to the memory of inputs, but those that all mappings need. A tile's parts follow each other once for each
  /// strip of the map that is copied.
  [[nodiscard]] std::uint64_t staging(const Mapping &mapping, std::uint64_t tile) const {
    const std::uint64_t room = memories_.inputs.bytes - mapping.local_table_bytes(array_);
    const std::uint64_t strips = (shape_.input_bytes + room - 1) / room;
    return (strips > 1 ? (strips - 1) * tile : 0) + (input_width_ != 0 ? shape_.input_bytes / input_width_ : 0);
  }

  /// Most bytes of masks and meta data. Some rows of the map share their memory.
  [[nodiscard]] std::uint32_t tables_room() const { return memories_.inputs.bytes / 32 * 29; }

  /// Returns false if the local memories have no room for the mapping's vectors.
  bool consider(const Mapping &mapping) {
    if (!fits(mapping)) return false;
    const SumsPlan sums = plan_sums(mapping, array_, memories_);
    if (!sums.fits || (shape_.resident && mapping.rows() * core_passes(mapping) > rows_)) return sums.fits;
    const std::uint64_t cost = this->cost(mapping, sums.cycles);
    if (cost >= best_cost_) return true;
    best_ = mapping;
    best_cost_ = cost;
    return true;
  }

  /// Returns true if the local memories have room for a tile.
  bool try_tiles(Mapping mapping, std::uint32_t most) {
    bool found = false;
    for (std::uint32_t width = 1; width <= std::min(most, shape_.width); ++width) {
      for (std::uint32_t height = std::min(most / width, shape_.height); height >= 1; height = height == 1 ? 0 : height / 2) {
        mapping.tile_width = width;
        mapping.tile_height = height;
        found = consider(mapping) || found;
      }
    }
    return found;
  }

  void try_group(std::uint32_t macros) {
    const std::uint32_t groups = array_.macros / macros;
    if (shape_.form == WeightForm::value_sparse) return try_slots(macros, groups, 1, {});
    if (shape_.form == WeightForm::bit_sparse) {
      const SecondColumns seconds(shape_.thresholds);
      if (shape_.thresholds.empty()) return try_slots(macros, groups, shape_.threshold, {});
      try_slots(macros, groups, 1, seconds);
      if (!seconds.empty()) try_slots(macros, groups, 2, {});
      return;
    }
    const std::uint32_t columns = macros * base(macros).macro_columns(array_);
    if (shape_.blocks > 1) {
      if (shape_.outputs > columns) return;
      for (std::uint32_t blocks = std::min(groups, shape_.blocks); blocks >= 1; --blocks) {
        const std::uint32_t passes = shape_.blocks / blocks;
        if (shape_.blocks % blocks != 0 || passes < shape_.least_passes) continue;
        Mapping mapping = base(macros);
        mapping.blocks = blocks;
        mapping.block_outputs = shape_.outputs;
        mapping.block_inputs = shape_.block_inputs;
        mapping.passes = passes;
        mapping.pass_outputs = blocks * shape_.outputs;
        if (try_splits(mapping, groups)) return;
      }
      return;
    }
    for (std::uint32_t passes = std::min(shape_.least_passes, shape_.outputs); passes <= shape_.outputs; ++passes) {
      Mapping mapping = base(macros);
      const std::uint32_t outputs = divide_up(shape_.outputs, passes);
      mapping.blocks = divide_up(outputs, columns);
      mapping.block_outputs = divide_up(outputs, mapping.blocks);
      mapping.pass_outputs = mapping.blocks * mapping.block_outputs;
      mapping.passes = divide_up(shape_.outputs, mapping.pass_outputs);
      if (mapping.blocks <= groups && try_splits(mapping, groups)) return;
    }
  }

  [[nodiscard]] Mapping base(std::uint32_t macros) const {
    Mapping mapping;
    mapping.form = shape_.form;
    mapping.has_bias = shape_.has_bias;
    mapping.weight_bits = shape_.column_bits();
    mapping.group_macros = macros;
    mapping.window_inputs = array_.compartments;
    mapping.outputs = shape_.sums();
    return mapping;
  }

  /// Returns true if a split of the inputs over groups fits the rows and the local memories.
  bool try_splits(Mapping mapping, std::uint32_t groups) {
    const std::uint32_t windows = divide_up(shape_.run_inputs, mapping.window_inputs);
    bool found = false;
    for (std::uint32_t splits_y = 1; splits_y <= shape_.runs && splits_y * mapping.blocks <= groups; ++splits_y) {
      if (shape_.runs % splits_y != 0) continue;
      const std::uint32_t runs = shape_.runs / splits_y;
      // Runs of several rows are not evenly spaced, so their groups begin at whole rows.
      if (splits_y > 1 && runs > 1 && runs % shape_.runs_in_row != 0) continue;
      std::uint32_t last_rows = 0;
      for (std::uint32_t splits_x = 1; splits_x <= windows && splits_x * splits_y * mapping.blocks <= groups; ++splits_x) {
        mapping.rows_x = divide_up(windows, splits_x);
        if (mapping.rows_x == last_rows) continue;
        last_rows = mapping.rows_x;
        mapping.splits_y = splits_y;
        mapping.splits_x = splits_x;
        mapping.rows_y = runs;
        if (mapping.rows() > rows_) continue;
        found = try_tiles(mapping, groups / (mapping.splits() * mapping.blocks)) || found;
      }
    }
    return found;
  }

  /// Sparse weights: all groups share masks and meta data, so groups differ in pixels only, and a group's macros share the inputs.
  void try_slots(std::uint32_t macros, std::uint32_t groups, std::uint32_t threshold, const SecondColumns &seconds) {
    Mapping mapping = base(macros);
    mapping.threshold = threshold;
    mapping.seconds = seconds;
    if (shape_.form == WeightForm::value_sparse) mapping.window_inputs = shape_.window_inputs;
    const std::uint32_t macro_columns = mapping.macro_columns(array_);
    for (std::uint32_t passes = shape_.least_passes; passes <= shape_.outputs; ++passes) {
      mapping.block_outputs = mapping.pass_outputs = divide_up(shape_.outputs, passes);
      mapping.passes = divide_up(shape_.outputs, mapping.pass_outputs);
      mapping.second_columns = seconds.most_columns(mapping.pass_outputs, shape_.outputs);
      mapping.slot_macros = divide_up(mapping.block_outputs * threshold + mapping.second_columns, macro_columns);
      bool found = false;
      const std::uint32_t windows = divide_up(shape_.run_inputs, mapping.window_inputs);
      for (std::uint32_t slots = 1; slots * mapping.slot_macros <= macros && slots <= windows; ++slots) {
        mapping.slots = slots;
        mapping.rows_y = shape_.runs;
        mapping.rows_x = divide_up(windows, slots);
        if (mapping.rows() > rows_ || mapping.mask_bytes(array_) + mapping.meta_bytes(array_) > tables_room()) continue;
        found = try_tiles(mapping, groups) || found;
      }
      if (found) return;
    }
  }

  const LayerShape &shape_;
  const isa::pim::Array &array_;
  const Memories &memories_;
  std::uint32_t rows_;
  std::uint32_t input_width_;  ///< bytes a cycle of the SRAM that has the map as pim-compute needs it, or 0
  Mapping best_;
  std::uint64_t best_cost_ = kNoCost;
};

}  // namespace

Status check_thresholds(const LayerShape &shape) {
  if (shape.form != WeightForm::bit_sparse) return {};
  constexpr std::uint32_t kMost = 2;
  if (shape.thresholds.empty() && (shape.threshold == 0 || shape.threshold > kMost))
    return Status(ErrorCode::invalid_argument, "threshold", -1, shape.threshold, kMost);
  if (!shape.thresholds.empty() && shape.thresholds.size() != shape.outputs)
    return Status(ErrorCode::shape_mismatch, "thresholds", -1, signed_of(shape.thresholds.size()), shape.outputs);
  for (std::size_t i = 0; i < shape.thresholds.size(); ++i) {
    const std::uint8_t threshold = shape.thresholds[i];
    if (threshold == 0 || threshold > kMost)
      return Status(ErrorCode::invalid_argument, "thresholds", static_cast<std::int32_t>(i), threshold, kMost);
  }
  return {};
}

Result<Mapping> choose_mapping(const LayerShape &shape, const Configuration &configuration, std::uint32_t rows) {
  struct Number {
    const char *name;
    std::uint32_t value;
  };
  const Number numbers[] = {
      {"runs", shape.runs},   {"run_inputs", shape.run_inputs}, {"outputs", shape.outputs},           {"blocks", shape.blocks},
      {"width", shape.width}, {"height", shape.height},         {"least_passes", shape.least_passes}, {"runs_in_row", shape.runs_in_row}};
  for (const Number &number : numbers) {
    if (number.value == 0 || number.value > 1U << 20) return Status(ErrorCode::invalid_argument, number.name, -1, number.value, 1 << 20);
  }
  if (const Status status = check_thresholds(shape); !status.ok()) return status;
  if (!shape.has_weight_bits()) return Status(ErrorCode::invalid_argument, "weight_bits", -1, shape.weight_bits, 8);
  if (shape.form == WeightForm::value_sparse && shape.window_inputs == 0)
    return Status(ErrorCode::invalid_argument, "window_inputs", -1, 0);
  if (shape.form != WeightForm::dense && shape.blocks != 1) return Status(ErrorCode::invalid_argument, "blocks", -1, shape.blocks, 1);
  const Result<Memories> memories = find_memories(configuration);
  if (!memories) return memories.status();
  const std::uint32_t most = configuration.array.rows;
  Mapping mapping;
  if (!Chooser(shape, configuration, memories.value(), rows == 0 ? most : std::min(rows, most)).choose(mapping))
    return Status(ErrorCode::no_room, "array", -1, signed_of(shape.inputs()), most);
  return mapping;
}

}  // namespace cox::kernels::pim
