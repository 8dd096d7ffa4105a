// SPDX-License-Identifier: MIT
// Faults that the MX engine reports: status, offset and field of each, FAULT_*, the quarantine, and unchanged memory (docs/model.md, Faults
// of the MX engine).
#include <gtest/gtest.h>

#include "tests/sim/device/plan_case.h"
#include "tests/sim/mx/engine/machine.h"

namespace cox::test {
namespace {

using mx::Opcode;

constexpr unsigned kNoField = 255;

/// Fills a window with a pattern that no instruction may change.
void fill(MxMachine &machine) {
  for (std::uint32_t i = 0; i < MxMachine::kWindowBytes; ++i) {
    *machine.find(MxMachine::kWindow + i, 1) = static_cast<std::byte>(i * 37 >> 3);
  }
}

/// Runs the stream. The engine must refuse the instruction at `offset`.
void expect_fault(MxMachine &machine, std::initializer_list<mx::MachineCode> codes, FaultCode code, std::uint32_t offset, unsigned field) {
  fill(machine);
  machine.submit(codes);
  const std::vector<std::byte> before = machine.memory;
  machine.run();
  ASSERT_EQ(machine.engine_completions(), 1u);
  const Entry entry = machine.engine_entry(0);
  EXPECT_EQ(entry.tag, 0u);
  EXPECT_EQ(entry.queue, machine.row().queue_number());
  EXPECT_EQ(entry.context, 0u);
  EXPECT_EQ(entry.status, code);
  EXPECT_EQ(entry.detail, offset << 8 | field) << "offset " << (entry.detail >> 8) << ", field " << (entry.detail & 0xFF);
  EXPECT_EQ(machine.read(r::fault_status::kOffset), 1u | static_cast<std::uint32_t>(code) << 8 | machine.row().queue_number() << 16);
  EXPECT_EQ(machine.read(r::fault_tag::kOffset), 0u);
  EXPECT_EQ(machine.read(r::fault_detail::kOffset), offset << 8 | field);
  EXPECT_EQ(machine.read(r::fault_time_lo::kOffset), static_cast<std::uint32_t>(entry.end));
  EXPECT_EQ(machine.level[1], 1);
  EXPECT_EQ(machine.read(r::context::control::offset(0)), 0x101u);
  std::vector<std::byte> after = machine.memory;
  // The engine has written only the completion entry.
  std::copy_n(before.begin() + 0x30000, 16, after.begin() + 0x30000);
  EXPECT_EQ(after, before);
}

/// Submits a CONFBADDR and the instruction, which the engine must refuse because of `field`.
void expect_refused(const mx::MachineCode &instruction, FaultCode code, unsigned field) {
  MxMachine machine;
  machine.bring_up_mx();
  expect_fault(machine, {bases(), instruction}, code, 8, field);
}

mx::MachineCode convolution(std::initializer_list<std::pair<const char *, std::int64_t>> fields) {
  mx::MachineCode code = make_mx(Opcode::CONVACT, {{"OutOffset1", 0x8000}, {"WeightOffset", 0x4000}});
  for (const auto &[name, value] : fields) {
    EXPECT_TRUE(mx::set(code, *mx::find_field(mx::instruction_of(Opcode::CONVACT), name), value).ok());
  }
  return code;
}

// The tests name a field by its first bit in the instruction, as the specification does. CONVACT has three words of 64 bits. Its first word
// has InChannels at bit 6, OutChannels at 13 and InHeight at 32. The second word begins at bit 64: InOffset is at 64 + 8, WeightOffset at
// 64 + 32. The third word begins at bit 128: OutOffset1 is at 128 + 8, OutOffset2 at 128 + 32.
TEST(MxFaults, MisalignedTensors) {
  expect_refused(convolution({{"InOffset", 1}}), FaultCode::misaligned, 72);
  expect_refused(convolution({{"WeightOffset", 0x4002}}), FaultCode::misaligned, 96);
  expect_refused(convolution({{"OutOffset1", 0x8001}}), FaultCode::misaligned, 136);
  expect_refused(convolution({{"Split", 1}, {"OutChannels", 1}, {"OutOffset2", 0x9001}}), FaultCode::misaligned, 160);
}

TEST(MxFaults, OutsideOfTheWindow) {
  // The window has 0x100000 bytes, so the last block that fits begins at 0xFFFEE.
  expect_refused(make_mx(Opcode::SIGMOID, {{"Length1", 1}, {"InOffset", 0xFFFF0}}), FaultCode::window, 32);
  expect_refused(make_mx(Opcode::SIGMOID, {{"Length1", 1}, {"OutOffset", 0xFFFF0}}), FaultCode::window, 72);
  expect_refused(make_mx(Opcode::ELADD, {{"Length1", 1}, {"InOffset2", 0x100000}, {"OutOffset", 0x100}}), FaultCode::window, 32);
  expect_refused(convolution({{"WeightOffset", 0xFFFF0}}), FaultCode::window, 96);
  MxMachine machine;
  machine.bring_up_mx();
  machine.submit({bases(), make_mx(Opcode::SIGMOID, {{"Length1", 1}, {"InOffset", 0xFFFEE}, {"OutOffset", 0}})});
  machine.run();
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::none);
}

TEST(MxFaults, WindowsThatDoNotPermitIt) {
  for (const std::uint32_t access : {1u, 2u}) {
    MxMachine machine;
    machine.bring_up_mx();
    machine.write(r::context::window::access::offset(0, 0), access);
    expect_fault(machine, {bases(), make_mx(Opcode::SIGMOID, {{"Length1", 1}, {"OutOffset", 0x100}})}, FaultCode::window, 8,
                 access == 1 ? 72 : 32);
  }
}

TEST(MxFaults, ABaseRegisterThatReachesPastTheEndOfAddresses) {
  MxMachine machine;
  machine.bring_up_mx();
  machine.write_base(0, 0, ~std::uint64_t{1});
  expect_fault(machine, {bases(), make_mx(Opcode::SIGMOID, {{"Length1", 1}, {"InOffset", 16}})}, FaultCode::window, 8, 32);
}

TEST(MxFaults, OutputsThatOverlap) {
  // The output begins at the second of two input blocks.
  expect_refused(make_mx(Opcode::SIGMOID, {{"Length1", 2}, {"InOffset", 0}, {"OutOffset", 18}}), FaultCode::overlap, 72);
  expect_refused(convolution({{"OutOffset1", 0}}), FaultCode::overlap, 136);
  expect_refused(convolution({{"Split", 1}, {"OutChannels", 1}, {"OutOffset2", 0x8000}}), FaultCode::overlap, 136);
  expect_refused(make_mx(Opcode::POOL, {{"Kernel", 2}, {"Stride", 2}, {"InHeight", 1}, {"InWidth", 1}}), FaultCode::overlap, 136);
  expect_refused(make_mx(Opcode::MOVE, {{"OutOffset", 16}}), FaultCode::overlap, 32);
}

TEST(MxFaults, FieldsThatContradictEachOther) {
  // A 3x3 kernel does not fit on a map of one row.
  expect_refused(convolution({{"Kernel", 1}, {"InWidth", 7}}), FaultCode::shape_mismatch, 32);
  expect_refused(convolution({{"Split", 1}, {"OutChannels", 2}}), FaultCode::shape_mismatch, 13);
  // Two runs of two blocks begin one block apart in the output, so the runs overlap.
  expect_refused(make_mx(Opcode::MOVE, {{"Run", 1}, {"Count", 1}, {"OutStride", 1}, {"OutOffset", 0x1000}}), FaultCode::shape_mismatch, 96);
}

TEST(MxFaults, ZeroSizes) {
  expect_refused(make_mx(Opcode::POOL, {{"Stride", 1}, {"OutOffset1", 0x1000}, {"Kernel", 2}}), FaultCode::shape_mismatch, 32);
  mx::MachineCode no_kernel = make_mx(Opcode::POOL, {{"Kernel", 2}, {"Stride", 1}, {"OutOffset1", 0x1000}});
  isa::insert_bits(no_kernel, 26, 4, 0);
  expect_refused(no_kernel, FaultCode::field_out_of_range, 26);
}

TEST(MxFaults, AnUnknownOpcode) {
  mx::MachineCode code{};
  code[0] = 0xF;
  expect_refused(code, FaultCode::unknown_instruction, kNoField);
}

TEST(MxFaults, ReservedBitsAndValues) {
  mx::MachineCode code = make_mx(Opcode::SIGMOID, {{"Length1", 1}, {"OutOffset", 0x100}});
  isa::insert_bits(code, 6, 16, 0x8);  // sets bit 6 + 3 = 9, which SIGMOID does not use
  expect_refused(code, FaultCode::field_out_of_range, 9);
  code = convolution({});
  isa::insert_bits(code, 23, 2, 3);  // an activation that does not exist
  expect_refused(code, FaultCode::field_out_of_range, 23);
  code = convolution({});
  isa::insert_bits(code, 6, 7, 64);  // 1,040 channels
  expect_refused(code, FaultCode::field_out_of_range, 6);
}

TEST(MxFaults, NoConfbaddrBefore) {
  MxMachine machine;
  machine.bring_up_mx();
  expect_fault(machine, {make_mx(Opcode::SIGMOID, {{"Length1", 1}})}, FaultCode::missing_configuration, 0, kNoField);
}

TEST(MxFaults, WhatAStreamChoseIsNotTheNextOnes) {
  MxMachine machine;
  machine.bring_up_mx();
  machine.submit({bases()});
  machine.submit({make_mx(Opcode::SIGMOID, {{"Length1", 1}})});
  machine.run();
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::none);
  EXPECT_EQ(machine.engine_entry(1).status, FaultCode::missing_configuration);
}

