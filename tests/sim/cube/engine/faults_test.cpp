// SPDX-License-Identifier: MIT
// Faults that the matrix unit reports: status, offset and field, FAULT_*, the quarantine, and the effects that remain (docs/model.md,
// Faults of the matrix unit).
#include <gtest/gtest.h>

#include "tests/sim/cube/engine/machine.h"
#include "tests/sim/device/plan_case.h"

namespace cox::test {
namespace faults_test {

using cube::Opcode;

constexpr std::uint64_t kDram = CubeMachine::kWindow;
constexpr std::uint64_t kPastWindow = kDram + CubeMachine::kWindowBytes;
constexpr unsigned kNoField = 255;

/// Stores 64 accumulators, which are all 0, as INT32 to DRAM.
cube::Output store(std::uint64_t to) {
  cube::Output output;
  output.destination = to;
  output.destination_pitch = 64;
  output.integer = true;
  output.to = cube::OutputType::int32;
  output.rows = 4;
  output.columns = 16;
  return output;
}

void expect_fault(CubeMachine &machine, std::uint32_t index, FaultCode code, std::uint32_t offset, unsigned field) {
  const Entry entry = machine.engine_entry(index);
  EXPECT_EQ(entry.tag, index);
  EXPECT_EQ(entry.queue, machine.row().queue_number());
  EXPECT_EQ(entry.status, code) << "status " << static_cast<unsigned>(entry.status);
  EXPECT_EQ(entry.detail, offset << 8 | field) << "offset " << (entry.detail >> 8) << ", field " << (entry.detail & 0xFF);
  EXPECT_EQ(machine.read(r::fault_status::kOffset),
            1u | static_cast<std::uint32_t>(code) << 8 | machine.row().queue_number() << 16 | entry.context << 24);
  EXPECT_EQ(machine.read(r::fault_tag::kOffset), index);
  EXPECT_EQ(machine.read(r::fault_detail::kOffset), offset << 8 | field);
  EXPECT_EQ(machine.read(r::fault_time_lo::kOffset), static_cast<std::uint32_t>(entry.end));
  EXPECT_EQ(machine.level[1], 1);
}

/// Runs a stream of OUT_CFG, a good store, `code`, and another good store. Expects the unit to refuse `code`, so that the first store has
/// its effect and the second has none.
void expect_refused(const cube::MachineCode &code, FaultCode fault, unsigned field) {
  CubeMachine machine;
  machine.set_value<std::int32_t>(kDram, 77);
  machine.set_value<std::int32_t>(kDram + 0x1000, 77);
  machine.submit({slot(cube::OutputConfiguration{}), slot(store(kDram)), code, slot(store(kDram + 0x1000))});
  machine.run();
  ASSERT_EQ(machine.engine_completions(), 1u);
  expect_fault(machine, 0, fault, 64, field);
  EXPECT_EQ(machine.read(r::context::control::offset(0)), 0x101u);
  EXPECT_EQ(machine.value<std::int32_t>(kDram), 0);
  EXPECT_EQ(machine.value<std::int32_t>(kDram + 0x1000), 77);
  EXPECT_EQ(machine.engine_counter(r::engine::instructions_lo::kOffset), 3u);
}

cube::MachineCode with(cube::MachineCode code, unsigned bit, unsigned width, std::uint32_t value) {
  isa::insert_bits(code, bit, width, value);
  return code;
}

// The tests name a field by its first bit in the slot (docs/isa/cube.md). 64 is the Source of most loads and moves, and the Destination of
// MADs and stores. 96 is the Destination of moves to L0.
TEST(CubeFaults, NoInstruction) {
  expect_refused({0}, FaultCode::unknown_instruction, kNoField);
  expect_refused({14}, FaultCode::unknown_instruction, kNoField);
}

TEST(CubeFaults, BitsThatNoInstructionHas) {
  expect_refused(with(slot(cube::Mad{}), 250, 1, 1), FaultCode::field_out_of_range, 250);
  expect_refused(with(cube::encode(cube::Barrier{1}), 8, 24, 1), FaultCode::field_out_of_range, 8);
}

TEST(CubeFaults, FieldsOutOfRange) {
  const cube::MachineCode product = slot(cube::Mad{.m = 1, .k = 1, .n = 1});
  expect_refused(with(product, 236, 3, 5), FaultCode::field_out_of_range, 236);
  // Values that docs/isa/cube.md reserves.
  expect_refused(with(product, 152, 8, 1), FaultCode::field_out_of_range, 152);
  expect_refused(with(product, 184, 8, 1), FaultCode::field_out_of_range, 184);
  expect_refused(with(product, 216, 8, 1), FaultCode::field_out_of_range, 216);
  expect_refused(with(product, 240, 1, 1), FaultCode::field_out_of_range, 240);
  expect_refused(cube::encode(cube::Barrier{0}), FaultCode::field_out_of_range, 64);
}

TEST(CubeFaults, Configurations) {
  expect_refused(slot(cube::Im2colToL0A{}), FaultCode::missing_configuration, kNoField);
  CubeMachine machine;
  machine.submit({slot(store(kDram))});
  machine.run();
  expect_fault(machine, 0, FaultCode::missing_configuration, 0, kNoField);
}

TEST(CubeFaults, Misaligned) {
  cube::Mad mad;
  mad.m = mad.n = mad.k = 1;
  mad.left = 16;
  expect_refused(slot(mad), FaultCode::misaligned, 128);
  mad = {.destination = 512, .m = 1, .k = 1, .n = 1};
  expect_refused(slot(mad), FaultCode::misaligned, 64);
  mad = {.m = 1, .k = 1, .n = 1, .start = cube::Start::bias_table, .bias_address = 32};
  expect_refused(slot(mad), FaultCode::misaligned, 96);
  // A MAD that does not use the bias table ignores BiasAddress, bits 96 to 127 of the slot.
  CubeMachine machine;
  machine.submit({with(slot(cube::Mad{.m = 1, .k = 1, .n = 1}), 96, 32, 32)});
  machine.run();
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::none);
}

TEST(CubeFaults, Contradictions) {
  expect_refused(slot(cube::Mad{.type = cube::Type::int4, .m = 1, .k = 3, .n = 1}), FaultCode::shape_mismatch, 204);
  expect_refused(slot(cube::DramToL1{kDram, 2, 64, 64, cube::Format::linear, 0, 32}), FaultCode::shape_mismatch, 224);
  expect_refused(set_flag(Pipe::M, Pipe::M, 0), FaultCode::shape_mismatch, 66);
  expect_refused(wait_flag(Pipe::FIX, Pipe::FIX, 0), FaultCode::shape_mismatch, 66);
}

TEST(CubeFaults, OutsideOfABuffer) {
  // Each operand exceeds its buffer: those of MAD by one fractal, that of DRAM_TO_L1 by one byte, and that of L1_TO_BT by 64 bytes.
  expect_refused(slot(cube::Mad{.left = 0xFE00, .m = 17, .k = 16, .n = 1}), FaultCode::buffer, 128);
  expect_refused(slot(cube::Mad{.right = 0xFE00, .m = 1, .k = 17, .n = 1}), FaultCode::buffer, 160);
  expect_refused(slot(cube::Mad{.destination = 0x3FC00, .m = 17, .k = 1, .n = 1}), FaultCode::buffer, 64);
  expect_refused(slot(cube::DramToL1{kDram, 1, 2, 0, cube::Format::linear, 0xFFFFF, 0}), FaultCode::buffer, 192);
  expect_refused(slot(cube::L1ToBt{0, 960, 128}), FaultCode::buffer, 96);
}

TEST(CubeFaults, OutsideOfTheWindow) {
  expect_refused(slot(cube::DramToL1{kPastWindow - 64, 1, 65, 0, cube::Format::linear, 0, 0}), FaultCode::window, 64);
  expect_refused(slot(cube::DramToL1{kDram - 1, 1, 1, 0, cube::Format::linear, 0, 0}), FaultCode::window, 64);
  expect_refused(slot(store(kPastWindow - 255)), FaultCode::window, 64);
}

TEST(CubeFaults, AWindowThatDoesNotPermitIt) {
  for (const std::uint32_t access : {1u, 2u}) {
    CubeMachine machine;
    machine.write(r::context::window::access::offset(0, 0), access);
    machine.submit({slot(cube::OutputConfiguration{}), access == 1 ? slot(store(kDram)) : slot(cube::DramToL1{.source = kDram})});
    machine.run();
    expect_fault(machine, 0, FaultCode::window, 32, 64);
  }
}

TEST(CubeFaults, OutputOverItsFactors) {
  cube::OutputConfiguration factors;
  factors.scale_mode = cube::ScaleMode::channel;
  factors.scale_address = 0x100;
  cube::Output output;
  output.to_l1 = true;
  output.destination = 0xC4;
  output.destination_pitch = 64;
  output.columns = 16;
  CubeMachine machine;
  machine.submit({slot(factors), slot(output)});
  machine.run();
  expect_fault(machine, 0, FaultCode::overlap, 32, 64);
}

TEST(CubeFaults, AStreamThatEndsInsideASlot) {
  for (const cube::MachineCode &last : {slot(cube::Mad{}), cube::MachineCode{}}) {
    CubeMachine machine;
    registers::EngineDescriptor descriptor = machine.stream(std::vector{set_flag(Pipe::M, Pipe::FIX, 0), last});
    descriptor.bytes = 40;
    machine.submit(descriptor);
    machine.run();
    expect_fault(machine, 0, FaultCode::stream_truncated, 32, kNoField);
  }
}

TEST(CubeFaults, AStreamThatMemoryDoesNotGive) {
  CubeMachine machine;
  machine.submit({CubeMachine::kMemoryBase + CubeMachine::kMemoryBytes - 32, 64, registers::EngineDescriptor::control_of(0, true), {}});
  std::memcpy(machine.find(CubeMachine::kMemoryBase + CubeMachine::kMemoryBytes - 32, 32), slot(cube::OutputConfiguration{}).data(), 32);
  machine.run();
  expect_fault(machine, 0, FaultCode::bus_error, 32, kNoField);
}

TEST(CubeFaults, Descriptors) {
  const auto refused = [](auto change, FaultCode code, unsigned context) {
    CubeMachine machine;
    registers::EngineDescriptor descriptor = machine.stream(std::vector{slot(cube::OutputConfiguration{})});
    change(descriptor);
    machine.submit(descriptor);
    machine.run();
    ASSERT_EQ(machine.engine_completions(), 1u);
    EXPECT_EQ(machine.engine_entry(0).context, context);
    expect_fault(machine, 0, code, 0, kNoField);
  };
  using Descriptor = registers::EngineDescriptor;
  refused([](Descriptor &descriptor) { descriptor.bytes = 0; }, FaultCode::stream_truncated, 0);
  refused([](Descriptor &descriptor) { descriptor.address += 4; }, FaultCode::stream_truncated, 0);
  refused([](Descriptor &descriptor) { descriptor.control |= 1U << 18; }, FaultCode::stream_truncated, 0);
  refused([](Descriptor &descriptor) { descriptor.reserved[3] = 1; }, FaultCode::stream_truncated, 0);
  refused([](Descriptor &descriptor) { descriptor.control |= 3; }, FaultCode::invalid_context, 3);
  refused([](Descriptor &descriptor) { descriptor.control |= 16; }, FaultCode::invalid_context, 16);
}

TEST(CubeFaults, ADescriptorThatMemoryDoesNotGive) {
  CubeMachine machine;
  machine.write(r::engine::control::offset(1), 0);
  machine.write(r::engine::base_lo::offset(1), 0x1000);
  machine.write(r::engine::control::offset(1), 1 | CubeMachine::kRingLog2 << 4);
  machine.write(r::engine::tail::offset(1), 1);
  machine.run();
  EXPECT_EQ(machine.engine_entry(0).context, 255u);
  expect_fault(machine, 0, FaultCode::bus_error, 0, kNoField);
}

TEST(CubeFaults, LaterStreamsOfTheContextAreAborted) {
  CubeMachine machine;
  machine.open_context(1);
  machine.set_value<std::int32_t>(kDram + 0x1000, 77);
  machine.submit({slot(store(kDram))});
  machine.submit({slot(cube::OutputConfiguration{}), slot(store(kDram + 0x1000))});
  machine.submit({slot(cube::OutputConfiguration{})}, 1);
  machine.run();
  ASSERT_EQ(machine.engine_completions(), 3u);
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::missing_configuration);
  EXPECT_EQ(machine.engine_entry(1).status, FaultCode::aborted);
  EXPECT_EQ(machine.engine_entry(1).end, static_cast<std::uint32_t>(machine.engine_entry(0).end));
  EXPECT_EQ(machine.engine_entry(2).status, FaultCode::none);
  EXPECT_EQ(machine.value<std::int32_t>(kDram + 0x1000), 77);
  EXPECT_EQ(machine.engine_counter(r::engine::instructions_lo::kOffset), 2u);
  // The quarantine belongs to the context: after its reset the context runs again.
  machine.write(r::context::control::offset(0), 5);
  machine.submit({slot(cube::OutputConfiguration{}), slot(store(kDram + 0x1000))});
  machine.run();
  EXPECT_EQ(machine.engine_entry(3).status, FaultCode::none);
  EXPECT_EQ(machine.value<std::int32_t>(kDram + 0x1000), 0);
}

