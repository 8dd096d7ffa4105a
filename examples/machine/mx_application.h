// SPDX-License-Identifier: MIT
// What an application on the MX engine does besides its network: takes memory that a host has laid out, takes the engine into use, says on
// the console what went wrong, and counts what its parts cost (README.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/status.h"
#include "examples/machine/data_block.h"
#include "firmware/console/text.h"
#include "kernels/mx/engine.h"
#include "kernels/mx/tensor.h"

namespace cox::machine {

inline constexpr std::uint64_t kRegionAlignment = 64;  ///< a line of the core's cache: core and device do not share one

/// Whether a data block is the application's own: it begins as `wanted` does, but for its state. If not, this says so on the console, with
/// `host_program`, which lays one out, and nobody may write to it.
bool is_own(const char *application, const char *host_program, const BlockHead &found, const BlockHead &wanted);

/// Whether the board's DRAM holds the region, and the region `least_bytes`: misaligned_address (`value` the address, `limit` the
/// alignment), window_outside_dram (`value` the address, `limit` the bytes), window_too_small (`value` the bytes, `limit` `least_bytes`).
Status check_region(const char *what, const Region &region, std::uint64_t least_bytes = 0);

/// Memory at a bus address that check_region() has passed.
inline std::span<std::byte> memory_at(std::uint64_t address, std::uint64_t bytes) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a bus address
  return {reinterpret_cast<std::byte *>(static_cast<std::uintptr_t>(address)), static_cast<std::size_t>(bytes)};
}

/// The blocks of a tensor.
inline std::span<isa::mx::Block> blocks_of(const kernels::mx::Tensor &tensor) {
  const std::span<std::byte> bytes = memory_at(tensor.address, tensor.bytes());
  return {reinterpret_cast<isa::mx::Block *>(bytes.data()), static_cast<std::size_t>(tensor.count())};
}

/// Hands out a region of DRAM from the front, in lines of the core's cache.
class Arena {
 public:
  Arena() = default;
  Arena(std::uint64_t address, std::uint64_t bytes) : next_(address), end_(address + bytes) {}
  /// no_room ("arena", `value` the bytes that were wanted, `limit` those that were left).
  Result<std::uint64_t> take(std::uint64_t bytes);

 private:
  std::uint64_t next_ = 0, end_ = 0;
};

/// Finds the device, connects the board's interrupts, and takes the MX engine into use.
Status take_engine(kernels::mx::Engine &engine, std::span<const isa::mx::Window> windows);

/// "yolov5s: device_fault: InOffset, instruction 17, 6, limit 408 (CONVACT, fault ...)": for the console and the data block.
firmware::console::Text explain(const char *application, const Status &status, const kernels::mx::StreamFault &fault);

/// Cuts off what does not fit; ends in a zero.
void copy_text(const firmware::console::Text &text, std::span<char> to);

/// Device cycles and instructions of the control core, since the start or the last lap.
class Meter {
 public:
  struct Lap {
    std::uint64_t device_cycles = 0;
    std::uint64_t control_instructions = 0;  ///< 0 where the board does not count them
  };
  Meter() { (void)lap(); }
  Lap lap();

 private:
  std::uint64_t cycles_ = 0, instructions_ = 0;
};

}  // namespace cox::machine
