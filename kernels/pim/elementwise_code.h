// SPDX-License-Identifier: MIT
// The common part of kernels that run SIMD instructions over vectors in DRAM or in local memories. Internal to the kernels.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "coxswain/base/memory_range.h"
#include "coxswain/kernels/pim/arguments.h"
#include "coxswain/kernels/pim/memories.h"
#include "coxswain/kernels/pim/program_builder.h"

namespace cox::kernels::pim {

inline constexpr std::int32_t kMostShift = 31;

[[nodiscard]] inline bool lies_in(std::uint32_t address, const LocalRange &range) { return address - range.first < range.bytes; }

/// A vector that a kernel reads or writes.
struct Operand {
  const char *name = "";
  std::uint32_t address = 0;
  std::uint64_t bytes = 0;
};

/// Error: invalid_argument if an operand lies in a memory that kernels use for themselves.
[[nodiscard]] inline Status check_operand(const ProgramBuilder &builder, const Memories &memories, const Operand &operand, bool write) {
  const bool is_used = lies_in(operand.address, memories.results[0]) || lies_in(operand.address, memories.results[1]) ||
                       lies_in(operand.address, memories.sums) || lies_in(operand.address, memories.sums_too) ||
                       lies_in(operand.address, memories.inputs);
  if (is_used) return invalid_argument(operand.name, operand.address, 0);
  return builder.check_bytes(operand.address, operand.bytes, write, operand.name);
}

/// Runs SIMD instructions over chunks of vectors. While the unit computes a chunk, the results of the chunk before go to DRAM.
class ChunkLoop {
 public:
  static constexpr unsigned kMostInputs = 2;

  ChunkLoop(ProgramBuilder &builder, const Memories &memories) : builder_(builder), memories_(memories) {}

  struct Vector {
    std::uint32_t address = 0;
    std::uint32_t element_bytes = 1;
  };

  /// `compute(inputs, length, output)` emits the instructions of a chunk. `most` elements fit a chunk.
  template <typename Compute>
  void run(std::span<const Vector> inputs, Vector output, std::uint32_t count, std::uint32_t most, Compute compute) {
    const bool stores = builder_.is_dram(output.address);
    std::array<Register, kMostInputs> from{};
    for (std::size_t i = 0; i < inputs.size(); ++i) from[i] = builder_.variable(inputs[i].address);
    const Register to = builder_.variable(output.address), before = builder_.variable(output.address);
    const Register buffer = builder_.variable(memories_.staging[0].first);
    const std::uint32_t both = memories_.staging[0].first + memories_.staging[1].first;
    const auto chunk = [&](std::uint32_t length) {
      std::array<Value, kMostInputs> values{0, 0};
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        values[i] = from[i];
        if (!builder_.is_dram(inputs[i].address)) continue;
        values[i] = memories_.results[i].first;
        builder_.copy(from[i], length * inputs[i].element_bytes, values[i]);
      }
      compute(std::span<const Value>(values).first(inputs.size()), length, stores ? Value(buffer) : Value(to));
    };
    const auto store = [&](std::uint32_t length) {
      builder_.copy(buffer, length * output.element_bytes, before);
      builder_.assign(before, to);
    };
    // The first turn stores old bytes where the second one stores results.
    builder_.repeat(count / most, [&] {
      chunk(most);
      if (stores) {
        builder_.subtract_from(both, buffer);
        store(most);
      }
      for (std::size_t i = 0; i < inputs.size(); ++i) builder_.add(from[i], most * inputs[i].element_bytes);
      builder_.add(to, most * output.element_bytes);
    });
    if (stores && count >= most) {
      builder_.subtract_from(both, buffer);
      store(most);
    }
    if (count % most != 0) {
      chunk(count % most);
      if (stores) builder_.copy(buffer, count % most * output.element_bytes, to);
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) builder_.release(from[i]);
    builder_.release(to);
    builder_.release(before);
    builder_.release(buffer);
  }

 private:
  ProgramBuilder &builder_;
  const Memories &memories_;
};

}  // namespace cox::kernels::pim
