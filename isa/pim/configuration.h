// SPDX-License-Identifier: MIT
// What the instructions of a PIM core depend on besides its registers: memories, array, bindings, SIMD operations. A device has one
// configuration for all its cores (docs/isa/pim.md, Configuration). Durations and energies are not part of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "coxswain/base/status.h"
#include "coxswain/isa/pim/instruction.h"

namespace cox::isa::pim {

enum class MemoryType : std::uint8_t { sram, reg_buffer };

/// A local memory of each core.
struct Memory {
  static constexpr std::size_t kMostNameBytes = 31;
  std::array<char, kMostNameBytes + 1> name_bytes{};  ///< ends with 0
  MemoryType type = MemoryType::sram;
  std::uint32_t first = 0;        ///< address of its first byte
  std::uint32_t bytes = 0;        ///< at least 1
  std::uint32_t read_width = 1;   ///< bytes that it gives in a cycle
  std::uint32_t write_width = 1;  ///< bytes that it takes in a cycle

  [[nodiscard]] constexpr std::string_view name() const { return name_bytes.data(); }
  /// Keeps the first kMostNameBytes of `name`.
  constexpr void set_name(std::string_view name) {
    name_bytes = {};
    for (std::size_t i = 0; i < name.size() && i < kMostNameBytes; ++i) name_bytes[i] = name[i];
  }
};

inline constexpr unsigned kMostMemories = 16;
inline constexpr unsigned kMostGroupSizes = 8;
inline constexpr unsigned kWindows = 4;
inline constexpr std::uint32_t kMostMacros = 1024;
inline constexpr std::uint32_t kMostCompartments = 64;
inline constexpr std::uint32_t kMostElements = 16;
inline constexpr std::uint32_t kMostRows = 1024;

/// Order of the array's lines in the address space (docs/isa/pim.md, The array).
enum class ArrayOrder : std::uint8_t { between_groups, inside_group };

/// The macros of each core. A line is one row of one compartment.
struct Array {
  std::uint32_t first = 0;          ///< address of its first byte
  std::uint32_t macros = 256;       ///< 1 to kMostMacros, a multiple of each group size
  std::uint32_t compartments = 32;  ///< of a macro: 1 to kMostCompartments; input k of a compute meets compartment k
  std::uint32_t elements = 8;       ///< of a row of a compartment: 1 to kMostElements
  std::uint32_t rows = 16;          ///< 1 to kMostRows
  std::uint32_t bits = 8;           ///< of an element: 8
  ArrayOrder order = ArrayOrder::between_groups;
  unsigned group_sizes_count = 1;
  std::array<std::uint32_t, kMostGroupSizes> group_sizes{16};  ///< macros; addresses count groups of the first size

