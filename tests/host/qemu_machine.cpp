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

#include "boards/qemu-npu-soc/board.h"
#include "tests/host/machines.h"

namespace cox::tests {
namespace {

constexpr std::uint64_t kDramBytes = 16U << 20;

class QemuMachine final : public Machine {
 public:
  explicit QemuMachine(const MachineSettings &settings) {
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
    // QEMU listens at the socket soon after its start.
    for (int tries = 0; !started_ && tries < 3000; ++tries) {
      const cox_status status = cox_host_open_qemu(socket().c_str(), memory().c_str(), BOARD_DRAM_BASE, &options, host);
      started_ = status.error != COX_ERROR_NOT_READY;
      if (started_) return status;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return cox_host_open_qemu(socket().c_str(), memory().c_str(), BOARD_DRAM_BASE, &options, host);
  }
  // QEMU talks to one host, so the test cannot ring beside it.
  void ring() override {}
  void stop() override {
    if (child_ <= 0) return;
    kill(child_, SIGTERM);
    waitpid(child_, nullptr, 0);
    child_ = -1;
  }

 private:
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

  std::string folder_;
  bool started_ = false;
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
