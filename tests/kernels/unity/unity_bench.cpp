// SPDX-License-Identifier: MIT
#include "tests/kernels/unity/unity_bench.h"

#include <cstdlib>

#include "coxswain/isa/unity/location.h"

namespace cox::tests::unity {

namespace {

constexpr std::size_t kAlignment = 64;

std::byte *pointer(std::uint64_t address) { return reinterpret_cast<std::byte *>(address); }
std::uint64_t address_of(const std::byte *byte) { return reinterpret_cast<std::uintptr_t>(byte); }

}  // namespace

void TestDram::Free::operator()(std::byte *memory) const { std::free(memory); }

TestDram::TestDram(std::size_t bytes)
    : size_((bytes + kAlignment - 1) / kAlignment * kAlignment), memory_(static_cast<std::byte *>(std::aligned_alloc(kAlignment, size_))) {
  std::memset(memory_.get(), 0x5A, size_);
}

Status TestDram::check(bool /*write*/, std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t offset = address - address_of(memory_.get());
  if (offset <= size_ && bytes <= size_ - offset) return {};
  return {ErrorCode::address_outside_window, "dram", -1, signed_of(address)};
}

Status TestDram::read(std::uint64_t address, std::span<std::byte> bytes) {
  std::memcpy(bytes.data(), pointer(address), bytes.size());
  return {};
}

Status TestDram::write(std::uint64_t address, std::span<const std::byte> bytes) {
  std::memcpy(pointer(address), bytes.data(), bytes.size());
  return {};
}

Bench::Bench(const kernels::unity::ContainerBuilder::Capacity &capacity, std::size_t dram_bytes, std::size_t container_bytes)
    : dram(dram_bytes),
      windows{isa::Window{.base = address_of(dram.bytes().data()), .bytes = dram.bytes().size(), .read = true, .write = true}},
      machine(std::make_unique<model::unity::Machine>(model::unity::Timing{}, isa::unity::kMostUnits, model::unity::Path::fast)),
      container_(container_bytes) {
  const Status status = builder.init(container_.bytes(), windows, capacity);
  EXPECT_TRUE(status.ok()) << status.what();
}

std::span<std::byte> Bench::allocate(std::size_t bytes) {
  const std::span<std::byte> memory = dram.bytes().subspan(next_, bytes);
  next_ += (bytes + kAlignment - 1) / kAlignment * kAlignment;
  EXPECT_LE(next_, dram.bytes().size());
  return memory;
}

void Bench::set_random_timing(std::uint64_t seed) {
  const model::unity::Timing timing{.jitter_seed = seed};
  machine = std::make_unique<model::unity::Machine>(timing, isa::unity::kMostUnits, model::unity::Path::fast);
}

unsigned Bench::keys() const {
  unsigned sum = 0;
  for (unsigned table = 0; table < isa::unity::kKeyTables; ++table) {
    for (unsigned entry = 0; entry < isa::unity::kKeyEntries; ++entry)
      sum += machine->key({static_cast<std::uint8_t>(table), static_cast<std::uint8_t>(entry)});
  }
  return sum;
}

std::uint64_t Bench::run() {
  const Result<isa::unity::Container> container = isa::unity::Container::open(builder.code());
  EXPECT_TRUE(container.ok()) << container.status().what() << " " << container.status().value();
  if (!container) return 0;
  machine->start(container.value(), {.address = address_of(builder.code().data()), .key_tables = 0xF}, dram, 0);
  while (!machine->done() && machine->next_event() != model::unity::kNever) machine->step(machine->next_event());
  EXPECT_TRUE(machine->done());
  const model::unity::Outcome &outcome = machine->outcome();
  const isa::Location location = isa::unity::locate(builder.code(), outcome.position, isa::kNoField);
  EXPECT_TRUE(outcome.status.ok()) << error_name(outcome.status.code()) << " " << outcome.status.what() << " value "
                                   << outcome.status.value() << " limit " << outcome.status.limit() << " instruction "
                                   << location.instruction << " " << location.name;
  return outcome.time;
}

}  // namespace cox::tests::unity
