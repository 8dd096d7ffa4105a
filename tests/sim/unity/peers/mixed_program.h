// SPDX-License-Identifier: MIT
// A relative container whose units submit streams and tile instructions to the other engines.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <vector>

#include "coxswain/isa/tile/header.h"
#include "coxswain/isa/unity/engine_slots.h"
#include "coxswain/isa/unity/program.h"
#include "coxswain/isa/unity/storage.h"
#include "coxswain/isa/unity/table.h"

namespace cox::test {

class MixedProgram {
 public:
  using Bytes = std::vector<std::byte>;

  explicit MixedProgram(unsigned units = 1) : units_(units) {}

  /// The unit submits streams of an engine with a ring, all in one instruction.
  MixedProgram &streams(unsigned unit, isa::unity::Domain domain, std::initializer_list<Bytes> streams, const isa::unity::Sync &sync = {}) {
    return add(unit, {.domain = domain, .queue = 0, .opcode = {}, .parts = streams, .sync = sync});
  }
  /// The unit submits tile instructions of one class.
  MixedProgram &tile(unsigned unit, isa::tile::Class queue, std::initializer_list<isa::tile::MachineCode> codes,
                     const isa::unity::Sync &sync = {}) {
    Instruction instruction{
        .domain = isa::unity::Domain::tile, .queue = static_cast<std::uint8_t>(queue), .opcode = {}, .parts = {}, .sync = sync};
    for (const isa::tile::MachineCode &code : codes) {
      Bytes &slot = instruction.parts.emplace_back(sizeof code);
      std::memcpy(slot.data(), code.data(), sizeof code);
    }
    return add(unit, instruction);
  }

  /// The unit carries out an instruction of its own with 32-bit addresses. `table`: the operand table.
  MixedProgram &unity(unsigned unit, isa::unity::Opcode opcode, std::span<const std::uint32_t> table, const isa::unity::Sync &sync = {}) {
    const std::span<const std::byte> bytes = std::as_bytes(table);
    return add(
        unit,
        {.domain = isa::unity::Domain::unity, .queue = 0, .opcode = opcode, .parts = {Bytes(bytes.begin(), bytes.end())}, .sync = sync});
  }

  /// Bytes of the container.
  [[nodiscard]] Bytes bytes() {
    using namespace isa::unity;  // NOLINT(google-build-using-namespace)
    const std::uint32_t front = container_front(units_, 0, 0);
    Bytes container(front);
    for (unsigned unit = 0; unit < units_; ++unit) {
      const std::uint64_t image = program_bytes(programs_[unit].size() + 1);
      const ProgramEntry entry{static_cast<std::uint32_t>(container.size()), static_cast<std::uint16_t>(programs_[unit].size() + 1),
                               static_cast<std::uint8_t>(unit), 0};
      put(container, sizeof(ContainerHeader) + unit * sizeof entry, entry);
      container.resize(container.size() + (image + 31) / 32 * 32);
      for (std::size_t i = 0; i < programs_[unit].size(); ++i)
        programs_[unit][i].position = Container::position(entry, unit, static_cast<std::uint32_t>(i));
    }
    for (unsigned unit = 0; unit < units_; ++unit) {
      for (Instruction &instruction : programs_[unit]) place(container, instruction);
    }
    for (unsigned unit = 0; unit < units_; ++unit) write_image(container, unit);
    put(container, 0, ContainerHeader{.units = static_cast<std::uint16_t>(units_), .flags = kFlagRelative, .programs = units_});
    return container;
  }
  /// Packed position of a unit's instruction, valid after bytes().
  [[nodiscard]] std::uint32_t position(unsigned unit, unsigned number) const { return programs_[unit][number].position; }
  /// Byte offset of an instruction's first slot or operand table, valid after bytes().
  [[nodiscard]] std::uint32_t slots(unsigned unit, unsigned number) const { return programs_[unit][number].slots; }

 private:
  struct Instruction {
    isa::unity::Domain domain{};
    std::uint8_t queue = 0;
    isa::unity::Opcode opcode{};
    std::vector<Bytes> parts;  ///< streams, slots of tile cores, or an operand table
    isa::unity::Sync sync{};
    std::uint32_t slots = 0, position = 0;
  };
  MixedProgram &add(unsigned unit, const Instruction &instruction) {
    programs_[unit].push_back(instruction);
    return *this;
  }
  template <typename T>
  static void put(Bytes &container, std::size_t offset, const T &value) {
    std::memcpy(&container[offset], &value, sizeof value);
  }
  static void append(Bytes &container, const Bytes &part) {
    container.insert(container.end(), part.begin(), part.end());
    container.resize((container.size() + 31) / 32 * 32);
  }
  /// Appends the slots of an instruction, and the streams that they describe.
  static void place(Bytes &container, Instruction &instruction) {
    instruction.slots = static_cast<std::uint32_t>(container.size());
    if (instruction.domain == isa::unity::Domain::unity || !has_streams(instruction.domain)) {
      for (const Bytes &slot : instruction.parts) append(container, slot);
      return;
    }
    container.resize(container.size() + instruction.parts.size() * isa::unity::kSlotBytes);
    for (std::size_t i = 0; i < instruction.parts.size(); ++i) {
      put(container, instruction.slots + i * isa::unity::kSlotBytes,
          isa::unity::StreamSlot{container.size(), static_cast<std::uint32_t>(instruction.parts[i].size()), 0, {}});
      append(container, instruction.parts[i]);
    }
  }
  void write_image(Bytes &container, unsigned unit) {
    using namespace isa::unity;  // NOLINT(google-build-using-namespace)
    ProgramEntry entry;
    std::memcpy(&entry, &container[sizeof(ContainerHeader) + unit * sizeof entry], sizeof entry);
    ImageWriter writer(std::span<std::byte>(container).subspan(entry.offset));
    for (const Instruction &instruction : programs_[unit]) {
      if (instruction.domain == Domain::unity) {
        const isa::unity::Instruction &row = Set::row(instruction.opcode);
        (void)writer.add({row.section | 1U << 6 | std::uint32_t{row.code} << 8, sync_word(instruction.sync), instruction.slots, 0});
        continue;
      }
      const auto slots = static_cast<std::uint32_t>(instruction.parts.size());
      (void)writer.add({instruction.queue | 1U << 6 | slots << 8, sync_word(instruction.sync), instruction.slots, 0}, instruction.domain);
    }
    writer.end();
  }

  unsigned units_;
  std::array<std::vector<Instruction>, isa::unity::kMostUnits> programs_;
};

}  // namespace cox::test
