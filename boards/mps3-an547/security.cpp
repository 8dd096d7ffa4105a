// SPDX-License-Identifier: MIT
// The controllers of the SSE-300 that keep non-secure accesses away from memories and devices (Arm 101773; AN547). After a reset, each of
// them admits only secure accesses.
#include <cstdint>

#include "boards/cortex-m55/security.h"
#include "security_map.h"

namespace {

using Register = volatile std::uint32_t;

Register &at(std::uintptr_t address) { return *reinterpret_cast<Register *>(address); }

// ---- Memory protection controllers: a bit for each block of memory, 1 if non-secure accesses are admitted ----

struct Controller {
  std::uintptr_t registers;
  std::uint32_t memory;  ///< first address of its memory
};
constexpr std::uintptr_t kBlockMax = 0x10;     ///< index of the last word of the table
constexpr std::uintptr_t kBlockConfig = 0x14;  ///< block size: 2^(value + 5) bytes
constexpr std::uintptr_t kBlockIndex = 0x18;
constexpr std::uintptr_t kBlockTable = 0x1c;

constexpr Controller kSram = {0x50083000, 0x21000000};
constexpr Controller kDram = {0x57002000, 0x60000000};

/// Admits non-secure accesses to the bytes from `first` to `end`.
void admit(const Controller &controller, std::uint32_t first, std::uint32_t end) {
  const std::uint32_t block = 1U << ((at(controller.registers + kBlockConfig) & 0xf) + 5);
  const std::uint32_t words = at(controller.registers + kBlockMax) + 1;
  const std::uint32_t span = block * 32;  // bytes of a word of the table
  for (std::uint32_t word = (first - controller.memory) / span; word < words && controller.memory + word * span < end; ++word) {
    std::uint32_t bits = 0;
    for (std::uint32_t bit = 0; bit < 32; ++bit) {
      const std::uint32_t start = controller.memory + word * span + bit * block;
      if (start >= first && start < end) bits |= 1U << bit;
    }
    // Each access of the table moves the index.
    at(controller.registers + kBlockIndex) = word;
    const std::uint32_t before = at(controller.registers + kBlockTable);
    at(controller.registers + kBlockIndex) = word;
    at(controller.registers + kBlockTable) = before | bits;
  }
}

void admit_memories() {
  admit(kSram, SECURITY_NONSECURE_SRAM_BASE, SECURITY_NONSECURE_SRAM_BASE + SECURITY_NONSECURE_SRAM_SIZE);
  admit(kDram, SECURITY_NONSECURE_DRAM_BASE, SECURITY_NONSECURE_DRAM_BASE + SECURITY_NONSECURE_DRAM_SIZE);
}

// ---- The ITCM's gate, in the core ----

/// Bit 31: there is a gate; [11:8]: blocks less one; [3:0]: block size 2^(value + 5).
constexpr std::uintptr_t kItcmGateConfig = 0xe001e504;
constexpr std::uintptr_t kItcmGateTable = 0xe001e510;
constexpr std::uint32_t kItcmBytes = 0x00080000;

/// QEMU has no gate. Its bits mean the same as those of the controllers.
void admit_code() {
  const std::uint32_t config = at(kItcmGateConfig);
  if ((config >> 31) == 0) return;
  const std::uint32_t block = 1U << ((config & 0xf) + 5);
  for (std::uint32_t start = 0; start < kItcmBytes; start += block) {
    const std::uint32_t index = start / block;
    if (start >= SECURITY_NONSECURE_CODE_BASE) at(kItcmGateTable + index / 32 * 4) = at(kItcmGateTable + index / 32 * 4) | 1U << index % 32;
  }
}

// ---- Peripheral protection controllers: a bit for each device ----

constexpr std::uintptr_t kAhbExpansion1 = 0x50080064;  ///< AHBNSPPCEXP1: bit 0 the accelerator, bit 1 its DMA engine
constexpr std::uintptr_t kApbExpansion2 = 0x50080088;  ///< APBNSPPCEXP2: bit 3 UART0

void admit_devices() {
  at(kApbExpansion2) = at(kApbExpansion2) | 1U << 3;
#if !SECURITY_SPLIT_DRAM
  at(kAhbExpansion1) = at(kAhbExpansion1) | 3U;
#endif
}

constexpr std::uintptr_t kSecureResponse = 0x50080010;  ///< SECRESPCFG: 1 makes refused accesses bus errors; after a reset they read as 0

}  // namespace

extern "C" void board_open_nonsecure() {
  at(kSecureResponse) = 1;
  admit_code();
  admit_memories();
  admit_devices();
}