/// Opens a window that extends beyond the end of memory. A move of bytes there is a bus error.
void open_past_memory(CubeMachine &machine) {
  machine.write(r::context::window::base_lo::offset(0, 1), static_cast<std::uint32_t>(CubeMachine::kMemoryBase));
  machine.write(r::context::window::size::offset(0, 1), static_cast<std::uint32_t>(CubeMachine::kMemoryBytes) + 0x10000);
  machine.write(r::context::window::access::offset(0, 1), 3);
}
constexpr std::uint64_t kPastMemory = CubeMachine::kMemoryBase + CubeMachine::kMemoryBytes;

TEST(CubeFaults, ABusErrorStopsEverything) {
  CubeMachine machine;
  open_past_memory(machine);
  machine.set_value<std::int32_t>(kDram, 77);
  // The unit reports the load's bus error when the load lands, 205 cycles after its start. The first store ends earlier,
  // so it has its effect. The second store waits for a long MAD, so it has none.
  machine.submit({slot(cube::OutputConfiguration{}), slot(store(kDram + 0x1000)), slot(cube::DramToL1{.source = kPastMemory}),
                  slot(cube::Mad{.m = 160, .k = 160, .n = 160}, {{}, {{Pipe::FIX, 0}}}), slot(store(kDram), {{{Pipe::M, 0}}, {}})});
  machine.set_value<std::int32_t>(kDram + 0x1000, 77);
  machine.run();
  ASSERT_EQ(machine.engine_completions(), 1u);
  expect_fault(machine, 0, FaultCode::bus_error, 64, 64);
  EXPECT_EQ(machine.engine_entry(0).end, 50u + 6 + 4 + 1 + 200);
  EXPECT_EQ(machine.now, machine.engine_entry(0).end + 24);  // the interrupt of this completion is the last event
  EXPECT_EQ(machine.value<std::int32_t>(kDram + 0x1000), 0);
  EXPECT_EQ(machine.value<std::int32_t>(kDram), 77);
  // OUT_CFG, the first store and the load are counted.
  EXPECT_EQ(machine.engine_counter(r::engine::instructions_lo::kOffset), 3u);
}

