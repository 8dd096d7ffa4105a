// SPDX-License-Identifier: MIT
// The storage image of a program: groups of 32 domain ids and their payloads. A program starts at a multiple of 32. The last group has all
// 32 ids, those behind its end END, and payloads up to that of END, which is 16 zero bytes that no unit reads.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/isa/operand_memory.h"
#include "coxswain/isa/unity/instruction.h"

namespace cox::isa::unity {

/// Who carries out an instruction.
enum class Domain : std::uint8_t {
  unity = 0x00,
  end = 0x7F,  ///< ends a program, or returns from a sub-program
  tile = 0x80,
  mx = 0x81,
  cube = 0x82,
  pim = 0x83
};
constexpr bool is_engine(Domain domain) { return domain >= Domain::tile && domain <= Domain::pim; }
constexpr bool is_domain(std::uint8_t id) {
  return id == static_cast<std::uint8_t>(Domain::unity) || id == static_cast<std::uint8_t>(Domain::end) ||
         (id >= static_cast<std::uint8_t>(Domain::tile) && id <= static_cast<std::uint8_t>(Domain::pim));
}

inline constexpr std::uint32_t kGroupInstructions = 32;
inline constexpr std::uint32_t kIdBytes = kGroupInstructions;
inline constexpr std::uint32_t kGroupBytes = kIdBytes + kGroupInstructions * kInstructionBytes;  ///< 544
inline constexpr std::uint32_t kProgramAlignment = 32;

/// Bytes of a program of `instructions` instructions, END included.
constexpr std::uint64_t program_bytes(std::uint64_t instructions) {
  const std::uint64_t rest = instructions % kGroupInstructions;
  return instructions / kGroupInstructions * kGroupBytes + (rest == 0 ? 0 : kIdBytes + rest * kInstructionBytes);
}
/// Offset of an instruction's payload, and of its id, from the program's start. A 32-bit number is enough for a container.
template <std::unsigned_integral Number>
constexpr Number payload_offset(Number number) {
  return number * kInstructionBytes + (number / kGroupInstructions + 1) * kIdBytes;
}
template <std::unsigned_integral Number>
constexpr Number id_offset(Number number) {
  return number / kGroupInstructions * kGroupBytes + number % kGroupInstructions;
}

/// An instruction of a storage image.
struct Stored {
  Domain domain = Domain::end;
  MachineCode code{};  ///< zeros for END
};

/// Reads instruction `number` of the program at device address `program`. Errors, with `index` the number:
/// - misaligned_address: "program"; `value` is its address, `limit` kProgramAlignment.
/// - address_outside_window: "program"; `value` is the address of the bytes that the memory does not hold.
/// - unsupported: "domain"; `value` is an id that does not exist.
[[nodiscard]] Result<Stored> fetch(std::uint64_t program, std::uint32_t number, const OperandMemory &memory);
/// The same for a program at an offset of a buffer. address_outside_window becomes stream_truncated ("program"), `value` the bytes that the
/// buffer has and `limit` those that are needed.
[[nodiscard]] Result<Stored> fetch(std::span<const std::byte> bytes, std::uint64_t offset, std::uint32_t number);

/// Writes a storage image to memory of the caller, one instruction after the other.
class ImageWriter {
 public:
  /// The image begins at the first byte of `bytes`, which has to be at a multiple of kProgramAlignment in the device's memory.
  explicit ImageWriter(std::span<std::byte> bytes) : bytes_(bytes) {}

  /// Appends an instruction. Error: no_room ("program"), `value` the bytes needed with END and `limit` the bytes that there are; nothing is
  /// written then.
  [[nodiscard]] Status add(const MachineCode &code, Domain domain = Domain::unity);
  /// Appends END and returns the bytes of the image: program_bytes(instructions()). add() keeps room for END; a buffer without any room has
  /// 0.
  std::uint32_t end();
  /// Number of instructions so far, END included after end().
  [[nodiscard]] std::uint32_t instructions() const { return count_; }

 private:
  void put(const MachineCode &code, Domain domain);

  std::span<std::byte> bytes_;
  std::uint32_t count_ = 0;
};

/// The payload of an instruction of another engine's domain: [5:0] queue in the engine (tile: its class, cube: its pipe, else 0),
/// SYNC_CTRL, [21:8] number of 32-byte queue slots at the address.
struct EngineSubmission {
  Domain domain{};
  std::uint8_t queue = 0;     ///< 0 to 63
  std::uint16_t slots = 0;    ///< 1 to 16383
  std::uint64_t address = 0;  ///< device address of the slots
};
inline constexpr std::uint32_t kSlotBytes = 32;
/// Errors: field_out_of_range ("address_space", "slots"), reserved_bits ("payload"), misaligned_address ("address", `limit` kSlotBytes),
/// address_outside_window for an address above the address space, and those of check_sync().
[[nodiscard]] Result<EngineSubmission> resolve_submission(Domain domain, const MachineCode &code, std::uint64_t page);

}  // namespace cox::isa::unity
