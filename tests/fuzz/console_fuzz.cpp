// SPDX-License-Identifier: MIT
// Types any characters on the console, at any time while the firmware serves jobs. The console must answer in printable characters, and the
// jobs must end as they do without typing. The task's name consists of any bytes, too.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "coxswain/firmware/console/console.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "tests/fuzz/machine_run.h"
#include "tests/tools/run/small_task.h"

namespace {

namespace job = cox::firmware::job;

constexpr unsigned kRuns = 3;

/// Printable characters, and those that the console sends to move the cursor.
bool is_plain(char character) {
  return (character >= ' ' && character <= '~') || character == '\r' || character == '\n' || character == '\b';
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string input(reinterpret_cast<const char *>(data), size);
  cox::task::Task task = cox::tools::run::copy_task();
  task.name = input.substr(0, input.empty() ? 0 : static_cast<unsigned char>(input[0]) % 32);
  const std::vector<std::uint8_t> image = cox::task::build_image(task);

  std::string console;
  cox::fuzz::MachineRun machine("{}", &console);
  job::Request load;
  if (!machine.place_load(std::as_bytes(std::span(image)), 0, load)) std::abort();
  machine.submit(load);
  std::vector<std::uint64_t> windows;
  for (unsigned i = 0; i < kRuns; ++i) {
    job::Request run{};
    run.kind = job::Kind::run;
    run.windows[0] = {machine.reserve(256), 256};
    windows.push_back(run.windows[0].address);
    std::memset(machine.at(windows.back(), 128).data(), static_cast<int>(i + 1), 128);
    machine.submit(run);
  }
  // This is the loop of firmware_main(), with a user who types.
  machine.open_ring();
  const cox::firmware::schedule::MemoryRange dram = cox::hal::dram_range();
  const auto scheduler = std::make_unique<cox::firmware::schedule::Scheduler>();
  cox::hal::Accelerator accelerator;
  if (!accelerator.open().ok() || !scheduler->initialise(accelerator).ok()) std::abort();
  const auto jobs = std::make_unique<job::JobProcessor>(*scheduler, dram);
  cox::firmware::console::Console console_of(*scheduler, *jobs);
  using Progress = job::JobProcessor::Progress;
  std::size_t next = 0;
  for (bool done = false; !done || next < input.size();) {
    const std::size_t count = std::min<std::size_t>(input.size() - next, 16);
    machine.board().type(std::string_view(input).substr(next, count));
    next += count;
    console_of.poll();
    const Progress progress = jobs->serve();
    if (progress == Progress::stopped) std::abort();
    if (progress == Progress::idle) scheduler->sleep();
    done = progress == Progress::exit;
  }
  for (unsigned i = 0; i <= kRuns; ++i) {
    if (machine.outcome(i).state != job::State::done || machine.outcome(i).error != 0) std::abort();
  }
  for (const std::uint64_t window : windows) {
    if (std::memcmp(machine.at(window, 256).data(), machine.at(window, 256).data() + 128, 128) != 0) std::abort();
  }
  const auto odd = std::find_if_not(console.begin(), console.end(), is_plain);
  if (odd != console.end()) {
    std::fprintf(stderr, "the console wrote byte 0x%02x\n", static_cast<unsigned char>(*odd));
    std::abort();
  }
  return 0;
}
