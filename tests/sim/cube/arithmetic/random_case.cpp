// SPDX-License-Identifier: MIT
#include "random_case.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace cox::test {
namespace {

using namespace isa::cube;

void set(std::byte *memory, std::uint64_t bit, std::uint32_t bits, std::uint32_t value) {
  std::byte *at = memory + bit / 8;
  if (bits == 4) {
    const auto nibble = static_cast<std::uint8_t>(value & 0xF);
    *at = bit % 8 == 0 ? (*at & std::byte{0xF0}) | std::byte{nibble} : (*at & std::byte{0x0F}) | std::byte{nibble} << 4;
  } else {
    std::memcpy(at, &value, bits / 8);
  }
}

std::uint32_t special_float(Random &random) {
  constexpr std::uint32_t kSpecial[] = {0x7FC00000, 0xFFC12345, 0x7F800001, 0x7F800000, 0xFF800000, 0,
                                        0x80000000, 0x00000001, 0x807FFFFF, 0x7F7FFFFF, 0xFF7FFFFF};
  return kSpecial[random.in(0, std::size(kSpecial) - 1)];
}
std::uint32_t special_half(Random &random) {
  constexpr std::uint32_t kSpecial[] = {0x7E00, 0xFD55, 0x7C01, 0x7C00, 0xFC00, 0, 0x8000, 0x0001, 0x83FF, 0x7BFF};
  return kSpecial[random.in(0, std::size(kSpecial) - 1)];
}

std::uint32_t aligned(Random &random, std::uint32_t most, std::uint32_t alignment) { return random.in(0, most / alignment) * alignment; }

}  // namespace

Style random_style(Random &random) { return random.one_of(2) ? Style::usual : random.one_of(2) ? Style::small : Style::special; }

std::uint32_t random_element(Random &random, Type type, Style style) {
  if (is_integer(type)) {
    const std::uint32_t lowest = 1U << (element_bits(type) - 1);
    return style == Style::special && random.one_of(2) ? lowest : random.word() & (2 * lowest - 1);
  }
  const bool special = style == Style::special && random.one_of(60);
  if (type == Type::half) {
    if (special) return special_half(random);
    return (random.word() & 0x83FF) | (style == Style::small ? random.in(0, 12) : random.in(12, 17)) << 10;
  }
  const std::uint32_t exponent = style == Style::small ? random.in(0, 130) : random.in(120, 130);
  const std::uint32_t bits = special ? special_float(random) : (random.word() & 0x807FFFFF) | exponent << 23;
  return type == Type::bfloat16 ? bits >> 16 : bits;
}

std::uint32_t random_size(Random &random, std::uint32_t most) {
  constexpr std::uint32_t kAwkward[] = {1, 2, 15, 16, 17, 31, 32, 33};
  return std::min(most, random.one_of(2) ? kAwkward[random.in(0, std::size(kAwkward) - 1)] : random.in(1, random.one_of(2) ? 70 : most));
}

void fill(Random &random, std::span<std::byte> bytes) {
  for (std::byte &byte : bytes) byte = static_cast<std::byte>(random.word());
}

Mad random_mad(Random &random, Type type, double work) {
  for (;;) {
    Mad mad;
    mad.type = type;
    mad.k_align = random.one_of(2);
    mad.m = random.one_of(40) ? 0 : random_size(random, 2048);
    mad.n = random.one_of(40) ? 0 : random_size(random, 2048);
    mad.k = random.one_of(40) ? 0 : random.one_of(12) ? random.in(4094, 4095) : random_size(random, 4095);
    if (type == Type::int4) mad.k &= ~1U;
    const std::uint32_t left = mad.m_count() * mad.k_count() * kFractalBytes, right = mad.n_count() * mad.k_count() * kFractalBytes;
    const std::uint32_t accumulators = mad.m_count() * mad.n_count() * kAccumulatorFractalBytes;
    if (left > kL0ABytes || right > kL0BBytes || accumulators > kL0CBytes) continue;
    if (static_cast<double>(mad.m) * mad.k * mad.n > work) continue;
    mad.left = aligned(random, kL0ABytes - left, kFractalBytes);
    mad.right = aligned(random, kL0BBytes - right, kFractalBytes);
    mad.destination = aligned(random, kL0CBytes - accumulators, kAccumulatorFractalBytes);
    mad.start = static_cast<Start>(random.in(0, 2));
    mad.bias_address = random.one_of(8) ? random.word() / kBiasAlignment * kBiasAlignment : aligned(random, 1023, kBiasAlignment);
    return mad;
  }
}

