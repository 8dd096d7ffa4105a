// SPDX-License-Identifier: MIT
#include "coxswain/kernels/pim/layer_code.h"

#include <algorithm>

#include "coxswain/kernels/pim/input_reads.h"

namespace cox::kernels::pim {

using isa::pim::ArrayOrder;
using isa::pim::Special;

namespace {

constexpr std::uint32_t kSumBits = 32, kShiftBits = 8;
/// Parts of the results that go to DRAM one after another, and the least rows of tiles of a part.
constexpr std::uint32_t kParts = 4, kLeastTiles = 2;

constexpr std::uint32_t round_up(std::uint32_t value, std::uint32_t to) { return (value + to - 1) / to * to; }

}  // namespace

/// Registers of the loops over a strip's tiles.
struct LayerCode::Tiles {
  const Region &strip;
  Register input, input_row;            ///< first input of the tile, and of the row of tiles
  Register place_row;                   ///< first result of the row of tiles
  Register place, before, before_that;  ///< first result of this tile and of the two before it
  Register buffer;                      ///< memory of this tile's partial sums
  std::uint32_t input_step_x = 0, input_step_y = 0, place_step_x = 0, place_step_y = 0;
};

LayerCode::LayerCode(ProgramBuilder &builder, const Conv2dArguments &arguments, const Mapping &mapping, const Memories &memories)
    : builder_(builder),
      arguments_(arguments),
      mapping_(mapping),
      memories_(memories),
      array_(builder.configuration().array),
      sums_(builder, arguments, mapping, memories) {
  tables_ = memories.inputs.first + memories.inputs.bytes - mapping.local_table_bytes(array_);
  row_table_at_ = tables_ + mapping.groups() * 4;
  masks_ = row_table_at_ + mapping.rows() * 4;
  meta_ = masks_ + mapping.mask_bytes(array_);

  in_place_ = reads_in_place();
}

bool LayerCode::reads_in_place() const {
  const Conv2dArguments &a = arguments_;
  if (is_padded(a)) return false;
  if (a.input - memories_.inputs.first < memories_.inputs.bytes) return true;
  const std::uint64_t bytes = std::uint64_t{a.height} * a.width * a.channels;
  for (const LocalRange &memory : memories_.staging) {
    if (a.input - memory.first >= memory.bytes) continue;
    return a.input - memory.first + bytes + mapping_.reach() <= memory.bytes &&
           reads_sram(mapping_, array_, memories_, sram_width(builder_.configuration(), a.input), bytes);
  }
  return false;
}

Status LayerCode::check() const {
  if (!sums_.fits()) return Status(ErrorCode::shape_mismatch, "mapping");
  if (!inputs_fit(mapping_.tile_height, mapping_.tile_width))
    return Status(ErrorCode::no_room, "input", -1, arguments_.channels, memories_.inputs.bytes);
  if (!results_fit(mapping_.tile_height, mapping_.tile_width, mapping_.outputs))
    return Status(ErrorCode::no_room, "output", -1, arguments_.output_channels, memories_.staging[0].bytes);
  return {};
}

bool LayerCode::inputs_fit(std::uint32_t height, std::uint32_t width) const {
  const std::uint64_t line = std::uint64_t{input_columns(width)} * arguments_.channels;
  const std::uint64_t bytes = input_rows(height) * line + mapping_.reach();
  return in_place_ || (bytes <= tables_ - memories_.inputs.first && line <= memories_.sums_too.bytes / 2);
}

bool LayerCode::results_fit(std::uint32_t height, std::uint32_t width, std::uint32_t outputs) const {
  const std::uint64_t bytes = std::uint64_t{height} * width * outputs * result_bytes();
  return !builder_.is_dram(arguments_.output) || bytes <= std::min(memories_.staging[0].bytes, memories_.staging[1].bytes);
}

std::uint32_t LayerCode::run_offset(std::uint32_t run) const {
  const bool is_joined = mapping_.block_inputs == 0 && arguments_.groups == 1 && arguments_.dilation_x == 1;
  const std::uint32_t in_row = is_joined ? 1 : arguments_.kernel_width;
  return run / in_row * arguments_.dilation_y * pitch_ + run % in_row * arguments_.dilation_x * arguments_.channels;
}

std::uint32_t LayerCode::row_offset(std::uint32_t row) const {
  return run_offset(row / mapping_.rows_x) + row % mapping_.rows_x * mapping_.compute_inputs();
}

std::uint32_t LayerCode::group_offset(std::uint32_t group) const {
  const std::uint32_t block = group % mapping_.blocks, pixel = group / mapping_.blocks % mapping_.tile();
  const std::uint32_t split = group / (mapping_.blocks * mapping_.tile());
  return run_offset(split / mapping_.splits_x * mapping_.rows_y) + split % mapping_.splits_x * mapping_.rows_x * mapping_.compute_inputs() +
         block * mapping_.block_inputs + pixel / mapping_.tile_width * arguments_.stride_y * pitch_ +
         pixel % mapping_.tile_width * arguments_.stride_x * arguments_.channels;
}

void LayerCode::write_tables() {
  group_step_ = mapping_.groups() > 1 ? group_offset(1) : 0;
  row_step_ = mapping_.rows() > 1 ? row_offset(1) : 0;
  group_table_ = row_table_ = false;
  for (std::uint32_t i = 0; i < mapping_.groups(); ++i) group_table_ = group_table_ || group_offset(i) != i * group_step_;
  for (std::uint32_t i = 0; i < mapping_.rows(); ++i) row_table_ = row_table_ || row_offset(i) != i * row_step_;
  for (std::uint32_t i = 0; group_table_ && i < mapping_.groups(); ++i) builder_.store_word(tables_ + i * 4, group_offset(i));
  for (std::uint32_t i = 0; row_table_ && i < mapping_.rows(); ++i) builder_.store_word(row_table_at_ + i * 4, row_offset(i));
}

void LayerCode::load_arrays(std::uint32_t first_pass, std::uint32_t end_pass) {
  first_pass_ = first_pass;
  for (std::uint32_t pass = first_pass; pass < end_pass; ++pass) load_array(pass);
}

void LayerCode::load_array(std::uint32_t pass) {
  const std::uint32_t source = arguments_.weights + pass * static_cast<std::uint32_t>(mapping_.pass_bytes(array_));
  const std::uint32_t row = array_row(pass);
  const std::uint32_t line_bytes = array_.compartments * array_.line_bytes();
  if (array_.order == ArrayOrder::between_groups) {
    const std::uint32_t row_bytes = line_bytes * array_.macros;
    builder_.copy(source, row_bytes * mapping_.rows(), array_.first + row * row_bytes);
    return;
  }
  const std::uint32_t row_bytes = line_bytes * array_.group_sizes[0];
  const Register from = builder_.variable(source), to = builder_.variable(array_.first + row * row_bytes);
  builder_.repeat(array_.macros / array_.group_sizes[0], [&] {
    builder_.copy(from, row_bytes * mapping_.rows(), to);
    builder_.add(from, row_bytes * mapping_.rows());
    builder_.add(to, row_bytes * array_.rows);
  });
  builder_.release(from);
  builder_.release(to);
}

void LayerCode::prepare_pass(std::uint32_t pass) {
  if (pass == pass_) return;
  pass_ = pass;
  if (!arguments_.tables_resident) load_tables();
  if (mapping_.is_masked()) builder_.set(Special::value_sparse_mask, masks_);
  if (mapping_.form == WeightForm::bit_sparse) builder_.set(Special::bit_sparse_meta, meta_);
  if (!arguments_.resident) load_array(pass);
}

void LayerCode::load_tables() {
  const std::uint32_t packed = arguments_.weights + pass_ * static_cast<std::uint32_t>(mapping_.pass_bytes(array_));
  const std::uint32_t tables = packed + static_cast<std::uint32_t>(mapping_.array_bytes(array_));
  sums_.load(tables);
  if (!mapping_.is_masked()) return;
  // Masks of bit-sparse weights select windows, so all passes have the same ones.
  const bool has_masks = has_masks_ && mapping_.form == WeightForm::bit_sparse;
  const std::uint32_t loaded = has_masks ? mapping_.mask_bytes(array_) : 0;
  builder_.copy(tables + mapping_.table_bytes() + loaded, mapping_.mask_bytes(array_) + mapping_.meta_bytes(array_) - loaded,
                masks_ + loaded);
  has_masks_ = true;
}

void LayerCode::fill_pad_line(std::uint32_t bytes) {
  if (bytes <= pad_bytes_) return;
  pad_line_ = memories_.sums_too.first + memories_.sums_too.bytes / 2;
  constexpr std::uint32_t kFour = 0x01010101;
  builder_.store_word(pad_line_, static_cast<std::uint8_t>(arguments_.pad_value) * kFour);
  for (std::uint32_t filled = 4; filled < bytes; filled *= 2)
    builder_.copy(pad_line_, std::min(filled, bytes - filled), pad_line_ + filled);
  pad_bytes_ = bytes;
}

void LayerCode::stage(const Region &strip) {
  const std::uint32_t channels = arguments_.channels, columns = input_columns(strip.width), rows = input_rows(strip.height);
  const std::int64_t first_y = std::int64_t{strip.y} * arguments_.stride_y - arguments_.pad_top;
  const std::int64_t first_x = std::int64_t{strip.x} * arguments_.stride_x - arguments_.pad_left;
  const std::uint32_t old_pitch = pitch_;
  if (in_place_) {
    pitch_ = arguments_.width * channels;
    input_base_ = arguments_.input + static_cast<std::uint32_t>(first_y) * pitch_ + static_cast<std::uint32_t>(first_x) * channels;
    if (old_pitch != pitch_) write_tables();
    return;
  }
  pitch_ = columns * channels;
  input_base_ = memories_.inputs.first;
  if (old_pitch != pitch_) write_tables();

  const auto clamp = [](std::int64_t value, std::uint32_t most) {
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(value, 0, most));
  };
  const std::uint32_t top = clamp(-first_y, rows), bottom = clamp(arguments_.height - first_y, rows);
  const std::uint32_t left = clamp(-first_x, columns), right = clamp(arguments_.width - first_x, columns);
  const bool has_map = bottom > top && right > left;
  const std::uint32_t between = (columns - right + left) * channels;
  const std::uint32_t empty_rows = has_map ? top + rows - bottom : rows;
  if (empty_rows != 0 || between != 0) fill_pad_line(empty_rows != 0 ? std::max(pitch_, between) : between);

