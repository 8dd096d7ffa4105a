// SPDX-License-Identifier: MIT
#include "sim/model/pim/machine/core.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

namespace cox::model::pim {

using isa::pim::kArraySpace;
using isa::pim::MemoryType;

// Storage.

CoreStorage::Bytes CoreStorage::zeros(std::uint64_t bytes) {
  auto *memory = static_cast<std::byte *>(std::calloc(bytes == 0 ? 1 : bytes, 1));  // NOLINT(cppcoreguidelines-no-malloc)
  if (memory == nullptr) throw std::bad_alloc();
  return Bytes(memory);
}

void CoreStorage::clear() {
  for (Bytes &bytes : local_) bytes.reset();
  array_.reset();
  registers_.reset();
  memories_.local = {};
  memories_.array = {};
  memories_.output_registers = {};
  memories_.registers_used = 0;
}

void CoreStorage::allocate() {
  if (array_) return;
  const isa::pim::Configuration &configuration = memories_.configuration;
  for (unsigned i = 0; i < configuration.memories_count; ++i) {
    local_[i] = zeros(configuration.memories[i].bytes);
    memories_.local[i] = {local_[i].get(), configuration.memories[i].bytes};
  }
  array_ = zeros(configuration.array.bytes());
  memories_.array = {array_.get(), configuration.array.bytes()};
  const std::size_t registers = std::size_t{configuration.array.macros} * configuration.array.line_bits();
  registers_ = zeros(registers * sizeof(std::uint32_t));
  memories_.output_registers = {reinterpret_cast<std::uint32_t *>(registers_.get()), registers};
}

std::span<std::byte> CoreStorage::bytes(unsigned space) const {
  if (space == kArraySpace) return memories_.array;
  return space < memories_.configuration.memories_count ? memories_.local[space] : std::span<std::byte>();
}

void CoreStorage::read(isa::pim::Place place, std::span<std::byte> bytes) const {
  if (!bytes.empty()) std::memcpy(bytes.data(), at(place, bytes.size()).data(), bytes.size());
}

// Counters.

void Core::charge_access(unsigned space, bool write, std::uint64_t bytes) {
  std::uint32_t each = write ? energy_.array_write_byte : energy_.array_read_byte;
  if (space < configuration_.memories_count) {
    const bool sram = configuration_.memories[space].type == MemoryType::sram;
    each =
        write ? (sram ? energy_.sram_write_byte : energy_.buffer_write_byte) : (sram ? energy_.sram_read_byte : energy_.buffer_read_byte);
  }
  counters.energy.memory += bytes * each;
}

void Core::charge(const Work &work) {
  for (unsigned i = 0; i < kUsedMemories; ++i) {
    if (work.read[i] != 0) charge_access(i, false, work.read[i]);
    if (work.written[i] != 0) charge_access(i, true, work.written[i]);
  }
  counters.macs += work.macs;
  counters.dram_read += work.dram_read;
  counters.dram_written += work.dram_written;
  counters.energy.dram += work.dram_bytes() * energy_.dram_byte;
  counters.energy.compute += work.mac_bits * energy_.mac_bit;
  if (work.unit == Unit::simd) {
    counters.energy.simd += work.elements * energy_.simd_element;
  } else {
    counters.energy.compute += work.elements * energy_.output_element;
  }
}

Counters Core::report(Cycle now) const {
  Counters report = counters;
  if (phase == Phase::absent) return report;
  report.cycles = phase == Phase::ended || phase == Phase::faulted ? end : std::max(now, ready);
  report.energy.instructions = report.instructions * energy_.instruction;
  report.energy.leakage = report.cycles * energy_.leakage_cycle;
  return report;
}

// Running.

void Core::begin(std::shared_ptr<Code> program_code, Cycle first) {
  storage.allocate();
  code = std::move(program_code);
  registers = {};
  scoreboard.clear();
  counters = {};
  phase = Phase::running;
  counter = 0;
  next = ready = first;
  end = 0;
  prepared.is = false;
  no_room = false;
  fault = Status();
}

bool Core::end_reached() {
  if (counter != code->size()) return false;
  phase = Phase::ended;
  end = std::max(ready, scoreboard.last_end());
  next = kNever;
  return true;
}

/// The local memory that has the four bytes from `address` on; -1 if none has.
int Core::find_word(std::uint32_t address) const {
  for (unsigned i = 0; i < configuration_.memories_count; ++i) {
    const isa::pim::Memory &memory = configuration_.memories[i];
    if (address >= memory.first && address - memory.first < memory.bytes)
      return memory.bytes - (address - memory.first) >= 4 ? static_cast<int>(i) : -1;
  }
  return -1;
}

void Core::run_quick(Cycle horizon) {
  if (prepared.is || next != ready || next >= horizon) return;  // an instruction that waits for something is for Execution
  const Cycle free = std::max(next, scoreboard.unit_free(Unit::scalar));
  if (free >= horizon) return;
  std::array<std::uint32_t, isa::pim::kRegisters> &r = registers.general;
  const std::uint32_t size = code->size();
  Code &instructions = *code;
  std::uint32_t at = counter;
  Cycle time = free;
  for (; time < horizon && at != size; ++time) {
    const Decoded &i = instructions.at(at);
    std::uint32_t to = at + 1;
    const std::uint32_t a = r[i.a], b = r[i.b];
    const auto signed_a = static_cast<std::int32_t>(a), signed_b = static_cast<std::int32_t>(b);
    // x / 0 is -1 with the remainder x. A quotient that does not fit has the remainder 0 (docs/isa/pim.md).
    const bool divisible = b != 0 && b != UINT32_MAX;
    switch (i.quick) {
      case Quick::add: r[i.d] = a + b; break;
      case Quick::sub: r[i.d] = a - b; break;
      case Quick::mul: r[i.d] = a * b; break;
      case Quick::div: r[i.d] = divisible ? static_cast<std::uint32_t>(signed_a / signed_b) : b == 0 ? UINT32_MAX : 0 - a; break;
      case Quick::sll: r[i.d] = a << (b & 31); break;
      case Quick::srl: r[i.d] = a >> (b & 31); break;
      case Quick::sra: r[i.d] = static_cast<std::uint32_t>(signed_a >> (b & 31)); break;
      case Quick::mod: r[i.d] = divisible ? static_cast<std::uint32_t>(signed_a % signed_b) : b == 0 ? a : 0; break;
      case Quick::addi: r[i.d] = a + i.value; break;
      case Quick::muli: r[i.d] = a * i.value; break;
      case Quick::constant: r[i.d] = i.value; break;
      case Quick::copy: r[i.d] = a; break;
      case Quick::special_constant: registers.special[i.d] = i.value; break;
      case Quick::to_special: registers.special[i.d] = a; break;
      case Quick::from_special: r[i.d] = registers.special[i.a]; break;
      case Quick::beq: to = a == b ? i.value : to; break;
      case Quick::bne: to = a != b ? i.value : to; break;
      case Quick::bgt: to = signed_a > signed_b ? i.value : to; break;
      case Quick::blt: to = signed_a < signed_b ? i.value : to; break;
      case Quick::jmp: to = i.value; break;
      case Quick::load:
      case Quick::store: {
        const int memory = find_word(a + i.value);
        const bool write = i.quick == Quick::store;
        if (memory < 0 || scoreboard.memory_free(static_cast<unsigned>(memory), write) > time) {
          to = kNoTarget;
          break;
        }
        const auto space = static_cast<unsigned>(memory);
        std::byte *word = storage.bytes(space).data() + (a + i.value - configuration_.memories[space].first);
        for (unsigned byte = 0; byte < 4 && write; ++byte) word[byte] = static_cast<std::byte>(b >> 8 * byte);
        std::uint32_t value = 0;
        for (unsigned byte = 0; byte < 4; ++byte) value |= std::to_integer<std::uint32_t>(word[byte]) << 8 * byte;
        if (!write) r[i.d] = value;
        charge_access(space, write, 4);
        break;
      }
      default: to = kNoTarget; break;
    }
    if (to == kNoTarget) break;
    at = to;
  }
  counter = at;
  if (time == free) return;  // none issued; Execution finds out what the instruction waits for
  counters.instructions += time - free;
  counters.busy[static_cast<unsigned>(Unit::scalar)] += time - free;
  counters.stalled[static_cast<unsigned>(Stall::unit)] += free - ready;
  next = ready = time;
  end_reached();
}

}  // namespace cox::model::pim
