// SPDX-License-Identifier: MIT
// Which core computes what (README.md, Many cores).
#include <algorithm>
#include <bit>

#include "examples/pim_networks/pipeline.h"

namespace cox::pim_networks {

using kernels::pim::ResidentConvolution;
using kernels::pim::ResidentPlace;

namespace {

// Rows 0 to 8 of each array have the last stage. Rows 9 to 15 have the stem in the first 64 macros. Behind them rows 9 to 14 have a layer
// of another stage, and row 15 the last stage's projection and those of the layer.
constexpr std::uint32_t kFirstRow = 9, kRows = 6, kFirstMacro = 64, kProjectionRow = 15, kFirstProjectionMacro = 128;
constexpr std::uint32_t kLeastBlock = 32;
constexpr std::uint32_t kMostBlocks = 8, kMostBands = 7;
constexpr std::uint32_t kMostProjections = 2;  ///< blocks of a projection in a core
// The constants of the stem, of a layer, of its projections and of the last stage share a memory.
constexpr std::uint32_t kProjectionConstants = 3072;

// What a row costs beside its tiles, and a message beside its bytes, in cycles: measured.
constexpr std::uint32_t kRowCycles = 80, kMessageCycles = 16, kFlitBytes = 16;

constexpr std::uint32_t round_up(std::uint32_t value, std::uint32_t unit) { return (value + unit - 1) / unit; }

/// Estimated cycles of a row of a convolution: the slowest of array, output and SIMD for each tile, and the others once
/// (docs/pim.md, Timing).
std::uint32_t row_cycles(const ResidentConvolution &convolution, const Layer &layer, const isa::pim::Array &array) {
  constexpr std::uint32_t kLanes = 32, kStart = 2, kOutputBytes = 128;
  const std::uint32_t computes = convolution.steps(array.compartments) * 8;
  const std::uint32_t output = 1 + round_up(convolution.groups() * convolution.columns() * 4, kOutputBytes);
  std::uint32_t simd = round_up(convolution.part_sums(), kLanes) + kStart;  // requantisation
  std::uint32_t reads = 1;                                                  // from results, which are in a buffer
  for (std::uint32_t parts = convolution.parts(), with_biases = 0; parts != 1 || with_biases == 0; parts /= 2) {
    if (parts % 2 != 0) {
      ++parts;
      with_biases = 1;
    }
    simd += round_up(parts / 2 * convolution.part_sums(), kLanes) * reads + kStart;
    reads = 2;
  }
  const std::uint32_t slowest = std::max({computes, output, simd});
  const std::uint32_t sum = layer.has_shortcut() ? round_up(layer.side * convolution.filters, kLanes) * 2 + kStart : 0;
  return layer.side / convolution.place.pixels * slowest + (computes + output + simd - slowest) + sum + kRowCycles;
}

}  // namespace

/// Chooses the blocks of each layer of stages 1 to 3, and the bands of all.
class Planner {
 public:
  Planner(Pipeline &pipeline, const isa::pim::Array &array, unsigned cores) : pipeline_(pipeline), array_(array), cores_(cores) {
    for (unsigned layer = kPool + 1; layer < kStageFour; ++layer) {
      for (std::uint32_t blocks = 1; blocks <= kMostBlocks; blocks *= 2) {
        for (std::uint32_t count = 1; count <= kMostProjections; ++count)
          options_[layer][index_of(blocks, count)] = best(layer, blocks, count);
      }
    }
  }

  [[nodiscard]] bool choose() {
    std::uint32_t least = ~std::uint32_t{0};
    for (std::uint32_t two = 1; two <= kMostBlocks; two *= 2) {
      for (std::uint32_t first_two = 1; first_two <= two; first_two *= 2) {
        for (std::uint32_t three = 1; three <= kMostBlocks; three *= 2) {
          for (std::uint32_t first_three = 1; first_three <= three; first_three *= 2) {
            for (std::uint32_t bands = 1; bands <= kMostBands; ++bands) {
              const Choice choice = make({first_two, two, first_three, three}, bands);
              if (choice.cycles == 0 || choice.cycles >= least) continue;
              least = choice.cycles;
              best_ = choice;
            }
          }
        }
      }
    }
    return least != ~std::uint32_t{0};
  }