  const auto fill_rows = [&](std::uint32_t first, std::uint32_t end) {
    if (first < end) replicate(builder_, pad_line_, pitch_, input_base_ + first * pitch_, end - first);
  };
  if (!has_map) return fill_rows(0, rows);
  fill_rows(0, top);
  fill_rows(bottom, rows);
  const std::uint32_t source_pitch = arguments_.width * channels, bytes = (right - left) * channels;
  const std::uint32_t source =
      arguments_.input + static_cast<std::uint32_t>(first_y + top) * source_pitch + static_cast<std::uint32_t>(first_x + left) * channels;
  const std::uint32_t destination = input_base_ + top * pitch_ + left * channels;
  if (bytes == source_pitch && bytes == pitch_) return builder_.copy(source, bytes * (bottom - top), destination);
  if (left != 0) builder_.copy(pad_line_, left * channels, input_base_ + top * pitch_);
  const Register from = builder_.variable(source), to = builder_.variable(destination);
  builder_.repeat(bottom - top, [&] {
    builder_.copy(from, bytes, to);
    // The padding behind a row and before the next.
    if (between != 0) builder_.copy(pad_line_, between, Value(to, bytes));
    builder_.add(from, source_pitch);
    builder_.add(to, pitch_);
  });
  builder_.release(from);
  builder_.release(to);
  // What was filled behind the last row belongs to the first row of padding, or to nothing.
}

