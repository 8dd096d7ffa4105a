// SPDX-License-Identifier: MIT
// The effect of PIM operations on the memories of one core (docs/isa/pim.md). The reference follows the specification one element after
// another; the fast path gives the same bits. Neither has state of its own: callers may change every byte between two operations.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/status.h"
#include "isa/pim/configuration.h"
#include "isa/pim/operation.h"

namespace cox::model::pim {

enum class Path : std::uint8_t { reference, fast };

/// What the operations of one core read and write. The caller owns the bytes and keeps this object for as long as the core.
struct CoreMemories {
  const isa::pim::Configuration &configuration;
  /// Local memory i has configuration.memories[i].bytes bytes.
  std::array<std::span<std::byte>, isa::pim::kMostMemories> local;
  /// configuration.array.bytes() bytes, in the order of their addresses.
  std::span<std::byte> array;
  /// array.macros * array.line_bits() sums: as many as columns of weights of one bit.
  std::span<std::uint32_t> output_registers;
  /// Registers from this one on are 0, so pim-output need not clear them. execute() keeps it up to date. A caller that writes registers
  /// raises it; the number of registers is always right.
  std::uint32_t registers_used = 0;
};

/// Returns the byte at `address`, or nullptr unless `bytes` bytes from there on lie in one local memory or in the array. With 0 bytes the
/// result is nullptr or a pointer that must not be read.
[[nodiscard]] std::byte *bytes_at(CoreMemories &memories, std::uint32_t address, std::uint64_t bytes);
[[nodiscard]] const std::byte *bytes_at(const CoreMemories &memories, std::uint32_t address, std::uint64_t bytes);

/// Finds the faults of a SIMD operation that depend on its operands' values. Call it before execute(). An operation without elements has no
/// fault. Errors: field_out_of_range with the field or special register that leads to the value as `what`, the value and its bound:
/// a shift outside of -31 to 31 ("rs2"; `index` is the element of input 3, or the place in the block); a divisor of average below 1 ("rs2",
/// `index` is the element); an input of quantify-resadd of 32 bits ("simd_input1_bit_width", "simd_input2_bit_width").
[[nodiscard]] Status check(const isa::pim::Simd &operation, const CoreMemories &memories);

/// Executes an operation that isa::pim::resolve() returned for this core, and for SIMD, that passed check(). Cannot fail. A pim-compute
/// with its pim-batch is one call. Input reads come before all writes: outputs may overlap inputs and masks.
void execute(const isa::pim::Compute &operation, CoreMemories &memories, Path path);
void execute(const isa::pim::Output &operation, CoreMemories &memories, Path path);
void execute(const isa::pim::Transfer &operation, CoreMemories &memories, Path path);
void execute(const isa::pim::Simd &operation, CoreMemories &memories, Path path);

}  // namespace cox::model::pim