TEST(CubeFaults, WhatWouldEndAtTheSameCycleIsDroppedToo) {
  CubeMachine machine;
  open_past_memory(machine);
  machine.submit({slot(cube::DramToL1{.source = kPastMemory}), set_flag(Pipe::MTE2, Pipe::M, 0)});
  machine.run();
  expect_fault(machine, 0, FaultCode::bus_error, 0, 64);
  EXPECT_EQ(machine.engine_counter(r::engine::instructions_lo::kOffset), 1u);
}

TEST(CubeFaults, ABusErrorOfAStore) {
  CubeMachine machine;
  open_past_memory(machine);
  machine.submit({slot(cube::OutputConfiguration{}), slot(store(kPastMemory - 64))});
  machine.run();
  expect_fault(machine, 0, FaultCode::bus_error, 32, 64);
}

TEST(CubeFaults, AnAbortStopsEverything) {
  CubeMachine machine;
  machine.set_value<std::int32_t>(kDram, 77);
  machine.submit({slot(cube::OutputConfiguration{}), slot(cube::Mad{.m = 160, .k = 160, .n = 160}, {{}, {{Pipe::FIX, 0}}}),
                  slot(store(kDram), {{{Pipe::M, 0}}, {}})});
  machine.advance_to(500);
  EXPECT_EQ(machine.engine_completions(), 0u);
  machine.write(r::context::control::offset(0), 3);
  machine.run();
  ASSERT_EQ(machine.engine_completions(), 1u);
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::aborted);
  EXPECT_EQ(machine.engine_entry(0).end, 500u);
  EXPECT_EQ(machine.value<std::int32_t>(kDram), 77);
  // An aborted submission does not set FAULT_STATUS.
  EXPECT_EQ(machine.read(r::fault_status::kOffset), 0u);
  // Nothing is in flight, so the context can be reset at once. The pipes are free, so the MAD starts without delay.
  machine.write(r::context::control::offset(0), 5);
  const std::uint64_t now = machine.now;
  machine.submit({slot(cube::Mad{.m = 16, .k = 16, .n = 16})});
  machine.run();
  EXPECT_EQ(machine.engine_entry(1).end, now + 50 + 2 + 5);
}

