// SPDX-License-Identifier: MIT
// A program of the PIM engine: one stream in memory that holds the code of every core, and what the device does before and after it
// (docs/isa/pim.md, Programs). All numbers are little-endian; every part begins at a multiple of 8 bytes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/isa/pim/configuration.h"
#include "coxswain/isa/pim/instruction.h"

namespace cox::isa::pim {

inline constexpr std::uint32_t kProgramMagic = 0x314D4950;  ///< "PIM1" in memory order

/// The first bytes of a program.
struct ProgramHeader {
  std::uint32_t magic = kProgramMagic;
  std::uint16_t cores = 0;  ///< 1 to kMostCores; core i runs entry i of the table behind the header
  std::uint16_t reserved = 0;
  std::uint32_t settings_offset = 0;  ///< byte offset of the settings
  std::uint32_t settings = 0;         ///< number of them
  std::uint32_t copies_offset = 0;    ///< byte offset of the copies
  std::uint32_t copies = 0;           ///< number of them
  std::uint32_t time_limit_lo = 0;    ///< device cycles after which a program that still runs is stopped; 0: no limit of its own
  std::uint32_t time_limit_hi = 0;
};
static_assert(sizeof(ProgramHeader) == 32);

/// The code of a core. Cores may share code.
struct CodeEntry {
  std::uint32_t offset = 0;        ///< byte offset in the program
  std::uint32_t instructions = 0;  ///< 0 to kMostInstructions; a core without instructions ends at once
};
static_assert(sizeof(CodeEntry) == 8);

/// A general register, 0 to 31, or special register, 32 plus its number, that a core has at its start. All others are 0.
struct Setting {
  std::uint8_t core = 0;
  std::uint8_t place = 0;
  std::uint16_t reserved = 0;
  std::uint32_t value = 0;
};
static_assert(sizeof(Setting) == 8);

enum class CopyKind : std::uint8_t {
  load = 0,            ///< before the program: bytes of DRAM to a local memory or the array of a core
  store = 1,           ///< after the program: bytes of a local memory or the array to DRAM
  store_registers = 2  ///< after the program: 32 general registers, then 32 special ones, then the program counter, 4 bytes each, to DRAM
};
inline constexpr std::uint32_t kStoredRegistersBytes = (2 * kRegisters + 1) * 4;

/// A copy that the device makes for a core. A program that ends with a fault also makes its stores.
struct Copy {
  CopyKind kind = CopyKind::load;
  std::uint8_t core = 0;
  std::uint16_t reserved = 0;
  std::uint32_t local = 0;  ///< address in the core; 0 for store_registers
  std::uint32_t dram = 0;   ///< address of the core's DRAM
  std::uint32_t bytes = 0;
};
static_assert(sizeof(Copy) == 16);

/// A position in a program, as faults report it: 24 bits.
struct Position {
  unsigned core = 0;
  std::uint32_t instruction = 0;  ///< number of the instruction in the core's code

  [[nodiscard]] constexpr std::uint32_t pack() const { return static_cast<std::uint32_t>(core) << 18 | instruction; }
  static constexpr Position unpack(std::uint32_t position) { return {position >> 18 & 63, position & (kMostInstructions - 1)}; }
};

/// Every part of a program begins at a multiple of this many bytes, and so does the program.
inline constexpr std::uint32_t kPartAlignment = 8;

/// Checks a copy's addresses; Program::open() has checked the rest. Errors, with "copy": address_outside_buffer for bytes that lie neither
/// in one local memory nor in the array; address_outside_window for bytes that do not lie in one part of DRAM. `value` is the first
/// address.
[[nodiscard]] Status check(const Copy &copy, const Configuration &configuration);

/// The parts of a program in memory. The spans point into the program.
class Program {
 public:
  /// Checks the header and that every part lies in `bytes`. Does not check instructions and addresses of copies. Errors:
  /// - stream_truncated: "program"; `value` is the number of bytes, and `limit` the number that a part needs.
  /// - field_out_of_range: `what` is "magic", "reserved", "cores", "instructions" (`index` the core), "setting" or "copy" (`index` its
  /// number).
  ///   A setting has a core of the program and a register that exists. A copy has a core of the program and a kind; a store of registers
  ///   has the local address 0 and kStoredRegistersBytes.
  /// - misaligned_address: "code" (`index` the core), "settings" or "copies"; `value` is the offset, and `limit` is kPartAlignment.
  [[nodiscard]] static Result<Program> open(std::span<const std::byte> bytes);

  [[nodiscard]] const ProgramHeader &header() const { return header_; }
  [[nodiscard]] unsigned cores() const { return header_.cores; }
  [[nodiscard]] CodeEntry entry(unsigned core) const;
  /// Instruction `number` of a core's code; `number` is less than its instructions.
  [[nodiscard]] MachineCode code(unsigned core, std::uint32_t number) const;
  [[nodiscard]] std::span<const std::byte> code(unsigned core) const;
  /// 0: the program has no limit of its own.
  [[nodiscard]] std::uint64_t time_limit() const { return std::uint64_t{header_.time_limit_hi} << 32 | header_.time_limit_lo; }
  [[nodiscard]] Setting setting(std::uint32_t number) const;
  [[nodiscard]] Copy copy(std::uint32_t number) const;
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
  ProgramHeader header_;
};

}  // namespace cox::isa::pim
