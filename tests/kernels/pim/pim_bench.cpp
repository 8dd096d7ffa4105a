// SPDX-License-Identifier: MIT
#include "tests/kernels/pim/pim_bench.h"

namespace cox::tests::pim {

Status TestDram::check(bool /*write*/, unsigned window, std::uint64_t offset, std::uint64_t bytes) {
  if (window == 0 && offset <= bytes_.size() && bytes <= bytes_.size() - offset) return {};
  return Status(ErrorCode::address_outside_window, "dram", -1, signed_of(offset), signed_of(bytes_.size()));
}

Status TestDram::read(unsigned /*window*/, std::uint64_t offset, std::span<std::byte> bytes) {
  std::memcpy(bytes.data(), &bytes_[offset], bytes.size());
  return {};
}

Status TestDram::write(unsigned /*window*/, std::uint64_t offset, std::span<const std::byte> bytes) {
  std::memcpy(&bytes_[offset], bytes.data(), bytes.size());
  return {};
}

Bench::Bench(unsigned cores, std::size_t dram_bytes, std::size_t program_bytes, const isa::pim::Configuration &device_configuration,
             const model::pim::Timing &timing)
    : configuration(device_configuration),
      dram(dram_bytes),
      windows{isa::Window{.base = TestDram::kBase, .bytes = dram_bytes, .read = true, .write = true}},
      machine(configuration, timing, model::pim::Energy(), cores, model::pim::Path::fast),
      program_(program_bytes / sizeof(std::uint64_t)),
      next_(configuration.dram_first) {
  const Status status = builder.init(std::as_writable_bytes(std::span(program_)), windows, configuration, cores);
  EXPECT_TRUE(status.ok()) << status.what();
}

std::uint32_t Bench::allocate(std::size_t bytes) {
  const std::uint32_t address = next_;
  constexpr std::uint32_t kAlignment = 64;
  next_ += (static_cast<std::uint32_t>(bytes) + kAlignment - 1) / kAlignment * kAlignment;
  EXPECT_LE(next_ - configuration.dram_first, dram.bytes().size());
  return address;
}

std::uint64_t Bench::run() {
  const Result<isa::pim::Program> program = isa::pim::Program::open(builder.code());
  EXPECT_TRUE(program.ok()) << program.status().what();
  if (!program) return 0;
  machine.start(program.value(), dram, 0);
  while (!machine.done() && machine.next_event() != model::pim::kNever) machine.step(machine.next_event());
  EXPECT_TRUE(machine.done());
  const model::pim::Outcome &outcome = machine.outcome();
  EXPECT_TRUE(outcome.status.ok()) << error_name(outcome.status.code()) << " " << outcome.status.what() << " value "
                                   << outcome.status.value() << " limit " << outcome.status.limit() << " core " << outcome.position.core
                                   << " instruction " << outcome.position.instruction << " waiting " << outcome.waiting;
  builder.clear();
  return outcome.time;
}

}  // namespace cox::tests::pim
