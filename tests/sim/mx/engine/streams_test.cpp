// SPDX-License-Identifier: MIT
// Streams of the MX engine: order, effects, contexts, completions, interrupts, resets, counters, the event log.
#include <gtest/gtest.h>

#include "sim/model/observers/event_log.h"
#include "tests/sim/device/temporary_file.h"
#include "tests/sim/mx/engine/machine.h"

namespace cox::test {
namespace {

using mx::Opcode;

/// A SMULI of one block: out[i] = in[i] * factor.
mx::MachineCode scale(std::int64_t from, std::int64_t to, std::uint16_t bfloat16) {
  return make_mx(Opcode::SMULI, {{"Length1", 1}, {"InOffset", from}, {"OutOffset", to}, {"Immediate", bfloat16}});
}
constexpr std::uint16_t kTwo = 0x4000;  // BF16

TEST(MxStreams, InstructionsRunInOrderAndEachTakesEffectAtItsEnd) {
  MxMachine machine;
  machine.bring_up_mx();
  machine.set_block(0, MxMachine::uniform(1));
  machine.submit({bases(), scale(0, 18, kTwo), scale(18, 36, kTwo)});
  // CONFBADDR ends after 50 (doorbell) + 64 (setup) cycles. Each SMULI takes 64 (setup) + 3 (36 bytes).
  machine.advance_to(50 + 64 + 66);
  EXPECT_EQ(machine.block(18), mx::Block{});
  machine.advance_to(50 + 64 + 67);
  EXPECT_EQ(machine.block(18), MxMachine::uniform(2));
  EXPECT_EQ(machine.block(36), mx::Block{});
  machine.run();
  EXPECT_EQ(machine.block(36), MxMachine::uniform(4));
  EXPECT_EQ(machine.engine_entry(0).end, 50u + 64 + 2 * 67);
}

/// Instructions of each kind, with memory that the bus maps or does not map, on the reference and the fast path.
class MxOperands : public ::testing::TestWithParam<std::tuple<bool, std::string>> {
 protected:
  MxOperands() : machine(std::get<1>(GetParam()).c_str(), std::get<0>(GetParam())) { machine.bring_up_mx(); }
  void run(std::initializer_list<mx::MachineCode> codes) {
    machine.submit(codes);
    machine.run();
    EXPECT_EQ(machine.engine_entry(0).status, FaultCode::none);
  }
  void set_biases(std::uint64_t offset, float value) {
    for (unsigned i = 0; i < 16; ++i) std::memcpy(machine.find(MxMachine::kWindow + offset + 4 * i, 4), &value, 4);
  }
  MxMachine machine;
};

TEST_P(MxOperands, ASplitConvolution) {
  // A 1x1 convolution from 16 to 2 x 16 channels. Weights are 1 in the first group and 0 in the second, biases 3 and 5. All inputs are 2,
  // so the first group gives 16 * 2 * 1 + 3 = 35.
  for (unsigned i = 0; i < 16; ++i) machine.set_block(0x4000 + 18 * i, MxMachine::uniform(1));
  set_biases(0x4000 + 288, 3);
  set_biases(0x4000 + 288 + 64 + 288, 5);
  for (unsigned pixel = 0; pixel < 6; ++pixel) machine.set_block(18 * pixel, MxMachine::uniform(2));
  machine.write_base(0, 7, MxMachine::kWindow + 0x2000);
  machine.write_base(0, 9, MxMachine::kWindow + 0x4000);
  run({make_mx(Opcode::CONFBADDR, {{"OutputBase2", 7}, {"WeightBase", 9}}),
       make_mx(Opcode::CONVACT,
               {{"OutChannels", 1}, {"Split", 1}, {"InHeight", 1}, {"InWidth", 2}, {"OutOffset1", 0x1000}, {"OutOffset2", 0x20}})});
  for (unsigned pixel = 0; pixel < 6; ++pixel) {
    EXPECT_EQ(machine.block(0x1000 + 18 * pixel), MxMachine::uniform(35)) << pixel;
    EXPECT_EQ(machine.block(0x2000 + 0x20 + 18 * pixel), MxMachine::uniform(5)) << pixel;
  }
}

TEST_P(MxOperands, AMoveLeavesTheGapsAlone) {
  for (unsigned i = 0; i < 4; ++i) machine.set_block(18 * i, MxMachine::uniform(static_cast<float>(i + 1)));
  for (unsigned i = 0; i < 8; ++i) machine.set_block(0x1000 + 18 * i, MxMachine::uniform(-1));
  run({bases(), make_mx(Opcode::MOVE, {{"Count", 1}, {"Repeat", 1}, {"InStride", 2}, {"OutStride", 4}, {"OutOffset", 0x1000}})});
  const float expected[8] = {1, 1, -1, -1, 3, 3, -1, -1};
  for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(machine.block(0x1000 + 18 * i), MxMachine::uniform(expected[i])) << i;
}

TEST_P(MxOperands, TwoInputsAndAnOutputInPlaceOfTheSecond) {
  machine.set_block(0, MxMachine::uniform(4));
  machine.set_block(18, MxMachine::uniform(5));
  run({bases(), make_mx(Opcode::ELMUL, {{"Length1", 1}, {"InOffset2", 18}, {"OutOffset", 18}})});
  EXPECT_EQ(machine.block(18), MxMachine::uniform(20));
  EXPECT_EQ(machine.block(0), MxMachine::uniform(4));
}

TEST_P(MxOperands, APool) {
  for (unsigned i = 0; i < 4; ++i) machine.set_block(18 * i, MxMachine::uniform(static_cast<float>(i + 1)));
  run({bases(), make_mx(Opcode::POOL, {{"Kernel", 2}, {"Stride", 2}, {"InHeight", 1}, {"InWidth", 1}, {"OutOffset1", 0x1000}})});
  EXPECT_EQ(machine.block(0x1000), MxMachine::uniform(4));
}

INSTANTIATE_TEST_SUITE_P(All, MxOperands,
                         ::testing::Combine(::testing::Bool(), ::testing::Values(R"({"path": "fast"})", R"({"path": "reference"})")));

TEST(MxStreams, ContextsHaveTheirOwnBaseRegistersAndWindows) {
  MxMachine machine;
  machine.bring_up_mx();
  machine.open_context(1);
  machine.write_base(1, 0, MxMachine::kWindow + 0x1000);
  machine.write(r::context::window::base_lo::offset(1, 3), static_cast<std::uint32_t>(MxMachine::kWindow + 0x200000));
  machine.write(r::context::window::size::offset(1, 3), 18);
  machine.write(r::context::window::access::offset(1, 3), 2);
  machine.write_base(1, 4, MxMachine::kWindow + 0x200000);
  machine.set_block(0, MxMachine::uniform(1));
  machine.set_block(0x1000, MxMachine::uniform(3));
  machine.submit({bases(), scale(0, 18, kTwo)}, 0);
  // The output of context 1 goes to its window 3, which is write-only.
  machine.submit({make_mx(Opcode::CONFBADDR, {{"OutputBase1", 4}}), scale(0, 0, kTwo)}, 1);
  machine.submit({bases(), scale(18, 36, kTwo)}, 0);
  machine.run();
  for (const std::uint32_t i : {0u, 1u, 2u}) {
    EXPECT_EQ(machine.engine_entry(i).status, FaultCode::none);
    EXPECT_EQ(machine.engine_entry(i).tag, i);
    EXPECT_EQ(machine.engine_entry(i).context, i % 2);
  }
  EXPECT_EQ(machine.block(36), MxMachine::uniform(4));
  EXPECT_EQ(machine.block(0x200000), MxMachine::uniform(6));
  // Context 0 has no window at this address.
  machine.write_base(0, 4, MxMachine::kWindow + 0x200000);
  machine.submit({make_mx(Opcode::CONFBADDR, {{"OutputBase1", 4}}), scale(0, 0, kTwo)}, 0);
  machine.run();
  EXPECT_EQ(machine.engine_entry(3).status, FaultCode::window);
}

TEST(MxStreams, TheQueueWrapsAndOneMoreThanItsSizeIsRefused) {
  MxMachine machine;
  machine.bring_up_mx();
  for (unsigned lap = 0; lap < 5; ++lap) {
    for (unsigned i = 0; i < 4; ++i) machine.submit({bases()});
    EXPECT_FALSE(machine.try_write(r::engine::tail::offset(0), machine.engine_tail() + 1));
    machine.run();
    EXPECT_EQ(machine.read(r::engine::head::offset(0)), 4 * (lap + 1));
    for (std::uint32_t i = 4 * lap; i < 4 * lap + 4; ++i) {
      EXPECT_EQ(machine.engine_entry(i).tag, i);
      EXPECT_EQ(machine.engine_entry(i).phase, i / 16 == 0 ? 1u : 0u);
    }
    machine.write(r::cq::head::offset(4), machine.engine_completions());
  }
}

TEST(MxStreams, WithoutARoomForItsCompletionAStreamWaits) {
  MxMachine machine;
  machine.bring_up_mx(0, 1);
  for (unsigned i = 0; i < 4; ++i) machine.submit({bases()}, 0, i != 3);
  machine.run();
  // The third stream has executed at cycle 242: 50 (doorbell) + 3 * 64 (a CONFBADDR each). It waits for room in the completion queue.
  EXPECT_EQ(machine.engine_completions(), 2u);
  EXPECT_EQ(machine.read(r::engine::head::offset(0)), 2u);
  EXPECT_EQ(machine.read(r::engine::status::offset(0)), 2u);
  machine.advance_to(1000);
  machine.write(r::cq::head::offset(4), 1);
  EXPECT_EQ(machine.engine_completions(), 3u);
  EXPECT_EQ(machine.engine_entry(2).tag, 2u);
  EXPECT_EQ(machine.engine_entry(2).end, 242u);
  // The fourth stream does not ask for a completion.
  machine.run();
  EXPECT_EQ(machine.read(r::engine::head::offset(0)), 4u);
  EXPECT_EQ(machine.engine_completions(), 3u);
  EXPECT_EQ(machine.engine_counter(r::engine::stalled_lo::kOffset), 1000u - 242);
  EXPECT_EQ(machine.engine_counter(r::engine::busy_lo::kOffset), 4u * 64);
}

TEST(MxStreams, ACompletionRaisesLineZeroAfterItsLatency) {
  MxMachine machine;
  machine.bring_up_mx();
  machine.submit({bases()});
  machine.run();
  ASSERT_EQ(machine.interrupts.size(), 1u);
  EXPECT_EQ(machine.interrupts[0], (Machine::Interrupt{50 + 64 + 24, 0, 1}));
  EXPECT_EQ(machine.read(r::int_status::kOffset), 0x10u);
  machine.write(r::int_enable::kOffset, 0x101);
  EXPECT_EQ(machine.level[0], 0);
  machine.write(r::int_enable::kOffset, 0x010);
  EXPECT_EQ(machine.level[0], 1);
  machine.write(r::cq::head::offset(4), 1);
  EXPECT_EQ(machine.level[0], 0);
  EXPECT_EQ(machine.read(r::int_status::kOffset), 0u);
}

TEST(MxStreams, CompletionsAreCoalesced) {
  MxMachine machine;
  machine.bring_up_mx(3);
  for (unsigned i = 0; i < 3; ++i) machine.submit({bases()});
  machine.run();
  ASSERT_EQ(machine.interrupts.size(), 1u);
  EXPECT_EQ(machine.interrupts[0], (Machine::Interrupt{50 + 3 * 64 + 24, 0, 1}));
}

TEST(MxStreams, CoalescingEndsByTime) {
  MxMachine machine;
  machine.bring_up_mx(3 | 500 << 8);
  machine.submit({bases()});
  machine.run();
  ASSERT_EQ(machine.interrupts.size(), 1u);
  EXPECT_EQ(machine.interrupts[0], (Machine::Interrupt{50 + 64 + 500 + 24, 0, 1}));
}

TEST(MxStreams, NothingRunsBeforeControlEnable) {
  MxMachine machine;
  machine.bring_up_mx();
  machine.write(r::control::kOffset, 0);
  machine.submit({bases()});
  machine.advance_to(10000);
  EXPECT_EQ(machine.engine_completions(), 0u);
  machine.write(r::control::kOffset, 1);
  machine.run();
  EXPECT_EQ(machine.engine_entry(0).end, 10064u);
}

TEST(MxStreams, AResetInsideAStreamThrowsItAway) {
  MxMachine machine;
  machine.bring_up_mx();
  machine.set_block(0, MxMachine::uniform(1));
  machine.submit({bases(), make_mx(Opcode::SMULI, {{"Length1", 1000}, {"OutOffset", 0x10000}, {"Immediate", kTwo}}), bases()});
  machine.submit({bases()});
  machine.advance_to(50 + 128 + 100);  // until bytes move
  EXPECT_EQ(machine.read(r::engine::status::offset(0)), 1u);
  EXPECT_FALSE(machine.try_write(r::context::control::offset(0), 5));
  machine.write(r::engine_reset::kOffset, 0x10);
  EXPECT_EQ(machine.read(r::engine::status::offset(0)), 0u);
  EXPECT_EQ(machine.read(r::engine::control::offset(0)), 0u);
  EXPECT_EQ(machine.read(r::engine::tail::offset(0)), 0u);
  EXPECT_EQ(machine.read(r::cq::control::offset(4)), 0u);
  EXPECT_EQ(cox_model_next_event(machine.model), COX_MODEL_NEVER);
  EXPECT_EQ(machine.block(0x10000), mx::Block{});
  // The engine reset changes neither base registers nor the tile queues.
  machine.write(r::context::control::offset(0), 1);
  EXPECT_EQ(machine.read(r::mx::base::lo::offset(0, 0)), static_cast<std::uint32_t>(MxMachine::kWindow));
  EXPECT_EQ(machine.read(r::core::sq::control::offset(0, 0)), 1 | Machine::kQueueLog2 << 4);
  // The engine starts again with the full bandwidth.
  machine.enable_engine();
  const std::uint64_t now = machine.now;
  machine.submit({bases(), make_mx(Opcode::SMULI, {{"Length1", 1000}, {"OutOffset", 0x10000}, {"Immediate", kTwo}})});
  machine.run();
  EXPECT_EQ(machine.engine_entry(0).end, now + 50 + 2 * 64 + 2250);
  EXPECT_EQ(machine.block(0x10000), MxMachine::uniform(2));
  machine.write(r::context::control::offset(0), 5);
}

TEST(MxStreams, PowerOnResetResetsTheEngineToo) {
  MxMachine machine;
  machine.bring_up_mx();
  machine.submit({bases(), make_mx(Opcode::SMULI, {{"Length1", 1000}})});
  machine.advance_to(300);
  cox_model_reset(machine.model, machine.now);
  EXPECT_EQ(machine.read(r::engine::control::offset(0)), 0u);
  EXPECT_EQ(machine.read(r::mx::base::lo::offset(0, 0)), 0u);
  EXPECT_EQ(cox_model_next_event(machine.model), COX_MODEL_NEVER);
}

TEST(MxStreams, TheEventLogHasEachInstruction) {
  const TemporaryFile file("mx_event_log");
  {
    MxMachine machine((R"({"events": ")" + file.path() + R"("})").c_str());
    machine.bring_up_mx();
    machine.submit({bases()});
    machine.submit(
        {bases(),
         make_mx(Opcode::POOL, {{"Kernel", 5}, {"Stride", 1}, {"Padding", 2}, {"InHeight", 7}, {"InWidth", 7}, {"OutOffset1", 0x1000}}),
         make_mx(Opcode::SIGMOID, {{"Length1", 1}, {"InOffset", 1}})},
        0, false);
    machine.run();
    machine.write(r::engine_reset::kOffset, 0x10);
  }
  std::vector<model::EventRecord> records;
  std::string error;
  ASSERT_TRUE(model::read_event_log(file.path(), records, error)) << error;
  std::erase_if(records, [](const model::EventRecord &record) { return record.kind == model::EventKind::interrupt; });
  ASSERT_EQ(records.size(), 5u);
  const auto expect = [&](unsigned i, std::uint32_t stream, std::uint32_t offset, Opcode opcode, std::uint64_t start, std::uint64_t end,
                          std::uint64_t bytes, std::uint32_t compute, bool last) {
    const model::EventRecord &record = records[i];
    EXPECT_EQ(record.kind, model::EventKind::stream_instruction) << i;
    EXPECT_EQ(record.core, 0u) << i;
    EXPECT_EQ(record.index, stream) << i;
    EXPECT_EQ(record.ordinal, offset) << i;
    EXPECT_EQ(record.opcode, static_cast<unsigned>(opcode)) << i;
    EXPECT_EQ(record.start, start) << i;
    EXPECT_EQ(record.end, end) << i;
    EXPECT_EQ(record.bytes, bytes) << i;
    EXPECT_EQ(record.compute, compute) << i;
    EXPECT_EQ(record.last, last ? 1 : 0) << i;
  };
  expect(0, 0, 0, Opcode::CONFBADDR, 50, 114, 0, 0, true);
  expect(1, 1, 0, Opcode::CONFBADDR, 114, 178, 0, 0, false);
  expect(2, 1, 8, Opcode::POOL, 178, 642, 2304, 400, false);
  expect(3, 1, 32, Opcode::SIGMOID, 642, 642, 0, 0, true);
  EXPECT_EQ(records[3].status, static_cast<unsigned>(FaultCode::misaligned));
  EXPECT_EQ(records[3].detail, 32u << 8 | 32);
  EXPECT_EQ(records[4].kind, model::EventKind::engine_reset);
}

}  // namespace
}  // namespace cox::test