void fill(Random &random, const Mad &mad, model::cube::Buffers &buffers) {
  const std::byte garbage = random.one_of(2) ? std::byte{0xFF} : std::byte{0x7F};
  std::fill(buffers.l0a.begin(), buffers.l0a.end(), garbage);
  std::fill(buffers.l0b.begin(), buffers.l0b.end(), garbage);
  const std::uint32_t bits = element_bits(mad.type);
  const Style left = random_style(random), right = random.one_of(2) ? left : Style::usual;
  for (std::uint32_t k = 0; k < mad.k; ++k) {
    for (std::uint32_t row = 0; row < mad.m; ++row) {
      set(buffers.l0a.data() + mad.left, l0a_bit(row, k, mad.type, mad.k_count()), bits, random_element(random, mad.type, left));
    }
    for (std::uint32_t column = 0; column < mad.n; ++column) {
      set(buffers.l0b.data() + mad.right, l0b_bit(k, column, mad.type, mad.n_count()), bits, random_element(random, mad.type, right));
    }
  }
  const auto start = [&] { return is_integer(mad.type) ? random.word() : random_element(random, Type::float32, left); };
  const std::size_t end = mad.destination + std::size_t{mad.m_count()} * mad.n_count() * kAccumulatorFractalBytes;
  for (std::size_t at = mad.destination; at < end; at += 4) set(buffers.l0c.data(), at * 8, 32, start());
  for (std::size_t at = 0; at < kBiasTableBytes; at += 4) set(buffers.bias_table.data(), at * 8, 32, start());
}

Load random_load(Random &random) {
  for (;;) {
    Load load;
    DramToL1 &op = load.operation;
    op.rows = random.one_of(20) ? random.in(1, 5000) : random_size(random, 600);
    op.row_bytes = random.one_of(20) ? random.in(1, 70000) : random_size(random, 2000);
    op.source_pitch = random.one_of(5) ? 0 : random.one_of(3) ? op.row_bytes : random.in(0, 2 * op.row_bytes);
    op.format = random.one_of(3) ? Format::linear : Format::fractal;
    std::uint64_t bytes = 0;
    if (op.format == Format::linear) {
      op.destination_pitch = random.one_of(3) ? op.row_bytes : random.in(0, 2 * op.row_bytes);
      bytes = std::uint64_t{op.rows - 1} * op.destination_pitch + op.row_bytes;
    } else {
      op.destination_pitch = fractals(op.rows, kFractalRows) + (random.one_of(2) ? 0 : random.in(1, 9));
      bytes = std::uint64_t{fractals(op.row_bytes, kFractalRowBytes)} * op.destination_pitch * kFractalBytes;
    }
    if (bytes > kL1Bytes || std::uint64_t{op.rows} * op.row_bytes > 200000) continue;
    op.destination = aligned(random, static_cast<std::uint32_t>(kL1Bytes - bytes), op.format == Format::linear ? 1 : kFractalBytes);
    load.offset = random.in(0, 17);
    load.dram.resize(load.offset + std::size_t{op.rows - 1} * op.source_pitch + op.row_bytes);
    fill(random, load.dram);
    return load;
  }
}

L1ToL0 random_move(Random &random) {
  for (;;) {
    L1ToL0 op;
    op.right = random.one_of(2);
    op.type = static_cast<Type>(random.in(0, 4));
    op.transpose = random.one_of(2);
    op.k_align = op.type == Type::float32 && random.one_of(2);
    op.rows = random_size(random, random.one_of(8) ? 4095 : 300);
    op.columns = random_size(random, random.one_of(8) ? 4095 : 300);
    if (op.type == Type::int4) op.columns += op.columns % 2;
    if (op.bytes() > kL0ABytes) continue;
    const std::uint32_t k = op.right ? op.rows : op.columns, other = op.right ? op.columns : op.rows;
    const std::uint32_t l1_rows = op.transpose ? k : other, l1_columns = op.transpose ? other : k;
    op.source_pitch = fractals(l1_rows, kFractalRows) + (random.one_of(2) ? 0 : random.in(1, 9));
    const std::uint64_t bytes =
        (std::uint64_t{fractals(l1_columns, fractal_width(op.type)) - 1} * op.source_pitch + fractals(l1_rows, kFractalRows)) *
        kFractalBytes;
    if (bytes > kL1Bytes) continue;
    const auto last = static_cast<std::uint32_t>(kL1Bytes - bytes);
    op.source = random.one_of(4) ? last : aligned(random, last, kFractalBytes);
    op.destination = aligned(random, kL0ABytes - op.bytes(), kFractalBytes);
    return op;
  }
}

