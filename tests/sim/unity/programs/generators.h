// SPDX-License-Identifier: MIT
// Generators of valid random instructions, one for each operation of the table (generators.cpp has the list).
#pragma once

#include "tests/sim/unity/programs/maker.h"

namespace cox::test::unity_programs {

using Generate = void (*)(Maker &maker);

/// What makes instructions of an operation.
struct Generator {
  Generate generate = nullptr;  ///< nullptr: none
  bool by_program = false;      ///< EXIT and branches: random_program.cpp makes them
};
[[nodiscard]] Generator generator_of(Opcode op);

/// Makes a random instruction. Throws std::length_error if its operands found no place.
[[nodiscard]] Made make_instruction(Random &random, Pool &pool, Opcode op, AddressSpace space);

// Families.
void make_binary(Maker &m);
void make_unary(Maker &m);
void make_median(Maker &m);
void make_logic(Maker &m);
void make_clip(Maker &m);
void make_convert(Maker &m);
void make_sign_bit(Maker &m);
void make_reduction(Maker &m);
void make_arg(Maker &m);
void make_non_zero(Maker &m);
void make_sort(Maker &m);

void make_copy(Maker &m);
void make_data_move(Maker &m);
void make_concat(Maker &m);
void make_split(Maker &m);
void make_transpose(Maker &m);
void make_pad(Maker &m);
void make_gather(Maker &m);
void make_scatter(Maker &m);
void make_stack(Maker &m);
void make_tile(Maker &m);
void make_roll(Maker &m);
void make_where(Maker &m);

void make_activation(Maker &m);
void make_quantised_add(Maker &m);
void make_softmax(Maker &m);
void make_norm(Maker &m);

void make_convolution(Maker &m);
void make_matrix_product(Maker &m);
void make_pool(Maker &m);
void make_section_pool(Maker &m);
void make_resize(Maker &m);

void make_factors(Maker &m);
void make_square(Maker &m);
void make_matrix_norm(Maker &m);
void make_least_squares(Maker &m);
void make_solution(Maker &m);
void make_fourier(Maker &m);

void make_recurrent(Maker &m);
void make_lookup(Maker &m);
void make_pixel_shuffle(Maker &m);
void make_grid_sample(Maker &m);
void make_affine_grid(Maker &m);

void make_loss(Maker &m);
void make_score(Maker &m);
void make_optimizer(Maker &m);
void make_label_smooth(Maker &m);

void make_creation(Maker &m);
void make_query(Maker &m);
void make_dropout(Maker &m);
void make_unstack(Maker &m);

// Parts that several families use.

/// A random length; long ones let the fast path work in blocks.
std::uint64_t random_length(Random &random);
/// Sets CLIP_MAX and CLIP_MIN.
void set_bounds(Maker &m, Unit result);
/// Bits of an FP32 or FP16 number of usual size.
std::uint64_t real_bits(Random &random, Unit unit);
/// Height, width, channels.
struct Extents {
  std::uint32_t h = 1, w = 1, c = 1;

  [[nodiscard]] std::uint64_t elements() const { return std::uint64_t{h} * w * c; }
};
Extents random_extents(Random &random, std::uint32_t most);
/// Bytes of a dense map, whose lines begin at bytes.
std::uint64_t map_bytes(Unit unit, bool planes, const Extents &map);

}  // namespace cox::test::unity_programs
