// SPDX-License-Identifier: MIT
#include "tests/sim/unity/programs/memory.h"

#include <bit>
#include <cstring>
#include <stdexcept>

namespace cox::test::unity_programs {

namespace {

bool lies_in(std::uint64_t address, std::uint64_t bytes, std::uint64_t start, std::uint64_t size) {
  return address >= start && address - start <= size && bytes <= size - (address - start);
}

}  // namespace

ProgramMemory::ProgramMemory() {
  for (unsigned i = 0; i < kAreas.size(); ++i) areas_[i].resize(kAreas[i].bytes);
}

ProgramMemory::ProgramMemory(Random &random) : ProgramMemory() {
  constexpr std::size_t kBlock = 64;
  for (std::vector<std::byte> &area : areas_) {
    for (std::size_t block = 0; block < area.size(); block += kBlock) {
      const unsigned kind = static_cast<unsigned>(random.below(6));
      for (std::size_t i = block; i < block + kBlock; i += 8) {
        std::uint64_t word = random.bits();
        if (kind == 0) word &= 0x0103010301030103;                                    // small integers of any unit
        if (kind == 1) word = static_cast<std::uint64_t>(random.between(-100, 100));  // of 64 bits
        if (kind == 2 || kind == 3) {
          const auto real = [&] { return std::bit_cast<std::uint32_t>(static_cast<float>(random.between(-4000, 4000)) / 256); };
          word = std::uint64_t{real()} << 32 | real();
        }
        if (kind == 4) word = std::bit_cast<std::uint64_t>(static_cast<double>(random.between(-4000, 4000)) / 256);
        std::memcpy(&area[i], &word, sizeof word);
      }
    }
  }
}

Status ProgramMemory::check(bool write, std::uint64_t address, std::uint64_t bytes) {
  for (const Window &window : kWindows) {
    if (lies_in(address, bytes, window.start, window.bytes) && (window.writable || !write)) return {};
  }
  return {ErrorCode::address_outside_window, "dram", -1, signed_of(address)};
}

std::byte *ProgramMemory::at(std::uint64_t address, std::uint64_t bytes) {
  for (unsigned i = 0; i < kAreas.size(); ++i) {
    if (lies_in(address, bytes, kAreas[i].start, kAreas[i].bytes)) return areas_[i].data() + (address - kAreas[i].start);
  }
  throw std::out_of_range("outside of the program's memory");
}

Status ProgramMemory::read(std::uint64_t address, std::span<std::byte> bytes) {
  std::memcpy(bytes.data(), at(address, bytes.size()), bytes.size());
  return {};
}

Status ProgramMemory::write(std::uint64_t address, std::span<const std::byte> bytes) {
  std::memcpy(at(address, bytes.size()), bytes.data(), bytes.size());
  return {};
}

void ProgramMemory::put(std::uint64_t address, std::uint64_t value, unsigned bytes) { std::memcpy(at(address, bytes), &value, bytes); }

}  // namespace cox::test::unity_programs
