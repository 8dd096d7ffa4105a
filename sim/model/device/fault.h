// SPDX-License-Identifier: MIT
// The fault of an instruction, as its completion and FAULT_* report it (docs/model.md, Faults).
#pragma once

#include <cstdint>

#include "coxswain/device/npu_registers.h"

namespace cox::model {

using registers::FaultCode;

struct Fault {
  FaultCode code = FaultCode::none;
  /// For a core: the detail that the comment of the FaultCode names (device/npu_registers.h), otherwise the opcode. For an engine with
  /// streams: the bus address for FaultCode::ecc, otherwise registers::EngineFaultDetail.
  std::uint32_t detail = 0;

  [[nodiscard]] explicit operator bool() const { return code != FaultCode::none; }
};

/// Context of an instruction that could not be fetched.
inline constexpr std::uint32_t kNoContext = 0xFF;

}  // namespace cox::model
