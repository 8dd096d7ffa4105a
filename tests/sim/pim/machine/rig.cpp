// SPDX-License-Identifier: MIT
#include "tests/sim/pim/machine/rig.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace cox::model::pim::testing {

Status VectorDram::check(bool write, unsigned window, std::uint64_t offset, std::uint64_t bytes) {
  const std::uint64_t size = windows[window].size();
  if (offset > size || bytes > size - offset || (write && window == 3))
    return Status(ErrorCode::address_outside_window, "window", -1, static_cast<std::int64_t>(offset));
  return {};
}

Status VectorDram::read(unsigned window, std::uint64_t offset, std::span<std::byte> bytes) {
  if (fails) return Status(ErrorCode::device_fault, "bus", -1, 7);
  std::memcpy(bytes.data(), windows[window].data() + offset, bytes.size());
  return {};
}

Status VectorDram::write(unsigned window, std::uint64_t offset, std::span<const std::byte> bytes) {
  if (fails) return Status(ErrorCode::device_fault, "bus", -1, 7);
  std::memcpy(windows[window].data() + offset, bytes.data(), bytes.size());
  return {};
}

std::uint32_t VectorDram::word(unsigned window, std::uint64_t offset) const {
  std::uint32_t value = 0;
  std::memcpy(&value, windows[window].data() + offset, 4);
  return value;
}
void VectorDram::set_word(unsigned window, std::uint64_t offset, std::uint32_t value) {
  std::memcpy(windows[window].data() + offset, &value, 4);
}

std::vector<std::byte> Source::write() const {
  std::vector<std::uint32_t> lengths;
  for (const Instructions &instructions : code) lengths.push_back(static_cast<std::uint32_t>(instructions.size()));
  const auto cores = static_cast<unsigned>(code.size());
  const std::uint64_t bytes =
      isa::pim::program_bytes(cores, lengths, static_cast<std::uint32_t>(settings.size()), static_cast<std::uint32_t>(copies.size()));
  // Vectors of bytes begin at a multiple of 16.
  std::vector<std::byte> memory(bytes);
  isa::pim::ProgramWriter writer(memory, cores);
  for (unsigned core = 0; core < cores; ++core) {
    if (code[core].empty()) continue;
    writer.begin_code(core);
    writer.append(code[core]);
  }
  if (!settings.empty()) writer.begin_settings();
  for (const isa::pim::Setting &setting : settings) writer.append(setting);
  if (!copies.empty()) writer.begin_copies();
  for (const isa::pim::Copy &copy : copies) writer.append(copy);
  writer.set_time_limit(time_limit);
  const auto written = writer.finish();
  EXPECT_TRUE(written.ok()) << error_name(written.status().code()) << " " << written.status().what();
  memory.resize(written.value().size());
  return memory;
}

void constant(Instructions &code, unsigned general, std::uint32_t value) {
  const isa::pim::build::Constant constant = isa::pim::build::constant(isa::pim::build::r(general), value);
  code.insert(code.end(), constant.code().begin(), constant.code().end());
}

Rig::Rig(unsigned cores, const Timing &timing, const Configuration &configuration)
    : machine(configuration, timing, Energy(), cores, Path::fast) {}

void Rig::start(const Source &source, Cycle now) {
  bytes_ = source.write();
  const Result<isa::pim::Program> program = isa::pim::Program::open(bytes_);
  ASSERT_TRUE(program.ok()) << error_name(program.status().code()) << " " << program.status().what();
  machine.start(program.value(), dram, now);
}

Cycle Rig::finish() {
  Cycle last = 0;
  for (Cycle next = machine.next_event(); next != kNever; next = machine.next_event()) {
    last = next;
    machine.step(next);
  }
  return last;
}

Cycle Rig::run(const Source &source) {
  constexpr Cycle kStart = 1000;  // a machine that forgets when its program started fails
  start(source, kStart);
  return std::max(finish(), kStart) - kStart;
}

std::uint32_t Rig::word(unsigned core, unsigned space, std::uint32_t offset) {
  std::uint32_t value = 0;
  std::memcpy(&value, machine.memory(core, space).data() + offset, 4);
  return value;
}
void Rig::set_word(unsigned core, unsigned space, std::uint32_t offset, std::uint32_t value) {
  std::memcpy(machine.memory(core, space).data() + offset, &value, 4);
}

}  // namespace cox::model::pim::testing