TEST(MxFaults, BaseRegistersThatNobodyWrote) {
  const mx::MachineCode far = make_mx(Opcode::CONFBADDR, {{"OutputBase1", 31}});
  const mx::MachineCode sigmoid = make_mx(Opcode::SIGMOID, {{"Length1", 1}});
  {
    MxMachine machine;
    machine.bring_up_mx();
    expect_fault(machine, {far, sigmoid}, FaultCode::base_not_written, 8, 72);
  }
  {
    // A base register counts as written only if its low half was written.
    MxMachine machine;
    machine.bring_up_mx();
    machine.write(r::mx::base::hi::offset(0, 31), 0);
    expect_fault(machine, {far, sigmoid}, FaultCode::base_not_written, 8, 72);
  }
  {
    // A base register that was written for context 1 does not serve an instruction of context 0.
    MxMachine machine;
    machine.bring_up_mx();
    machine.write_base(1, 31, MxMachine::kWindow);
    expect_fault(machine, {far, sigmoid}, FaultCode::base_not_written, 8, 72);
  }
  {
    // After a change of the context's owner, its base registers count as not written.
    MxMachine machine;
    machine.bring_up_mx();
    machine.place_context(0, {{r::context::owner::offset(0), 1}});
    expect_fault(machine, {bases(), sigmoid}, FaultCode::base_not_written, 8, 32);
  }
  {
    // After a context reset all registers count as not written and read as zero.
    MxMachine machine;
    machine.bring_up_mx();
    machine.write(r::context::control::offset(0), 5);
    EXPECT_EQ(machine.read(r::mx::base::lo::offset(0, 0)), 0u);
    expect_fault(machine, {bases(), sigmoid}, FaultCode::base_not_written, 8, 32);
  }
}

