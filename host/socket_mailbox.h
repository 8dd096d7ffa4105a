// SPDX-License-Identifier: MIT
// The host's end of the mailbox of QEMU's machines: a stream of bytes (docs/host.md, Under QEMU).
#pragma once

#include <array>
#include <cstdint>

#include "coxswain/base/status.h"
#include "coxswain/host/coxswain_host.h"

namespace cox::host {

class SocketMailbox {
 public:
  /// Takes over the descriptor of a connected stream socket.
  explicit SocketMailbox(int socket) : socket_(socket) {}
  SocketMailbox(const SocketMailbox &) = delete;
  SocketMailbox &operator=(const SocketMailbox &) = delete;
  ~SocketMailbox();

  /// Error: not_ready ("socket") with errno as value.
  Status open();

  /// The functions of cox_host_transport.
  void ring() const;
  int wait(std::uint32_t limit_us);
  void wake() const;

  /// Writes the functions to `transport`, without close().
  void fill(cox_host_transport &transport);

 private:
  int socket_;
  std::array<int, 2> wake_{-1, -1};  ///< a pipe that wake() writes to
};

}  // namespace cox::host
