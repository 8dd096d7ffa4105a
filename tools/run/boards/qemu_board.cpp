// SPDX-License-Identifier: MIT
// Runs a machine under QEMU as a child process. DRAM is a memory file that both processes map, so jobs and tensors are not copied.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "coxswain/firmware/job/job_queue.h"
#include "tools/command/failure.h"
#include "tools/run/boards/board.h"
#include "tools/run/report/fault_tally.h"

namespace cox::tools::run {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void system_failure(const char *what) { throw Failure(ExitCode::failed, fmt::format("{}: {}", what, std::strerror(errno))); }

class QemuBoard final : public Board {
 public:
  QemuBoard(const BoardSettings &settings, const QemuFiles &files) : settings_(settings), files_(files) {
    file_ = memfd_create("coxswain-dram", 0);  // QEMU inherits this descriptor and opens the file by the descriptor's number
    if (file_ < 0 || ftruncate(file_, static_cast<off_t>(settings.dram_bytes)) != 0) system_failure("memory for the machine's DRAM");
    memory_ = mmap(nullptr, settings.dram_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    if (memory_ == MAP_FAILED) {
      close(file_);
      system_failure("memory for the machine's DRAM");
    }
  }
  QemuBoard(const QemuBoard &) = delete;
  QemuBoard &operator=(const QemuBoard &) = delete;
  ~QemuBoard() override {
    end_child();
    munmap(memory_, settings_.dram_bytes);
    close(file_);
  }

  std::span<std::byte> dram() override { return {static_cast<std::byte *>(memory_), settings_.dram_bytes}; }
  std::string console() const override { return console_; }
  void power_off() override { end_child(); }

  void run() override {
    start();
    const auto begin = Clock::now();
    int status = 0;
    for (bool open = true; open || waitpid(child_, &status, WNOHANG) == 0;) {
      open = open && read_console();
      if (!open) usleep(1000);  // QEMU has closed the console and is about to exit
      if (settings_.progress) settings_.progress(completed());
      const std::chrono::duration<double> passed = Clock::now() - begin;
      if (settings_.host_seconds > 0 && passed.count() > settings_.host_seconds) {
        end_child();
        throw Failure(ExitCode::failed,
                      fmt::format("the machine did not finish within {:g} s of this host (--max-host-seconds): {} of {} jobs done{}",
                                  settings_.host_seconds, completed(), header().submitted, tail()));
      }
    }
    child_ = -1;
    if (settings_.progress) settings_.progress(completed());
    judge(status);
  }

 private:
  const firmware::job::Header &header() const { return *static_cast<const firmware::job::Header *>(memory_); }
  std::uint32_t completed() const {
    return std::atomic_ref(static_cast<firmware::job::Header *>(memory_)->completed).load(std::memory_order_acquire);
  }

  std::string machine() const {
    const BoardMap &map = *settings_.map;
    return map.machine == kAnyBoardMachine ? map.machine + ",board-map=" + doubled(map.file) : map.machine;
  }

  std::vector<std::string> command() const {
    const std::string bytes = std::to_string(settings_.dram_bytes);
    return {files_.qemu,
            "-machine",
            machine() + ",memory-backend=dram,model=" + doubled(files_.model) + ",model-options=" + doubled(settings_.model_options),
            "-object",
            fmt::format("memory-backend-file,id=dram,size={},mem-path=/proc/self/fd/{},share=on", bytes, file_),
            "-m",
            bytes + "B",
            "-icount",
            fmt::format("shift={},sleep=off", std::countr_zero(settings_.instruction_nanoseconds)),
            "-kernel",
            files_.firmware,
            "-display",
            "none",
            "-monitor",
            "none",
            "-serial",
            "stdio",
            "-semihosting-config",
            "enable=on,target=native"};
  }

  // In QEMU's options a comma ends a value, and two commas stand for one comma.
  static std::string doubled(const std::string &text) {
    std::string out;
    for (const char c : text) out.append(c == ',' ? 2 : 1, c);
    return out;
  }

  void start() {
    std::array<int, 2> pipe_ends{};
    if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) system_failure("a pipe for the console");
    const std::vector<std::string> words = command();
    std::vector<char *> arguments;
    arguments.reserve(words.size() + 1);
    for (const std::string &word : words) arguments.push_back(const_cast<char *>(word.c_str()));
    arguments.push_back(nullptr);
    const pid_t parent = getpid();
    child_ = fork();
    if (child_ < 0) system_failure("a process for QEMU");
    if (child_ == 0) {
      // Linux kills QEMU when cox ends, for whatever reason.
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(127);
      // Unblock the signals that cox waits for (interruption.h), so that they reach QEMU.
      sigset_t none;
      sigemptyset(&none);
      sigprocmask(SIG_SETMASK, &none, nullptr);
      const int nothing = open("/dev/null", O_RDONLY);
      dup2(nothing, STDIN_FILENO);
      dup2(pipe_ends[1], STDOUT_FILENO);
      dup2(pipe_ends[1], STDERR_FILENO);
      execv(arguments[0], arguments.data());
      const char *reason = std::strerror(errno);
      [[maybe_unused]] const ssize_t ignored = write(STDERR_FILENO, reason, std::strlen(reason));
      _exit(127);
    }
    close(pipe_ends[1]);
    pipe_ = pipe_ends[0];
  }

