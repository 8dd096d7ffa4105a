// SPDX-License-Identifier: MIT
#include "coxswain/host/socket_mailbox.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "boards/devices/simulated.h"

namespace cox::host {

namespace {

SocketMailbox &mailbox(void *opaque) { return *static_cast<SocketMailbox *>(opaque); }

}  // namespace

SocketMailbox::~SocketMailbox() {
  close(socket_);
  for (const int end : wake_) {
    if (end >= 0) close(end);
  }
}

Status SocketMailbox::open() {
  if (pipe2(wake_.data(), O_CLOEXEC | O_NONBLOCK) != 0) return {ErrorCode::not_ready, "socket", -1, errno};
  return {};
}

// If the socket has no room, it is full of rings that the control core has not seen yet. They are rings for this call, too.
void SocketMailbox::ring() const {
  const std::uint8_t message = BOARD_MAILBOX_RING;
  [[maybe_unused]] const ssize_t ignored = send(socket_, &message, sizeof(message), MSG_NOSIGNAL | MSG_DONTWAIT);
}

int SocketMailbox::wait(std::uint32_t limit_us) {
  std::array<pollfd, 2> ends{pollfd{.fd = socket_, .events = POLLIN, .revents = 0}, pollfd{.fd = wake_[0], .events = POLLIN, .revents = 0}};
  const timespec limit{.tv_sec = limit_us / 1'000'000, .tv_nsec = static_cast<long>(limit_us % 1'000'000) * 1000};
  if (ppoll(ends.data(), ends.size(), limit_us == COX_HOST_FOREVER ? nullptr : &limit, nullptr) <= 0) return 0;
  std::array<std::uint8_t, 64> bytes{};
  if (ends[1].revents != 0) {
    [[maybe_unused]] const ssize_t ignored = read(wake_[0], bytes.data(), bytes.size());
    return 0;
  }
  const ssize_t got = recv(socket_, bytes.data(), bytes.size(), 0);
  if (got < 0 && errno == EINTR) return 0;
  if (got <= 0) return -1;
  // The answer. QEMU reads all that it is sent, so the socket has room in the end.
  const std::uint8_t message = BOARD_MAILBOX_CLEAR;
  return send(socket_, &message, sizeof(message), MSG_NOSIGNAL) == sizeof(message) ? 1 : -1;
}

void SocketMailbox::wake() const {
  const char byte = 0;
  [[maybe_unused]] const ssize_t ignored = write(wake_[1], &byte, sizeof(byte));
}

void SocketMailbox::fill(cox_host_transport &transport) {
  transport.opaque = this;
  transport.ring = [](void *opaque) { mailbox(opaque).ring(); };
  transport.wait = [](void *opaque, std::uint32_t limit_us) { return mailbox(opaque).wait(limit_us); };
  transport.wake = [](void *opaque) { mailbox(opaque).wake(); };
}

}  // namespace cox::host