  void set_blocks() {
    pipeline_.bands_ = best_.bands;
    for (unsigned layer = kPool + 1; layer < kStageFour; ++layer)
      pipeline_.block_[layer] = static_cast<std::uint16_t>(layer_of(layer).channels / best_.blocks[layer]);
  }

  void add_units() {
    unsigned core = 0;
    for (unsigned layer = kPool + 1; layer < kStageFour; ++layer) {
      if (is_projection(layer)) continue;
      const bool has_projection = is_projection(layer - 1);
      const std::uint32_t blocks = best_.blocks[layer], bands = best_.bands;
      const std::uint32_t projections = has_projection ? best_.blocks[layer - 1] / blocks : 0;
      for (std::uint32_t band = 0; band < bands; ++band) {
        const Rows rows = part_of(layer_of(layer).side, bands, band);
        for (std::uint32_t block = 0; block < blocks; ++block, ++core) {
          const bool is_descending = band % 2 != 0;
          for (std::uint32_t i = 0; i < projections; ++i)
            pipeline_.add(layer - 1, core, block * projections + i, rows, projection_place(layer - 1, i, projections)).is_descending =
                is_descending;
          pipeline_.add(layer, core, block, rows, option(layer, blocks).place).is_descending = is_descending;
        }
      }
    }
  }

  /// Part `part` of `parts` of rows 0 to `rows`.
  static Rows part_of(std::uint32_t rows, std::uint32_t parts, std::uint32_t part) {
    return {static_cast<std::int32_t>(rows * part / parts), static_cast<std::int32_t>(rows * (part + 1) / parts)};
  }

 private:
  /// A place in the array, and what a row of the layer costs there.
  struct Option {
    ResidentPlace place;
    std::uint32_t cycles = 0;  ///< 0: the block does not fit
  };
  struct Blocks {
    std::uint32_t first_two, two, first_three, three;
  };
  struct Choice {
    std::array<std::uint8_t, kStageFour> blocks{};
    std::uint32_t bands = 1;
    std::uint32_t cycles = 0;  ///< of the slowest layer, and of the last rows of all; 0: does not fit
  };

  static std::size_t index_of(std::uint32_t blocks, std::uint32_t count) {
    return static_cast<std::size_t>(std::countr_zero(blocks)) * kMostProjections + count - 1;
  }
  /// For one of `blocks` blocks of a layer; `count`: blocks of a projection in a core.
  [[nodiscard]] const Option &option(unsigned layer, std::uint32_t blocks, std::uint32_t count = 1) const {
    return options_[layer][index_of(blocks, count)];
  }

  [[nodiscard]] ResidentConvolution convolution(unsigned number, std::uint32_t blocks) const {
    const Layer &layer = layer_of(number);
    const std::uint32_t channels = kResnet18.channels_of(layer.input);
    ResidentConvolution made;
    made.input = {1, 1, channels, std::min(channels, 2 * kLeastBlock), 0};
    made.kernel = layer.kernel;
    made.stride = layer.stride;
    made.filters = layer.channels / blocks;
    return made;
  }

