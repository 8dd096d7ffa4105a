// SPDX-License-Identifier: MIT
#include "tools/run/boards/interruption.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "tools/command/failure.h"

namespace cox::tools::run {
namespace {

/// Returns the signals that would end this process, without those that it ignores, for example because nohup started it.
sigset_t ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_IGN) sigaddset(&set, signal);
  }
  return set;
}

}  // namespace

Interruption::Interruption(std::string folder) : folder_(std::move(folder)) {
  const sigset_t set = ending_signals();
  // The signals are blocked in this thread and the threads that it starts, so only the descriptor gets them.
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signals_ = signalfd(-1, &set, SFD_CLOEXEC);
  if (signals_ < 0 || pipe2(stop_.data(), O_CLOEXEC) != 0) {
    throw Failure(ExitCode::failed, std::string("waiting for signals: ") + std::strerror(errno));
  }
  thread_ = std::thread(&Interruption::wait, this);
}

Interruption::~Interruption() {
  close(stop_[1]);
  thread_.join();
  close(stop_[0]);
  close(signals_);
  const sigset_t set = ending_signals();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void Interruption::wait() {
  std::array<pollfd, 2> ends{pollfd{.fd = signals_, .events = POLLIN, .revents = 0},
                             pollfd{.fd = stop_[0], .events = POLLIN, .revents = 0}};
  while (poll(ends.data(), ends.size(), -1) < 0 && errno == EINTR) {
  }
  signalfd_siginfo signal{};
  if ((ends[0].revents & POLLIN) == 0 || read(signals_, &signal, sizeof(signal)) != sizeof(signal)) return;
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
  // End this process by the same signal, so that the parent process sees the cause.
  const auto number = static_cast<int>(signal.ssi_signo);
  std::signal(number, SIG_DFL);
  const sigset_t set = ending_signals();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  raise(number);
}

}  // namespace cox::tools::run
