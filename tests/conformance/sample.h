// SPDX-License-Identifier: MIT
// The facts about an engine that the conformance suite needs: a program with a visible effect, and a program that the engine refuses
// (docs/testing.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "coxswain/device/engines.h"
#include "coxswain/device/npu_registers.h"
#include "tests/sim/engine_machine.h"

namespace cox::conformance {

using Bytes = std::vector<std::byte>;

/// A program that the engine refuses.
struct Refused {
  Bytes program;
  registers::FaultCode code;
  std::uint32_t detail;  ///< the value that the completion and FAULT_DETAIL must both report
};

class Sample {
 public:
  virtual ~Sample() = default;

  /// Writes the registers that a context has only for this engine. Most engines have none. The caller has already
  /// opened window 0 of the context.
  virtual void open(test::EngineMachine & /*machine*/, unsigned /*context*/) const {}
  /// Returns operands that differ for each seed. At most 16 KiB.
  [[nodiscard]] virtual Bytes input(unsigned seed) const = 0;
  /// Returns what program() makes of these operands. At most 16 KiB.
  [[nodiscard]] virtual Bytes expected(const Bytes &input) const = 0;
  /// Returns a program that reads its operands at `input`, runs for at least kLeastCycles, and writes the result at `output`. Both are bus
  /// addresses in window 0, multiples of 16 KiB. The program can run again.
  [[nodiscard]] virtual Bytes program(std::uint64_t input, std::uint64_t output) const = 0;
  /// Returns a program that the engine refuses because of its second or a later instruction, before anything is written.
  [[nodiscard]] virtual Refused refused() const = 0;
  /// Returns a program that stores what program() has left in the engine's own memories: at least 64 bytes at `output`. The result is empty
  /// if the engine has no such memories.
  [[nodiscard]] virtual Bytes spy(std::uint64_t /*output*/) const { return {}; }

  static constexpr std::uint64_t kLeastCycles = 40;
};

/// An engine that has a ring, and the function that makes its sample.
struct Subject {
  registers::Engine engine;
  std::unique_ptr<Sample> (*make)();
};
/// All engines of device/engines.h that have a ring. The build generates the list (tests/conformance/CMakeLists.txt).
[[nodiscard]] const std::vector<Subject> &subjects();

}  // namespace cox::conformance
