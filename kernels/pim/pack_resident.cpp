// SPDX-License-Identifier: MIT
#include <cstring>

#include "coxswain/kernels/pim/resident_convolution.h"

namespace cox::kernels::pim {

namespace {

void put(std::span<std::byte> bytes, std::uint32_t offset, std::int64_t value) {
  const auto word = static_cast<std::int32_t>(value);
  std::memcpy(bytes.data() + offset, &word, sizeof(word));
}

/// The windows of a convolution in their order in the array.
template <typename Visit>
void for_each_window(const ResidentConvolution &convolution, std::uint32_t compartments, Visit visit) {
  const std::uint32_t windows = convolution.channel_windows(compartments), in_part = windows / convolution.place.channel_parts;
  const std::uint32_t columns = convolution.has_row_windows(compartments) ? 1 : convolution.kernel;
  const std::uint32_t channels = convolution.input.channels / windows;
  for (std::uint32_t window = 0; window < windows; ++window) {
    for (std::uint32_t row = 0; row < convolution.kernel; ++row) {
      for (std::uint32_t column = 0; column < columns; ++column) {
        const bool row_parts = convolution.place.kernel_row_parts;
        ResidentWindow each{.first_channel = window * channels, .kernel_row = row, .kernel_column = column};
        each.part = window / in_part * (row_parts ? convolution.kernel : 1) + (row_parts ? row : 0);
        each.step = (window % in_part * (row_parts ? 1 : convolution.kernel) + (row_parts ? 0 : row)) * columns + column;
        visit(each);
      }
    }
  }
}

std::uint32_t offset_of(const ResidentConvolution &convolution, const ResidentWindow &window) {
  const ResidentMap &map = convolution.input;
  return window.first_channel / map.block * map.block_bytes() + window.first_channel % map.block + window.kernel_row * map.row_bytes() +
         window.kernel_column * map.block;
}

}  // namespace

void pack_resident(const ResidentConvolution &convolution, const isa::pim::Array &array, const ResidentWeights &weights,
                   std::uint32_t first_filter, std::span<std::byte> array_image, std::span<std::byte> constants) {
  const ResidentConstants at = resident_constants(convolution, array);
  const ResidentPlace &place = convolution.place;
  const std::uint32_t inputs = convolution.window_inputs(array.compartments), channels = convolution.input.channels;
  const auto filters = static_cast<std::uint32_t>(weights.biases.size());
  const std::uint32_t filter_weights = convolution.kernel * convolution.kernel * channels;
  const auto has = [&](std::uint32_t filter) { return first_filter + filter < filters; };

  for_each_window(convolution, array.compartments, [&](const ResidentWindow &window) {
    const std::uint32_t offset = offset_of(convolution, window);
    for (std::uint32_t pixel = 0; pixel < place.pixels; ++pixel) {
      const std::uint32_t group = place.first_group + window.part * place.pixels + pixel;
      // A window's offset is the sum of its part's and its step's.
      if (window.step == 0) put(constants, at.group_offsets + group * 4, std::int64_t{offset} + pixel * convolution.input_step());
      if (window.part == 0 && pixel == 0) put(constants, at.step_offsets + window.step * 4, offset);
      for (std::uint32_t filter = 0; filter < convolution.filters; ++filter) {
        if (!has(filter)) continue;
        const std::uint32_t column = place.first_column + filter, macro = group * place.group_macros + column / array.elements;
        // In a window that is a row of the kernel, inputs go on to the next pixel.
        const std::uint32_t first = (first_filter + filter) * filter_weights +
                                    (window.kernel_row * convolution.kernel + window.kernel_column) * channels + window.first_channel;
        for (std::uint32_t input = 0; input < inputs; ++input) {
          const auto line = static_cast<std::size_t>(line_offset(array, macro, place.first_row + window.step, input));
          array_image[line + column % array.elements] = static_cast<std::byte>(weights.values[first + input]);
        }
      }
    }
  });

  for (std::uint32_t filter = 0; filter < convolution.filters; ++filter) {
    std::int64_t bias = 0, multiplier = 0, shift = 0;
    if (has(filter)) {
      const std::uint32_t number = first_filter + filter;
      std::int64_t sum = 0;
      for (const std::int8_t weight : weights.values.subspan(std::size_t{number} * filter_weights, filter_weights)) sum += weight;
      bias = weights.biases[number] - weights.input_zero_point * sum;
      multiplier = weights.multipliers[number];
      shift = weights.shifts[number];
    }
    for (std::uint32_t pixel = 0; pixel < place.pixels; ++pixel) {
      put(constants, at.biases + (pixel * convolution.columns() + place.first_column + filter) * 4, bias);
      put(constants, at.multipliers + (pixel * convolution.filters + filter) * 4, multiplier);
      constants[at.shifts + pixel * convolution.filters + filter] = static_cast<std::byte>(shift);
    }
  }
  put(constants, at.zero_point, weights.output_zero_point);
  for (std::uint32_t i = 0; i < weights.add.size(); ++i) put(constants, at.add + i * 4, weights.add[i]);
}

}  // namespace cox::kernels::pim
