// SPDX-License-Identifier: MIT
#include "kernels/pim/mapping.h"

#include <algorithm>

#include "kernels/pim/memories.h"

namespace cox::kernels::pim {

using isa::pim::Configuration;

namespace {

constexpr std::uint32_t divide_up(std::uint32_t a, std::uint32_t b) { return (a + b - 1) / b; }

constexpr std::uint32_t kInputBits = 8;
constexpr std::uint32_t kSumBytes = 4;
constexpr std::uint32_t kFactorBytes = 5;  // multiplier and shift
constexpr std::uint32_t kSimdLanes = 32, kSimdStart = 2;
constexpr std::uint32_t kResultWidth = 128;
constexpr std::uint32_t kDramWidth = 16;
/// Room in the memory of sums for small things.
constexpr std::uint32_t kSpare = 64;

class Chooser {
 public:
  Chooser(const LayerShape &shape, const Configuration &configuration, const Memories &memories, std::uint32_t rows)
      : shape_(shape), array_(configuration.array), memories_(memories), rows_(rows) {}

  bool choose(Mapping &best) {
    for (unsigned i = 0; i < array_.group_sizes_count; ++i) try_group(array_.group_sizes[i]);
    best = best_;
    return best_cost_ != kNoCost;
  }

 private:
  static constexpr std::uint64_t kNoCost = ~std::uint64_t{0};

  [[nodiscard]] bool fits(const Mapping &mapping) const {
    const std::uint64_t elements = std::uint64_t{mapping.tile()} * mapping.blocks * mapping.block_outputs;
    const std::uint64_t results = std::uint64_t{mapping.groups()} * mapping.group_results(array_) * kSumBytes;
    const std::uint64_t vectors =
        elements * kSumBytes * (shape_.has_bias ? 2 : 1) + std::uint64_t{mapping.tile_width} * mapping.pass_outputs * kFactorBytes + kSpare;
    return results <= std::min(memories_.results[0].bytes, memories_.results[1].bytes) && vectors <= memories_.sums.bytes &&
           elements * kSumBytes <= memories_.sums_too.bytes / 2;
  }

  [[nodiscard]] std::uint64_t cost(const Mapping &mapping) const {
    const std::uint64_t elements = std::uint64_t{mapping.tile()} * mapping.blocks * mapping.block_outputs;
    const std::uint64_t partials = std::uint64_t{mapping.splits()} * mapping.slots;
    const bool is_compact = mapping.pass_outputs == mapping.outputs && !mapping.is_masked();
    const auto simd = [](std::uint64_t count, std::uint64_t length) {
      return count * ((length + kSimdLanes - 1) / kSimdLanes + kSimdStart);
    };
    const std::uint64_t adds = partials - (shape_.has_bias ? 0 : 1);
    const std::uint64_t sums = mapping.is_masked() ? simd(mapping.tile() * adds, mapping.block_outputs) : simd(adds, elements);
    const std::uint64_t last =
        is_compact ? simd(mapping.tile_height, elements / mapping.tile_height) : simd(mapping.tile(), mapping.pass_outputs);
    const std::uint64_t compute = std::uint64_t{mapping.rows()} * kInputBits;
    const std::uint64_t output = 2 + std::uint64_t{mapping.groups()} * mapping.group_results(array_) * kSumBytes / kResultWidth;
    const std::uint64_t slowest = std::max({compute, output, sums + last});
    const std::uint64_t tiles = std::uint64_t{divide_up(shape_.width, mapping.tile_width)} * divide_up(shape_.height, mapping.tile_height);
    // The sum of all parts decides between mappings whose slowest part is the same.
    const std::uint64_t load = shape_.resident ? 0 : mapping.array_bytes(array_) / kDramWidth;
    return ((tiles * slowest + compute + output + sums + last + load) * mapping.passes) * 4 + (compute + output + sums + last) / tiles;
  }

  /// Most bytes of masks and meta data. Some rows of the map share their memory.
  [[nodiscard]] std::uint32_t tables_room() const { return memories_.inputs.bytes / 32 * 29; }

  void consider(const Mapping &mapping) {
    if (!fits(mapping) || (shape_.resident && mapping.rows() * mapping.passes > rows_)) return;
    const std::uint64_t cost = this->cost(mapping);
    if (cost >= best_cost_) return;
    best_ = mapping;
    best_cost_ = cost;
  }

  void try_tiles(Mapping mapping, std::uint32_t most) {
    for (std::uint32_t width = 1; width <= std::min(most, shape_.width); ++width) {
      for (std::uint32_t height = std::min(most / width, shape_.height); height >= 1; height = height == 1 ? 0 : height / 2) {
        mapping.tile_width = width;
        mapping.tile_height = height;
        consider(mapping);
      }
    }
  }

  void try_group(std::uint32_t macros) {
    const std::uint32_t groups = array_.macros / macros;
    if (shape_.form != WeightForm::dense) return try_slots(macros, groups);
    const std::uint32_t columns = macros * (array_.line_bits() / 8);
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
    mapping.group_macros = macros;
    mapping.window_inputs = array_.compartments;
    mapping.outputs = shape_.sums();
    return mapping;
  }

  /// Returns true if a split of the inputs over groups fits the rows.
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
        found = true;
        try_tiles(mapping, groups / (mapping.splits() * mapping.blocks));
      }
    }
    return found;
  }

  /// Sparse weights: all groups share masks and meta data, so groups differ in pixels only, and a group's macros share the inputs.
  void try_slots(std::uint32_t macros, std::uint32_t groups) {
    Mapping mapping = base(macros);
    const bool is_bits = shape_.form == WeightForm::bit_sparse;
    mapping.threshold = is_bits ? shape_.threshold : 1;
    if (!is_bits) mapping.window_inputs = shape_.window_inputs;
    const std::uint32_t macro_outputs = array_.line_bits() / mapping.weight_width() / mapping.threshold;
    for (std::uint32_t passes = shape_.least_passes; passes <= shape_.outputs; ++passes) {
      mapping.block_outputs = mapping.pass_outputs = divide_up(shape_.outputs, passes);
      mapping.passes = divide_up(shape_.outputs, mapping.pass_outputs);
      mapping.slot_macros = divide_up(mapping.block_outputs, macro_outputs);
      bool found = false;
      const std::uint32_t windows = divide_up(shape_.run_inputs, mapping.window_inputs);
      for (std::uint32_t slots = 1; slots * mapping.slot_macros <= macros && slots <= windows; ++slots) {
        mapping.slots = slots;
        mapping.rows_y = shape_.runs;
        mapping.rows_x = divide_up(windows, slots);
        if (mapping.rows() > rows_ || mapping.mask_bytes(array_) + mapping.meta_bytes(array_) > tables_room()) continue;
        found = true;
        try_tiles(mapping, groups);
      }
      if (found) return;
    }
  }

  const LayerShape &shape_;
  const isa::pim::Array &array_;
  const Memories &memories_;
  std::uint32_t rows_;
  Mapping best_;
  std::uint64_t best_cost_ = kNoCost;
};

}  // namespace

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
  if (shape.form == WeightForm::bit_sparse && (shape.threshold == 0 || shape.threshold > 2))
    return Status(ErrorCode::invalid_argument, "threshold", -1, shape.threshold, 2);
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
