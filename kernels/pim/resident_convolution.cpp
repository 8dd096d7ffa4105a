// SPDX-License-Identifier: MIT
#include "coxswain/kernels/pim/resident_convolution.h"

#include <array>

namespace cox::kernels::pim {

using isa::pim::SimdOpcode;
using isa::pim::Special;

namespace {

constexpr std::uint32_t kWord = 4;

}  // namespace

ResidentConstants resident_constants(const ResidentConvolution &convolution, const isa::pim::Array &array) {
  ResidentConstants constants;
  std::uint32_t next = 0;
  const auto take = [&next](std::uint32_t words) {
    const std::uint32_t first = next;
    next += words * kWord;
    return first;
  };
  constants.biases = take(convolution.part_sums());
  constants.multipliers = take(convolution.place.pixels * convolution.filters);
  constants.shifts = take((convolution.place.pixels * convolution.filters + kWord - 1) / kWord);
  constants.zero_point = take(1);
  constants.group_offsets = take(convolution.groups());
  constants.step_offsets = take(convolution.steps(array.compartments));
  constants.add = take(9);
  constants.bytes = next;
  return constants;
}

std::uint32_t ResidentCode::region(std::uint32_t level) const {
  return memories_.sums[level % 2] + level / 2 * ResidentMemories::kRegionBytes;
}

void ResidentCode::begin(const ResidentConvolution &convolution, std::uint32_t constants) {
  convolution_ = convolution;
  constants_ = resident_constants(convolution, builder_.configuration().array);
  for (std::uint32_t *offset : {&constants_.biases, &constants_.multipliers, &constants_.shifts, &constants_.zero_point,
                                &constants_.group_offsets, &constants_.step_offsets, &constants_.add}) {
    *offset += constants;
  }
  // The parts are added in pairs. The biases are one part more, where their number becomes odd.
  const std::uint32_t bytes = convolution.part_sums() * kWord;
  std::uint32_t parts = convolution.parts(), level = 0;
  for (; parts % 2 == 0; parts /= 2) ++level;
  if (parts != 1 && parts != 3 && parts != 7) builder_.fail(Status(ErrorCode::no_room, "parts", -1, convolution.parts(), 7));
  if (level != 0 && (parts + 1) * bytes > ResidentMemories::kRegionBytes)
    builder_.fail(Status(ErrorCode::no_room, "parts", -1, (parts + 1) * bytes, ResidentMemories::kRegionBytes));
  if (level != 0) return builder_.copy(constants_.biases, bytes, region(level - 1) + parts * bytes);
  for (std::uint32_t tile = 0; tile < 2; ++tile) builder_.copy(constants_.biases, bytes, sums_of(tile) + parts * bytes);
}

void ResidentCode::compute(Value input) {
  const isa::pim::Array &array = builder_.configuration().array;
  builder_.set(Special::input_bit_width, 8);
  builder_.set(Special::output_bit_width, 32);
  builder_.set(Special::weight_bit_width, 8);
  builder_.set(Special::group_size, convolution_.place.group_macros);
  builder_.set(Special::activation_group_num, convolution_.groups());
  builder_.set(Special::activation_column_num, convolution_.columns());
  builder_.set(Special::group_input, constants_.group_offsets);
  ComputeCall call;
  call.group_input_table = true;
  call.input = input;
  call.inputs = convolution_.window_inputs(array.compartments);
  call.row = convolution_.place.first_row;
  call.rows = convolution_.steps(array.compartments);
  call.input_table = true;
  call.input_step = constants_.step_offsets;
  builder_.compute(call);
}

void ResidentCode::finish(std::uint32_t tile, Value output) {
  for (const Special width : {Special::simd_input1_bit_width, Special::simd_input2_bit_width, Special::simd_input4_bit_width})
    builder_.set(width, 32);
  builder_.set(Special::simd_input3_bit_width, 8);
  builder_.set(Special::simd_output_bit_width, 32);
  const std::uint32_t sums = convolution_.part_sums();
  std::uint32_t from = sums_of(tile);
  std::uint32_t parts = convolution_.parts(), level = 0;
  bool has_biases = false;
  while (parts != 1 || !has_biases) {
    if (parts % 2 != 0) {
      ++parts;
      has_biases = true;
    }
    const std::uint32_t elements = parts / 2 * sums, to = region(level++);
    const Value inputs[] = {from, from + elements * kWord};
    builder_.simd(SimdOpcode::add, inputs, elements, to);
    from = to;
    parts /= 2;
  }
  builder_.set(Special::simd_output_bit_width, convolution_.result_bits);
  const std::uint32_t filters = convolution_.filters;
  const bool is_dense = convolution_.place.first_column == 0;
  const std::uint32_t pieces = is_dense ? 1 : convolution_.place.pixels, length = is_dense ? sums : filters;
  for (std::uint32_t piece = 0; piece < pieces; ++piece) {
    const std::uint32_t skipped = (piece * convolution_.columns() + convolution_.place.first_column) * kWord;
    const Value inputs[] = {from + skipped, constants_.multipliers + piece * filters * kWord, constants_.shifts + piece * filters,
                            constants_.zero_point};
    builder_.simd(SimdOpcode::quantify, inputs, length, output.plus(piece * filters * convolution_.result_bits / 8));
  }
}

// While the array computes a tile, the results of the tile before stream to one memory, and SIMD instructions add the parts of the tile
// before that, which are in another memory.
void ResidentCode::row(Value input, Value output, std::uint32_t pixels) {
  const std::uint32_t tiles = pixels / convolution_.place.pixels;
  const std::uint32_t input_step = convolution_.place.pixels * convolution_.input_step();
  const std::uint32_t output_step = convolution_.place.pixels * convolution_.filters * convolution_.result_bits / 8;
  const Register in = builder_.variable(input), out = builder_.variable(output);
  const auto store = [&](std::uint32_t tile) { builder_.output(memories_.results[tile % 2]); };
  const auto next = [&] {
    builder_.add(in, input_step);
    compute(in);
  };
  const auto end = [&](std::uint32_t tile) {
    finish(tile, out);
    builder_.add(out, output_step);
  };
  const auto turn = [&](std::uint32_t tile) {
    store(tile);
    next();
    end(tile - 1);
  };
  compute(in);
  if (tiles > 1) {
    store(0);
    next();
    builder_.repeat((tiles - 2) / 2, [&] {
      turn(1);
      turn(2);
    });
    if (tiles % 2 != 0) turn(tiles - 2);
  }
  store(tiles - 1);
  if (tiles > 1) end(tiles - 2);
  end(tiles - 1);
  builder_.release(in);
  builder_.release(out);
}

void ResidentCode::add(Value first, Value second, Value block, std::uint32_t elements, Value output) {
  builder_.set(Special::simd_input1_bit_width, 8);
  builder_.set(Special::simd_input2_bit_width, 8);
  builder_.set(Special::simd_input3_bit_width, 32);
  builder_.set(Special::simd_output_bit_width, 8);
  const Value inputs[] = {first, second, block};
  builder_.simd(SimdOpcode::quantify_resadd, inputs, elements, output);
}

void ResidentCode::maximum(Value first, Value second, std::uint32_t elements, Value output) {
  builder_.set(Special::simd_input1_bit_width, 8);
  builder_.set(Special::simd_input2_bit_width, 8);
  builder_.set(Special::simd_output_bit_width, 8);
  const Value inputs[] = {first, second};
  builder_.simd(SimdOpcode::maximum, inputs, elements, output);
}

void ResidentCode::average(Value first, std::uint32_t rows, std::uint32_t row_step, std::uint32_t columns, std::uint32_t column_step,
                           std::uint32_t elements, Value output) {
  builder_.set(Special::simd_output_bit_width, 32);
  builder_.set(Special::simd_input2_bit_width, 8);
  Value sum = first;
  std::uint32_t level = 0;
  for (std::uint32_t i = 1; i < rows * columns; ++i) {
    builder_.set(Special::simd_input1_bit_width, i == 1 ? 8 : 32);
    const Value inputs[] = {sum, first.plus(i / columns * row_step + i % columns * column_step)};
    sum = memories_.sums[level++ % 2];
    builder_.simd(SimdOpcode::add, inputs, elements, sum);
  }
  const std::uint32_t count = memories_.sums[0] + ResidentMemories::kRegionBytes;
  builder_.store_word(count, rows * columns);
  builder_.set(Special::simd_input1_bit_width, rows * columns == 1 ? 8 : 32);
  builder_.set(Special::simd_input2_bit_width, 32);
  builder_.set(Special::simd_output_bit_width, 8);
  const Value inputs[] = {sum, count};
  builder_.simd(SimdOpcode::average, inputs, elements, output);
}

}  // namespace cox::kernels::pim