TEST(CubeFaults, AFaultInAnotherQueueStopsItToo) {
  CubeMachine machine;
  machine.submit({slot(cube::Mad{.m = 160, .k = 160, .n = 160})});
  machine.advance_to(100);
  // At cycle 150 the tile core refuses the convolution, because no instruction has configured the core. This fault stops the MAD.
  machine.Machine::submit({make(isa::tile::Opcode::pe_conv)});
  machine.run();
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::aborted);
  EXPECT_EQ(machine.engine_entry(0).end, 150u);
}

TEST(CubeFaults, AnAbortDoesNotHideWhatWasRefused) {
  CubeMachine machine;
  machine.submit({slot(cube::Mad{.m = 160, .k = 160, .n = 160}), wait_flag(Pipe::FIX, Pipe::M, 0)});
  machine.advance_to(500);
  machine.write(r::context::control::offset(0), 3);
  machine.run();
  expect_fault(machine, 0, FaultCode::flag_not_set, 32, kNoField);
  EXPECT_EQ(machine.engine_entry(0).end, 500u);
}

TEST(CubeFaults, AResetInTheMiddleThrowsEverythingAway) {
  CubeMachine machine;
  machine.set_value<std::int32_t>(kDram, 77);
  const std::vector<cube::MachineCode> codes = {
      slot(cube::DramToL1{kDram, 1, 0x4000, 0, cube::Format::linear, 0, 0}), slot(cube::OutputConfiguration{}),
      slot(cube::Mad{.m = 160, .k = 160, .n = 160}, {{}, {{Pipe::FIX, 0}}}), slot(store(kDram), {{{Pipe::M, 0}}, {}})};
  machine.submit(codes, 0, true);
  machine.submit(codes);
  machine.advance_to(120);
  EXPECT_FALSE(machine.try_write(r::context::control::offset(0), 5));
  machine.write(r::engine_reset::kOffset, 0x20);
  EXPECT_EQ(machine.read(r::engine::status::offset(1)), 0u);
  EXPECT_EQ(machine.read(r::engine::control::offset(1)), 0u);
  EXPECT_EQ(machine.read(r::engine::head::offset(1)), 0u);
  EXPECT_EQ(machine.read(r::cq::control::offset(5)), 0u);
  EXPECT_EQ(cox_model_next_event(machine.model), COX_MODEL_NEVER);
  EXPECT_EQ(machine.value<std::int32_t>(kDram), 77);
  machine.write(r::context::control::offset(0), 5);
  // The unit starts again with free pipes, banks, flags and port. MX is unchanged.
  machine.enable_cube();
  const std::uint64_t now = machine.now;
  machine.submit(codes);
  machine.run();
  ASSERT_EQ(machine.engine_completions(), 1u);
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::none);
  // Cycles: 50 until the dispatcher starts, 6 for its three slots, 1,004 for the MAD (4 issue + 1,000), 6 for the store (4 issue + 2 on the
  // port).
  EXPECT_EQ(machine.engine_entry(0).end, now + 50 + 6 + 1004 + 6);
  EXPECT_EQ(machine.warnings(0), 0u);
  EXPECT_EQ(machine.engine_counter(r::engine::stalled_lo::kOffset), 0u);
}

