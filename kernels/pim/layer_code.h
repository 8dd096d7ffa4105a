// SPDX-License-Identifier: MIT
// The code of one core for a layer whose weights are in the array (docs/kernels/pim.md, The code of a layer). Internal to conv2d().
//
// Three parts of the core work beside each other. While the array computes a tile of pixels, the output registers of the tile before
// stream to one memory, and SIMD instructions add and requantise the tile before that, which is in another memory.
#pragma once

#include <array>
#include <cstdint>

#include "coxswain/kernels/pim/conv2d.h"
#include "coxswain/kernels/pim/layer_sums.h"
#include "coxswain/kernels/pim/memories.h"

namespace cox::kernels::pim {

/// Pixels of the output.
struct Region {
  std::uint32_t y = 0, x = 0, height = 0, width = 0;
};

class LayerCode {
 public:
  LayerCode(ProgramBuilder &builder, const Conv2dArguments &arguments, const Mapping &mapping, const Memories &memories);

  /// Error: no_room ("input", "output") if not even one tile fits the memories.
  [[nodiscard]] Status check() const;
  /// Computes passes `first_pass` to `end_pass` - 1 of a region with the core whose code is being written.
  void emit(const Region &region, std::uint32_t first_pass, std::uint32_t end_pass);
  /// Copies the weights of passes `first_pass` to `end_pass` - 1 to their rows of the core's array.
  void load_arrays(std::uint32_t first_pass, std::uint32_t end_pass);

  /// True if pim-compute reads the input where it is.
  [[nodiscard]] bool is_in_place() const { return in_place_; }
  /// First byte of the tables in the memory of inputs.
  [[nodiscard]] std::uint32_t tables() const { return tables_; }

 private:
  struct Place {  // of the results of a strip
    std::uint32_t base = 0, row_pitch = 0, pixel_pitch = 0;
  };

  [[nodiscard]] std::uint32_t input_rows(std::uint32_t height) const {
    return (height - 1) * arguments_.stride_y + (arguments_.kernel_height - 1) * arguments_.dilation_y + 1;
  }
  [[nodiscard]] std::uint32_t input_columns(std::uint32_t width) const {
    return (width - 1) * arguments_.stride_x + (arguments_.kernel_width - 1) * arguments_.dilation_x + 1;
  }
  [[nodiscard]] bool reads_in_place() const;
  [[nodiscard]] bool inputs_fit(std::uint32_t height, std::uint32_t width) const;
  [[nodiscard]] bool results_fit(std::uint32_t height, std::uint32_t width, std::uint32_t outputs) const;
  [[nodiscard]] std::uint32_t run_offset(std::uint32_t run) const;
  [[nodiscard]] std::uint32_t group_offset(std::uint32_t group) const;
  [[nodiscard]] std::uint32_t row_offset(std::uint32_t row) const;
  /// The first row of a pass. Resident passes of a core follow each other.
  [[nodiscard]] std::uint32_t array_row(std::uint32_t pass) const {
    return arguments_.first_row + (arguments_.resident ? (pass - first_pass_) * mapping_.rows() : 0);
  }
  [[nodiscard]] std::uint32_t result_bytes() const { return arguments_.output_type == ResultType::int8 ? 1 : 4; }

  void write_tables();
  void prepare_pass(std::uint32_t pass);
  void load_array(std::uint32_t pass);
  /// Copies biases, factors, masks and meta data of the pass to local memories.
  void load_tables();
  void stage(const Region &strip);
  void fill_pad_line(std::uint32_t bytes);
  /// Computes a region whose inputs begin at `input`.
  void compute_strip(const Region &strip, std::uint32_t input, std::uint32_t pass, const Place &place);
  /// The part of `region` whose first pixel is (`y`, `x`) in it.
  [[nodiscard]] Region part_of(const Region &region, std::uint32_t y, std::uint32_t x, std::uint32_t height, std::uint32_t width) const;
  /// Computes the region that is staged, and stores the results if they go to DRAM.
  void compute_staged(const Region &region, std::uint32_t first_pass, std::uint32_t end_pass);
  void store(const Region &strip, const Place &place, std::uint32_t first_output, std::uint32_t outputs);

  struct Tiles;
  /// One tile. `advances`: the next tile of the row follows.
  void tile(Tiles &tiles, bool advances);
  void tile_row(Tiles &tiles);
  void compute(Value input);
  void output(Value buffer);
  void finish(Value buffer, Value place);

  ProgramBuilder &builder_;
  const Conv2dArguments &arguments_;
  const Mapping &mapping_;
  const Memories &memories_;
  const isa::pim::Array &array_;
  LayerSums sums_;
  bool in_place_ = false;
  bool row_table_ = false, group_table_ = false;
  std::uint32_t row_step_ = 0, group_step_ = 0;
  std::uint32_t pitch_ = 0;       ///< bytes of a row of the staged input
  std::uint32_t input_base_ = 0;  ///< address of the strip's first input
  std::uint32_t pad_line_ = 0, pad_bytes_ = 0;
  bool is_second_ = false;  ///< which memory the next results go to on their way to DRAM
  std::uint32_t tables_ = 0, row_table_at_ = 0, masks_ = 0, meta_ = 0;
  bool has_masks_ = false;  ///< this core has the masks of a pass
  static constexpr std::uint32_t kNoPass = ~std::uint32_t{0};
  std::uint32_t first_pass_ = 0;  ///< of the core
  std::uint32_t pass_ = kNoPass, row_pitch_ = 0, pixel_pitch_ = 0;
};

}  // namespace cox::kernels::pim
