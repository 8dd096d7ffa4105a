// SPDX-License-Identifier: MIT
// A job ring for tests, on a device without engines.
#pragma once

#include <gmock/gmock.h>

#include <cstring>
#include <deque>

#include "coxswain/firmware/firmware.h"
#include "coxswain/firmware/image/loader.h"
#include "coxswain/firmware/job/job_queue.h"
#include "coxswain/hal/bus.h"
#include "tests/firmware/fake_device.h"
#include "tests/firmware/task_builder.h"

namespace cox::tests {

using firmware::job::Descriptor;
using firmware::job::Header;
using firmware::job::Kind;
using firmware::job::Outcome;
using firmware::job::Request;
using firmware::job::State;
using firmware::job::Window;

// DRAM is the fake device's memory: the ring, then images, workspaces and windows.
class JobRing : public testing::Test {
 protected:
  static constexpr std::uint32_t kCapacity = 64;

  explicit JobRing(unsigned cores = 1) : device(cores) {}

  /// DRAM as the submitter sees it, and a bus address in it.
  std::byte *dram() { return device.dram().data(); }
  std::uint64_t address(std::size_t offset) { return hal::dram_range().address + offset; }
  /// What the submitter sees at a bus address.
  std::byte *seen(std::uint64_t bus_address) { return dram() + (bus_address - address(0)); }
  std::size_t reserve(std::size_t bytes, std::size_t remainder = 0) {
    while (address(top_) % firmware::job::kBlock != 0) ++top_;
    const std::size_t offset = top_ + remainder;
    top_ = offset + bytes;
    return offset;
  }
  Request load_job(const TaskText &text, std::uint32_t slot) {
    Image image(text);
    const std::size_t at = reserve(image.bytes().size(), 48);
    std::memcpy(dram() + at, image.bytes().data(), image.bytes().size());
    Request job{};
    job.kind = Kind::load;
    job.task_slot = slot;
    job.image_address = address(at);
    job.image_bytes = image.bytes().size();
    job.workspace_bytes = firmware::image::workspace_bytes(text.code.size(), text.tile_cores);
    job.workspace_address = address(reserve(job.workspace_bytes));
    return job;
  }
  Request load_job(const TaskText &text, std::uint32_t slot, std::uint8_t owner) {
    Request job = load_job(text, slot);
    job.owner = owner;
    return job;
  }
  Request run_job(std::uint32_t slot) {
    Request job{};
    job.kind = Kind::run;
    job.task_slot = slot;
    job.windows[0] = {address(reserve(256)), 256};
    return job;
  }
  Request run_job(std::uint32_t slot, std::uint8_t owner, std::uint8_t priority = 0) {
    Request job = run_job(slot);
    job.owner = owner;
    job.priority = priority;
    return job;
  }
  static Request simple_job(Kind kind, std::uint8_t owner, std::uint32_t argument) {
    Request job{};
    job.kind = kind;
    job.owner = owner;
    job.argument = argument;
    return job;
  }
  /// Submits the next job while the firmware runs.
  void submit(const Request &job) {
    add(job);
    const auto submitted = static_cast<std::uint32_t>(jobs_);
    std::memcpy(dram() + offsetof(Header, submitted), &submitted, sizeof(submitted));
  }
  std::size_t add(Request job) {
    job.state = State::submitted;
    std::memcpy(descriptor(jobs_), &job, sizeof(job));
    return jobs_++;
  }
  /// The header of a submitter that has submitted all jobs so far.
  Header submitters_header() {
    Header header{};
    header.magic = firmware::job::kMagic;
    header.version = version;
    header.capacity = capacity;
    header.flags = firmware::job::kExitWhenDone;
    header.submitted = static_cast<std::uint32_t>(jobs_) + miscount;
    return header;
  }
  int serve() {
    const Header header = submitters_header();
    std::memcpy(dram(), &header, sizeof(header));
    return firmware::firmware_main();
  }
  Header header() {
    Header header;
    std::memcpy(&header, dram(), sizeof(header));
    return header;
  }
  std::byte *descriptor(std::size_t job) { return dram() + sizeof(Header) + job % capacity * sizeof(Descriptor); }
  Request request(std::size_t job) {
    Request request;
    std::memcpy(&request, descriptor(job), sizeof(request));
    return request;
  }
  /// The state is `submitted` until the firmware writes another.
  Outcome outcome(std::size_t job) {
    Outcome outcome;
    std::memcpy(&outcome, descriptor(job) + offsetof(Descriptor, outcome), sizeof(outcome));
    if (outcome.number != static_cast<std::uint32_t>(job) || outcome.state == State::empty) outcome.state = State::submitted;
    return outcome;
  }
  /// Leaves a state of a job in memory, as an earlier boot does.
  void leave_state(std::size_t job, State state, std::uint32_t error = 0) {
    Outcome outcome{};
    outcome.number = static_cast<std::uint32_t>(job);
    outcome.state = state;
    outcome.error = error;
    std::memcpy(descriptor(job) + offsetof(Descriptor, outcome), &outcome, sizeof(outcome));
  }
  void expect(std::size_t job, ErrorCode error, const char *what = "") {
    const Outcome found = outcome(job);
    EXPECT_EQ(found.state, State::done);
    EXPECT_EQ(static_cast<ErrorCode>(found.error), error) << error_name(static_cast<ErrorCode>(found.error));
    EXPECT_STREQ(found.error_what, what);
  }

  FakeDevice device;
  std::uint32_t version = firmware::job::kVersion;
  std::uint32_t capacity = kCapacity;
  std::uint32_t miscount = 0;  ///< added to the header's count of submitted jobs
  std::size_t jobs_ = 0;
  std::size_t top_ = sizeof(Header) + kCapacity * sizeof(Descriptor);
};

}  // namespace cox::tests
