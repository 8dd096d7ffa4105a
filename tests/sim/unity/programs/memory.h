// SPDX-License-Identifier: MIT
// The DRAM of a random program: three areas, of which a context may touch some windows.
//
// The first area is the page of 16-bit addresses. It holds the container, constants that no instruction writes, data, words that belong to
// one instruction each, and a hole. The second area lies below 4 GiB, so that 32-bit addresses reach it, and the third one above.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coxswain/isa/operand_memory.h"
#include "coxswain/isa/unity/instruction.h"
#include "sim/model/unity/machine/dram.h"
#include "tests/sim/unity/programs/random.h"

namespace cox::test::unity_programs {

struct Area {
  std::uint64_t start, bytes;
};
inline constexpr std::array<Area, 3> kAreas = {{{0x40000000, 0x10000}, {0x50000000, 0x4000}, {0x900000000, 0x4000}}};
inline constexpr std::uint64_t kPage = kAreas[0].start;
inline constexpr std::uint64_t kMostContainerBytes = 0x6000;

/// Bytes from `start` on.
struct Window {
  std::uint64_t start, bytes;
  bool writable;
};
/// The constants and the data of each area.
inline constexpr std::array<Window, 3> kConstants = {
    {{kPage + 0x6000, 0x2000, false}, {kAreas[1].start, 0x1000, false}, {kAreas[2].start, 0x1000, false}}};
inline constexpr std::array<Window, 3> kData = {
    {{kPage + 0x8000, 0x6800, true}, {kAreas[1].start + 0x1000, 0x3000, true}, {kAreas[2].start + 0x1000, 0x3000, true}}};
inline constexpr Window kWords = {kPage + 0xE800, 0x800, true};
/// No window holds these bytes.
inline constexpr Window kHole = {kPage + 0xF000, 0x1000, false};

inline constexpr std::array<Window, 7> kWindows = {kConstants[0], kConstants[1], kConstants[2], kData[0], kData[1], kData[2], kWords};

/// The number of areas that addresses of a space reach.
constexpr unsigned areas_of(isa::unity::AddressSpace space) { return static_cast<unsigned>(space) + 1; }

/// The bytes of all areas.
class ProgramMemory final : public model::unity::Dram {
 public:
  ProgramMemory();
  /// Random bytes: patterns, small integers, and floats of usual sizes.
  explicit ProgramMemory(Random &random);

  [[nodiscard]] Status check(bool write, std::uint64_t address, std::uint64_t bytes) override;
  [[nodiscard]] Status read(std::uint64_t address, std::span<std::byte> bytes) override;
  [[nodiscard]] Status write(std::uint64_t address, std::span<const std::byte> bytes) override;

  /// The bytes from `address` on, which lie in one area.
  [[nodiscard]] std::byte *at(std::uint64_t address, std::uint64_t bytes);
  void put(std::uint64_t address, std::uint64_t value, unsigned bytes);
  [[nodiscard]] const std::vector<std::byte> &area(unsigned number) const { return areas_[number]; }
  bool operator==(const ProgramMemory &other) const { return areas_ == other.areas_; }

 private:
  std::array<std::vector<std::byte>, kAreas.size()> areas_;
};

/// The memory for resolve().
class ProgramTables final : public isa::OperandMemory {
 public:
  explicit ProgramTables(ProgramMemory &memory) : memory_(memory) {}
  [[nodiscard]] bool read(std::uint64_t address, std::span<std::byte> bytes) const override { return memory_.read(address, bytes).ok(); }

 private:
  ProgramMemory &memory_;
};

}  // namespace cox::test::unity_programs