Im2colToL0A random_im2col(Random &random) {
  for (;;) {
    Im2colToL0A op;
    Im2col &map = op.map;
    map.type = static_cast<Type>(random.in(0, 4));
    map.height = random.in(1, 20);
    map.width = random.in(1, 30);
    map.channels = random.one_of(2) ? random.in(1, 8) * 8 : random.in(1, 70);
    if (map.type == Type::int4) map.channels += map.channels % 2;
    if (map.type == Type::int8) map.pad_value = static_cast<std::int32_t>(random.in(0, 255)) - 128;
    const std::uint32_t pixel = map.channels * element_bits(map.type) / 8;
    map.pixel_pitch = random.one_of(2) ? pixel : random.in(1, 2 * pixel);
    map.row_pitch = random.one_of(2) ? map.pixel_pitch * map.width : random.in(1, 2 * map.pixel_pitch * map.width);
    map.kernel_height = random.one_of(9) ? random.in(1, 40) : random.in(1, 5);
    map.kernel_width = random.one_of(9) ? random.in(1, 40) : random.in(1, 5);
    map.stride_y = random.in(1, 3);
    map.stride_x = random.in(1, 3);
    map.dilation_y = random.one_of(2) ? 1 : random.in(1, 3);
    map.dilation_x = random.one_of(2) ? 1 : random.in(1, 3);
    map.pad_top = random.in(0, random.one_of(9) ? 255 : 3);
    map.pad_left = random.in(0, random.one_of(9) ? 255 : 3);
    map.out_width = random.in(1, 40);
    op.k_align = map.type == Type::float32 && random.one_of(2);
    op.rows = random_size(random, 200);
    const auto depth = static_cast<std::uint32_t>(map.depth());
    op.first_column = aligned(random, random.one_of(6) ? 2 * depth : random.one_of(2) ? 0 : depth, fractal_width(map.type));
    op.columns = random_size(random, 1500);
    if (map.type == Type::int4) op.columns += op.columns % 2;
    op.first_place = random.one_of(9) ? random.in(0, 0xFFFFFF) : random.in(0, 300);
    const std::uint64_t bytes = std::uint64_t{map.height - 1} * map.row_pitch + std::uint64_t{map.width - 1} * map.pixel_pitch + pixel;
    if (op.bytes() > kL0ABytes || bytes > kL1Bytes) continue;
    op.source =
        random.one_of(4) ? static_cast<std::uint32_t>(kL1Bytes - bytes) : random.in(0, static_cast<std::uint32_t>(kL1Bytes - bytes));
    op.destination = aligned(random, kL0ABytes - op.bytes(), kFractalBytes);
    return op;
  }
}

