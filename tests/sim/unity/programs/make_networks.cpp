// SPDX-License-Identifier: MIT
// Activations, quantised sums, softmax, norms.
#include "tests/sim/unity/programs/generators.h"

namespace cox::test::unity_programs {

using isa::unity::bits_of;
using isa::unity::is_float;
using isa::unity::is_signed;

namespace {

Unit half_or_single(Random &random) { return random.chance(50) ? Unit::fp16 : Unit::fp32; }
void set_parameter(Maker &m, std::string_view field, std::string_view unit) {
  const Unit chosen = m.choose(unit, half_or_single(m.random));
  m.set(field, real_bits(m.random, chosen));
}

bool takes_integers(Opcode op) {
  switch (op) {
    case Opcode::RELU:
    case Opcode::RELU6:
    case Opcode::PRELU:
    case Opcode::THRESHOLD_RELU:
    case Opcode::LEAKY_RELU:
    case Opcode::HARD_SHRINK:
    case Opcode::BRELU:
    case Opcode::HARD_TANH: return true;
    default: return false;
  }
}

/// Sets B, I, VALID and FORMAT; returns the number of elements of the second source. `length` becomes a multiple of VALID.
std::uint64_t set_broadcast(Maker &m, std::uint64_t &length) {
  if (m.random.chance(40)) return length;
  m.set("B", 1);
  if (m.random.chance(40)) {
    m.set("I", 1);
    return 1;
  }
  const std::uint32_t valid = m.choose("VALID", 1, 6);
  m.choose("FORMAT", 0, 1);
  length *= valid;
  return valid;
}

void make_prelu(Maker &m) {
  Random &random = m.random;
  std::uint64_t length = random.size(16);
  const std::uint64_t second = set_broadcast(m, length);
  const bool floats = random.chance(50);
  const Unit unit = m.choose("UNIT", floats ? random.real() : random.integer());
  const Unit multiplier = m.choose("M_UNIT", floats ? random.real() : random.integer());
  m.set("LEN", length);
  m.source("MUL", multiplier, second);
  if (!floats && random.chance(70)) {
    std::vector<std::int64_t> shifts(second);
    for (std::int64_t &shift : shifts) shift = random.between(0, 7);
    m.constants("SHIFT", m.choose("S_UNIT", random.integer()), shifts);
  } else if (!floats) {
    m.set("S_UNIT", random.integer());
  }
  m.source("S", unit, length);
  m.result("D", unit, length, true);
}

}  // namespace

void make_activation(Maker &m) {
  if (m.op() == Opcode::PRELU) return make_prelu(m);
  const std::uint64_t length = random_length(m.random);
  const Unit unit = m.choose("UNIT", takes_integers(m.op()) && m.random.chance(50) ? m.random.integer() : m.random.real());
  m.set("LEN", length);
  switch (m.op()) {
    case Opcode::ELU: set_parameter(m, "ALPHA", "A_UNIT"); break;
    case Opcode::HARD_SIGMOID:
      set_parameter(m, "A", "A_UNIT");
      set_parameter(m, "B", "B_UNIT");
      break;
    case Opcode::SELU:
      set_parameter(m, "GAMMA", "G_UNIT");
      set_parameter(m, "A", "A_UNIT");
      break;
    case Opcode::THRESHOLD_RELU:
    case Opcode::LEAKY_RELU:
    case Opcode::HARD_SHRINK: m.set("P0", real_bits(m.random, Unit::fp32)); break;
    case Opcode::BRELU:
    case Opcode::HARD_TANH: {
      constexpr std::uint64_t kMinusTwo = 0xC0000000, kQuarter = 0x3E800000, kSix = 0x40C00000;
      m.set("P0", m.random.chance(50) ? kMinusTwo : kQuarter);
      m.set("P1", m.random.chance(50) ? kQuarter : kSix);
      break;
    }
    default: break;
  }
  m.source("S", unit, length);
  m.result("D", unit, length, true);
}

/// ELE_ADD and ELE_SUB.
void make_quantised_add(Maker &m) {
  Random &random = m.random;
  std::uint64_t length = random.size(random.chance(10) ? 60 : 16);
  const std::uint64_t second = set_broadcast(m, length);
  const bool floats = random.chance(30), bytes = !floats && random.chance(50);
  const auto unit = [&] { return floats ? random.real() : bytes ? Unit::s8 : random.integer(); };
  const Unit s0 = m.choose("S0_UNIT", unit()), s1 = m.choose("S1_UNIT", unit()), d = m.choose("D_UNIT", unit());
  m.set("LEN", length);
  if (random.chance(70)) {
    const Unit multiplier = m.choose("M_UNIT", floats ? half_or_single(random) : Unit::s32);
    m.set("MUL", floats ? real_bits(random, multiplier) | 1 : 1 + random.below(0x7FFFFFFF));
    if (!floats) m.choose("SHIFT", -31, 30);
  }
  if (!floats) {
    m.set("OZERO", random.bits());
    m.set("IZERO", random.bits());
    if (random.chance(50)) {
      m.choose("LSHIFT", 1, 31);
      m.set("MUL0", random.bits());
      m.set("MUL1", random.bits());
      m.choose("SHIFT0", -31, 30);
      m.choose("SHIFT1", -31, 30);
      m.set("IZERO1", random.bits());
    }
  }
  set_bounds(m, d);
  m.source("S0", s0, length);
  m.source("S1", s1, second);
  m.result("D", d, length, true);
}

/// SOFTMAX and LOGSOFTMAX.
void make_softmax(Maker &m) {
  Random &random = m.random;
  const bool quantised = m.op() == Opcode::SOFTMAX && random.chance(40);
  const Unit unit = m.choose("UNIT", quantised ? Unit::s8 : random.real());
  m.choose("FORMAT", 0, 1);
  m.choose("AXIS", 0, 3);
  const std::uint64_t elements = std::uint64_t{m.choose("I_H", 1, 4)} * m.choose("I_W", 1, 4) * m.choose("FC", 1, 6);
  if (quantised) {
    m.set("QMUL", random.below(std::size_t{1} << 31));
    m.choose("LSHIFT", 0, 31);
    m.choose("DIFF_MIN", -400, 0);
  }
  m.source("FM", unit, elements);
  m.result("D", unit, elements);
}

void make_norm(Maker &m) {
  Random &random = m.random;
  const Unit unit = m.choose("UNIT", random.real());
  m.choose("FORMAT", 0, 1);
  const std::uint64_t spatial = std::uint64_t{m.choose("I_H", 1, 4)} * m.choose("I_W", 1, 4);
  std::uint32_t channels = random.size(6), batches = 1;
  if (m.op() == Opcode::GROUP_NORM) channels *= m.choose("GROUP_NUM", 1, 3);
  if (m.op() == Opcode::BATCH_NORM) batches = m.choose("BATCH_NUM", 1, 3);
  m.set("FC", channels);
  if (m.op() == Opcode::LRN_NORM) {
    m.choose("SIZE", 1, 7);
    m.set("ALPHA", real_bits(random, Unit::fp32));
    m.set("BETA", real_bits(random, Unit::fp32));
    m.set("BIAS", real_bits(random, Unit::fp32));
  } else if (m.op() == Opcode::LP_NORM) {
    m.set("P", real_bits(random, Unit::fp32));
  } else if (m.op() != Opcode::L2_NORM) {
    m.source("W", unit, channels);
    m.source("BIAS", unit, channels);
  }
  if (m.op() == Opcode::BATCH_NORM) {
    m.source("MEAN", unit, channels);
    m.source("VAR", unit, channels);
  }
  m.source("FM", unit, batches * spatial * channels);
  m.result("D", unit, batches * spatial * channels);
}

}  // namespace cox::test::unity_programs
