// SPDX-License-Identifier: MIT
// The way from Unity units to the device's other engines (docs/isa/unity.md, Other engines). The device puts its engines behind it, `cox
// check` a device of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/isa/unity/storage.h"
#include "sim/model/unity/machine/timing.h"

namespace cox::model::unity {

class EngineGate {
 public:
  /// Checks slots before any of them is submitted. `slots` holds them all. Errors: unsupported ("domain") if the device has no such engine;
  /// field_out_of_range ("queue") if the engine has no such queue; those of isa::unity::check_slots().
  [[nodiscard]] virtual Status check(const isa::unity::EngineSubmission &submission, std::span<const std::byte> slots) = 0;
  /// Submits slots that check() has accepted. The gate calls Machine::end_submission() with the ticket when all have ended. `origin` is
  /// added to the addresses of streams.
  virtual void submit(std::uint32_t ticket, const isa::unity::EngineSubmission &submission, std::span<const std::byte> slots,
                      std::uint64_t origin, Cycle now) = 0;
  /// The container has stopped: drops slots that have not started. The machine does not hear of its tickets any more.
  virtual void withdraw(Cycle now) = 0;

 protected:
  ~EngineGate() = default;
};

}  // namespace cox::model::unity