// Tiles.

void LayerCode::compute(Value input) {
  const bool is_masked = mapping_.is_masked();
  builder_.compute({.value_sparse = is_masked,
                    .bit_sparse = mapping_.form == WeightForm::bit_sparse,
                    .group = true,
                    .group_input_table = group_table_,
                    .input = input.plus(pass_ * mapping_.blocks * mapping_.block_inputs),
                    .inputs = mapping_.compute_inputs(),
                    .row = array_row(pass_),
                    .rows = mapping_.rows(),
                    .input_table = row_table_,
                    .input_step = row_table_ ? row_table_at_ : row_step_,
                    .mask_step = mapping_.row_mask_bytes(array_),
                    .meta_step = mapping_.row_meta_bytes(array_)});
}

void LayerCode::output(Value buffer) {
  if (mapping_.threshold == 2) return builder_.output_pairs(buffer, mapping_.group_results(array_));
  builder_.output(buffer);
}

void LayerCode::finish(Value buffer, Value place) {
  sums_.finish(buffer, place, {.pass = pass_, .row_pitch = row_pitch_, .pixel_pitch = pixel_pitch_});
}

void LayerCode::tile(Tiles &tiles, bool advances) {
  compute(tiles.input);
  finish(tiles.buffer, tiles.before_that);
  builder_.assign(tiles.before_that, tiles.before);
  builder_.assign(tiles.before, tiles.place);
  if (advances) {
    builder_.add(tiles.input, tiles.input_step_x);
    builder_.add(tiles.place, tiles.place_step_x);
  }
  // The array works until here. Every instruction between pim-output and the next pim-compute is a cycle in which it does not.
  output(tiles.buffer);
  builder_.subtract_from(memories_.results[0].first + memories_.results[1].first, tiles.buffer);
}