TEST(CubeFaults, AResetEndsAChainThatWaits) {
  CubeMachine machine;
  machine.submit({set_flag(Pipe::M, Pipe::FIX, 0)}, 0, true);
  machine.run();
  machine.write(r::engine_reset::kOffset, 0x20);
  machine.enable_cube();
  machine.submit({wait_flag(Pipe::FIX, Pipe::M, 0)});
  machine.run();
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::flag_not_set);
}

TEST(CubeFaults, PowerOnResetClearsTheBuffers) {
  CubeMachine machine;
  machine.set_value<std::int32_t>(kDram, 77);
  const cube::Mad product{.type = cube::Type::int8, .m = 4, .k = 4, .n = 4};
  machine.submit({slot(cube::DramToL1{kDram, 4, 4, 4, cube::Format::fractal, 0, 1}), cube::encode(cube::Barrier{1}),
                  slot(cube::L1ToL0{false, cube::Type::int8, false, false, 0, 1, 0, 4, 4}),
                  slot(cube::L1ToL0{true, cube::Type::int8, false, false, 0, 1, 0, 4, 4}), cube::encode(cube::Barrier{2}), slot(product)});
  machine.run();
  ASSERT_EQ(machine.engine_entry(0).status, FaultCode::none);
  cox_model_reset(machine.model, machine.now);
  machine.bring_up_cube();
  const std::uint64_t now = machine.now;
  machine.submit({slot(cube::OutputConfiguration{}), slot(store(kDram))});
  machine.run();
  // Cycles: 50 until the dispatcher starts, 2 for its first slot, 4 for OUT_CFG, 6 for the store. None is spent on clearing buffers.
  EXPECT_EQ(machine.engine_entry(0).end, now + 50 + 2 + 4 + 6);
  EXPECT_EQ(machine.value<std::int32_t>(kDram), 0);
}

