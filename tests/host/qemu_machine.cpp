// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "boards/devices/simulated.h"
#include "boards/qemu-npu-soc/board_map.h"
#include "tests/host/machines.h"

namespace cox::tests {
namespace {

constexpr std::uint64_t kDramBytes = 16U << 20;

class QemuMachine final : public Machine {
 public:
  explicit QemuMachine(const MachineSettings &settings) : log_(settings.mailbox_log) {
    std::string folder = testing::TempDir() + "cox_host_XXXXXX";
    EXPECT_NE(mkdtemp(folder.data()), nullptr);
    folder_ = folder;
    std::ofstream(memory()).close();
    std::filesystem::resize_file(memory(), kDramBytes);
    std::ofstream(folder_ + "/options.json") << settings.model_options;
    start(settings);
  }
  ~QemuMachine() override {
    stop();
    std::filesystem::remove_all(folder_);
  }

  cox_status open(const cox_host_options &options, cox_host **host) override {
    wait_until_it_listens();
    return cox_host_open_qemu(socket().c_str(), memory().c_str(), BOARD_DRAM_BUS_BASE, &options, host);
  }
  void ring() override {
    wait_until_it_listens();
    const int end = connect_to_it();
    ASSERT_GE(end, 0);
    const std::uint8_t message = BOARD_MAILBOX_RING;
    EXPECT_EQ(send(end, &message, sizeof(message), MSG_NOSIGNAL), 1);
    ::close(end);
  }
  void stop() override {
    if (child_ <= 0) return;
    kill(child_, SIGTERM);
    waitpid(child_, nullptr, 0);
    child_ = -1;
  }
  unsigned waits_for_ticks() const override {
    constexpr std::uint64_t kHalfATick = 5'000'000;  // cycles
    unsigned waits = 0;
    std::uint64_t rung = 0;
    std::ifstream log(log_);
    for (std::string line; std::getline(log, line);) {
      const std::uint64_t cycle = std::strtoull(line.c_str(), nullptr, 10);
      if (line.ends_with("host_rings") && rung == 0) rung = cycle;
      if (!line.ends_with("core_rings") || rung == 0) continue;
      if (cycle - rung > kHalfATick) ++waits;
      rung = 0;
    }
    return waits;
  }

 private:
  /// Returns a connection to the mailbox's socket, or -1.
  [[nodiscard]] int connect_to_it() const {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, socket().c_str(), sizeof(address.sun_path) - 1);
    const int end = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(end, reinterpret_cast<const sockaddr *>(&address), sizeof(address)) == 0) return end;
    ::close(end);
    return -1;
  }
  /// QEMU listens at the socket soon after its start.
  void wait_until_it_listens() {
    for (int tries = 0; !listens_ && tries < 3000; ++tries) {
      const int end = connect_to_it();
      listens_ = end >= 0;
      if (listens_) {
        ::close(end);
      } else {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      }
    }
  }
  [[nodiscard]] std::string memory() const { return folder_ + "/dram.bin"; }
  [[nodiscard]] std::string socket() const { return folder_ + "/mailbox"; }

  // The idle core sleeps in real time (no sleep=off), as silicon does.
  void start(const MachineSettings &settings) {
    const std::string bytes = std::to_string(kDramBytes);
    std::vector<std::string> words = {COX_QEMU,
                                      "-machine",
                                      "npu-soc,memory-backend=dram,mailbox=host,model=" COX_MODEL ",model-options=@" + folder_ +
                                          "/options.json" + (settings.mailbox_log.empty() ? "" : ",mailbox-log=" + settings.mailbox_log),
                                      "-chardev",
                                      "socket,id=host,server=on,wait=off,path=" + socket(),
                                      "-object",
                                      "memory-backend-file,id=dram,share=on,size=" + bytes + ",mem-path=" + memory(),
                                      "-m",
                                      bytes + "B",
                                      "-icount",
                                      "shift=1",
                                      "-kernel",
                                      COX_FIRMWARE,
                                      "-display",
                                      "none",
                                      "-monitor",
                                      "none",
                                      "-serial",
                                      "null",
                                      "-semihosting-config",
                                      "enable=on,target=native"};
    std::vector<char *> arguments;
    for (std::string &word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    child_ = fork();
    if (child_ != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int nothing = ::open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDERR_FILENO);
    execv(arguments[0], arguments.data());
    _exit(127);
  }

  std::string folder_, log_;
  bool listens_ = false;
  pid_t child_ = -1;
};

}  // namespace

std::unique_ptr<Machine> qemu_machine(const MachineSettings &settings) {
  for (const char *file : {COX_QEMU, COX_FIRMWARE}) {
    if (!std::filesystem::exists(file)) return nullptr;
  }
  return std::make_unique<QemuMachine>(settings);
}

}  // namespace cox::tests