  /// The fastest place for a block of the layer's filters.
  [[nodiscard]] Option best(unsigned number, std::uint32_t blocks, std::uint32_t count) const {
    Option best;
    const Layer &layer = layer_of(number);
    ResidentConvolution convolution = this->convolution(number, blocks);
    if (convolution.filters < kLeastBlock) return best;
    ResidentPlace place;
    place.group_macros = 8;
    while (place.group_macros * array_.elements < convolution.filters) place.group_macros *= 2;
    const std::uint32_t first_macro = is_projection(number) ? kFirstProjectionMacro : kFirstMacro;
    const std::uint32_t macros = (array_.macros - first_macro) / count, rows = is_projection(number) ? 1 : kRows;
    place.first_group = first_macro / place.group_macros;
    place.first_row = is_projection(number) ? kProjectionRow : kFirstRow;
    for (place.channel_parts = 1; place.channel_parts <= convolution.channel_windows(array_.compartments); place.channel_parts *= 2) {
      for (const bool row_parts : {false, true}) {
        for (place.pixels = 1; place.pixels <= layer.side; ++place.pixels) {
          place.kernel_row_parts = row_parts;
          convolution.place = place;
          if (layer.side % place.pixels != 0 || !fits(convolution, macros, rows)) continue;
          if (is_projection(number) && resident_constants(convolution, array_).bytes * count > kProjectionConstants) continue;
          const std::uint32_t cycles = row_cycles(convolution, layer, array_);
          if (best.cycles == 0 || cycles < best.cycles) best = {place, cycles};
        }
      }
    }
    return best;
  }
  [[nodiscard]] bool fits(const ResidentConvolution &convolution, std::uint32_t macros, std::uint32_t rows) const {
    using Memories = kernels::pim::ResidentMemories;
    const ResidentPlace &place = convolution.place;
    const std::uint32_t groups = convolution.parts() * place.pixels, bytes = convolution.part_sums() * 4;
    if (groups * place.group_macros > macros || convolution.steps(array_.compartments) > rows) return false;
    std::uint32_t odd_parts = convolution.parts();
    while (odd_parts % 2 == 0) odd_parts /= 2;
    if (odd_parts != 1 && odd_parts != 3 && odd_parts != 7) return false;
    const bool is_odd = odd_parts == convolution.parts();
    if ((convolution.parts() + 1) * bytes > (is_odd ? Memories::kResultsBytes : Memories::kRegionBytes)) return false;
    return convolution.groups() * convolution.columns() * 4 + bytes <= Memories::kResultsBytes;
  }
  [[nodiscard]] ResidentPlace projection_place(unsigned layer, std::uint32_t number, std::uint32_t count) const {
    ResidentPlace place = option(layer, best_.blocks[layer], count).place;
    ResidentConvolution made = convolution(layer, best_.blocks[layer]);
    made.place = place;
    place.first_group += number * made.parts() * place.pixels;
    return place;
  }

  /// Cycles that a core of the layer works for an image.
  [[nodiscard]] std::uint32_t load(const Choice &choice, unsigned layer) const {
    const std::uint32_t rows = round_up(layer_of(layer).side, choice.bands);
    const std::uint32_t cycles = rows * row(choice, layer);
    return layer == kStageFour - 1 ? std::max(cycles, rows * send(choice)) : cycles;
  }
  /// Cycles to send a row of stage 3 to the cores of the last stage that need it.
  [[nodiscard]] std::uint32_t send(const Choice &choice) const {
    const Layer &layer = layer_of(kStageFour - 1);
    const std::uint32_t bytes = (layer.side + 2U) * layer.channels / choice.blocks[kStageFour - 1];
    std::uint32_t needed = 0;
    for (unsigned band = 0; band < pipeline_.last_bands(); ++band) needed += 2 * pipeline_.last_rows(band).count() + 1;
    return needed * Pipeline::kLastBlocks * (bytes / kFlitBytes + kMessageCycles) / layer.side;
  }
  [[nodiscard]] std::uint32_t row(const Choice &choice, unsigned layer) const {
    const std::uint32_t cycles = option(layer, choice.blocks[layer]).cycles;
    if (!is_projection(layer - 1)) return cycles;
    const std::uint32_t projections = choice.blocks[layer - 1] / choice.blocks[layer];
    return cycles + option(layer - 1, choice.blocks[layer - 1], projections).cycles * projections;
  }

  /// Cores for these blocks, if there are enough.
  [[nodiscard]] Choice make(const Blocks &blocks, std::uint32_t bands) const {
    Choice choice;
    choice.bands = bands;
    const std::uint32_t pairs[] = {blocks.two / blocks.first_two, blocks.three / blocks.first_three};
    if (std::max(pairs[0], pairs[1]) > kMostProjections) return choice;
    unsigned used = 0;
    for (unsigned layer = kPool + 1; layer < kStageFour; ++layer) {
      std::uint32_t of_layer = 1;
      if (layer >= kStageTwo) of_layer = layer == kStageTwo + 1 ? blocks.first_two : blocks.two;
      if (layer >= kStageThree) of_layer = layer == kStageThree + 1 ? blocks.first_three : blocks.three;
      choice.blocks[layer] = static_cast<std::uint8_t>(of_layer);
      if (option(layer, of_layer, is_projection(layer) ? pairs[layer == kStageThree] : 1).cycles == 0) return choice;
      if (!is_projection(layer)) used += of_layer * bands;
    }
    if (used > cores_) return choice;
    // The slowest layer, and behind the last row of its input the last two rows of each.
    std::uint32_t slowest = 0, last_rows = 2 * send(choice);
    for (unsigned layer = kPool + 1; layer < kStageFour; ++layer) {
      if (is_projection(layer)) continue;
      slowest = std::max(slowest, load(choice, layer));
      last_rows += 2 * row(choice, layer);
    }
    choice.cycles = slowest + last_rows;
    return choice;
  }

