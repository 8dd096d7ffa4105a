// SPDX-License-Identifier: MIT
// resolve() of losses, ACCURACY, AUC, optimisers and LABEL_SMOOTH.
#include <gtest/gtest.h>

#include <bit>

#include "tests/isa/unity/program.h"

namespace cox::isa::unity {
namespace {
namespace resolve_training_test {

constexpr std::int64_t kS32 = 8, kFp16 = 10, kFp32 = 11, kFp64 = 12, kMostUnit = 12;
constexpr std::int64_t kOne = 0x3F800000, kLargest = 0x7F7FFFFF, kInfinite = 0x7F800000, kNan = 0x7FC00000, kMinusZero = 0x80000000;
constexpr std::int64_t kMostRows = 0xFFFFFFFF;

std::int64_t bits(float number) { return std::bit_cast<std::uint32_t>(number); }

void expect_run(const Run &run, std::uint64_t address, std::int64_t unit, std::uint64_t elements) {
  EXPECT_EQ(run.address, address);
  EXPECT_EQ(static_cast<std::int64_t>(run.unit), unit);
  EXPECT_EQ(run.elements, elements);
}

void expect_accesses(const TestInstruction &instruction, const std::vector<Access> &expected) {
  const std::vector<Access> accesses = instruction.accesses();
  ASSERT_EQ(accesses.size(), expected.size() + 1);  // the table is the first
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_STREQ(accesses[i + 1].field, expected[i].field);
    EXPECT_EQ(accesses[i + 1].write, expected[i].write) << expected[i].field;
    EXPECT_EQ(accesses[i + 1].start, expected[i].start) << expected[i].field;
    EXPECT_EQ(accesses[i + 1].bytes, expected[i].bytes) << expected[i].field;
  }
}

/// Refuses FP32 numbers that are no numbers from 0 to `highest`, and accepts both ends.
void expect_number(const TestInstruction &instruction, std::string_view field, std::int64_t highest) {
  for (const std::int64_t refused : {highest + 1, kInfinite, kNan, kMinusZero, bits(-1)}) {
    expect_refused(instruction.with({{field, refused}}), field, refused, highest);
  }
  for (const std::int64_t accepted : {std::int64_t{0}, highest}) EXPECT_TRUE(instruction.with({{field, accepted}}).resolve()) << field;
}

/// Only floats of the operation's `UNIT`.
void expect_floats(const TestInstruction &instruction) {
  for (std::int64_t unit = 0; unit < kFp16; ++unit) expect_refused(instruction.with({{"UNIT", unit}}), "UNIT", unit, kMostUnit);
  for (const std::int64_t unit : {kFp16, kFp32, kFp64}) EXPECT_TRUE(instruction.with({{"UNIT", unit}}).resolve()) << unit;
}

constexpr Opcode kElementLosses[] = {Opcode::MSE_LOSS,       Opcode::L1_LOSS,    Opcode::LOG_LOSS,
                                     Opcode::SMOOTH_L1_LOSS, Opcode::KLDIV_LOSS, Opcode::SOFT_MARGIN_LOSS};

TestInstruction loss_of(Opcode op) {
  return TestInstruction(op, {{"IN", 0x1000}, {"TARGET", 0x2000}, {"D", 0x3000}, {"UNIT", kFp32}, {"CLASSES", 5}, {"N", 7}});
}

TEST(UnityResolveTraining, LossesOfElements) {
  for (const Opcode op : kElementLosses) {
    const TestInstruction loss = loss_of(op);
    const auto l = loss.as<Loss>();
    EXPECT_EQ(l.op, op);
    EXPECT_EQ(l.reduction, LossReduction::none);
    EXPECT_EQ(l.rows, 7U);
    EXPECT_EQ(l.classes, 5U);
    EXPECT_EQ(l.parameter, 0);
    EXPECT_FALSE(l.by_rows());
    EXPECT_EQ(l.terms(), 35U);
    expect_run(l.input, 0x1000, kFp32, 35);
    expect_run(l.target, 0x2000, kFp32, 35);
    expect_run(l.result, 0x3000, kFp32, 35);
    expect_accesses(loss, {{"IN", false, 0x1000, 140}, {"TARGET", false, 0x2000, 140}, {"D", true, 0x3000, 140}});
    expect_error(loss.with({{"TARGET", 0x2004}, {"UNIT", kFp64}}), ErrorCode::misaligned_address, "TARGET", 0x2004, 8);
    EXPECT_TRUE(loss.with({{"TARGET", 0x2002}, {"UNIT", kFp16}}).resolve());
  }
}

TEST(UnityResolveTraining, LossesOfRows) {
  const TestInstruction entropy = loss_of(Opcode::CROSS_ENTROPY);
  EXPECT_TRUE(entropy.as<Loss>().by_rows());
  expect_run(entropy.as<Loss>().target, 0x2000, kFp32, 35);
  expect_run(entropy.as<Loss>().result, 0x3000, kFp32, 7);
  for (const Opcode op : {Opcode::NLL_LOSS, Opcode::SPARSE_CROSS_ENTROPY_LOSS}) {
    const TestInstruction loss = loss_of(op).with({{"UNIT", kFp64}});
    const auto l = loss.as<Loss>();
    EXPECT_TRUE(l.by_rows());
    EXPECT_TRUE(l.has_labels());
    EXPECT_EQ(l.terms(), 7U);
    expect_run(l.input, 0x1000, kFp64, 35);
    expect_run(l.target, 0x2000, kS32, 7);
    expect_run(l.result, 0x3000, kFp64, 7);
    expect_accesses(loss, {{"IN", false, 0x1000, 280}, {"TARGET", false, 0x2000, 28}, {"D", true, 0x3000, 56}});
    // Labels have four bytes, whatever the unit of the scores.
    EXPECT_TRUE(loss.with({{"TARGET", 0x2004}}).resolve());
    expect_error(loss.with({{"TARGET", 0x2002}, {"UNIT", kFp16}}), ErrorCode::misaligned_address, "TARGET", 0x2002, 4);
  }
}

TEST(UnityResolveTraining, ReductionsOfLosses) {
  for (unsigned op = static_cast<unsigned>(Opcode::CROSS_ENTROPY); op <= static_cast<unsigned>(Opcode::SOFT_MARGIN_LOSS); ++op) {
    const TestInstruction loss = loss_of(static_cast<Opcode>(op));
    EXPECT_EQ(loss.with({{"REDUCTION", 1}}).as<Loss>().reduction, LossReduction::mean);
    EXPECT_EQ(loss.with({{"REDUCTION", 2}}).as<Loss>().reduction, LossReduction::sum);
    for (const std::int64_t code : {1, 2}) expect_run(loss.with({{"REDUCTION", code}}).as<Loss>().result, 0x3000, kFp32, 1);
    expect_refused(loss.with({{"REDUCTION", 3}}), "REDUCTION", 3, 2);
  }
}

TEST(UnityResolveTraining, RefusedLosses) {
  for (unsigned op = static_cast<unsigned>(Opcode::CROSS_ENTROPY); op <= static_cast<unsigned>(Opcode::SOFT_MARGIN_LOSS); ++op) {
    const TestInstruction loss = loss_of(static_cast<Opcode>(op));
    expect_floats(loss);
    for (const char *field : {"CLASSES", "N"}) {
      expect_refused(loss.with({{field, 0}}), field, 0, 1);
      EXPECT_TRUE(loss.with({{field, 1}}).resolve());
    }
    // The largest numbers of rows and classes: the input does not fit into 32 bits of addresses.
    expect_error(loss.with({{"CLASSES", 4095}, {"N", kMostRows}}), ErrorCode::address_outside_window, "IN", 0x1000, 0);
    for (const std::int64_t source : {0x1000, 0x2000}) {
      expect_error(loss.with({{"D", source}}), ErrorCode::tensor_overlap, "D", source, 0);
    }
  }
}

TEST(UnityResolveTraining, ParametersOfLosses) {
  for (const Opcode op : {Opcode::SMOOTH_L1_LOSS, Opcode::LOG_LOSS}) {
    EXPECT_EQ(loss_of(op).with({{"P0", bits(0.5F)}}).as<Loss>().parameter, 0.5F);
    expect_number(loss_of(op), "P0", kLargest);
  }
  for (const Opcode op : {Opcode::CROSS_ENTROPY, Opcode::MSE_LOSS, Opcode::L1_LOSS, Opcode::KLDIV_LOSS, Opcode::NLL_LOSS,
                          Opcode::SPARSE_CROSS_ENTROPY_LOSS, Opcode::SOFT_MARGIN_LOSS}) {
    for (const std::int64_t refused : {std::int64_t{1}, kOne, kMinusZero})
      expect_refused(loss_of(op).with({{"P0", refused}}), "P0", refused, 0);
  }
}

TEST(UnityResolveTraining, LargestLossWith64BitAddresses) {
  const TestInstruction loss(
      Opcode::MSE_LOSS, {{"IN", 1LL << 60}, {"TARGET", 2LL << 60}, {"D", 3LL << 60}, {"UNIT", kFp64}, {"CLASSES", 4095}, {"N", kMostRows}},
      AddressSpace::bits64);
  expect_run(loss.as<Loss>().result, 3ULL << 60, kFp64, std::uint64_t{4095} * 0xFFFFFFFF);
}

TEST(UnityResolveTraining, Accuracy) {
  const TestInstruction accuracy(Opcode::ACCURACY,
                                 {{"IN", 0x1000}, {"LABEL", 0x2000}, {"D", 0x3000}, {"UNIT", kFp16}, {"CLASSES", 10}, {"K", 3}, {"N", 7}});
  const auto s = accuracy.as<Score>();
  EXPECT_EQ(s.op, Opcode::ACCURACY);
  EXPECT_EQ(s.classes, 10U);
  EXPECT_EQ(s.best, 3U);
  expect_run(s.scores, 0x1000, kFp16, 70);
  expect_run(s.labels, 0x2000, kS32, 7);
  expect_run(s.result, 0x3000, kFp32, 1);
  expect_accesses(accuracy, {{"IN", false, 0x1000, 140}, {"LABEL", false, 0x2000, 28}, {"D", true, 0x3000, 4}});
  expect_floats(accuracy);
  EXPECT_TRUE(accuracy.with({{"K", 10}}).resolve());
  expect_refused(accuracy.with({{"K", 11}}), "K", 11, 10);
  expect_refused(accuracy.with({{"K", 0}}), "K", 0, 1);
  expect_refused(accuracy.with({{"CLASSES", 0}}), "CLASSES", 0, 1);
  expect_refused(accuracy.with({{"N", 0}}), "N", 0, 1);
  expect_error(accuracy.with({{"LABEL", 0x2002}}), ErrorCode::misaligned_address, "LABEL", 0x2002, 4);
  expect_error(accuracy.with({{"D", 0x3002}}), ErrorCode::misaligned_address, "D", 0x3002, 4);
  expect_error(accuracy.with({{"D", 0x2018}}), ErrorCode::tensor_overlap, "D", 0x2018, 0);
  expect_error(accuracy.with({{"D", 0x1088}}), ErrorCode::tensor_overlap, "D", 0x1088, 0);
  EXPECT_TRUE(accuracy.with({{"D", 0x108C}}).resolve());
}

TEST(UnityResolveTraining, Auc) {
  const TestInstruction auc(Opcode::AUC, {{"IN", 0x1000}, {"LABEL", 0x2000}, {"D", 0x3000}, {"UNIT", kFp64}, {"N", 7}});
  const auto s = auc.as<Score>();
  EXPECT_EQ(s.op, Opcode::AUC);
  expect_run(s.scores, 0x1000, kFp64, 7);
  expect_run(s.labels, 0x2000, kS32, 7);
  expect_run(s.result, 0x3000, kFp32, 1);
  expect_accesses(auc, {{"IN", false, 0x1000, 56}, {"LABEL", false, 0x2000, 28}, {"D", true, 0x3000, 4}});
  expect_floats(auc);
  expect_refused(auc.with({{"N", 0}}), "N", 0, 1);
  EXPECT_TRUE(auc.with({{"N", 1}}).resolve());
}

/// What an optimiser has.
struct Known {
  Opcode op;
  unsigned states;
  std::vector<std::int64_t> highest;  ///< bits of the largest FP32 number of each hyper-parameter
};
const std::vector<Known> &optimizers() {
  static const std::vector<Known> kAll = {{Opcode::SGD, 0, {}},
                                          {Opcode::MOMENTUM, 1, {kLargest}},
                                          {Opcode::ADA_GRAD, 1, {kLargest}},
                                          {Opcode::ADA_DELTA, 2, {kOne, kLargest}},
                                          {Opcode::RMS_PROP, 1, {kLargest, kLargest}},
                                          {Opcode::CENTERED_RMSPROP, 2, {kLargest, kLargest}},
                                          {Opcode::ADAM, 2, {kOne - 1, kOne - 1, kLargest}}};
  return kAll;
}
constexpr std::string_view kStates[] = {"S1", "S2", "S3"}, kHyper[] = {"H0", "H1", "H2"};

TestInstruction optimizer_of(const Known &known) {
  TestInstruction step(known.op, {{"P", 0x1000}, {"G", 0x2000}, {"UNIT", kFp32}, {"N", 9}, {"LR", bits(0.25F)}});
  for (unsigned i = 0; i < known.states; ++i) step.set({{kStates[i], 0x3000 + 0x1000 * i}});
  for (unsigned i = 0; i < known.highest.size(); ++i) step.set({{kHyper[i], bits(0.5F / static_cast<float>(i + 1))}});
  if (known.op == Opcode::ADAM) step.set({{"STEP", 3}});
  return step;
}

TEST(UnityResolveTraining, Optimizers) {
  for (const Known &known : optimizers()) {
    const TestInstruction step = optimizer_of(known);
    const auto s = step.as<OptimizerStep>();
    EXPECT_EQ(s.op, known.op);
    EXPECT_EQ(s.rate, 0.25F);
    EXPECT_FALSE(s.nesterov);
    EXPECT_EQ(s.step, known.op == Opcode::ADAM ? 3U : 0U);
    expect_run(s.parameters, 0x1000, kFp32, 9);
    expect_run(s.gradients, 0x2000, kFp32, 9);
    std::vector<Access> accesses{{"G", false, 0x2000, 36}, {"P", true, 0x1000, 36}};
    for (unsigned i = 0; i < 2; ++i) {
      if (i < known.states) {
        expect_run(s.states[i], 0x3000 + 0x1000 * i, kFp32, 9);
        accesses.push_back({kStates[i].data(), true, 0x3000 + 0x1000 * i, 36});
      } else {
        EXPECT_EQ(s.states[i].elements, 0U);
      }
    }
    for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(s.hyper[i], i < known.highest.size() ? 0.5F / static_cast<float>(i + 1) : 0.0F);
    expect_accesses(step, accesses);
    expect_floats(step);
    expect_refused(step.with({{"N", 0}}), "N", 0, 1);
    EXPECT_TRUE(step.with({{"N", 1}}).resolve());
    expect_error(step.with({{"N", kMostRows}}), ErrorCode::address_outside_window, "G", 0x2000, 0);
  }
}

TEST(UnityResolveTraining, ParametersOfOptimizers) {
  for (const Known &known : optimizers()) {
    const TestInstruction step = optimizer_of(known);
    expect_number(step, "LR", kLargest);
    for (unsigned i = 0; i < 3; ++i) {
      if (i < known.highest.size()) {
        expect_number(step, kHyper[i], known.highest[i]);
      } else {
        for (const std::int64_t refused : {std::int64_t{1}, kOne, kMinusZero}) {
          expect_refused(step.with({{kHyper[i], refused}}), kHyper[i], refused, 0);
        }
      }
    }
    if (known.op == Opcode::ADAM) {
      expect_refused(step.with({{"STEP", 0}}), "STEP", 0, 1);
      EXPECT_EQ(step.with({{"STEP", 1}}).as<OptimizerStep>().step, 1U);
      EXPECT_EQ(step.with({{"STEP", kMostRows}}).as<OptimizerStep>().step, 0xFFFFFFFFU);
    } else {
      expect_refused(step.with({{"STEP", 1}}), "STEP", 1, 0);
    }
    if (known.op == Opcode::MOMENTUM) {
      EXPECT_TRUE(step.with({{"NESTEROV", 1}}).as<OptimizerStep>().nesterov);
    } else {
      expect_refused(step.with({{"NESTEROV", 1}}), "NESTEROV", 1, 0);
    }
  }
}

TEST(UnityResolveTraining, StatesOfOptimizers) {
  for (const Known &known : optimizers()) {
    const TestInstruction step = optimizer_of(known);
    for (unsigned i = 0; i < 3; ++i) {
      if (i >= known.states) {
        expect_refused(step.with({{kStates[i], 0x6000}}), kStates[i], 0x6000, 0);
        continue;
      }
      expect_refused(step.with({{kStates[i], 0}}), kStates[i], 0, 1);
      for (const std::int64_t other : {0x1020, 0x2020}) {
        expect_error(step.with({{kStates[i], other}}), ErrorCode::tensor_overlap, kStates[i], other, 0);
      }
      EXPECT_TRUE(step.with({{kStates[i], 0x1024}}).resolve());
    }
    if (known.states == 2) expect_error(step.with({{"S2", 0x3000}}), ErrorCode::tensor_overlap, "S2", 0x3000, 0);
    // Parameters may not be the gradients, either.
    expect_error(step.with({{"P", 0x2000}}), ErrorCode::tensor_overlap, "P", 0x2000, 0);
  }
}

TEST(UnityResolveTraining, StatesOf16BitAddressesLieInThePage) {
  const TestInstruction step(Opcode::MOMENTUM, {{"P", 0x1000}, {"G", 0x2000}, {"S1", 0x3000}, {"UNIT", kFp32}, {"N", 9}},
                             AddressSpace::bits16);
  expect_run(step.as<OptimizerStep>().states[0], TestInstruction::kPage + 0x3000, kFp32, 9);
  expect_refused(step.with({{"S1", 0}}), "S1", 0, 1);
  expect_refused(step.with({{"S2", 0x4000}}), "S2", 0x4000, 0);
}

TEST(UnityResolveTraining, LabelSmooth) {
  const TestInstruction smooth(
      Opcode::LABEL_SMOOTH,
      {{"S", 0x1000}, {"D", 0x2000}, {"PRIOR", 0x3000}, {"UNIT", kFp16}, {"CLASSES", 5}, {"N", 7}, {"EPSILON", bits(0.5F)}});
  const auto s = smooth.as<LabelSmooth>();
  EXPECT_EQ(s.epsilon, 0.5F);
  EXPECT_EQ(s.classes, 5U);
  expect_run(s.source, 0x1000, kFp16, 35);
  expect_run(s.result, 0x2000, kFp16, 35);
  expect_run(s.prior, 0x3000, kFp16, 5);
  expect_accesses(smooth, {{"S", false, 0x1000, 70}, {"PRIOR", false, 0x3000, 10}, {"D", true, 0x2000, 70}});
  EXPECT_EQ(smooth.with({{"PRIOR", 0}}).as<LabelSmooth>().prior.elements, 0U);
  expect_floats(smooth);
  expect_number(smooth, "EPSILON", kOne);
  for (const char *field : {"CLASSES", "N"}) {
    expect_refused(smooth.with({{field, 0}}), field, 0, 1);
    EXPECT_TRUE(smooth.with({{field, 1}}).resolve());
  }
  expect_error(smooth.with({{"D", 0x1000}}), ErrorCode::tensor_overlap, "D", 0x1000, 0);
  expect_error(smooth.with({{"D", 0x3008}}), ErrorCode::tensor_overlap, "D", 0x3008, 0);
  EXPECT_TRUE(smooth.with({{"D", 0x300A}}).resolve());
}

}  // namespace resolve_training_test
}  // namespace
}  // namespace cox::isa::unity
