// SPDX-License-Identifier: MIT
#include "sim/model/unity/dram_port.h"

namespace cox::model::unity {

Status DramPort::check(bool write, std::uint64_t address, std::uint64_t bytes) {
  for (const model::Window &window : context().windows) {
    const std::uint64_t offset = address - window.base;
    if ((write ? window.writable : window.readable) && address >= window.base && offset <= window.size && bytes <= window.size - offset)
      return {};
  }
  return {ErrorCode::address_outside_window, "window", -1, signed_of(address)};
}

}  // namespace cox::model::unity
