// SPDX-License-Identifier: MIT
// What the slow interpreter of PIM programs works on. The interpreter follows the specification's words and uses nothing of the instruction
// table, of resolve() or of the model, so that it can judge them. It computes bit by bit and element by element, without time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "coxswain/base/status.h"
#include "coxswain/isa/pim/configuration.h"

namespace cox::model::pim::oracle {

using Bytes = std::vector<std::uint8_t>;
using isa::pim::Configuration;
using isa::pim::Opcode;

struct Core {
  std::array<std::uint32_t, 32> general{}, special{};
  std::vector<Bytes> memories;         ///< in the order of the configuration
  Bytes array;                         ///< in the order of its addresses
  std::vector<std::uint32_t> outputs;  ///< output registers: one for each bit of a line of each macro
  std::uint32_t counter = 0;           ///< number of the next instruction; of a core that waits or has faulted: the one at which it does

  explicit Core(const Configuration &configuration);
  bool operator==(const Core &) const = default;
};

struct Dram {
  std::array<Bytes, 4> windows;
  bool operator==(const Dram &) const = default;
};

/// A core at one instruction: all that an instruction without a partner can see.
struct View {
  const Configuration &configuration;
  Core &core;
  Dram &dram;

  [[nodiscard]] std::uint32_t special(unsigned number) const;
  void set_special(unsigned number, std::uint32_t value) const;
};

/// Thrown by an instruction that faults. It has changed nothing.
struct Stop {
  ErrorCode code;
};

inline void require(bool condition, ErrorCode code = ErrorCode::field_out_of_range) {
  if (!condition) throw Stop{code};
}

/// A number of elements, inputs or bytes in a register. Below 0 is a fault.
inline std::uint32_t count(std::uint32_t value) {
  require(value < 0x80000000);
  return value;
}

/// A width in a special register: 1, 2, 4, 8, 16 or 32, else a fault.
inline unsigned width(std::uint32_t value) {
  require(value == 1 || value == 2 || value == 4 || value == 8 || value == 16 || value == 32);
  return value;
}

}  // namespace cox::model::pim::oracle
