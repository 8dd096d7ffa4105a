// SPDX-License-Identifier: MIT
// Rows of convolutions whose weights stay in the array and whose maps stay in the core's local memories (docs/kernels/pim.md, Resident
// layers). A network whose cores send rows to each other is made of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/isa/pim/configuration.h"
#include "coxswain/kernels/pim/program_builder.h"

namespace cox::kernels::pim {

/// A map of int8: [block of channels][row][column][channel of the block]. Its border of `border` pixels holds the zero point.
struct ResidentMap {
  std::uint32_t height = 1, width = 1, channels = 1;
  std::uint32_t block = 1;  ///< channels of a block; divides `channels`
  std::uint32_t border = 0;

  [[nodiscard]] constexpr std::uint32_t row_bytes() const { return (width + 2 * border) * block; }
  [[nodiscard]] constexpr std::uint32_t block_bytes() const { return (height + 2 * border) * row_bytes(); }
  [[nodiscard]] constexpr std::uint32_t bytes() const { return channels / block * block_bytes(); }
  /// Offset of the first channel of a block at a pixel, which may lie in the border.
  [[nodiscard]] constexpr std::uint32_t offset(std::uint32_t block_number, std::int32_t row, std::int32_t column) const {
    const auto from_first = [this](std::int32_t position) {
      return static_cast<std::uint32_t>(position + static_cast<std::int32_t>(border));
    };
    return block_number * block_bytes() + from_first(row) * row_bytes() + from_first(column) * block;
  }
  /// Offset of a row with its border.
  [[nodiscard]] constexpr std::uint32_t row(std::uint32_t block_number, std::int32_t row) const {
    return offset(block_number, row, -static_cast<std::int32_t>(border));
  }
};

/// The place of some filters' weights in the array. Windows of at most as many inputs as a macro has compartments meet the rows and
/// groups: group `first_group + part * pixels + pixel` has part `part` of the windows, one window in each of its rows.
struct ResidentPlace {
  std::uint32_t group_macros = 8;
  std::uint32_t first_group = 0, first_column = 0, first_row = 0;
  std::uint32_t channel_parts = 1;  ///< parts of the windows of channels
  bool kernel_row_parts = false;    ///< each row of the kernel is a part
  std::uint32_t pixels = 1;         ///< pixels of a row that are computed at once
};

/// A convolution of some filters. The zero point of the input is taken into account by the biases.
struct ResidentConvolution {
  ResidentMap input;
  std::uint32_t kernel = 1, stride = 1, padding = 0;
  std::uint32_t column_step = 1;  ///< 2: results are those of every second column
  std::uint32_t filters = 1;
  std::uint32_t result_bits = 8;
  ResidentPlace place;