  Pipeline &pipeline_;
  const isa::pim::Array &array_;
  const unsigned cores_;
  std::array<std::array<Option, std::size_t{4} * kMostProjections>, kStageFour> options_{};
  Choice best_;
};

Rows Pipeline::last_rows(unsigned band) const { return Planner::part_of(layer_of(kLastSum).side, last_bands_, band); }

Status Pipeline::plan(const isa::pim::Configuration &configuration, unsigned cores) {
  if (cores > kMostCores) return Status(ErrorCode::invalid_argument, "cores", -1, cores, kMostCores);
  if (cores < kLeastCores) return Status(ErrorCode::no_room, "cores", -1, cores, kLeastCores);
  *this = Pipeline();
  configuration_ = &configuration;
  cores_ = cores;
  for (unsigned layer = 0; layer < block_.size(); ++layer) block_[layer] = layer >= kStageFour ? 32 : layer_of(layer).channels;
  last_bands_ = std::min<unsigned>(cores / kLastBlocks, layer_of(kLastSum).side);

  Planner planner(*this, configuration.array, cores);
  if (!planner.choose()) return Status(ErrorCode::no_room, "cores", -1, cores);
  planner.set_blocks();
  plan_last();
  plan_stem();
  planner.add_units();
  for (unsigned core = 0; core < cores; ++core) {
    if (constants_[core] > kConstantsBytes)
      return Status(ErrorCode::no_room, "constants", static_cast<std::int32_t>(core), constants_[core], kConstantsBytes);
  }
  return {};
}

// A unit has two rows. The last cores wait longest for their layer's first row, so they have the stem. The bus brings the image to one core
// after the other, so the first of them have the rows with which bands begin.
void Pipeline::plan_stem() {
  constexpr std::int32_t kUnits = 28;
  const std::int32_t side = layer_of(kPool).side, stem_cores = std::min(kUnits, static_cast<std::int32_t>(cores_) - 2);
  std::int32_t number = 0;
  for (std::int32_t distance = 0; number < kUnits; distance += kStemRows) {
    for (unsigned band = 0; band < bands_; ++band) {
      const Rows rows = Planner::part_of(static_cast<std::uint32_t>(side), bands_, band);
      for (std::int32_t first = 0; first < side; first += kStemRows) {
        const bool is_in_band = first >= rows.first && first < rows.end;
        const std::int32_t from_begin = first - rows.first, from_end = rows.end - 1 - first;
        if (!is_in_band || (band % 2 == 0 ? from_begin : from_end) / kStemRows * kStemRows != distance) continue;
        const std::int32_t core = static_cast<std::int32_t>(cores_) - stem_cores + number % stem_cores;
        Unit &unit = add(kPool, static_cast<unsigned>(core), 0, {first, first + kStemRows}, {.first_row = kFirstRow, .pixels = 8});
        unit.slot = static_cast<std::uint8_t>(number / stem_cores);
        ++number;
      }
    }
  }
}

// The last stage, in four parts: groups 0 to 15 and 16 to 31 of 64 columns, each with two layers of 32 filters.
void Pipeline::plan_last() {
  add_last(0, kStageFour, 0, {.first_group = 8, .first_row = 15, .channel_parts = 8});
  add_last(1, kStageFour + 1, 0, {.first_group = 16, .first_column = 32, .channel_parts = 8});
  add_last(2, kStageFour + 2, 0, {.channel_parts = 16});
  add_last(3, kStageFour + 3, 0, {.first_column = 32, .channel_parts = 16});
  add_last(4, kStageFour + 4, 0, {.first_group = 16, .channel_parts = 16});
  for (unsigned half = 0; half < 2; ++half)
    add_last(5 + half, kClasses, half, {.first_group = 24, .first_column = 32, .first_row = 2 * half, .channel_parts = 8});
  constants_.fill(last_constants_);
}

}  // namespace cox::pim_networks
