// SPDX-License-Identifier: MIT
// What the conformance suite must know of an engine: programs with a visible effect, and one that is refused (docs/testing.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "device/engines.h"
#include "device/npu_registers.h"
#include "tests/sim/engine_machine.h"

namespace cox::conformance {

using Bytes = std::vector<std::byte>;

/// A program that the engine refuses.
struct Refused {
  Bytes program;
  registers::FaultCode code;
  std::uint32_t detail;  ///< of its completion and of FAULT_DETAIL
};

class Sample {
 public:
  virtual ~Sample() = default;

  /// Writes the engine's own registers of a context that has window 0. Most engines have none.
  virtual void open(test::EngineMachine & /*machine*/, unsigned /*context*/) const {}
  /// Operands, different for each seed. At most 16 KiB.
  [[nodiscard]] virtual Bytes input(unsigned seed) const = 0;
  /// What program() makes of them. At most 16 KiB.
  [[nodiscard]] virtual Bytes expected(const Bytes &input) const = 0;
  /// A program that reads its operands at `input`, runs for at least kLeastCycles, and writes the result at `output`. Both are bus
  /// addresses in window 0, multiples of 16 KiB. It can run again.
  [[nodiscard]] virtual Bytes program(std::uint64_t input, std::uint64_t output) const = 0;
  /// A program whose second or later instruction is refused for its own sake, before it writes anything.
  [[nodiscard]] virtual Refused refused() const = 0;
  /// A program that stores, as 64 bytes or more at `output`, what program() leaves in memories of the engine. Empty if it has none.
  [[nodiscard]] virtual Bytes spy(std::uint64_t /*output*/) const { return {}; }

  static constexpr std::uint64_t kLeastCycles = 40;
};

/// An engine of the table that has a ring, with its sample.
struct Subject {
  registers::Engine engine;
  std::unique_ptr<Sample> (*make)();
};
/// One for each row; the build generates the list (tests/conformance/CMakeLists.txt).
[[nodiscard]] const std::vector<Subject> &subjects();

}  // namespace cox::conformance
