// SPDX-License-Identifier: MIT
#include "sim/model/pim/dram_port.h"

namespace cox::model::pim {

Status DramPort::check(bool write, unsigned window, std::uint64_t offset, std::uint64_t bytes) {
  const model::Window &own = context().windows[window];
  const bool permitted = write ? own.writable : own.readable;
  if (permitted && offset <= own.size && bytes <= own.size - offset) return {};
  return {ErrorCode::address_outside_window, "window", static_cast<std::int32_t>(window), signed_of(offset),
          permitted ? std::int64_t{own.size} : 0};
}

}  // namespace cox::model::pim