void LayerCode::tile_row(Tiles &tiles) {
  builder_.assign(tiles.input, tiles.input_row);
  builder_.assign(tiles.place, tiles.place_row);
  builder_.repeat(tiles.strip.width / mapping_.tile_width, [&] { tile(tiles, true); });
  const std::uint32_t rest = tiles.strip.width % mapping_.tile_width;
  if (rest == 0) return;
  // The last tile begins earlier, and computes some pixels again.
  const std::uint32_t last = tiles.strip.width - mapping_.tile_width;
  builder_.assign(tiles.input, Value(tiles.input_row, last * arguments_.stride_x * arguments_.channels));
  builder_.assign(tiles.place, Value(tiles.place_row, last * pixel_pitch_));
  tile(tiles, false);
}

void LayerCode::compute_strip(const Region &strip, std::uint32_t first_input, std::uint32_t pass, const Place &place) {
  prepare_pass(pass);
  row_pitch_ = place.row_pitch;
  pixel_pitch_ = place.pixel_pitch;
  builder_.set(Special::input_bit_width, kInputBits);
  builder_.set(Special::output_bit_width, kSumBits);
  builder_.set(Special::weight_bit_width, mapping_.weight_bits);
  builder_.set(Special::group_size, mapping_.group_macros);
  builder_.set(Special::activation_group_num, mapping_.groups());
  builder_.set(Special::activation_column_num, mapping_.columns(array_));
  builder_.set(Special::group_input, group_table_ ? tables_ : group_step_);
  builder_.set(Special::simd_input1_bit_width, kSumBits);
  builder_.set(Special::simd_input2_bit_width, kSumBits);
  builder_.set(Special::simd_input3_bit_width, kShiftBits);
  builder_.set(Special::simd_input4_bit_width, kSumBits);

  if (strip.width == mapping_.tile_width && strip.height == mapping_.tile_height) {
    compute(first_input);
    const Register buffer = builder_.variable(memories_.results[0].first);
    output(buffer);
    finish(buffer, place.base);
    return builder_.release(buffer);
  }

  const std::uint32_t pixel = arguments_.stride_x * arguments_.channels, row = arguments_.stride_y * pitch_;
  const Register input = builder_.variable(0), input_row = builder_.variable(first_input);
  const Register place_row = builder_.variable(place.base), place_now = builder_.variable(0);
  // Before there are two tiles, finish() works on old bytes, and its results are written again later.
  const Register before = builder_.variable(place.base), before_that = builder_.variable(place.base);
  const Register buffer = builder_.variable(memories_.results[0].first);
  Tiles tiles{.strip = strip,
              .input = input,
              .input_row = input_row,
              .place_row = place_row,
              .place = place_now,
              .before = before,
              .before_that = before_that,
              .buffer = buffer,
              .input_step_x = mapping_.tile_width * pixel,
              .input_step_y = mapping_.tile_height * row,
              .place_step_x = mapping_.tile_width * place.pixel_pitch,
              .place_step_y = mapping_.tile_height * place.row_pitch};
  builder_.repeat(strip.height / mapping_.tile_height, [&] {
    tile_row(tiles);
    builder_.add(input_row, tiles.input_step_y);
    builder_.add(place_row, tiles.place_step_y);
  });
  if (strip.height % mapping_.tile_height != 0) {
    const std::uint32_t last = strip.height - mapping_.tile_height;
    builder_.assign(input_row, first_input + last * row);
    builder_.assign(place_row, place.base + last * place.row_pitch);
    tile_row(tiles);
  }
  finish(buffer, before_that);
  builder_.subtract_from(memories_.results[0].first + memories_.results[1].first, buffer);
  finish(buffer, before);
  for (const Register used : {input, input_row, place_row, place_now, before, before_that, buffer}) builder_.release(used);
}

