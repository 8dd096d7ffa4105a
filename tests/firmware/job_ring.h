// SPDX-License-Identifier: MIT
// A job ring for tests, on a device without engines.
#pragma once

#include <gmock/gmock.h>

#include <cstring>
#include <deque>

#include "firmware/firmware.h"
#include "firmware/image/loader.h"
#include "firmware/job/job_queue.h"
#include "tests/firmware/fake_device.h"
#include "tests/firmware/task_builder.h"

namespace cox::tests {

using firmware::job::Descriptor;
using firmware::job::Header;
using firmware::job::Kind;
using firmware::job::State;
using firmware::job::Window;

// DRAM is the fake device's memory: the ring, then images, workspaces and windows.
class JobRing : public testing::Test {
 protected:
  static constexpr std::uint32_t kCapacity = 64;

  explicit JobRing(unsigned cores = 1) : device(cores) {}

  std::byte *dram() { return reinterpret_cast<std::byte *>(device.dram.data()); }
  std::uint64_t address(std::size_t offset) { return reinterpret_cast<std::uintptr_t>(dram()) + offset; }
  std::size_t reserve(std::size_t bytes, std::size_t remainder = 0) {
    while (address(top_) % 64 != remainder) ++top_;
    const std::size_t offset = top_;
    top_ += bytes;
    return offset;
  }
  Descriptor load_job(const TaskText &text, std::uint32_t slot) {
    Image image(text);
    const std::size_t at = reserve(image.bytes().size(), 48);
    std::memcpy(dram() + at, image.bytes().data(), image.bytes().size());
    Descriptor job{};
    job.kind = Kind::load;
    job.task_slot = slot;
    job.image_address = address(at);
    job.image_bytes = image.bytes().size();
    job.workspace_bytes = firmware::image::workspace_bytes(text.code.size(), text.tile_cores);
    job.workspace_address = address(reserve(job.workspace_bytes));
    return job;
  }
  Descriptor load_job(const TaskText &text, std::uint32_t slot, std::uint8_t owner) {
    Descriptor job = load_job(text, slot);
    job.owner = owner;
    return job;
  }
  Descriptor run_job(std::uint32_t slot) {
    Descriptor job{};
    job.kind = Kind::run;
    job.task_slot = slot;
    job.windows[0] = {address(reserve(256)), 256};
    return job;
  }
  Descriptor run_job(std::uint32_t slot, std::uint8_t owner, std::uint8_t priority = 0) {
    Descriptor job = run_job(slot);
    job.owner = owner;
    job.priority = priority;
    return job;
  }
  static Descriptor simple_job(Kind kind, std::uint8_t owner, std::uint32_t argument) {
    Descriptor job{};
    job.kind = kind;
    job.owner = owner;
    job.argument = argument;
    return job;
  }
  /// Submits the next job while the firmware runs.
  void submit(const Descriptor &job) {
    add(job);
    const auto submitted = static_cast<std::uint32_t>(jobs_);
    std::memcpy(dram() + offsetof(Header, submitted), &submitted, sizeof(submitted));
  }
  std::size_t add(Descriptor job) {
    job.state = State::submitted;
    std::memcpy(dram() + sizeof(Header) + jobs_ % capacity * sizeof(Descriptor), &job, sizeof(job));
    return jobs_++;
  }
  int serve() {
    Header header{};
    header.magic = firmware::job::kMagic;
    header.version = version;
    header.capacity = capacity;
    header.flags = firmware::job::kExitWhenDone;
    header.submitted = static_cast<std::uint32_t>(jobs_) + miscount;
    std::memcpy(dram(), &header, sizeof(header));
    return firmware::firmware_main();
  }
  Header header() {
    Header header;
    std::memcpy(&header, dram(), sizeof(header));
    return header;
  }
  Descriptor outcome(std::size_t job) {
    Descriptor descriptor;
    std::memcpy(&descriptor, dram() + sizeof(Header) + job % capacity * sizeof(Descriptor), sizeof(descriptor));
    return descriptor;
  }
  void expect(std::size_t job, ErrorCode error, const char *what = "") {
    const Descriptor descriptor = outcome(job);
    EXPECT_EQ(descriptor.state, State::done);
    EXPECT_EQ(static_cast<ErrorCode>(descriptor.error), error) << error_name(static_cast<ErrorCode>(descriptor.error));
    EXPECT_STREQ(descriptor.error_what, what);
  }

  FakeDevice device;
  std::uint32_t version = firmware::job::kVersion;
  std::uint32_t capacity = kCapacity;
  std::uint32_t miscount = 0;  ///< added to the header's count of submitted jobs
  std::size_t jobs_ = 0;
  std::size_t top_ = sizeof(Header) + kCapacity * sizeof(Descriptor);
};

}  // namespace cox::tests
