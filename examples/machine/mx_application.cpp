// SPDX-License-Identifier: MIT
#include "examples/machine/mx_application.h"

#include <algorithm>

#include "coxswain/hal/accelerator.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/cache.h"
#include "coxswain/hal/device.h"

namespace cox::machine {

using firmware::console::Text;

namespace {

hal::Accelerator accelerator;

}  // namespace

bool is_own(const char *application, const char *host_program, BlockHead &found, const BlockHead &wanted) {
  hal::invalidate_cache(&found, wanted.bytes);
  if (found.magic != wanted.magic) {
    firmware::console::print(Text() << application << ": no data block at the base of DRAM: " << host_program << " lays one out");
    return false;
  }
  if (found.version != wanted.version || found.bytes != wanted.bytes) {
    firmware::console::print(Text() << application << ": data block of version " << found.version << " and " << found.bytes
                                    << " bytes; this is version " << wanted.version << " and " << wanted.bytes);
    return false;
  }
  return true;
}

Status check_region(const char *what, const Region &region, std::uint64_t least_bytes) {
  const std::uint64_t base = hal::dram_range().address;
  const std::uint64_t size = board::dram_size();
  const auto address = static_cast<std::int64_t>(region.address);
  const auto bytes = static_cast<std::int64_t>(region.bytes);
  if (region.address % kRegionAlignment != 0) return {ErrorCode::misaligned_address, what, -1, address, kRegionAlignment};
  if (region.address < base || region.bytes > size || region.address - base > size - region.bytes) {
    return {ErrorCode::window_outside_dram, what, -1, address, bytes};
  }
  if (region.bytes < least_bytes) return {ErrorCode::window_too_small, what, -1, bytes, static_cast<std::int64_t>(least_bytes)};
  return {};
}

Status take_engine(kernels::mx::Engine &engine, std::span<const isa::mx::Window> windows) {
  if (Status status = accelerator.open(); !status.ok()) return status;
  kernels::mx::Engine::Configuration configuration;
  configuration.windows = windows;
  return engine.init(accelerator, configuration);
}

Text explain(const char *application, const Status &status, const kernels::mx::StreamFault &fault) {
  Text text;
  text << application << ": " << status;
  if (status.code() == ErrorCode::device_fault) text << " (" << fault.name << " at bus address " << fault.address << ")";
  return text;
}

void copy_text(const Text &text, std::span<char> to) {
  if (to.empty()) return;
  const std::size_t count = std::min(text.characters().size(), to.size() - 1);
  std::copy_n(text.characters().begin(), count, to.begin());
  to[count] = '\0';
}

Meter::Lap Meter::lap() {
  const std::uint64_t cycles = hal::device_cycles();
  const std::uint64_t instructions = board::executed_instructions();
  const Lap lap{cycles - cycles_, instructions == UINT64_MAX ? 0 : instructions - instructions_};
  cycles_ = cycles;
  instructions_ = instructions;
  return lap;
}

}  // namespace cox::machine