Store random_output(Random &random) {
  constexpr std::uint32_t kHalf = kL1Bytes / 2;  // results go below this address, operands above it
  for (;;) {
    Store store;
    Output &op = store.operation;
    OutputConfiguration &set = op.configuration;
    op.integer = random.one_of(2);
    constexpr OutputType kReal[] = {OutputType::float32, OutputType::half, OutputType::bfloat16, OutputType::int8};
    op.to = op.integer && random.one_of(4) ? OutputType::int32 : kReal[random.in(0, 3)];
    op.to_l1 = random.one_of(2);
    op.format = op.to_l1 && random.one_of(2) ? Format::fractal : Format::linear;
    op.rows = random_size(random, random.one_of(8) ? 4095 : 100);
    op.columns = random_size(random, random.one_of(4) ? 4095 : 300);
    op.source_pitch = std::min(256U, fractals(op.rows, kFractalRows) + (random.one_of(2) ? 0 : random.in(1, 4)));
    const std::uint32_t fractal_columns = fractals(op.columns, kFractalRows);
    if (fractal_columns * op.source_pitch * kAccumulatorFractalBytes > kL0CBytes || op.rows * op.columns > 20000) continue;
    op.source = aligned(random, kL0CBytes - fractal_columns * op.source_pitch * kAccumulatorFractalBytes, kAccumulatorFractalBytes);
    op.channel = random.in(0, 500);

    const std::uint32_t row_bytes = op.columns * element_bytes(op.to);
    std::uint64_t bytes = 0;
    if (op.format == Format::fractal) {
      op.destination_pitch = fractals(op.rows, kFractalRows) + (random.one_of(2) ? 0 : random.in(1, 5));
      bytes = std::uint64_t{fractals(row_bytes, kFractalRowBytes)} * op.destination_pitch * kFractalBytes;
    } else {
      op.destination_pitch = random.one_of(2) ? row_bytes : random.in(0, 2 * row_bytes);
      bytes = std::uint64_t{op.rows - 1} * op.destination_pitch + row_bytes;
    }
    if (bytes > kHalf) continue;
    if (op.to_l1) {
      op.destination = aligned(random, static_cast<std::uint32_t>(kHalf - bytes), op.format == Format::fractal ? kFractalBytes : 1);
    } else {
      store.dram_bytes = bytes;
    }

    set.activation = static_cast<Activation>(random.in(0, 3));
    if (op.to == OutputType::int32 && set.activation != Activation::None) set.activation = Activation::ReLU;
    set.activation_parameter = random.one_of(9) ? std::bit_cast<float>(special_float(random)) : random.normal();
    set.zero_point = static_cast<std::int32_t>(random.in(0, 255)) - 128;
    set.beta = random.normal();
    set.scale = op.integer ? 1e-7F * random.normal() : random.normal();
    set.bias = random.one_of(2);
    if (op.to != OutputType::int32) {
      set.scale_mode = static_cast<ScaleMode>(random.in(0, 2));
      set.residual = random.one_of(2);
    }
    const std::uint32_t words = (op.channel + op.columns) * 4;
    set.scale_address = kHalf + aligned(random, kHalf / 4 - words, 4);
    set.bias_address = kHalf + kHalf / 4 + aligned(random, kHalf / 4 - words, 4);
    set.residual_pitch = random.in(0, 2 * row_bytes);
    const std::uint64_t residual = std::uint64_t{op.rows - 1} * set.residual_pitch + row_bytes;
    if (residual > kHalf / 2) continue;
    // In some cases the last byte of the residual is the last byte of L1.
    op.residual_address =
        kL1Bytes - static_cast<std::uint32_t>(random.one_of(3) ? residual : random.in(static_cast<std::uint32_t>(residual), kHalf / 2));
    return store;
  }
}

void fill(Random &random, const Output &op, model::cube::Buffers &buffers) {
  const Style style = random_style(random);
  const OutputConfiguration &set_up = op.configuration;
  const std::size_t end = op.source + std::size_t{op.source_pitch} * fractals(op.columns, kFractalRows) * kAccumulatorFractalBytes;
  for (std::size_t at = op.source; at < end; at += 4) {
    // Integers have any number of significant bits. Half of the floating-point numbers are multiples of 0.5 from -300 to 300, in and near
    // the range of INT8.
    std::uint32_t word = op.integer ? random.word() >> random.in(0, 31) : random_element(random, Type::float32, style);
    if (op.integer && random.one_of(2)) word = 0 - word;
    if (!op.integer && random.one_of(2)) word = std::bit_cast<std::uint32_t>(0.5F * (static_cast<float>(random.in(0, 1200)) - 600.0F));
    set(buffers.l0c.data(), at * 8, 32, word);
  }
  for (std::uint32_t column = 0; column < op.columns; ++column) {
    const std::uint64_t channel = std::uint64_t{op.channel} + column;
    const std::uint32_t factor = random_element(random, Type::float32, style);
    set(buffers.l1.data(), (set_up.scale_address + channel * 4) * 8, 32, factor);
    const std::uint32_t bias = op.integer ? random.word() >> random.in(0, 31) : random_element(random, Type::float32, style);
    set(buffers.l1.data(), (set_up.bias_address + channel * 4) * 8, 32, bias);
  }
  if (op.to == OutputType::int32) return;
  const Type type = op.to == OutputType::half       ? Type::half
                    : op.to == OutputType::bfloat16 ? Type::bfloat16
                    : op.to == OutputType::int8     ? Type::int8
                                                    : Type::float32;
  for (std::uint32_t row = 0; row < op.rows; ++row) {
    for (std::uint32_t column = 0; column < op.columns; ++column) {
      const std::uint64_t at =
          op.residual_address + std::uint64_t{row} * set_up.residual_pitch + std::uint64_t{column} * element_bytes(op.to);
      set(buffers.l1.data(), at * 8, element_bits(type), random_element(random, type, style));
    }
  }
}

}  // namespace cox::test