  [[nodiscard]] constexpr std::uint32_t line_bytes() const { return elements * bits / 8; }
  /// Number of cell columns of a macro: the bits of a line.
  [[nodiscard]] constexpr std::uint32_t line_bits() const { return elements * bits; }
  [[nodiscard]] constexpr std::uint64_t bytes() const { return std::uint64_t{macros} * compartments * rows * line_bytes(); }
  [[nodiscard]] constexpr bool has_group_size(std::uint32_t size) const {
    for (unsigned i = 0; i < group_sizes_count; ++i) {
      if (group_sizes[i] == size) return true;
    }
    return false;
  }
};

/// Place of a line: byte 0 of row `row` of compartment `compartment` of macro `macro` is this many bytes from the array's first.
[[nodiscard]] constexpr std::uint64_t line_offset(const Array &array, std::uint32_t macro, std::uint32_t row, std::uint32_t compartment) {
  const std::uint32_t size = array.group_sizes[0];
  const std::uint32_t group = macro / size, member = macro % size, groups = array.macros / size;
  const std::uint64_t line = std::uint64_t{row} * array.compartments + compartment;
  const std::uint64_t lines = std::uint64_t{array.rows} * array.compartments;
  const std::uint64_t place = array.order == ArrayOrder::between_groups ? line * groups + group : group * lines + line;
  return (place * size + member) * array.line_bytes();
}

/// Kinds of SIMD inputs. A block is a row of 32-bit numbers whose length depends on the operation.
enum class SimdKind : std::uint8_t { vector, scalar, block };

/// A SIMD operation with a number of inputs.
struct SimdForm {
  std::uint8_t opcode = 0;
  std::uint8_t inputs = 0;  ///< 1 to 4
  std::array<SimdKind, kMostSimdInputs> kinds{};
};

enum class SimdOpcode : std::uint8_t {
  add = 0x00,
  add_scalar = 0x01,
  multiply = 0x02,
  quantify = 0x03,
  quantify_resadd = 0x04,
  quantify_multiply = 0x05,
  maximum = 0x80,
  relu = 0x81,
  average = 0x82,
};

/// Numbers in the block of an operation; 0 if it has none.
[[nodiscard]] constexpr std::uint32_t block_numbers(SimdOpcode opcode) {
  if (opcode == SimdOpcode::quantify_resadd) return 9;
  return opcode == SimdOpcode::quantify_multiply ? 5 : 0;
}

inline constexpr unsigned kSimdForms = 11;
using SimdForms = std::array<SimdForm, kSimdForms>;
/// The forms, with the kinds of the default configuration. A configuration may change vectors to scalars and the reverse.
inline constexpr SimdForms kDefaultSimdForms{{
    {0x00, 2, {SimdKind::vector, SimdKind::vector}},
    {0x01, 2, {SimdKind::vector, SimdKind::scalar}},
    {0x02, 2, {SimdKind::vector, SimdKind::vector}},
    {0x03, 2, {SimdKind::vector, SimdKind::vector}},
    {0x03, 3, {SimdKind::vector, SimdKind::vector, SimdKind::vector}},
    {0x03, 4, {SimdKind::vector, SimdKind::vector, SimdKind::vector, SimdKind::scalar}},
    {0x04, 3, {SimdKind::vector, SimdKind::vector, SimdKind::block}},
    {0x05, 3, {SimdKind::vector, SimdKind::vector, SimdKind::block}},
    {0x80, 2, {SimdKind::vector, SimdKind::vector}},
    {0x81, 1, {SimdKind::vector}},
    {0x82, 2, {SimdKind::vector, SimdKind::scalar}},
}};

inline constexpr std::uint8_t kUnbound = 0xFF;
inline constexpr std::array<std::uint8_t, kRegisters> kNoBindings = [] {
  std::array<std::uint8_t, kRegisters> bound{};
  for (std::uint8_t &general : bound) general = kUnbound;
  return bound;
}();

struct Configuration {
  unsigned memories_count = 0;
  std::array<Memory, kMostMemories> memories{};
  Array array;
  /// DRAM: four parts of equal size, one for each window of the context. Address dram_first + w * dram_part() + i is byte i of window w.
  std::uint32_t dram_first = 0;
  std::uint64_t dram_bytes = 0;                              ///< a multiple of 4; at most 2^32 less dram_first; 0: there is no DRAM
  std::array<std::uint8_t, kRegisters> bound = kNoBindings;  ///< for each special register, the general register that it is, or kUnbound
  SimdForms simd = kDefaultSimdForms;

  [[nodiscard]] constexpr std::span<const Memory> local_memories() const { return std::span(memories).first(memories_count); }
  /// The number of the memory with this name, or memories_count.
  [[nodiscard]] constexpr unsigned find_memory(std::string_view name) const {
    unsigned number = 0;
    while (number < memories_count && memories[number].name() != name) ++number;
    return number;
  }
  [[nodiscard]] constexpr std::uint64_t dram_part() const { return dram_bytes / kWindows; }
  [[nodiscard]] constexpr const SimdForm *find_simd(unsigned opcode, unsigned inputs) const {
    for (const SimdForm &form : simd) {
      if (form.opcode == opcode && form.inputs == inputs) return &form;
    }
    return nullptr;
  }
};

/// The configuration of docs/isa/pim.md, Default configuration.
[[nodiscard]] const Configuration &default_configuration();

/// Checks a configuration. Errors:
/// - field_out_of_range: `what` is the number that is out of its range ("memories", "memory type", "memory bytes", "memory width",
/// "macros",
///   "compartments", "elements", "rows", "bits", "order", "group sizes", "array", "dram", "binding", "simd"), `index` the memory, group
///   size, special register or form, `value` the number and `limit` the bound that it breaks. "array", "dram": it passes the address 2^32.
/// - tensor_overlap: two memories share an address. `what` is "memory", "array" or "dram", the later of the two; `index` is the memory's
///   number; `value` and `limit` are the first addresses of the later and of the earlier one.
/// - invalid_argument: "memory name" that is empty or used twice, `index` the memory; "binding" of a second special register to one general
///   register, `index` the special register and `value` the general one.
[[nodiscard]] Status check(const Configuration &configuration);

}  // namespace cox::isa::pim