void LayerCode::store(const Region &strip, const Place &place, std::uint32_t first_output, std::uint32_t outputs) {
  const std::uint32_t pixel = mapping_.outputs * result_bytes(), row = arguments_.output_width * pixel;
  const std::uint32_t destination = arguments_.output + strip.y * row + strip.x * pixel + first_output * result_bytes();
  if (outputs == mapping_.outputs && strip.width == arguments_.output_width)
    return builder_.copy(place.base, strip.height * row, destination);
  // Rows, or pixels, one after another.
  const bool by_rows = outputs == mapping_.outputs;
  const Register from_row = builder_.variable(place.base), to_row = builder_.variable(destination);
  const Register from = builder_.variable(0), to = builder_.variable(0);
  builder_.repeat(strip.height, [&] {
    if (by_rows) {
      builder_.copy(from_row, strip.width * pixel, to_row);
    } else {
      builder_.assign(from, from_row);
      builder_.assign(to, to_row);
      builder_.repeat(strip.width, [&] {
        builder_.copy(from, outputs * result_bytes(), to);
        builder_.add(from, place.pixel_pitch);
        builder_.add(to, pixel);
      });
    }
    builder_.add(from_row, place.row_pitch);
    builder_.add(to_row, row);
  });
  for (const Register used : {from_row, to_row, from, to}) builder_.release(used);
}

Region LayerCode::part_of(const Region &region, std::uint32_t y, std::uint32_t x, std::uint32_t height, std::uint32_t width) const {
  // What is left may be less than a tile. Then the part begins earlier, and computes some pixels again.
  const std::uint32_t tall = std::clamp(region.height - y, mapping_.tile_height, height);
  const std::uint32_t wide = std::clamp(region.width - x, mapping_.tile_width, width);
  return {
      .y = region.y + std::min(y, region.height - tall), .x = region.x + std::min(x, region.width - wide), .height = tall, .width = wide};
}

