// SPDX-License-Identifier: MIT
// Functions for an application on the MX engine. They check memory that the host has prepared, initialise the engine, report errors on the
// console, and measure the cost of the application's parts (README.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/firmware/console/text.h"
#include "coxswain/hal/bus.h"
#include "coxswain/kernels/mx/engine.h"
#include "coxswain/kernels/mx/tensor.h"
#include "examples/machine/arena.h"
#include "examples/machine/data_block.h"

namespace cox::machine {

/// The application: processes the data block at the base of DRAM, and returns the exit status. Each application defines it.
int run_application();

/// Makes the data block that the host has written visible to the core. Returns true if it belongs to the application: its magic, version
/// and size must be those of `wanted`. Otherwise the function prints the difference on the console, and the caller must not write to the
/// block. If there is no data block, the message names `host_program`, which writes it.
bool is_own(const char *application, const char *host_program, BlockHead &found, const BlockHead &wanted);

/// Checks that the region lies in the board's DRAM and has at least `least_bytes`. Errors:
/// - misaligned_address: `value` is the region's address, `limit` the alignment;
/// - window_outside_dram: `value` is the region's address, `limit` the region's size in bytes;
/// - window_too_small: `value` is the region's size, `limit` is `least_bytes`.
Status check_region(const char *what, const Region &region, std::uint64_t least_bytes = 0);

/// Returns the memory at a bus address. check_region() must have accepted the range.
inline std::span<std::byte> memory_at(std::uint64_t address, std::uint64_t bytes) {
  return {hal::core_pointer<std::byte>(address), static_cast<std::size_t>(bytes)};
}

/// Returns the blocks of a tensor.
inline std::span<isa::mx::Block> blocks_of(const kernels::mx::Tensor &tensor) {
  const std::span<std::byte> bytes = memory_at(tensor.address, tensor.bytes());
  return {reinterpret_cast<isa::mx::Block *>(bytes.data()), static_cast<std::size_t>(tensor.count())};
}

/// Opens the accelerator and initialises the MX engine.
Status take_engine(kernels::mx::Engine &engine, std::span<const isa::mx::Window> windows);

/// Returns a sentence for the console and the data block: "yolov5s: device_fault: InOffset, instruction 17, 6, limit 408 (CONVACT, fault
/// ...)".
firmware::console::Text explain(const char *application, const Status &status, const kernels::mx::StreamFault &fault);

/// Copies the text, truncated to fit, with a final zero.
void copy_text(const firmware::console::Text &text, std::span<char> to);

/// Measures device cycles and control core instructions since the start or the last lap.
class Meter {
 public:
  struct Lap {
    std::uint64_t device_cycles = 0;
    std::uint64_t control_instructions = 0;  ///< control core instructions; 0 if the board does not count them
  };
  Meter() { (void)lap(); }
  Lap lap();

 private:
  std::uint64_t cycles_ = 0, instructions_ = 0;
};

}  // namespace cox::machine
