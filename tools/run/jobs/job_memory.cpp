// SPDX-License-Identifier: MIT
#include "tools/run/jobs/job_memory.h"

#include <fmt/format.h>

#include <stdexcept>

#include "coxswain/host/link.h"
#include "tools/command/failure.h"

namespace cox::tools::run {

using firmware::job::Descriptor;
using firmware::job::Header;

JobMemory::JobMemory(std::uint64_t base, std::uint32_t capacity)
    : base_(base), capacity_(capacity), top_(base + sizeof(Header) + std::uint64_t{capacity} * sizeof(Descriptor)) {}

std::uint64_t JobMemory::reserve(std::uint64_t bytes, std::uint64_t remainder) {
  const std::uint64_t address = (top_ + kAlignment - 1) / kAlignment * kAlignment + remainder;
  top_ = address + bytes;
  return address;
}

std::size_t JobMemory::add(const Request &job) {
  if (jobs_.size() == capacity_) throw std::length_error("more jobs than the ring holds");
  jobs_.push_back(job);
  jobs_.back().state = firmware::job::State::submitted;
  return jobs_.size() - 1;
}

firmware::job::Window JobMemory::add_reading(firmware::job::Kind kind, std::size_t bytes) {
  Request reading{};
  reading.kind = kind;
  reading.windows[0] = {reserve(bytes), bytes};
  add(reading);
  return reading.windows[0];
}

void JobMemory::attach(std::span<std::byte> dram) {
  if (dram.size() < bytes()) throw std::length_error("less memory than the jobs need");
  dram_ = dram;
}

std::span<std::byte> JobMemory::at(std::uint64_t address, std::uint64_t bytes) const {
  if (address < base_ || address - base_ > dram_.size() || bytes > dram_.size() - (address - base_))
    throw std::out_of_range("address outside DRAM");
  return dram_.subspan(address - base_, bytes);
}

/// The jobs of a boot, which the host library submits before the machine starts, without a mailbox (docs/host.md, Jobs before the boot).
class JobMemory::Batch {
 public:
  Batch(std::span<std::byte> dram, std::uint64_t base, std::uint32_t capacity, std::uint32_t flags, std::span<const Request> jobs)
      : link_({.dram = dram.data(),
               .dram_bytes = dram.size(),
               .dram_base = base,
               .opaque = nullptr,
               .ring = nullptr,
               .wait = nullptr,
               .wake = nullptr,
               .close = nullptr}) {
    check(link_.open({.capacity = capacity, .reserved = COX_HOST_NOTHING_RESERVED, .open_limit_us = 0}, flags));
    for (const Request &job : jobs) {
      const Result<host::Ticket> ticket = link_.submit(job, 0);
      check(ticket.status());
      tickets_.push_back(ticket.value());
    }
    outcomes_.resize(jobs.size());
  }

  /// Returns an outcome that is not done if the firmware has not written one.
  const Outcome &outcome(std::size_t number) {
    Outcome &outcome = outcomes_.at(number);
    if (!outcome.is_done(static_cast<std::uint32_t>(number))) {
      if (const Result<Outcome> found = link_.wait(tickets_[number], 0)) outcome = found.value();
    }
    return outcome;
  }

 private:
  static void check(const Status &status) {
    if (!status.ok()) throw Failure(ExitCode::failed, fmt::format("the job ring: {}: {}", error_name(status.code()), status.what()));
  }

  std::vector<host::Ticket> tickets_;
  std::vector<Outcome> outcomes_;
  host::Link link_;
};

JobMemory::~JobMemory() = default;

void JobMemory::publish(std::uint32_t flags) { batch_ = std::make_unique<Batch>(dram_, base_, capacity_, flags, jobs_); }

const Header &JobMemory::header() const { return *reinterpret_cast<const Header *>(dram_.data()); }

const JobMemory::Outcome &JobMemory::outcome(std::size_t number) const { return batch_->outcome(number); }

}  // namespace cox::tools::run