void LayerCode::compute_staged(const Region &region, std::uint32_t first_pass, std::uint32_t end_pass) {
  const std::uint32_t first_output = first_pass * mapping_.pass_outputs;
  const std::uint32_t outputs = std::min(end_pass * mapping_.pass_outputs, mapping_.outputs) - first_output;
  const bool is_staged = builder_.is_dram(arguments_.output);
  std::uint32_t height = region.height, width = region.width;
  // Results go to DRAM while the next ones are computed, unless weights or sparse tables would have to be loaded again for each part.
  const bool keeps_weights = end_pass - first_pass == 1 || (arguments_.resident && !mapping_.is_masked());
  if (is_staged && keeps_weights) height = std::max((height + kParts - 1) / kParts, std::min(height, mapping_.tile_height * kLeastTiles));
  while (!results_fit(height, width, outputs) && height > mapping_.tile_height) --height;
  while (!results_fit(height, width, outputs) && width > mapping_.tile_width)
    width = std::max(mapping_.tile_width, width - mapping_.tile_width);
  if (height < region.height) height = std::max<std::uint32_t>(height / mapping_.tile_height, 1) * mapping_.tile_height;

  for (std::uint32_t y = 0; y < region.height; y += height) {
    for (std::uint32_t x = 0; x < region.width; x += width) {
      const Region strip = part_of(region, y, x, height, width);
      const std::uint32_t inner_y = strip.y - region.y, inner_x = strip.x - region.x;
      const std::uint32_t input =
          input_base_ + inner_y * arguments_.stride_y * pitch_ + inner_x * arguments_.stride_x * arguments_.channels;
      const std::uint32_t pixel = (is_staged ? outputs : mapping_.outputs) * result_bytes();
      Place place{.row_pitch = (is_staged ? strip.width : arguments_.output_width) * pixel, .pixel_pitch = pixel};
      const std::uint32_t base = is_staged
                                     ? memories_.staging[is_second_ ? 1 : 0].first
                                     : arguments_.output + strip.y * place.row_pitch + strip.x * pixel + first_output * result_bytes();
      for (std::uint32_t pass = first_pass; pass < end_pass; ++pass) {
        place.base = base + (pass - first_pass) * mapping_.pass_outputs * result_bytes();
        compute_strip(strip, input, pass, place);
      }
      place.base = base;
      if (is_staged) store(strip, place, first_output, outputs);
      is_second_ = !is_second_;
    }
  }
}

void LayerCode::emit(const Region &region, std::uint32_t first_pass, std::uint32_t end_pass) {
  pitch_ = pad_bytes_ = 0;
  pass_ = kNoPass;
  first_pass_ = first_pass;
  has_masks_ = false;
  // The largest strips whose inputs fit: whole rows if possible.
  std::uint32_t height = region.height, width = region.width;
  while (!inputs_fit(height, width) && height > mapping_.tile_height) --height;
  while (!inputs_fit(height, width) && width > mapping_.tile_width) width = std::max(mapping_.tile_width, width - mapping_.tile_width);
  if (height < region.height) height = height / mapping_.tile_height * mapping_.tile_height;
  const auto compute_passes = [&](std::uint32_t first, std::uint32_t end) {
    for (std::uint32_t y = 0; y < region.height; y += height) {
      for (std::uint32_t x = 0; x < region.width; x += width) {
        const Region strip = part_of(region, y, x, height, width);
        stage(strip);
        compute_staged(strip, first, end);
      }
    }
  };
  // Inputs are loaded again for each pass if weights or sparse tables would have to be loaded again for each strip.
  const bool has_strips = height < region.height || width < region.width;
  if (!has_strips || (arguments_.resident && !mapping_.is_masked())) return compute_passes(first_pass, end_pass);
  for (std::uint32_t pass = first_pass; pass < end_pass; ++pass) compute_passes(pass, pass + 1);
}

}  // namespace cox::kernels::pim
