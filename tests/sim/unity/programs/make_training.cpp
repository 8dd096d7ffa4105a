// SPDX-License-Identifier: MIT
// Losses, scores, optimisers, label smoothing.
#include <bit>
#include <vector>

#include "tests/sim/unity/programs/generators.h"

namespace cox::test::unity_programs {

namespace {

/// Bits of an FP32 number from 0 to just below 1.
std::uint64_t share(Random &random) { return std::bit_cast<std::uint32_t>(static_cast<float>(random.below(256)) / 256); }

std::vector<std::int64_t> labels(Random &random, std::uint64_t count, std::uint64_t classes) {
  std::vector<std::int64_t> labels(count);
  for (std::int64_t &label : labels) label = static_cast<std::int64_t>(random.below(classes));
  return labels;
}

}  // namespace

void make_loss(Maker &m) {
  const Opcode op = m.op();
  const Unit unit = m.choose("UNIT", m.random.real());
  const std::uint64_t rows = m.choose("N", 1, 6), classes = m.choose("CLASSES", 1, 6);
  const bool has_labels = op == Opcode::NLL_LOSS || op == Opcode::SPARSE_CROSS_ENTROPY_LOSS;
  const bool by_rows = has_labels || op == Opcode::CROSS_ENTROPY;
  if (op == Opcode::SMOOTH_L1_LOSS || op == Opcode::LOG_LOSS) m.set("P0", share(m.random));
  const bool one = m.choose("REDUCTION", 0, 2) != 0;
  m.source("IN", unit, rows * classes);
  if (has_labels) {
    m.constants("TARGET", Unit::s32, labels(m.random, rows, classes));
  } else {
    m.source("TARGET", unit, rows * classes);
  }
  m.result("D", unit, one ? 1 : by_rows ? rows : rows * classes);
}

/// ACCURACY and AUC.
void make_score(Maker &m) {
  const Unit unit = m.choose("UNIT", m.random.real());
  const std::uint64_t rows = m.choose("N", 1, 10);
  std::uint64_t classes = 1;
  if (m.op() == Opcode::ACCURACY) {
    classes = m.choose("CLASSES", 1, 6);
    m.choose("K", 1, static_cast<std::int64_t>(classes));
  }
  m.source("IN", unit, rows * classes);
  m.constants("LABEL", Unit::s32, labels(m.random, rows, m.op() == Opcode::AUC ? 2 : classes));
  m.result("D", Unit::fp32, 1);
}

void make_optimizer(Maker &m) {
  const Opcode op = m.op();
  const Unit unit = m.choose("UNIT", m.random.real());
  const std::uint64_t count = m.choose("N", 1, 16);
  m.set("LR", share(m.random));
  if (op == Opcode::MOMENTUM) m.choose("NESTEROV", 0, 1);
  if (op == Opcode::ADAM) m.choose("STEP", 1, 20);
  const bool two = op == Opcode::ADA_DELTA || op == Opcode::CENTERED_RMSPROP || op == Opcode::ADAM;
  const unsigned hyper = op == Opcode::SGD ? 0 : op == Opcode::MOMENTUM || op == Opcode::ADA_GRAD ? 1 : op == Opcode::ADAM ? 3 : 2;
  const char *const names[] = {"H0", "H1", "H2"};
  for (unsigned i = 0; i < hyper; ++i) m.set(names[i], share(m.random));
  m.source("G", unit, count);
  m.updated("P", unit, count);
  if (op != Opcode::SGD) m.updated("S1", unit, count);
  if (two) m.updated("S2", unit, count);
}

void make_label_smooth(Maker &m) {
  const Unit unit = m.choose("UNIT", m.random.real());
  const std::uint64_t rows = m.choose("N", 1, 6), classes = m.choose("CLASSES", 1, 6);
  m.set("EPSILON", share(m.random));
  m.source("S", unit, rows * classes);
  if (m.random.chance(50)) m.source("PRIOR", unit, classes);
  m.result("D", unit, rows * classes);
}

}  // namespace cox::test::unity_programs
