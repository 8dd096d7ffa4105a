// SPDX-License-Identifier: MIT
// The place of the accelerator in the SoC. On the target, three symbols with fixed addresses say it, so a library serves every SoC, and a
// program that lacks them does not link. The boards of this project define them (boards/cortex-m55/vectors.S); another program does so in
// its linker script (docs/startup.md). The names are not those of device headers, which may define NPU_BASE and NPU before or after this
// file.
#pragma once

#include <cstddef>
#include <cstdint>

#include "coxswain/device/npu.h"

#if defined(COX_HAL_NATIVE)
#define COX_NPU_BASE 0x50000000UL  // boards/native
/// The accelerator's registers, for hal/mmio.h.
#define COX_NPU ((NPU_Type *)COX_NPU_BASE)
#else
extern "C" {
/// The accelerator's registers.
extern NPU_Type cox_npu;
/// NVIC_ICPR[n] of the accelerator's completion interrupt, and as address of the second symbol the interrupt's bit in it.
extern volatile std::uint32_t cox_npu_completion_register;
extern const std::byte cox_npu_completion_bit[];
}
#define COX_NPU (&cox_npu)
#endif