  // Waits up to 50 ms for output. Returns false if there will be no more output.
  bool read_console() {
    pollfd wait{.fd = pipe_, .events = POLLIN, .revents = 0};
    if (poll(&wait, 1, 50) <= 0) return true;
    std::array<char, 4096> text{};
    const ssize_t got = read(pipe_, text.data(), text.size());
    if (got < 0 && errno == EINTR) return true;
    if (got <= 0) {
      close(pipe_);
      pipe_ = -1;
      return false;
    }
    console_.append(text.data(), static_cast<std::size_t>(got));
    tell_faults();
    if (settings_.verbose) std::fwrite(text.data(), 1, static_cast<std::size_t>(got), stderr);
    return true;
  }

  // Passes on the faults in the new lines of the console, to which QEMU also writes the model's log.
  void tell_faults() {
    for (std::size_t end = console_.find('\n', told_); end != std::string::npos; end = console_.find('\n', told_)) {
      std::string_view line = std::string_view(console_).substr(told_, end - told_);
      while (line.ends_with('\r')) line.remove_suffix(1);
      if (const std::string_view fault = fault_line(line); settings_.on_fault && !fault.empty()) settings_.on_fault(fault);
      told_ = end + 1;
    }
  }

  // Throws a Failure with the reason if the machine has ended before the jobs were done.
  void judge(int status) const {
    const bool all = header().completed == header().submitted;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && all) return;
    std::string how = "the machine ended";
    if (WIFSIGNALED(status)) how = fmt::format("QEMU was killed by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0) how = fmt::format("QEMU ended with exit status {}", WEXITSTATUS(status));
    throw Failure(ExitCode::failed,
                  fmt::format("{} after {} of {} jobs; firmware state {}{}", how, header().completed, header().submitted, state(), tail()));
  }

  std::string state() const {
    switch (header().firmware_state) {
      case firmware::job::kNotBooted: return "not booted";
      case firmware::job::kReady: return "ready";
      case firmware::job::kExited: return "exited";
      case firmware::job::kStopped: return fmt::format("stopped on error {}", header().firmware_error);
      default: return fmt::format("unknown ({})", header().firmware_state);
    }
  }

  // Returns the console's last lines, which usually contain the reason.
  std::string tail() const {
    std::size_t from = console_.find_last_not_of("\r\n");
    if (from == std::string::npos) return "; its console is empty";
    for (int lines = 0; lines < 12 && from != std::string::npos && from != 0; ++lines) from = console_.rfind('\n', from - 1);
    return "; the console's end:\n" + console_.substr(from == std::string::npos ? 0 : from);
  }

  void end_child() {
    if (pipe_ >= 0) close(pipe_);
    pipe_ = -1;
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    child_ = -1;
  }

  BoardSettings settings_;
  QemuFiles files_;
  int file_ = -1;
  void *memory_ = nullptr;
  pid_t child_ = -1;
  int pipe_ = -1;
  std::string console_;
  std::size_t told_ = 0;  // bytes of `console_` in which tell_faults() has looked for faults
};

}  // namespace

std::unique_ptr<Board> make_qemu_board(const BoardSettings &settings, const QemuFiles &files) {
  return std::make_unique<QemuBoard>(settings, files);
}

}  // namespace cox::tools::run
