// SPDX-License-Identifier: MIT
// Puts descriptors of any bits into the ring, each before a good job. Nothing may crash, each job must be answered, and the output of the
// good job must be right.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "coxswain/firmware/image/loader.h"
#include "tests/fuzz/machine_run.h"
#include "tests/tools/run/small_task.h"

namespace {

namespace job = cox::firmware::job;

constexpr std::size_t kMostJobs = 24;

/// Takes the fuzzer's bytes from the front, and zeros after the last byte.
class Input {
 public:
  Input(const std::uint8_t *data, std::size_t size) : data_(data), size_(size) {}
  [[nodiscard]] bool empty() const { return size_ == 0; }
  template <typename T>
  T take() {
    T value{};
    const std::size_t bytes = std::min(sizeof(value), size_);
    if (bytes != 0) std::memcpy(&value, data_, bytes);
    data_ += bytes;
    size_ -= bytes;
    return value;
  }

 private:
  const std::uint8_t *data_;
  std::size_t size_;
};

/// Changes one to three numbers of a good job, completely or slightly.
void spoil(job::Request &descriptor, Input &input) {
  const auto changes = 1U + input.take<std::uint8_t>() % 3;
  for (unsigned i = 0; i < changes; ++i) {
    const std::size_t at = input.take<std::uint8_t>() % (offsetof(job::Request, reserved) / sizeof(std::uint32_t)) * sizeof(std::uint32_t);
    std::uint32_t value = 0;
    std::memcpy(&value, reinterpret_cast<const std::byte *>(&descriptor) + at, sizeof(value));
    switch (input.take<std::uint8_t>() % 4) {
      case 0: value = input.take<std::uint32_t>(); break;
      case 1: value += static_cast<std::uint32_t>(std::int32_t{input.take<std::int8_t>()}); break;
      case 2: value += static_cast<std::uint32_t>(std::int32_t{input.take<std::int8_t>()} * 1024); break;
      default: value = input.take<std::uint8_t>() % 10; break;
    }
    std::memcpy(reinterpret_cast<std::byte *>(&descriptor) + at, &value, sizeof(value));
  }
}

/// Changes a job so that it does not disturb the other jobs even if it is valid by chance. (If a valid job disturbed them, the firmware
/// would not be at fault.) The job gets the owner and priority of all other jobs, so it keeps its place in the order. It cancels no
/// existing job. The results of a read_trace or read_faults go to `window`.
void keep_to_itself(job::Request &descriptor, std::uint64_t window) {
  if (descriptor.owner < job::kOwners) descriptor.owner = 0;
  if (descriptor.priority < job::kPriorities) descriptor.priority = 0;
  if (descriptor.kind == job::Kind::cancel) descriptor.argument |= 1U << 31;
  if (descriptor.kind == job::Kind::read_trace || descriptor.kind == job::Kind::read_faults) descriptor.windows[0] = {window, 256};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  static const cox::task::Task task = cox::tools::run::copy_task();
  static const std::vector<std::uint8_t> image = cox::task::build_image(task);
  Input input(data, size);
  cox::fuzz::MachineRun machine("{}");
  job::Request load;
  const auto place = [&](std::uint32_t slot, job::Request &descriptor) {
    if (!machine.place_load(std::as_bytes(std::span(image)), slot, descriptor)) std::abort();
  };
  place(0, load);
  job::Request spare;
  place(1, spare);
  // Indices of a good load job and of a good run job, and the address of the run's window.
  struct Good {
    std::size_t load, run;
    std::uint64_t window;
  };
  std::vector<Good> good;
  std::size_t jobs = 0;
  while (!input.empty() && jobs + 4 <= kMostJobs) {
    job::Request bad = spare;
    if (input.take<std::uint8_t>() % 2 == 0) {
      bad = {};
      bad.kind = job::Kind::run;
      bad.windows[0] = {machine.reserve(256), 256};
    }
    spoil(bad, input);
    keep_to_itself(bad, machine.reserve(256));
    machine.submit(bad);
    // If the bad job has loaded a task, the task's memory may be in the way of later jobs. So the task is unloaded.
    job::Request forget{};
    forget.kind = job::Kind::unload;
    forget.task_slot = bad.task_slot;
    machine.submit(forget);
    jobs += 2;
    job::Request run{};
    run.kind = job::Kind::run;
    run.windows[0] = {machine.reserve(256), 256};
    // A job with random numbers may be valid by chance and may overwrite an image in DRAM. So each good job loads a copy of its own.
    job::Request again;
    place(0, again);
    machine.submit(again);
    machine.submit(run);
    good.push_back({jobs, jobs + 1, run.windows[0].address});
    jobs += 2;
  }
  if (!machine.boot()) std::abort();
  for (std::size_t i = 0; i < jobs; ++i) {
    if (machine.outcome(i).state != job::State::done) std::abort();
  }
  for (const Good &each : good) {
    for (const std::size_t index : {each.load, each.run}) {
      const job::Outcome &done = machine.outcome(index);
      if (done.error == 0) continue;
      std::fprintf(stderr, "job %zu: %s %s\n", index, cox::error_name(static_cast<cox::ErrorCode>(done.error)), done.error_what);
      std::abort();
    }
    const std::span<const std::byte> window = machine.at(each.window, 256);
    if (std::memcmp(window.data(), window.data() + 128, 128) != 0) std::abort();
  }
  return 0;
}
