// SPDX-License-Identifier: MIT
// Conformance of every engine: faults, quarantine, aborts, resets, clocks and ECC (docs/faults.md).
#include "tests/conformance/fixture.h"

namespace cox::conformance {
namespace {

TEST_P(Conformance, AFaultNamesItsPlaceAndTheFirstOneStays) {
  const Refused refused = sample_->refused();
  machine().submit(refused.program);
  expect_completion(0, refused.code);
  EXPECT_EQ(machine().engine_entry(0).detail, refused.detail);
  EXPECT_EQ(machine().read(r::fault_status::kOffset), r::fault_status::kValid.put(1) |
                                                          r::fault_status::kCode.put(static_cast<std::uint32_t>(refused.code)) |
                                                          r::fault_status::kQueue.put(row().queue_number()));
  EXPECT_EQ(machine().read(r::fault_detail::kOffset), refused.detail);
  EXPECT_EQ(machine().read(r::fault_tag::kOffset), 0U);
  EXPECT_EQ(machine().level[1], 1);
  // The record keeps the first fault until software clears it.
  open(1);
  machine().submit(refused.program, 1);
  expect_completion(1, refused.code, 1);
  EXPECT_EQ(machine().read(r::fault_tag::kOffset), 0U);
  machine().write(r::int_status::kOffset, r::int_status::kFault.put(1));
  EXPECT_EQ(machine().level[1], 0);
}

TEST_P(Conformance, AFaultQuarantinesOnlyItsContext) {
  open(1);
  machine().submit(sample_->refused().program);
  submit(0);
  submit(1, 1);
  machine().run();
  ASSERT_EQ(machine().engine_completions(), 3U);
  EXPECT_EQ(machine().engine_entry(1).status, FaultCode::aborted);
  EXPECT_TRUE(is_untouched(0));
  EXPECT_EQ(machine().engine_entry(2).status, FaultCode::none);
  EXPECT_TRUE(is_right(1));
  EXPECT_TRUE(is_quarantined(0));
  EXPECT_FALSE(is_quarantined(1));
  write_context(0, kReset);
  EXPECT_FALSE(is_quarantined(0));
  sample_->open(machine(), 0);
  submit(0);
  expect_completion(3, FaultCode::none);
  EXPECT_TRUE(is_right(0));
}

TEST_P(Conformance, AContextThatIsNotValidIsRefused) {
  submit(0, 5);
  expect_completion(0, FaultCode::invalid_context, 5);
  EXPECT_TRUE(is_untouched(0));
  EXPECT_TRUE(machine().log.empty());
}

TEST_P(Conformance, ADescriptorOfNoProgramIsRefused) {
  machine().put({test::EngineMachine::kPrograms + 4, 32, r::EngineDescriptor::control_of(0, true), {}});
  machine().ring_engine();
  expect_completion(0, FaultCode::stream_truncated);
}

TEST_P(Conformance, AWindowThatDoesNotPermitWritesIsHeld) {
  machine().write(r::context::window::access::offset(0, 0), 1);
  submit(0);
  expect_completion(0, FaultCode::window);
  EXPECT_TRUE(is_untouched(0));
}

TEST_P(Conformance, AnAbortEndsWhatIsInFlight) {
  for (unsigned i = 0; i < 3; ++i) submit(i);
  machine().advance_to(machine().now + 50 + Sample::kLeastCycles / 2);
  write_context(0, kAbort);
  machine().run();
  ASSERT_EQ(machine().engine_completions(), 3U);
  // The first program may complete without an error, because the engine may finish the instruction that it is executing.
  EXPECT_EQ(machine().engine_entry(1).status, FaultCode::aborted);
  EXPECT_EQ(machine().engine_entry(2).status, FaultCode::aborted);
  EXPECT_TRUE(is_untouched(1));
  EXPECT_TRUE(is_untouched(2));
  EXPECT_EQ(r::fault_status::kValid.get(machine().read(r::fault_status::kOffset)), 0U) << "an abort is no fault";
}

TEST_P(Conformance, AResetDropsWhatIsInFlight) {
  for (unsigned i = 0; i < 3; ++i) submit(i);
  machine().advance_to(machine().now + 50 + Sample::kLeastCycles / 2);
  EXPECT_NE(machine().read(r::engine::status::offset(row().number())), 0U);
  machine().reset_engine();
  EXPECT_EQ(machine().read(r::engine::status::offset(row().number())), 0U);
  machine().run();
  EXPECT_EQ(machine().read(r::cq::tail::offset(row().completion_queue())), 0U);
  for (unsigned i = 0; i < 3; ++i) EXPECT_TRUE(is_untouched(i)) << i;
  // Nothing of the context is in flight any more.
  EXPECT_TRUE(machine().try_write(r::context::control::offset(0), kReset));
  sample_->open(machine(), 0);
  machine().enable_engine(kRingLog2);
  submit(0);
  expect_completion(0, FaultCode::none);
  EXPECT_TRUE(is_right(0));
}

TEST_P(Conformance, WithoutItsClockAnEngineStandsStillAndGoesOnWhereItWas) {
  submit(0);
  machine().run();
  const std::uint64_t undisturbed = machine().engine_entry(0).end;
  for (std::uint64_t at = 10; at < undisturbed; at += undisturbed / 7 + 1) {
    power_on();
    submit(0);
    machine().advance_to(at);
    machine().set_clock(false);
    machine().advance_to(at + 10'000);
    EXPECT_EQ(machine().engine_completions(), 0U);
    EXPECT_TRUE(is_untouched(0)) << at;
    machine().set_clock(true);
    machine().run();
    // The doorbell takes effect at cycle 50. A clock that stops earlier delays the engine only from cycle 50 on.
    const std::uint64_t stood = at < 50 ? 10'000 - (50 - at) : 10'000;
    EXPECT_EQ(machine().engine_entry(0).end, undisturbed + stood) << at;
    EXPECT_TRUE(is_right(0)) << at;
  }
}

TEST_P(Conformance, ABusErrorOfTheDescriptorIsOfNoContext) {
  power_on("bus_error queue={engine} access=1");
  submit(0);
  expect_completion(0, FaultCode::bus_error, kNoContext);
  EXPECT_TRUE(is_untouched(0));
  EXPECT_FALSE(is_quarantined(0));
  submit(1);
  expect_completion(1, FaultCode::none);
  EXPECT_TRUE(is_right(1));
}

TEST_P(Conformance, ABusErrorOfAnInstructionQuarantines) {
  power_on("bus_error queue={engine} access=2");
  submit(0);
  expect_completion(0, FaultCode::bus_error);
  EXPECT_TRUE(is_untouched(0));
  EXPECT_TRUE(is_quarantined(0));
  write_context(0, kReset);
  sample_->open(machine(), 0);
  submit(1);
  expect_completion(1, FaultCode::none);
  EXPECT_TRUE(is_right(1));
}

TEST_P(Conformance, WhatStandsStillNeedsAReset) {
  power_on("stuck queue={engine} instruction=1");
  submit(0);
  machine().advance_to(machine().now + 1'000'000);
  EXPECT_EQ(machine().engine_completions(), 0U);
  machine().reset_engine();
  machine().enable_engine(kRingLog2);
  submit(0);
  expect_completion(0, FaultCode::none);
  EXPECT_TRUE(is_right(0));
}

TEST_P(Conformance, WhatStandsStillForAWhileEndsLater) {
  submit(0);
  machine().run();
  const std::uint64_t undisturbed = machine().engine_entry(0).end;
  power_on("stuck queue={engine} instruction=1 cycles=7000");
  submit(0);
  expect_completion(0, FaultCode::none);
  EXPECT_EQ(machine().engine_entry(0).end, undisturbed + 7000);
  EXPECT_TRUE(is_right(0));
}

TEST_P(Conformance, ALostDoorbellIsRungAgain) {
  power_on("doorbell lost queue={engine} count=1");
  submit(0);
  machine().run();
  EXPECT_EQ(machine().engine_completions(), 0U);
  EXPECT_EQ(machine().read(r::engine::tail::offset(row().number())), 0U) << "software sees that the device has not seen it";
  machine().ring_engine();
  expect_completion(0, FaultCode::none);
}

TEST_P(Conformance, ACompletionThatIsSpoiledIsSeen) {
  power_on("completion corrupt queue={completions} count=1 bit=20");
  submit(0);
  machine().run();
  EXPECT_FALSE(machine().any_engine_entry(0).intact);
  EXPECT_TRUE(is_right(0));
}

TEST_P(Conformance, AResetOfThePlanIsThatOfARegister) {
  power_on("reset engine={engine} at=60");
  submit(0);
  machine().run();
  EXPECT_EQ(machine().read(r::engine::control::offset(row().number())) & 1, 0U);
  EXPECT_TRUE(is_untouched(0));
}

TEST_P(Conformance, EccCorrectsOneBitAndReportsTwo) {
  const std::uint64_t code = test::EngineMachine::kPrograms;
  const auto flip = [](std::uint64_t address, const char *memory, const char *bits) {
    return std::string("flip memory=") + memory + " address=" + std::to_string(address) + " bits=" + bits + " at=0";
  };
  const std::uint64_t descriptor = test::EngineMachine::kRing;
  for (const auto &[address, memory] : {std::pair(code, "dram"), std::pair(descriptor, "queue"), std::pair(input(0), "dram")}) {
    SCOPED_TRACE(memory);
    power_on(flip(address, memory, "1"));
    submit(0);
    expect_completion(0, FaultCode::none);
    EXPECT_EQ(machine().read(r::ecc_corrected::kOffset), 1U);
    EXPECT_TRUE(is_right(0));
    power_on(flip(address, memory, "2"));
    submit(0);
    machine().run();
    ASSERT_EQ(machine().engine_completions(), 1U);
    EXPECT_EQ(machine().engine_entry(0).status, FaultCode::ecc);
    EXPECT_EQ(machine().engine_entry(0).detail, static_cast<std::uint32_t>(address));
    EXPECT_TRUE(is_untouched(0));
  }
}

TEST_P(Conformance, AnotherOwnerFindsNothingInTheEnginesMemories) {
  const Bytes spy = sample_->spy(output(1));
  if (spy.empty()) GTEST_SKIP() << "the engine has no memories of its own";
  submit(0);
  open(1);
  machine().place_context(1, {{r::context::owner::offset(1), 7}});
  prepare(1);
  machine().submit(spy, 1);
  machine().run();
  ASSERT_EQ(machine().engine_entry(1).status, FaultCode::none);
  const std::byte *stored = machine().find(output(1), kPlace);
  // The engine's memories were cleared for the new owner, so the spy program has stored zeros. It has not written the bytes behind these
  // zeros, so they still have the value 0xA5 from prepare().
  const std::ptrdiff_t zeros = std::find_if(stored, stored + kPlace, [](std::byte byte) { return byte != std::byte{0}; }) - stored;
  EXPECT_GE(zeros, 64);
  EXPECT_TRUE(std::all_of(stored + zeros, stored + kPlace, [](std::byte byte) { return byte == std::byte{0xA5}; }));
}

TEST_P(Conformance, ThePathsOfTheModelAgree) {
  submit(0);
  machine().run();
  const Bytes fast(machine().find(output(0), kPlace), machine().find(output(0), kPlace) + kPlace);
  const std::uint64_t end = machine().engine_entry(0).end;
  test::EngineMachine reference(row(), R"({"path": "reference"})");
  reference.bring_up_engine();
  sample_->open(reference, 0);
  const Bytes operands = sample_->input(0);
  std::memcpy(reference.find(input(0), operands.size()), operands.data(), operands.size());
  std::memset(reference.find(output(0), kPlace), 0xA5, kPlace);
  reference.submit(sample_->program(input(0), output(0)));
  reference.run();
  EXPECT_EQ(std::memcmp(reference.find(output(0), kPlace), fast.data(), kPlace), 0);
  EXPECT_EQ(reference.engine_entry(0).end, end);
}

}  // namespace
}  // namespace cox::conformance
