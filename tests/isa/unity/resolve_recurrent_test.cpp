// SPDX-License-Identifier: MIT
// resolve() of recurrent layers and their cells, and the bytes that they touch.
#include <gtest/gtest.h>

#include <string>

#include "tests/isa/unity/program.h"

namespace cox::isa::unity {
namespace {
namespace resolve_recurrent_test {

constexpr std::int64_t kS64 = 9, kFp16 = 10, kFp32 = 11, kFp64 = 12;

void expect_run(const Run &run, std::uint64_t address, std::int64_t unit, std::uint64_t elements) {
  EXPECT_EQ(run.address, address);
  EXPECT_EQ(static_cast<std::int64_t>(run.unit), unit);
  EXPECT_EQ(run.elements, elements);
}

struct Form {
  Opcode op{};
  Recurrent::Kind kind{};
  bool cell = false;
  std::uint64_t gates = 0;
};
constexpr Form kForms[] = {
    {Opcode::LSTM, Recurrent::Kind::lstm, false, 4}, {Opcode::LSTM_CELL, Recurrent::Kind::lstm, true, 4},
    {Opcode::GRU, Recurrent::Kind::gru, false, 3},   {Opcode::GRU_CELL, Recurrent::Kind::gru, true, 3},
    {Opcode::RNN, Recurrent::Kind::rnn, false, 1},   {Opcode::RNN_CELL, Recurrent::Kind::rnn, true, 1},
};

/// Three sequences of inputs of 5 elements, and states of 7.
TestInstruction layer(const Form &form, AddressSpace space = AddressSpace::bits32) {
  return TestInstruction(form.op,
                         {{"X", 0x1000},
                          {"W_IH", 0x2000},
                          {"W_HH", 0x3000},
                          {"BIAS", 0x4000},
                          {"H", 0x5000},
                          {"C", form.kind == Recurrent::Kind::lstm ? 0x5800 : 0},
                          {"Y", 0x6000},
                          {"UNIT", kFp32},
                          {"INPUT", 5},
                          {"HIDDEN", 7},
                          {"BATCH", 3},
                          {"T", form.cell ? 1 : 2}},
                         space);
}

TEST(UnityResolveRecurrent, WhatTheOperationHolds) {
  for (const Form &form : kForms) {
    const auto r = layer(form).as<Recurrent>();
    const bool lstm = form.kind == Recurrent::Kind::lstm;
    const std::uint64_t steps = form.cell ? 1 : 2;
    EXPECT_EQ(r.op, form.op);
    EXPECT_EQ(r.kind, form.kind);
    EXPECT_EQ(r.gates(), form.gates);
    EXPECT_EQ(r.steps, steps);
    EXPECT_EQ(r.batch, 3U);
    EXPECT_EQ(r.inputs, 5U);
    EXPECT_EQ(r.hidden, 7U);
    EXPECT_FALSE(r.relu);
    expect_run(r.input, 0x1000, kFp32, steps * 3 * 5);
    expect_run(r.input_weights, 0x2000, kFp32, form.gates * 7 * 5);
    expect_run(r.hidden_weights, 0x3000, kFp32, form.gates * 7 * 7);
    expect_run(r.bias, 0x4000, kFp32, form.gates * 7 * 2);
    expect_run(r.hidden_state, 0x5000, kFp32, 21);
    expect_run(r.cell_state, lstm ? 0x5800 : 0, kFp32, lstm ? 21 : 0);
    expect_run(r.result, 0x6000, kFp32, steps * 21);
  }
}

TEST(UnityResolveRecurrent, AbsentOperandsInThePageOf16BitAddresses) {
  const TestInstruction instruction = layer(kForms[0], AddressSpace::bits16);
  EXPECT_EQ(instruction.as<Recurrent>().cell_state.address, TestInstruction::kPage + 0x5800);
  const auto r = instruction.with({{"BIAS", 0}, {"H", 0}, {"C", 0}}).as<Recurrent>();
  for (const auto &run : {r.bias, r.hidden_state, r.cell_state}) expect_run(run, 0, kFp32, 0);
  EXPECT_EQ(r.input.address, TestInstruction::kPage + 0x1000);
  // One state may be absent without the other.
  EXPECT_EQ(instruction.with({{"H", 0}}).as<Recurrent>().cell_state.elements, 21U);
}

TEST(UnityResolveRecurrent, SizesUnitsAndModes) {
  for (const Form &form : kForms) {
    const TestInstruction one = layer(form).with({{"INPUT", 1}, {"HIDDEN", 1}, {"BATCH", 1}, {"T", 1}});
    EXPECT_TRUE(one.resolve());
    for (const char *field : {"INPUT", "HIDDEN", "BATCH", "T"}) expect_refused(one.with({{field, 0}}), field, 0, 1);
    for (const std::int64_t unit : {kFp16, kFp32, kFp64})
      EXPECT_EQ(static_cast<std::int64_t>(one.with({{"UNIT", unit}}).as<Recurrent>().result.unit), unit);
    expect_refused(one.with({{"UNIT", kS64}}), "UNIT", kS64, 12);
    if (form.cell) {
      expect_refused(one.with({{"T", 2}}), "T", 2, 1);
    } else {
      EXPECT_EQ(one.with({{"T", 4095}, {"Y", 0x10000}}).as<Recurrent>().result.elements, 4095U);
    }
    if (form.kind == Recurrent::Kind::rnn) {
      EXPECT_TRUE(one.with({{"RELU", 1}}).as<Recurrent>().relu);
    } else {
      expect_refused(one.with({{"RELU", 1}}), "RELU", 1, 0);
    }
    if (form.kind != Recurrent::Kind::lstm) expect_refused(one.with({{"C", 0x5800}}), "C", 0x5800, 0);
  }
}

TEST(UnityResolveRecurrent, LargestLayer) {
  const TestInstruction largest(Opcode::LSTM,
                                {{"X", 1LL << 40},
                                 {"W_IH", 2LL << 40},
                                 {"W_HH", 3LL << 40},
                                 {"BIAS", 4LL << 40},
                                 {"H", 5LL << 40},
                                 {"C", 6LL << 40},
                                 {"Y", 7LL << 40},
                                 {"UNIT", kFp64},
                                 {"INPUT", 4095},
                                 {"HIDDEN", 4095},
                                 {"BATCH", 4095},
                                 {"T", 4095}},
                                AddressSpace::bits64);
  const auto r = largest.as<Recurrent>();
  EXPECT_EQ(r.input.elements, 4095ULL * 4095 * 4095);
  EXPECT_EQ(r.hidden_weights.elements, 4ULL * 4095 * 4095);
  EXPECT_EQ(r.bias.elements, 8ULL * 4095);
  EXPECT_EQ(r.result.elements, 4095ULL * 4095 * 4095);
  expect_error(layer(kForms[0]).with({{"Y", 0xFFFFFF5C}}), ErrorCode::address_outside_window, "Y", 0xFFFFFF5C, 0);
  EXPECT_TRUE(layer(kForms[0]).with({{"Y", 0xFFFFFF58}}).resolve());
}

TEST(UnityResolveRecurrent, StatesAndResultsOverlapNothing) {
  const TestInstruction lstm = layer(kForms[0]);
  // A state has 84 bytes, the result 168, the inputs 120, the weights 560 and 784, and the biases 224.
  expect_error(lstm.with({{"H", 0x1000}}), ErrorCode::tensor_overlap, "H", 0x1000, 0);
  expect_error(lstm.with({{"C", 0x1074}}), ErrorCode::tensor_overlap, "C", 0x1074, 0);
  EXPECT_TRUE(lstm.with({{"C", 0x1078}}).resolve());
  expect_error(lstm.with({{"C", 0x5050}}), ErrorCode::tensor_overlap, "C", 0x5050, 0);
  EXPECT_TRUE(lstm.with({{"C", 0x5054}}).resolve());
  expect_error(lstm.with({{"Y", 0x5000}}), ErrorCode::tensor_overlap, "Y", 0x5000, 0);
  expect_error(lstm.with({{"Y", 0x222C}}), ErrorCode::tensor_overlap, "Y", 0x222C, 0);
  expect_error(lstm.with({{"Y", 0x330C}}), ErrorCode::tensor_overlap, "Y", 0x330C, 0);
  expect_error(lstm.with({{"Y", 0x40DC}}), ErrorCode::tensor_overlap, "Y", 0x40DC, 0);
  EXPECT_TRUE(lstm.with({{"Y", 0x40E0}}).resolve());
  EXPECT_TRUE(lstm.with({{"W_HH", 0x2000}}).resolve());  // sources may
  expect_error(lstm.with({{"C", 0x5802}}), ErrorCode::misaligned_address, "C", 0x5802, 4);
}

TEST(UnityResolveRecurrent, Accesses) {
  std::string listed;
  for (const Access &access : layer(kForms[0]).accesses()) {
    if (std::string_view(access.field) == "table") continue;
    listed += std::string(access.write ? "writes " : "reads ") + access.field + ' ' + std::to_string(access.bytes) + '\n';
  }
  EXPECT_EQ(listed, "reads X 120\nreads W_IH 560\nreads W_HH 784\nreads BIAS 224\nwrites H 84\nwrites C 84\nwrites Y 168\n");
  EXPECT_EQ(layer(kForms[4]).with({{"BIAS", 0}, {"H", 0}}).accesses().size(), 5U);
}

}  // namespace resolve_recurrent_test
}  // namespace
}  // namespace cox::isa::unity
