// SPDX-License-Identifier: MIT
// The registers of the peripheral COX_MAILBOX as C++ constants. Generated from npu.svd by generate.py: do not edit.
#pragma once

#include <array>
#include <cstdint>

#include "coxswain/device/npu_registers.h"

// clang-format off
namespace cox::registers::mailbox {

inline constexpr std::uint32_t kBlockBytes = 0x1000;  ///< of the register block; what is not listed here is a bus fault

/// TO_CORE_STATUS: Rings of the host.
namespace to_core_status {
inline constexpr std::uint32_t kOffset = 0x0;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kRung{0, 1};  ///< The host has rung since the control core last cleared the ring. The interrupt line is high while this bit is 1.
}  // namespace to_core_status
/// TO_CORE_SET: Rings the control core. For the host.
namespace to_core_set {
inline constexpr std::uint32_t kOffset = 0x4;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0x1;
inline constexpr Field kRing{0, 1};  ///< 1: sets TO_CORE_STATUS.RUNG.
}  // namespace to_core_set
/// TO_CORE_CLEAR: Clears the ring of the host. For the control core, before it looks for what the host has to tell.
namespace to_core_clear {
inline constexpr std::uint32_t kOffset = 0x8;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0x1;
inline constexpr Field kClear{0, 1};  ///< 1: clears TO_CORE_STATUS.RUNG.
}  // namespace to_core_clear
/// TO_HOST_STATUS: Rings of the control core.
namespace to_host_status {
inline constexpr std::uint32_t kOffset = 0x10;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kRung{0, 1};  ///< The control core has rung since the host last cleared the ring. The host's interrupt line is high while this bit is 1.
}  // namespace to_host_status
/// TO_HOST_SET: Rings the host. For the control core.
namespace to_host_set {
inline constexpr std::uint32_t kOffset = 0x14;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0x1;
inline constexpr Field kRing{0, 1};  ///< 1: sets TO_HOST_STATUS.RUNG.
}  // namespace to_host_set
/// TO_HOST_CLEAR: Clears the ring of the control core. For the host, before it looks for what the control core has to tell.
namespace to_host_clear {
inline constexpr std::uint32_t kOffset = 0x18;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0x1;
inline constexpr Field kClear{0, 1};  ///< 1: clears TO_HOST_STATUS.RUNG.
}  // namespace to_host_clear

/// Every register by name, for a switch.
enum class Name : std::uint8_t {
  to_core_status,
  to_core_set,
  to_core_clear,
  to_host_status,
  to_host_set,
  to_host_clear,
};

struct Register {
  const char *text;       ///< as in docs/registers.md: "CORE[].SQ[].TAIL"
  std::uint32_t offset;   ///< of the one with all indices 0, in bytes in the block
  std::uint32_t reset;
  std::uint32_t writable; ///< mask of the bits that a write can change or act on
  std::array<Dimension, 2> dimensions;  ///< outer, inner; {1, 0} if there are fewer
  Name name;
  Access access;
};

/// Every register, in order of offsets within its cluster.
inline constexpr Register kRegisters[] = {
    {"TO_CORE_STATUS", 0x0, 0x0, 0x0, {{{1, 0}, {1, 0}}}, Name::to_core_status, Access::read_only},
    {"TO_CORE_SET", 0x4, 0x0, 0x1, {{{1, 0}, {1, 0}}}, Name::to_core_set, Access::write_only},
    {"TO_CORE_CLEAR", 0x8, 0x0, 0x1, {{{1, 0}, {1, 0}}}, Name::to_core_clear, Access::write_only},
    {"TO_HOST_STATUS", 0x10, 0x0, 0x0, {{{1, 0}, {1, 0}}}, Name::to_host_status, Access::read_only},
    {"TO_HOST_SET", 0x14, 0x0, 0x1, {{{1, 0}, {1, 0}}}, Name::to_host_set, Access::write_only},
    {"TO_HOST_CLEAR", 0x18, 0x0, 0x1, {{{1, 0}, {1, 0}}}, Name::to_host_clear, Access::write_only},
};

using Location = LocationOf<Register>;
constexpr Location locate(std::uint32_t offset) { return locate_in(kRegisters, offset); }

}  // namespace cox::registers::mailbox
// clang-format on
