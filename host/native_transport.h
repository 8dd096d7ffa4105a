// SPDX-License-Identifier: MIT
// A link to firmware that another thread of this process runs on the native board.
#pragma once

#include <chrono>

#include "boards/native/native_board.h"
#include "coxswain/host/coxswain_host.h"

namespace cox::host {

/// `board` must outlive the link. Set its NativeBoardSettings::idle_tick.
inline cox_host_transport native_transport(const board::NativeBoard &board) {
  cox_host_transport transport{};
  transport.dram = board.dram().data();
  transport.dram_bytes = board.dram().size();
  transport.dram_base = board.dram_address();
  transport.opaque = &board.mailbox();
  transport.ring = [](void *mailbox) { static_cast<board::HostMailbox *>(mailbox)->ring_core(); };
  transport.wait = [](void *mailbox, std::uint32_t limit_us) {
    return static_cast<board::HostMailbox *>(mailbox)->wait_for_core(std::chrono::microseconds(limit_us)) ? 1 : 0;
  };
  transport.wake = [](void *mailbox) { static_cast<board::HostMailbox *>(mailbox)->wake_host(); };
  return transport;
}

}  // namespace cox::host
