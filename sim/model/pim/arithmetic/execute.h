// SPDX-License-Identifier: MIT
// The effect of PIM operations on the memories of one core (docs/isa/pim.md). The reference follows the specification one element after
// another; the fast path gives the same bits. Neither has state of its own: callers may change every byte between two operations.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/isa/pim/configuration.h"
#include "coxswain/isa/pim/operation.h"

namespace cox::model::pim {

enum class Path : std::uint8_t { reference, fast };

/// What the operations of one core read and write. The caller owns the bytes and keeps this object for as long as the core.
struct CoreMemories {
  const isa::pim::Configuration &configuration;
  /// Local memory i has configuration.memories[i].bytes bytes.
  std::array<std::span<std::byte>, isa::pim::kMostMemories> local;
  /// configuration.array.bytes() bytes, in the order of their addresses. The fast path is faster if they are aligned to 64 bytes.
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

/// Executes an operation that isa::pim::resolve() returned for this core with the memories as they are now. Cannot fail. A pim-compute with
/// its pim-batch is one call. An operation reads all its inputs and masks before it writes its output, so that these may overlap.
void execute(const isa::pim::Compute &operation, CoreMemories &memories, Path path);
void execute(const isa::pim::Output &operation, CoreMemories &memories, Path path);
void execute(const isa::pim::Transfer &operation, CoreMemories &memories, Path path);
void execute(const isa::pim::Simd &operation, CoreMemories &memories, Path path);

}  // namespace cox::model::pim