TEST(MxFaults, StreamsThatEndInsideAnInstruction) {
  for (const std::uint32_t bytes : {16u, 24u}) {
    MxMachine machine;
    machine.bring_up_mx();
    const MxMachine::Stream stream = machine.stream({bases(), convolution({})});
    machine.submit({stream.address, bytes, registers::EngineDescriptor::control_of(0, true), {}});
    machine.run();
    EXPECT_EQ(machine.engine_entry(0).status, FaultCode::stream_truncated);
    EXPECT_EQ(machine.engine_entry(0).detail, 8u << 8 | kNoField);
  }
}

TEST(MxFaults, Descriptors) {
  const std::uint32_t control = registers::EngineDescriptor::control_of(0, true);
  MxMachine::Stream stream{};
  const auto status = [&](auto change) {
    MxMachine machine;
    machine.bring_up_mx();
    stream = machine.stream({bases(), bases()});
    registers::EngineDescriptor descriptor{stream.address, stream.bytes, control, {}};
    change(descriptor);
    machine.submit(descriptor);
    machine.run();
    EXPECT_EQ(machine.engine_completions(), 1u);
    if (machine.engine_entry(0).status != FaultCode::none) {
      EXPECT_EQ(machine.engine_entry(0).detail, kNoField);
    }
    return machine.engine_entry(0).status;
  };
  EXPECT_EQ(status([](auto &) {}), FaultCode::none);
  EXPECT_EQ(status([](auto &descriptor) { descriptor.address += 4; }), FaultCode::stream_truncated);
  EXPECT_EQ(status([](auto &descriptor) { descriptor.bytes = 0; }), FaultCode::stream_truncated);
  EXPECT_EQ(status([](auto &descriptor) { descriptor.bytes = 12; }), FaultCode::stream_truncated);
  EXPECT_EQ(status([](auto &descriptor) { descriptor.bytes = (1 << 24) + 8; }), FaultCode::stream_truncated);
  EXPECT_EQ(status([](auto &descriptor) { descriptor.control |= 1 << 17; }), FaultCode::stream_truncated);
  EXPECT_EQ(status([](auto &descriptor) { descriptor.control |= 1 << 8; }), FaultCode::stream_truncated);
  EXPECT_EQ(status([](auto &descriptor) { descriptor.reserved[3] = 1; }), FaultCode::stream_truncated);
  EXPECT_EQ(status([](auto &descriptor) { descriptor.address = ~std::uint64_t{7}; }), FaultCode::stream_truncated);
  EXPECT_EQ(status([](auto &descriptor) { descriptor.address = 0x1000; }), FaultCode::bus_error);
  EXPECT_EQ(status([](auto &descriptor) { descriptor.control |= 1; }), FaultCode::invalid_context);
  EXPECT_EQ(status([](auto &descriptor) { descriptor.control |= 200; }), FaultCode::invalid_context);
}

