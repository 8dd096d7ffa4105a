// SPDX-License-Identifier: MIT
// What went wrong with an instruction, as its completion and FAULT_* say it (docs/model.md, Faults).
#pragma once

#include <cstdint>

#include "device/npu_registers.h"

namespace cox::model {

using registers::FaultCode;

struct Fault {
  FaultCode code = FaultCode::none;
  std::uint32_t detail = 0;  ///< the address, or the opcode where there is none; of an engine: registers::EngineFaultDetail

  [[nodiscard]] explicit operator bool() const { return code != FaultCode::none; }
};

/// Of an instruction that could not be fetched: its context.
inline constexpr std::uint32_t kNoContext = 0xFF;

}  // namespace cox::model