// The stream is a load of 512 bytes. Its slot arrives at cycle 52. Issue ends at 56, the transfer at 60. The bytes are in L1 at 260.
TEST(CubeFaults, OfAPlan) {
  constexpr unsigned kSource = 64;
  const PlanCase cases[] = {
      {"# none", FaultCode::none, 260},
      {"bus_error queue=CUBE access=1", FaultCode::bus_error, kNoField},
      {"bus_error queue=CUBE access=2", FaultCode::bus_error, kNoField},
      {"bus_error queue=CUBE access=3", FaultCode::bus_error, kSource},
      {"stuck queue=CUBE instruction=1 cycles=1000", FaultCode::none, 1260},
      {"stuck queue=CUBE instruction=1", FaultCode::none, 0},
      {"doorbell lost queue=CUBE count=1", FaultCode::none, 0},
      {"completion lost queue=5 count=1", FaultCode::none, 0},
      {"reset engine=CUBE at=120", FaultCode::none, 0},
      {"slow factor=4 at=0 cycles=100", FaultCode::none, 272},
      {"clock engine=CUBE at=51 cycles=100", FaultCode::none, 360},  // before the slot arrives
      {"clock engine=CUBE at=58 cycles=100", FaultCode::none, 360},  // during the transfer
      {"clock engine=CUBE at=90 cycles=100", FaultCode::none, 360},  // before the bytes are in L1
      {"clock engine=MX at=58 cycles=100", FaultCode::none, 260},
      {"flip memory=queue address=0x60020005 bits=2 at=0", FaultCode::ecc, 0x60020000},
      {"flip memory=dram address=0x60040010 bits=2 at=0", FaultCode::ecc, 0x60040010},
      {"flip memory=dram address=0x601001ff bits=2 at=0", FaultCode::ecc, 0x601001f8},
      {"flip memory=dram address=0x60100200 bits=2 at=0", FaultCode::none, 260},
      {"flip memory=dram address=0x60100000 bits=1 at=0", FaultCode::none, 260},
  };
  for (const PlanCase &one : cases) {
    const PlanFile plan(one.line);
    CubeMachine machine(plan.options().c_str());
    machine.submit({slot(cube::DramToL1{kDram, 1, 512, 0, cube::Format::linear, 0, 0})});
    machine.run();
    const bool completes = one.status != FaultCode::none || one.end_or_detail != 0;
    ASSERT_EQ(machine.engine_completions(), completes ? 1u : 0u) << one.line;
    if (!completes) continue;
    const Entry entry = machine.engine_entry(0);
    EXPECT_EQ(entry.status, one.status) << one.line;
    EXPECT_EQ(one.status == FaultCode::none ? entry.end : entry.detail, one.end_or_detail) << one.line;
    EXPECT_EQ(machine.read(r::ecc_corrected::kOffset), std::string(one.line).find("bits=1") != std::string::npos ? 1u : 0u) << one.line;
  }
}

// The store overwrites the word that has the ECC error, so the load after it reads no error. The fourth slot hangs until its stream is
// aborted.
TEST(CubeFaults, OfAPlanAndAStore) {
  const PlanFile plan("flip memory=dram address=0x60100008 bits=2 at=0\nstuck queue=CUBE instruction=4");
  CubeMachine machine(plan.options().c_str());
  machine.submit({slot(cube::OutputConfiguration{}), slot(store(kDram))});
  machine.submit({slot(cube::DramToL1{kDram, 1, 64, 0, cube::Format::linear, 0, 0})});
  machine.run();
  ASSERT_EQ(machine.engine_completions(), 2u);
  EXPECT_EQ(machine.engine_entry(1).status, FaultCode::none);
  machine.submit({slot(cube::OutputConfiguration{})});
  machine.run();
  EXPECT_EQ(machine.engine_completions(), 2u);
  machine.write(r::context::control::offset(0), 1 | r::context::control::kAbort.mask());
  machine.run();
  ASSERT_EQ(machine.engine_completions(), 3u);
  EXPECT_EQ(machine.engine_entry(2).status, FaultCode::aborted);
}

}  // namespace faults_test
}  // namespace cox::test