TEST(MxFaults, ADescriptorThatCannotBeRead) {
  MxMachine machine;
  machine.bring_up_mx();
  machine.write(r::engine::control::offset(0), 0);
  machine.write(r::engine::base_lo::offset(0), 0x1000);
  machine.write(r::engine::control::offset(0), 1 | MxMachine::kRingLog2 << 4);
  machine.write(r::engine::tail::offset(0), 1);
  machine.run();
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::bus_error);
  EXPECT_EQ(machine.engine_entry(0).context, 0xFFu);
}

TEST(MxFaults, OperandsThatTheBusRefuses) {
  // The window extends beyond memory. The input or the output of the instruction is in the window, but completely behind memory. The
  // instruction ends with a bus error and writes nothing.
  for (const bool output : {false, true}) {
    MxMachine machine(nullptr, false);
    machine.bring_up_mx();
    machine.write(r::context::window::size::offset(0, 0), 0x1000'0000);
    const std::int64_t outside = MxMachine::kMemoryBytes;
    expect_fault(
        machine,
        {bases(), make_mx(Opcode::SIGMOID, {{"Length1", 1}, {"InOffset", output ? 0 : outside}, {"OutOffset", output ? outside : 0}})},
        FaultCode::bus_error, 8, output ? 72 : 32);
  }
}

TEST(MxFaults, TheContextIsQuarantinedAndOthersGoOn) {
  MxMachine machine;
  machine.bring_up_mx();
  machine.open_context(1);
  machine.write_base(1, 0, MxMachine::kWindow);
  machine.submit({bases(), make_mx(Opcode::SIGMOID, {{"Length1", 1}, {"InOffset", 1}}), bases()}, 0, false);
  machine.submit({bases()}, 0, false);
  machine.submit({bases()}, 1);
  machine.run();
  ASSERT_EQ(machine.engine_completions(), 3u);
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::misaligned);
  EXPECT_EQ(machine.engine_entry(1).status, FaultCode::aborted);
  EXPECT_EQ(machine.engine_entry(1).detail, kNoField);
  EXPECT_EQ(machine.engine_entry(2).status, FaultCode::none);
  EXPECT_EQ(machine.engine_entry(2).context, 1u);
  EXPECT_EQ(machine.read(r::fault_tag::kOffset), 0u);
  // The device also aborts tile instructions of the context, because the context is quarantined.
  machine.submit({whole_buffer()});
  machine.run();
  EXPECT_EQ(machine.entry(0).status, FaultCode::aborted);
  // A context reset clears the fault.
  machine.write(r::context::control::offset(0), 5);
  machine.submit({bases()});
  machine.run();
  EXPECT_EQ(machine.engine_entry(3).status, FaultCode::none);
}

