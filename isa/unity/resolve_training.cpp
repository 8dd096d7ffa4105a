// SPDX-License-Identifier: MIT
// Training: losses, ACCURACY, AUC, optimisers, LABEL_SMOOTH.
#include <bit>

#include "coxswain/isa/unity/operands.h"
#include "coxswain/isa/unity/region_sink.h"

namespace cox::isa::unity::detail {
namespace {

using namespace layouts;

constexpr std::uint32_t kOne = std::bit_cast<std::uint32_t>(1.0F), kInfinity = 0x7F800000;

/// Reads an FP32 number from 0 up to a number with the bits `highest`. Numbers without a sign have the order of their bits.
float read_number(Checks &checks, const char *what, std::uint32_t bits, std::uint32_t highest = kInfinity - 1) {
  checks.at_most(what, bits, highest);
  return std::bit_cast<float>(bits);
}

Result<Operation> resolve_loss(const Operands &o) {
  Loss l{.op = o.op()};
  Checks checks;
  const Unit unit = o.unit<kLoss, "UNIT">();
  const std::uint64_t reduction = o.get<kLoss, "REDUCTION">();
  l.rows = o.get<kLoss, "N">();
  l.classes = o.get<kLoss, "CLASSES">();
  checks.unit("UNIT", unit, is_float(unit));
  checks.at_most("REDUCTION", reduction, kLossReductions - 1);
  checks.size("CLASSES", l.classes);
  checks.size("N", l.rows);
  const bool has_parameter = l.op == Opcode::SMOOTH_L1_LOSS || l.op == Opcode::LOG_LOSS;
  l.parameter = read_number(checks, "P0", o.word<kLoss, "P0">(), has_parameter ? kInfinity - 1 : 0);
  // The unit of targets depends on the operation, so the check of all fields has passed this one.
  const Unit target = l.has_labels() ? Unit::s32 : unit;
  checks.stride("TARGET", o.get<kLoss, "TARGET">(), target);
  if (!checks) return checks.status();
  l.reduction = static_cast<LossReduction>(reduction);
  l.input = {o.address<kLoss, "IN">(), unit, l.rows * l.classes};
  l.target = {o.address<kLoss, "TARGET">(), target, l.has_labels() ? l.rows : l.rows * l.classes};
  l.result = {o.address<kLoss, "D">(), unit, l.reduction == LossReduction::none ? l.terms() : 1};
  return Operation{l};
}

Result<Operation> resolve_score(const Operands &o) {
  Score s{.op = o.op()};
  Checks checks;
  const bool is_auc = s.op == Opcode::AUC;
  const Unit unit = is_auc ? o.unit<kAuc, "UNIT">() : o.unit<kAccuracy, "UNIT">();
  const std::uint64_t rows = is_auc ? o.get<kAuc, "N">() : o.get<kAccuracy, "N">();
  checks.unit("UNIT", unit, is_float(unit));
  if (!is_auc) {
    s.classes = o.get<kAccuracy, "CLASSES">();
    s.best = o.get<kAccuracy, "K">();
    checks.size("CLASSES", s.classes);
    checks.in_range("K", s.best, 1, s.classes);
  }
  checks.size("N", rows);
  if (!checks) return checks.status();
  s.scores = {o.address<kAccuracy, "IN">(), unit, rows * s.classes};
  s.labels = {o.address<kAccuracy, "LABEL">(), Unit::s32, rows};
  s.result = {o.address<kAccuracy, "D">(), Unit::fp32, 1};
  return Operation{s};
}

/// What an optimiser has.
struct Shape {
  unsigned states = 0;
  std::array<std::uint32_t, 3> highest{};  ///< of each hyper-parameter: the bits of an FP32 number; 0: it has none
};
Shape shape_of(Opcode op) {
  constexpr std::uint32_t kFinite = kInfinity - 1;
  switch (op) {
    case Opcode::MOMENTUM: return {1, {kFinite}};
    case Opcode::ADA_GRAD: return {1, {kFinite}};
    case Opcode::ADA_DELTA: return {2, {kOne, kFinite}};
    case Opcode::RMS_PROP: return {1, {kFinite, kFinite}};
    case Opcode::CENTERED_RMSPROP: return {2, {kFinite, kFinite}};
    case Opcode::ADAM: return {2, {kOne - 1, kOne - 1, kFinite}};
    default: return {};
  }
}

Result<Operation> resolve_optimizer(const Operands &o) {
  OptimizerStep s{.op = o.op()};
  Checks checks;
  const Shape shape = shape_of(s.op);
  const Unit unit = o.unit<kOptimizer, "UNIT">();
  const std::uint64_t count = o.get<kOptimizer, "N">();
  checks.unit("UNIT", unit, is_float(unit));
  if (s.op != Opcode::MOMENTUM) checks.zero("NESTEROV", o.get<kOptimizer, "NESTEROV">());
  checks.size("N", count);
  s.rate = read_number(checks, "LR", o.word<kOptimizer, "LR">());
  s.hyper = {read_number(checks, "H0", o.word<kOptimizer, "H0">(), shape.highest[0]),
             read_number(checks, "H1", o.word<kOptimizer, "H1">(), shape.highest[1]),
             read_number(checks, "H2", o.word<kOptimizer, "H2">(), shape.highest[2])};
  s.step = o.word<kOptimizer, "STEP">();
  if (s.op == Opcode::ADAM) {
    checks.size("STEP", s.step);
  } else {
    checks.zero("STEP", s.step);
  }
  const auto state = [&](unsigned number, const char *what, std::uint64_t field, std::uint64_t address) -> Run {
    if (number > shape.states) {
      checks.zero(what, field);
      return {};
    }
    checks.size(what, field);
    return {address, unit, count};
  };
  s.states = {state(1, "S1", o.get<kOptimizer, "S1">(), o.address<kOptimizer, "S1">()),
              state(2, "S2", o.get<kOptimizer, "S2">(), o.address<kOptimizer, "S2">())};
  checks.zero("S3", o.get<kOptimizer, "S3">());
  if (!checks) return checks.status();
  s.nesterov = o.get<kOptimizer, "NESTEROV">() != 0;
  s.parameters = {o.address<kOptimizer, "P">(), unit, count};
  s.gradients = {o.address<kOptimizer, "G">(), unit, count};
  return Operation{s};
}

Result<Operation> resolve_label_smooth(const Operands &o) {
  LabelSmooth s;
  Checks checks;
  const Unit unit = o.unit<kLabelSmooth, "UNIT">();
  const std::uint64_t rows = o.get<kLabelSmooth, "N">();
  s.classes = o.get<kLabelSmooth, "CLASSES">();
  checks.unit("UNIT", unit, is_float(unit));
  checks.size("CLASSES", s.classes);
  checks.size("N", rows);
  s.epsilon = read_number(checks, "EPSILON", o.word<kLabelSmooth, "EPSILON">(), kOne);
  if (!checks) return checks.status();
  s.source = {o.address<kLabelSmooth, "S">(), unit, rows * s.classes};
  s.result = {o.address<kLabelSmooth, "D">(), unit, rows * s.classes};
  const std::uint64_t prior = o.optional_address<kLabelSmooth, "PRIOR">();
  if (prior != 0) s.prior = {prior, unit, s.classes};
  return Operation{s};
}

}  // namespace

Result<Operation> resolve_training(const Operands &o) {
  switch (o.op()) {
    case Opcode::LABEL_SMOOTH: return resolve_label_smooth(o);
    case Opcode::ACCURACY:
    case Opcode::AUC: return resolve_score(o);
    default: return o.op() < Opcode::ACCURACY ? resolve_loss(o) : resolve_optimizer(o);
  }
}

void list_regions(const Loss &operation, RegionSink &sink) {
  sink.read("IN", operation.input);
  sink.read("TARGET", operation.target);
  sink.write("D", operation.result);
}

void list_regions(const Score &operation, RegionSink &sink) {
  sink.read("IN", operation.scores);
  sink.read("LABEL", operation.labels);
  sink.write("D", operation.result);
}

void list_regions(const OptimizerStep &operation, RegionSink &sink) {
  sink.read("G", operation.gradients);
  sink.write("P", operation.parameters);
  sink.write("S1", operation.states[0]);
  sink.write("S2", operation.states[1]);
}

void list_regions(const LabelSmooth &operation, RegionSink &sink) {
  sink.read("S", operation.source);
  sink.read("PRIOR", operation.prior);
  sink.write("D", operation.result);
}

}  // namespace cox::isa::unity::detail
