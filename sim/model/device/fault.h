// SPDX-License-Identifier: MIT
// The fault of an instruction, as its completion and FAULT_* report it (docs/model.md, Faults).
#pragma once

#include <cstdint>

#include "device/npu_registers.h"

namespace cox::model {

using registers::FaultCode;

struct Fault {
  FaultCode code = FaultCode::none;
  std::uint32_t detail = 0;  ///< of a core: what FaultCode names, else the opcode; of an engine: registers::EngineFaultDetail

  [[nodiscard]] explicit operator bool() const { return code != FaultCode::none; }
};

/// Context of an instruction that could not be fetched.
inline constexpr std::uint32_t kNoContext = 0xFF;

}  // namespace cox::model