TEST(MxFaults, AbortFromOutsideEndsAStreamBeforeItsNextInstruction) {
  MxMachine machine;
  machine.bring_up_mx();
  machine.submit({bases(), bases(), bases()});
  machine.advance_to(50 + 64 + 10);                                    // within the second instruction
  EXPECT_FALSE(machine.try_write(r::context::control::offset(0), 5));  // refused while in flight
  machine.write(r::context::control::offset(0), 3);
  machine.run();
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::aborted);
  EXPECT_EQ(machine.engine_entry(0).detail, 16u << 8 | kNoField);
  EXPECT_EQ(machine.engine_entry(0).end, 50u + 2 * 64);
  EXPECT_EQ(machine.read(r::fault_status::kOffset), 0u);
}

TEST(MxFaults, NanBlocksAreDataAndPropagate) {
  MxMachine machine;
  machine.bring_up_mx();
  mx::Block nan;
  nan.exponent = mx::kNanExponent;
  machine.set_block(0, nan);
  machine.set_block(18, MxMachine::uniform(2));
  machine.set_block(36, MxMachine::uniform(1));
  machine.set_block(54, MxMachine::uniform(1));
  machine.submit({bases(), make_mx(Opcode::ELADD, {{"Length1", 2}, {"InOffset1", 0}, {"InOffset2", 36}, {"OutOffset", 0x200}})});
  machine.run();
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::none);
  EXPECT_EQ(machine.block(0x200), nan);
  EXPECT_EQ(machine.block(0x200 + 18), MxMachine::uniform(3));
}

// The stream has a CONFBADDR and a SMULI of one block in place. The engine reads the descriptor at cycle 50, starts the instructions at 50
// and 114, and has finished at 181.
TEST(MxFaults, OfAPlan) {
  const PlanCase cases[] = {
      {"# none", FaultCode::none, 181},
      {"bus_error queue=MX access=1", FaultCode::bus_error, 0 << 8 | kNoField},  // the descriptor
      {"bus_error queue=MX access=3", FaultCode::bus_error, 8 << 8 | kNoField},  // the second instruction
      {"bus_error queue=MX access=4", FaultCode::bus_error, 8 << 8 | 32},        // the input of the second instruction
      {"bus_error queue=MX access=5", FaultCode::none, 181},
      {"stuck queue=MX instruction=2 cycles=1000", FaultCode::none, 1181},
      {"stuck queue=MX instruction=1", FaultCode::none, 0},
      {"doorbell lost queue=MX count=1", FaultCode::none, 0},
      {"completion lost queue=4 count=1", FaultCode::none, 0},
      {"reset engine=MX at=120", FaultCode::none, 0},
      {"clock engine=MX at=120 cycles=100", FaultCode::none, 281},
      {"clock engine=CUBE at=120 cycles=100", FaultCode::none, 181},
      {"clock engine=MX at=180 cycles=forever", FaultCode::none, 0},
      {"flip memory=queue address=0x60020000 bits=2 at=0", FaultCode::ecc, 0x60020000},
      {"flip memory=dram address=0x6004000f bits=2 at=0", FaultCode::ecc, 0x60040008},  // the second instruction
      {"flip memory=dram address=0x60100011 bits=2 at=0", FaultCode::ecc, 0x60100010},  // the last byte of the block
      {"flip memory=dram address=0x60100018 bits=2 at=0", FaultCode::none, 181},
      {"flip memory=dram address=0x60100011 bits=1 at=0", FaultCode::none, 181},
  };
  for (const PlanCase &one : cases) {
    const PlanFile plan(one.line);
    MxMachine machine(plan.options().c_str());
    machine.bring_up_mx();
    machine.submit({bases(), make_mx(Opcode::SMULI, {{"Length1", 1}})});
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

}  // namespace
}  // namespace cox::test
