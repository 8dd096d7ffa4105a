// SPDX-License-Identifier: MIT
// cox_host_open_qemu(): the mailbox's socket and the file with DRAM.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "coxswain/base/c_status.h"
#include "coxswain/base/result.h"
#include "coxswain/host/coxswain_host.h"
#include "coxswain/host/socket_mailbox.h"

namespace cox::host {
namespace {

Status missing(const char *what) { return {ErrorCode::not_ready, what, -1, errno}; }

/// Writes a path to `address`. Error: not_ready ("socket") if it is too long.
Status set_path(sockaddr_un &address, const char *path) {
  address.sun_family = AF_UNIX;
  if (std::strlen(path) >= sizeof(address.sun_path)) return {ErrorCode::not_ready, "socket", -1, ENAMETOOLONG};
  std::memcpy(address.sun_path, path, std::strlen(path) + 1);
  return {};
}

/// A mailbox and the DRAM beside it. close() of its transport deletes it.
class Machine final : public SocketMailbox {
 public:
  explicit Machine(int socket) : SocketMailbox(socket) {}
  Machine(const Machine &) = delete;
  Machine &operator=(const Machine &) = delete;
  ~Machine() {
    if (memory_ != MAP_FAILED) munmap(memory_, bytes_);
  }

  Status map(const char *path) {
    const int file = ::open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return missing("memory");
    struct stat status {};
    if (fstat(file, &status) == 0) {
      bytes_ = static_cast<std::size_t>(status.st_size);
      memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    const Status failed = missing("memory");
    ::close(file);
    return memory_ == MAP_FAILED ? failed : Status();
  }

  [[nodiscard]] cox_host_transport transport(std::uint64_t dram_base) {
    cox_host_transport transport{};
    fill(transport);
    transport.dram = memory_;
    transport.dram_bytes = bytes_;
    transport.dram_base = dram_base;
    transport.close = [](void *opaque) { delete static_cast<Machine *>(static_cast<SocketMailbox *>(opaque)); };
    return transport;
  }

 private:
  void *memory_ = MAP_FAILED;
  std::size_t bytes_ = 0;
};

Result<std::unique_ptr<Machine>> connect_to(const char *socket_path, const char *memory_path) {
  sockaddr_un address{};
  if (Status status = set_path(address, socket_path); !status.ok()) return status;
  const int end = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (end < 0) return missing("socket");
  auto machine = std::make_unique<Machine>(end);
  if (connect(end, reinterpret_cast<const sockaddr *>(&address), sizeof(address)) != 0) return missing("socket");
  if (Status status = machine->open(); !status.ok()) return status;
  if (Status status = machine->map(memory_path); !status.ok()) return status;
  return machine;
}

}  // namespace
}  // namespace cox::host

cox_status cox_host_open_qemu(const char *socket, const char *memory, std::uint64_t dram_base, const cox_host_options *options,
                              cox_host **host) {
  if (socket == nullptr || memory == nullptr) return cox::to_c({cox::ErrorCode::invalid_argument, socket == nullptr ? "socket" : "memory"});
  auto machine = cox::host::connect_to(socket, memory);
  if (!machine.ok()) return cox::to_c(machine.status());
  const cox_host_transport transport = machine.value().release()->transport(dram_base);
  return cox_host_open(&transport, options, host);
}
