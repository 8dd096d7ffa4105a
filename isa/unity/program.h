// SPDX-License-Identifier: MIT
// A program container of the Unity engine: one stream of its ring, with the programs of every unit (docs/isa/unity.md, Containers). All
// numbers are little-endian. Header, queues and initial keys come first, then storage images at multiples of kProgramAlignment; operand
// tables and constants lie wherever the writer puts them. Addresses in payloads, operand tables and lists of programs are device addresses
// or offsets in the page, so that a container works only at the place that its writer meant. The
// units may read the container's own bytes, even if they lie in no window of its context.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/isa/unity/storage.h"
#include "coxswain/isa/unity/sync.h"

namespace cox::isa::unity {

inline constexpr std::uint32_t kContainerMagic = 0x31534458;  ///< "XDS1" in memory order
inline constexpr unsigned kMostUnits = 8;
inline constexpr std::uint32_t kMostContainerBytes = 1U << 25;  ///< a fault's position counts 21 bits of 16 bytes
inline constexpr unsigned kMostDepth = 8;                       ///< of sub-programs that call one another

/// Bits of ContainerHeader::flags.
inline constexpr std::uint16_t kFlagHostDeposits = 1;  ///< the control core deposits keys while the container runs
/// Addresses of operand tables, of sub-programs and of slots count from the container's first byte, but 16-bit ones from the page.
inline constexpr std::uint16_t kFlagRelative = 2;
inline constexpr std::uint16_t kKnownFlags = kFlagHostDeposits | kFlagRelative;

struct ContainerHeader {
  std::uint32_t magic = kContainerMagic;
  std::uint16_t units = 0;         ///< 1 to kMostUnits
  std::uint16_t flags = 0;         ///< kFlag...
  std::uint32_t programs = 0;      ///< entries of the table of programs behind the header; those of unit 0 come first, and so on
  std::uint32_t sub_programs = 0;  ///< entries of the table of sub-programs behind it: storage images that branches name
  std::uint32_t keys = 0;          ///< entries of the table of initial keys behind that
  std::uint32_t time_limit = 0;    ///< in kTimeUnit device cycles; 0: no limit of its own
  std::uint64_t page = 0;          ///< device address of the page of 16-bit address spaces, a multiple of kPageBytes; 0: as the context's
                                   ///< register says
};
static_assert(sizeof(ContainerHeader) == 32);
inline constexpr std::uint32_t kTimeUnit = 1024;

/// A program in a unit's queue, or a sub-program. Offsets of sub-programs rise from entry to entry.
struct ProgramEntry {
  std::uint32_t offset = 0;        ///< byte offset in the container, a multiple of kProgramAlignment
  std::uint16_t instructions = 0;  ///< END included, 1 to kMostInstructions
  std::uint8_t unit = 0;           ///< 0 for a sub-program
  std::uint8_t reserved = 0;
};
static_assert(sizeof(ProgramEntry) == 8);
inline constexpr std::uint32_t kMostInstructions = 0xFFFF;

/// Keys that an entry holds before the container starts. They are set, not added; other entries keep their counts.
struct InitialKey {
  std::uint8_t table = 0;
  std::uint8_t entry = 0;
  std::uint16_t count = 0;
};
static_assert(sizeof(InitialKey) == 4);

/// A position in a container, as faults report it: 24 bits.
struct Position {
  unsigned unit = 0;
  std::uint32_t step = 0;  ///< byte offset of a payload in the container, divided by 16; 0 (the header): no instruction

  [[nodiscard]] constexpr std::uint32_t pack() const { return static_cast<std::uint32_t>(unit) << 21 | step; }
  static constexpr Position unpack(std::uint32_t position) { return {position >> 21 & 7, position & ((1U << 21) - 1)}; }
  [[nodiscard]] constexpr std::uint32_t byte() const { return step * 16; }
};

/// The parts of a container in memory. The span points into it.
class Container {
 public:
  /// Checks the header, the tables and that every storage image lies in `bytes`, holds known domain ids and ends with its END. Does not
  /// check payloads. Errors:
  /// - stream_truncated: "container"; `value` is the number of bytes, and `limit` the number that a part needs.
  /// - field_out_of_range: "magic", "units", "flags", "page", "size" (above kMostContainerBytes), "programs" (none), "program" or
  ///   "sub-program" (unit, order or instructions; `index` its number), "key" (table; `index` its number), "reserved".
  /// - misaligned_address: "program" or "sub-program"; `value` is the offset, `limit` kProgramAlignment.
  /// - unsupported: "domain"; `index` is the number of the instruction in its program, `value` the id.
  /// - field_out_of_range: "end" if the last instruction of a program is no END, or an earlier one is; `index` is the number of the program
  ///   (sub-programs count on behind the programs), `value` the number of the instruction.
  [[nodiscard]] static Result<Container> open(std::span<const std::byte> bytes);

  [[nodiscard]] const ContainerHeader &header() const { return header_; }
  [[nodiscard]] unsigned units() const { return header_.units; }
  [[nodiscard]] bool is_relative() const { return (header_.flags & kFlagRelative) != 0; }
  [[nodiscard]] bool host_deposits() const { return (header_.flags & kFlagHostDeposits) != 0; }
  [[nodiscard]] std::uint64_t time_limit() const { return std::uint64_t{header_.time_limit} * kTimeUnit; }
  [[nodiscard]] ProgramEntry program(std::uint32_t number) const;      ///< `number` is less than header().programs
  [[nodiscard]] ProgramEntry sub_program(std::uint32_t number) const;  ///< `number` is less than header().sub_programs
  [[nodiscard]] InitialKey key(std::uint32_t number) const;            ///< `number` is less than header().keys
  /// The sub-program at a byte offset of the container, or an entry without instructions. Branches to all other places are
  /// refused.
  [[nodiscard]] ProgramEntry sub_program_at(std::uint64_t offset) const;
  /// Numbers of a unit's programs, from first to end - 1, in the order of its queue.
  struct Queue {
    std::uint32_t first = 0, end = 0;
  };
  [[nodiscard]] Queue queue(unsigned unit) const;
  /// Instruction `number` of a program or sub-program of this container.
  [[nodiscard]] Stored instruction(const ProgramEntry &program, std::uint32_t number) const;
  /// Position of an instruction's payload.
  static constexpr std::uint32_t position(const ProgramEntry &program, unsigned unit, std::uint32_t number) {
    return Position{unit, static_cast<std::uint32_t>((program.offset + payload_offset(number)) / 16)}.pack();
  }
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
  ContainerHeader header_;
};

/// Byte offset of the first byte behind header and tables, where images may begin.
constexpr std::uint32_t container_front(std::uint32_t programs, std::uint32_t keys, std::uint32_t sub_programs) {
  const std::uint32_t bytes = static_cast<std::uint32_t>(sizeof(ContainerHeader)) + 8 * (programs + sub_programs) + 4 * keys;
  return (bytes + kProgramAlignment - 1) / kProgramAlignment * kProgramAlignment;
}

}  // namespace cox::isa::unity
