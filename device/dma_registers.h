// SPDX-License-Identifier: MIT
// The registers of the peripheral COX_DMA as C++ constants. Generated from npu.svd by generate.py: do not edit.
#pragma once

#include <array>
#include <cstdint>

#include "coxswain/device/npu_registers.h"

// clang-format off
namespace cox::registers::dma {

inline constexpr std::uint32_t kBlockBytes = 0x1000;  ///< of the register block; what is not listed here is a bus fault

/// How the last list has ended; none while a list is in progress.
enum class Error : std::uint8_t {
  none = 0,  ///< no error
  bus_read = 1,  ///< the source is not memory
  bus_write = 2,  ///< the destination is not memory
  misaligned = 3,  ///< an address, a stride or the bytes of a row are not a multiple of 8, or the address of a descriptor is not a multiple of 64
  bad_descriptor = 4,  ///< the descriptor is not memory, has no mark, has bits set that are reserved, or a size outside its range
  stopped = 5,  ///< software has aborted the list
};
inline constexpr unsigned kErrors = 6;
inline constexpr const char *kErrorNames[kErrors] = {"none", "bus_read", "bus_write", "misaligned", "bad_descriptor", "stopped"};

/// ID: Identity of the device.
namespace id {
inline constexpr std::uint32_t kOffset = 0x0;
inline constexpr std::uint32_t kResetValue = 0x44584F43;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kId{0, 32};  ///< The text "COXD" in memory order.
}  // namespace id
/// VERSION: Version of the register interface.
namespace version {
inline constexpr std::uint32_t kOffset = 0x4;
inline constexpr std::uint32_t kResetValue = 0x10000;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kMinor{0, 16};  ///< Grows with every compatible addition.
inline constexpr Field kMajor{16, 16};  ///< Grows with every incompatible change; firmware refuses one that it does not know.
}  // namespace version
/// GEOMETRY: Size of the device.
namespace geometry {
inline constexpr std::uint32_t kOffset = 0x8;
inline constexpr std::uint32_t kResetValue = 0x2;
inline constexpr std::uint32_t kWritableMask = 0x0;
inline constexpr Field kChannels{0, 4};  ///< Number of channels that the device has.
}  // namespace geometry
/// INT_STATUS: Pending interrupts, enabled or not.
namespace int_status {
inline constexpr std::uint32_t kOffset = 0x10;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0x3;
inline constexpr Field kChannel{0, 2};  ///< Bit c: a list of channel c has ended, or a descriptor with the flag interrupt has.
}  // namespace int_status
/// INT_ENABLE: Enables interrupts.
namespace int_enable {
inline constexpr std::uint32_t kOffset = 0x14;
inline constexpr std::uint32_t kResetValue = 0x0;
inline constexpr std::uint32_t kWritableMask = 0x3;
inline constexpr Field kChannel{0, 2};  ///< Bit c: the interrupt line is high while bit c of INT_STATUS is set.
}  // namespace int_enable
/// A channel, which executes one list of descriptors at a time. The channels work at the same time and share the bandwidth to DRAM.
namespace channel {
inline constexpr std::uint32_t kBase = 0x100;
inline constexpr std::uint32_t kCount = 2;
inline constexpr std::uint32_t kStride = 0x40;
  /// CHANNEL[].CONTROL: Begins and ends a list.
  namespace control {
  inline constexpr std::uint32_t kOffset = 0x0;  ///< within CHANNEL[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x3;
  constexpr std::uint32_t offset(std::uint32_t channel_index) { return 0x100 + 0x40 * channel_index; }
  inline constexpr Field kStart{0, 1};  ///< Writing 1 starts the list at LIST. A bus fault if the channel is busy.
  inline constexpr Field kAbort{1, 1};  ///< Writing 1 ends the list with the error stopped: at once, or when the bus has answered the access in progress. Until then the channel is busy and may write. The destination of the descriptor in progress then has unspecified bytes. Without effect if the channel is idle.
  }  // namespace control
  /// CHANNEL[].STATUS: State of the channel.
  namespace status {
  inline constexpr std::uint32_t kOffset = 0x4;  ///< within CHANNEL[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t channel_index) { return 0x104 + 0x40 * channel_index; }
  inline constexpr Field kBusy{0, 1};  ///< A list is in progress.
  inline constexpr Field kError{4, 4};  ///< How the last list has ended; none while a list is in progress.
  inline constexpr Field kEnded{16, 16};  ///< Descriptors of the list that have ended without an error, modulo 65,536.
  }  // namespace status
  /// CHANNEL[].LIST_LO: Bus address of the first descriptor, low half; a multiple of 64. Writing while the channel is busy is a bus fault.
  namespace list_lo {
  inline constexpr std::uint32_t kOffset = 0x8;  ///< within CHANNEL[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0xFFFFFFFF;
  constexpr std::uint32_t offset(std::uint32_t channel_index) { return 0x108 + 0x40 * channel_index; }
  inline constexpr Field kAddress{0, 32};  ///< Bits 31 to 0.
  }  // namespace list_lo
  /// CHANNEL[].LIST_HI: Bus address of the first descriptor, high half. Writing while the channel is busy is a bus fault.
  namespace list_hi {
  inline constexpr std::uint32_t kOffset = 0xC;  ///< within CHANNEL[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0xFFFFFFFF;
  constexpr std::uint32_t offset(std::uint32_t channel_index) { return 0x10C + 0x40 * channel_index; }
  inline constexpr Field kAddress{0, 32};  ///< Bits 63 to 32.
  }  // namespace list_hi
  /// CHANNEL[].AT_LO: Bus address of the descriptor in progress, or of the last one, low half.
  namespace at_lo {
  inline constexpr std::uint32_t kOffset = 0x10;  ///< within CHANNEL[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t channel_index) { return 0x110 + 0x40 * channel_index; }
  inline constexpr Field kAddress{0, 32};  ///< Bits 31 to 0.
  }  // namespace at_lo
  /// CHANNEL[].AT_HI: Bus address of the descriptor in progress, or of the last one, high half.
  namespace at_hi {
  inline constexpr std::uint32_t kOffset = 0x14;  ///< within CHANNEL[]
  inline constexpr std::uint32_t kResetValue = 0x0;
  inline constexpr std::uint32_t kWritableMask = 0x0;
  constexpr std::uint32_t offset(std::uint32_t channel_index) { return 0x114 + 0x40 * channel_index; }
  inline constexpr Field kAddress{0, 32};  ///< Bits 63 to 32.
  }  // namespace at_hi
}  // namespace channel

/// Every register by name, for a switch.
enum class Name : std::uint8_t {
  id,
  version,
  geometry,
  int_status,
  int_enable,
  channel_control,
  channel_status,
  channel_list_lo,
  channel_list_hi,
  channel_at_lo,
  channel_at_hi,
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
    {"ID", 0x0, 0x44584F43, 0x0, {{{1, 0}, {1, 0}}}, Name::id, Access::read_only},
    {"VERSION", 0x4, 0x10000, 0x0, {{{1, 0}, {1, 0}}}, Name::version, Access::read_only},
    {"GEOMETRY", 0x8, 0x2, 0x0, {{{1, 0}, {1, 0}}}, Name::geometry, Access::read_only},
    {"INT_STATUS", 0x10, 0x0, 0x3, {{{1, 0}, {1, 0}}}, Name::int_status, Access::read_write},
    {"INT_ENABLE", 0x14, 0x0, 0x3, {{{1, 0}, {1, 0}}}, Name::int_enable, Access::read_write},
    {"CHANNEL[].CONTROL", 0x100, 0x0, 0x3, {{{2, 0x40}, {1, 0}}}, Name::channel_control, Access::write_only},
    {"CHANNEL[].STATUS", 0x104, 0x0, 0x0, {{{2, 0x40}, {1, 0}}}, Name::channel_status, Access::read_only},
    {"CHANNEL[].LIST_LO", 0x108, 0x0, 0xFFFFFFFF, {{{2, 0x40}, {1, 0}}}, Name::channel_list_lo, Access::read_write},
    {"CHANNEL[].LIST_HI", 0x10C, 0x0, 0xFFFFFFFF, {{{2, 0x40}, {1, 0}}}, Name::channel_list_hi, Access::read_write},
    {"CHANNEL[].AT_LO", 0x110, 0x0, 0x0, {{{2, 0x40}, {1, 0}}}, Name::channel_at_lo, Access::read_only},
    {"CHANNEL[].AT_HI", 0x114, 0x0, 0x0, {{{2, 0x40}, {1, 0}}}, Name::channel_at_hi, Access::read_only},
};

using Location = LocationOf<Register>;
constexpr Location locate(std::uint32_t offset) { return locate_in(kRegisters, offset); }

}  // namespace cox::registers::dma
// clang-format on
