// SPDX-License-Identifier: MIT
// Instructions on runs of elements: element-wise operations, reductions, searches.
#include <bit>

#include "tests/sim/unity/programs/generators.h"

namespace cox::test::unity_programs {

using isa::unity::bits_of;
using isa::unity::is_float;
using isa::unity::is_signed;

namespace {

bool is_between(Opcode op, Opcode first, Opcode last) { return op >= first && op <= last; }
bool takes_float(Opcode op) {
  return op == Opcode::SQRT || op == Opcode::RSQRT || op == Opcode::COS_SIM || op == Opcode::RECIPROCAL ||
         is_between(op, Opcode::SIN, Opcode::LOG2);
}

void set_rounding(Maker &m) {
  m.choose("SAT", 0, 1);
  m.choose("ROUND", 0, 3);
}

/// An integer unit of `least` to `most` bits.
Unit integer_of_bits(Random &random, unsigned least, unsigned most) {
  Unit unit = random.integer();
  while (bits_of(unit) < least || bits_of(unit) > most) unit = random.integer();
  return unit;
}

struct Units {
  Unit first, second, result;
};
Units binary_units(Maker &m) {
  Random &random = m.random;
  if (m.op() == Opcode::POW) return {random.integer(), random.integer(), random.integer()};
  if (is_between(m.op(), Opcode::ASR, Opcode::ROR)) {
    const Unit unit = integer_of_bits(random, 4, m.op() == Opcode::ASR ? 32 : 64);
    return {unit, random.integer(), unit};
  }
  if (m.op() == Opcode::NSR) {
    const Unit unit = integer_of_bits(random, 8, 64);
    return {unit, random.integer(), integer_of_bits(random, bits_of(unit) / 2, bits_of(unit) / 2)};
  }
  Units units{random.unit(), random.unit(), random.unit()};
  if (random.chance(40)) units.second = units.result = units.first;  // the fast path has these
  if (takes_float(m.op()) && !is_float(units.first) && !is_float(units.second) && !is_float(units.result)) units.first = random.real();
  return units;
}

/// SXT and UXT.
void make_extension(Maker &m) {
  const std::uint64_t length = random_length(m.random);
  const Unit source = m.choose("S0_UNIT", integer_of_bits(m.random, 4, 32));
  const Unit result = m.choose("D_UNIT", integer_of_bits(m.random, 2 * bits_of(source), 64));
  m.set("LEN", length);
  set_rounding(m);
  m.source("S0", source, length);
  m.result("D", result, length);
}

}  // namespace

std::uint64_t random_length(Random &random) { return random.size(random.chance(10) ? 150 : 20); }

std::uint64_t real_bits(Random &random, Unit unit) {
  // Multiples of 1/8 from -4 to 4, as both formats have them.
  const auto number = static_cast<float>(random.between(-32, 32)) / 8;
  const auto bits = std::bit_cast<std::uint32_t>(number);
  if (unit == Unit::fp32) return bits;
  if (number == 0) return 0;
  return (bits >> 16 & 0x8000) | (((bits >> 23 & 0xFF) - 112) << 10) | (bits >> 13 & 0x3FF);
}

void set_bounds(Maker &m, Unit result) {
  Random &random = m.random;
  if (random.chance(40)) return;
  if (is_float(result)) {
    constexpr std::uint64_t kMinusTwo = 0xC000, kOne = 0x3C00, kThree = 0x4200;
    m.set("CLIP_MIN", random.chance(50) ? kMinusTwo : kOne);
    m.set("CLIP_MAX", kThree);
    return;
  }
  const std::int64_t low = random.between(is_signed(result) ? -200 : 0, 60);
  m.set("CLIP_MIN", static_cast<std::uint64_t>(low));
  m.set("CLIP_MAX", static_cast<std::uint64_t>(low + random.between(0, 300)));
}

void make_binary(Maker &m) {
  if (m.op() == Opcode::SXT || m.op() == Opcode::UXT) return make_extension(m);
  const auto [first, second, result] = binary_units(m);
  const std::uint64_t length = random_length(m.random);
  m.set("S0_UNIT", first);
  m.set("S1_UNIT", second);
  m.set("D_UNIT", result);
  m.set("LEN", length);
  set_rounding(m);
  if (m.op() == Opcode::NSR) {
    m.set("SAT", 1);
    m.choose("ROUND", 1, 3);
  }
  if (m.op() == Opcode::THRES) m.choose("LESS", 0, 1);
  const bool scalar = m.op() != Opcode::COS_SIM && m.random.chance(20);
  m.set("SCALAR1", scalar ? 1 : 0);
  m.source("S0", first, length);
  m.source("S1", second, scalar ? 1 : length);
  m.result("D", result, m.op() == Opcode::COS_SIM ? 1 : length, m.op() != Opcode::COS_SIM);
}

void make_unary(Maker &m) {
  Unit source = m.random.unit();
  const Unit result = m.random.chance(40) ? source : m.random.unit();
  if (m.op() == Opcode::ABS) {
    while (!is_signed(source) && !is_float(source)) source = m.random.unit();
  }
  if (takes_float(m.op()) && !is_float(result)) source = m.random.real();
  const std::uint64_t length = random_length(m.random);
  m.set("S0_UNIT", source);
  m.set("D_UNIT", result);
  m.set("LEN", length);
  set_rounding(m);
  m.source("S0", source, length);
  m.result("D", result, m.op() == Opcode::ASUM ? 1 : length, m.op() != Opcode::ASUM);
}

void make_median(Maker &m) {
  const std::uint64_t length = random_length(m.random);
  const char *const units[] = {"S0_UNIT", "S1_UNIT", "S2_UNIT"}, *const sources[] = {"S0", "S1", "S2"};
  for (unsigned i = 0; i < 3; ++i) m.source(sources[i], m.choose(units[i], m.random.unit()), length);
  m.set("SCALAR1", 0);
  set_rounding(m);
  m.set("LEN", length);
  m.result("D", m.choose("D_UNIT", m.random.unit()), length, true);
}

void make_logic(Maker &m) {
  const std::uint64_t length = random_length(m.random);
  m.set("LEN", length);
  m.source("S0", Unit::u8, length);
  if (m.op() != Opcode::INV) m.source("S1", Unit::u8, length);
  m.result("D", Unit::u8, length, true);
}

void make_clip(Maker &m) {
  const std::uint64_t length = random_length(m.random);
  const Unit source = m.choose("S0_UNIT", m.random.unit()), result = m.choose("D_UNIT", m.random.unit());
  m.set("LEN", length);
  set_rounding(m);
  set_bounds(m, result);
  m.source("S0", source, length);
  m.result("D", result, length, true);
}

void make_convert(Maker &m) {
  const std::uint64_t length = random_length(m.random);
  const Unit source = m.choose("S_UNIT", m.random.unit()), result = m.choose("D_UNIT", m.random.unit());
  m.set("LEN", length);
  set_rounding(m);
  m.source("S", source, length);
  m.result("D", result, length, true);
}

void make_sign_bit(Maker &m) {
  const std::uint64_t length = random_length(m.random);
  const Unit unit = m.choose("UNIT", m.random.unit());
  m.set("LEN", length);
  m.source("S", unit, length);
  m.result("D", unit, length, true);
}

void make_reduction(Maker &m) {
  const Extents map = random_extents(m.random, 5);
  const Unit unit = m.choose("UNIT", m.random.unit());
  m.set("FH", map.h);
  m.set("FW", map.w);
  m.set("FC", map.c);
  set_rounding(m);
  const std::uint32_t axis = m.choose("AXIS", 0, 6);
  Extents kept = map;
  if (axis == 0 || axis == 1 || axis == 4 || axis == 5) kept.h = 1;
  if (axis == 0 || axis == 2 || axis == 4 || axis == 6) kept.w = 1;
  if (axis == 0 || axis == 3 || axis == 5 || axis == 6) kept.c = 1;
  m.source("S", unit, map.elements());
  m.result("D", unit, kept.elements());
}

void make_arg(Maker &m) {
  const std::uint64_t length = random_length(m.random);
  const Unit source = m.choose("S0_UNIT", m.random.unit()), result = m.choose("D_UNIT", m.random.unit());
  m.set("LEN", length);
  m.choose("SAT", 0, 1);
  m.source("S0", source, length);
  m.result("D", result, 1);
}

void make_non_zero(Maker &m) {
  const std::uint64_t length = random_length(m.random);
  const Unit source = m.choose("S0_UNIT", m.random.unit());
  m.set("D_UNIT", Unit::s32);
  m.set("LEN", length);
  m.source("S0", source, length);
  m.result("D", Unit::s32, length + 1);
}

/// ARG_SORT and TOPK.
void make_sort(Maker &m) {
  const std::uint64_t length = random_length(m.random);
  const Unit unit = m.choose("UNIT", m.random.unit());
  m.set("LEN", length);
  const std::uint64_t results = m.op() == Opcode::TOPK ? m.choose("K", 1, static_cast<std::int64_t>(length)) : length;
  m.source("S", unit, length);
  m.result("D0", unit, results);
  m.result("D1", Unit::s32, results);
}

}  // namespace cox::test::unity_programs
