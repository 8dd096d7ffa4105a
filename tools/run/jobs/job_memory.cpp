// SPDX-License-Identifier: MIT
#include "tools/run/jobs/job_memory.h"

#include <atomic>
#include <cstring>
#include <stdexcept>

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

void JobMemory::publish(std::uint32_t flags) {
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    const Descriptor job{jobs_[i], {}};
    std::memcpy(dram_.data() + sizeof(Header) + i * sizeof(Descriptor), &job, sizeof(job));
  }
  Header header{};
  header.version = firmware::job::kVersion;
  header.capacity = capacity_;
  header.flags = flags;
  header.submitted = static_cast<std::uint32_t>(jobs_.size());
  std::memcpy(dram_.data(), &header, sizeof(header));
  // The firmware may be running already. It reads nothing else before it sees the magic number, so the magic number is written last.
  std::atomic_ref(reinterpret_cast<Header *>(dram_.data())->magic).store(firmware::job::kMagic, std::memory_order_release);
}

const Header &JobMemory::header() const { return *reinterpret_cast<const Header *>(dram_.data()); }

const Descriptor &JobMemory::descriptor(std::size_t number) const {
  return reinterpret_cast<const Descriptor *>(dram_.data() + sizeof(Header))[number];
}

}  // namespace cox::tools::run