  /// If a row of the kernel fits into a window, it is one. Otherwise a window is some channels of a pixel.
  [[nodiscard]] constexpr bool has_row_windows(std::uint32_t compartments) const { return kernel * input.block <= compartments; }
  [[nodiscard]] constexpr std::uint32_t window_inputs(std::uint32_t compartments) const {
    if (has_row_windows(compartments)) return kernel * input.block;
    return input.block < compartments ? input.block : compartments;
  }
  [[nodiscard]] constexpr std::uint32_t channel_windows(std::uint32_t compartments) const {
    return has_row_windows(compartments) ? input.channels / input.block : input.channels / window_inputs(compartments);
  }
  [[nodiscard]] constexpr std::uint32_t parts() const { return place.channel_parts * (place.kernel_row_parts ? kernel : 1); }
  [[nodiscard]] constexpr std::uint32_t groups() const { return place.first_group + parts() * place.pixels; }
  /// Rows of the array.
  [[nodiscard]] constexpr std::uint32_t steps(std::uint32_t compartments) const {
    return channel_windows(compartments) / place.channel_parts * (place.kernel_row_parts ? 1 : kernel) *
           (has_row_windows(compartments) ? 1 : kernel);
  }
  [[nodiscard]] constexpr std::uint32_t columns() const { return place.first_column + filters; }
  /// Sums of a part: those of all its pixels, with the columns before the first.
  [[nodiscard]] constexpr std::uint32_t part_sums() const { return place.pixels * columns(); }
  [[nodiscard]] constexpr std::uint32_t input_step() const { return stride * column_step * input.block; }
};

/// A window: the part and the step that meet it, and where its inputs lie from the first input of the pixel.
struct ResidentWindow {
  std::uint32_t part = 0, step = 0;
  std::uint32_t first_channel = 0, kernel_row = 0, kernel_column = 0;
};
/// The constants of a convolution as one block of memory, in this order: biases [pixel][column], multipliers and shifts [pixel][filter],
/// the zero point, the groups' offsets, the steps' offsets, nine numbers of quantify-resadd. Shifts are 8-bit, all others 32-bit.
struct ResidentConstants {
  std::uint32_t biases = 0, multipliers = 0, shifts = 0, zero_point = 0, group_offsets = 0, step_offsets = 0, add = 0, bytes = 0;
};
[[nodiscard]] ResidentConstants resident_constants(const ResidentConvolution &convolution, const isa::pim::Array &array);

/// Memory that rows use while they are computed. The four addresses are in four memories, and maps and constants are in others.
struct ResidentMemories {
  std::uint32_t results[2] = {};  ///< what pim-output stores, in turn: kResultsBytes each
  std::uint32_t sums[2] = {};     ///< sums of parts, in turn: kRegions regions each
  static constexpr std::uint32_t kRegionBytes = 8192, kRegions = 3, kResultsBytes = 16384;
};

/// Appends code to the core that a kernel has begun (ProgramBuilder::begin_core()).
class ResidentCode {
 public:
  ResidentCode(ProgramBuilder &builder, const ResidentMemories &memories) : builder_(builder), memories_(memories) {}

  /// Makes a convolution's constants at `constants` the ones that row() uses. They must lie in a memory of their own. Error: no_room
  /// ("parts") for a number of parts that is not 1, 3 or 7 times a power of two, or sums longer than a region.
  void begin(const ResidentConvolution &convolution, std::uint32_t constants);
  /// Computes `pixels` results of a row, a multiple of place.pixels. `input` is the address of the first input of the first result, and
  /// `output` that of the result. results: [pixel][filter].
  void row(Value input, Value output, std::uint32_t pixels);

  /// result = quantify-resadd(first, second), int8.
  void add(Value first, Value second, Value block, std::uint32_t elements, Value output);
  /// The larger of two int8 each.
  void maximum(Value first, Value second, std::uint32_t elements, Value output);
  /// Averages of `count` vectors of int8 at `first`, first + steps..., as rows of `row_count`. `scratch`: two regions of elements * 4 bytes
  /// in different memories, and a word for the count.
  void average(Value first, std::uint32_t rows, std::uint32_t row_step, std::uint32_t columns, std::uint32_t column_step,
               std::uint32_t elements, Value output);

 private:
  void compute(Value input);
  void finish(std::uint32_t tile, Value output);
  /// The first part's sums in the results of a tile.
  [[nodiscard]] std::uint32_t sums_of(std::uint32_t tile) const {
    return memories_.results[tile % 2] + convolution_.place.first_group * convolution_.columns() * 4;
  }
  [[nodiscard]] std::uint32_t region(std::uint32_t level) const;

  ProgramBuilder &builder_;
  const ResidentMemories memories_;
  ResidentConvolution convolution_;
  ResidentConstants constants_;
};

/// Weight of filter f, kernel row r, kernel column c, channel i: values[((f * kernel + r) * kernel + c) * channels + i].
struct ResidentWeights {
  std::span<const std::int8_t> values;
  std::span<const std::int32_t> biases, multipliers;
  std::span<const std::int8_t> shifts;
  std::int32_t input_zero_point = 0, output_zero_point = 0;
  std::span<const std::int32_t> add = {};  ///< quantify-resadd's nine numbers, or empty
};
/// Writes the convolution's weights into an image of the whole array, and its constants. Filters behind the last of `weights` have zeros.
void pack_resident(const ResidentConvolution &convolution, const isa::pim::Array &array, const ResidentWeights &weights,
                   std::uint32_t first_filter, std::span<std::byte> array_image, std::span<std::byte> constants);

}  // namespace cox::kernels::pim
