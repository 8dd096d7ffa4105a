// SPDX-License-Identifier: MIT
#include "tests/target/firmware/job_list.h"

#include <algorithm>

#include "coxswain/firmware/image/image_header.h"
#include "coxswain/firmware/image/loader.h"

namespace cox::tests {

using firmware::job::Kind;
using firmware::job::Outcome;
using firmware::job::Request;

std::uint64_t JobList::place(std::vector<std::uint8_t> bytes, std::uint64_t remainder) {
  const std::uint64_t address = memory_.reserve(bytes.size(), remainder);
  contents_.push_back({address, std::move(bytes)});
  return address;
}

std::size_t JobList::load(const std::vector<std::uint8_t> &image, std::uint32_t slot, std::uint8_t owner) {
  const std::size_t instructions = image.size() / sizeof(isa::tile::MachineCode);  // the largest possible number
  Request job{};
  job.kind = Kind::load;
  job.task_slot = slot;
  job.owner = owner;
  job.image_bytes = image.size();
  job.image_address = place(image, tools::run::JobMemory::kAlignment - sizeof(firmware::image::ImageHeader));
  job.workspace_bytes = firmware::image::workspace_bytes(instructions);
  job.workspace_address = memory_.reserve(job.workspace_bytes);
  return memory_.add(job);
}

std::size_t JobList::unload(std::uint32_t slot) {
  Request job{};
  job.kind = Kind::unload;
  job.task_slot = slot;
  return memory_.add(job);
}

std::size_t JobList::run(std::uint32_t slot, const std::vector<firmware::job::Window> &windows, std::uint32_t time_limit_us) {
  Request job{};
  job.kind = Kind::run;
  job.task_slot = slot;
  job.time_limit_us = time_limit_us;
  job.flags = firmware::job::kReadCounters;
  std::ranges::copy(windows, job.windows);
  return memory_.add(job);
}

void JobList::execute(tools::run::Board &board) {
  memory_.attach(board.dram());
  for (const Contents &contents : contents_) {
    std::ranges::copy(std::as_bytes(std::span(contents.bytes)), memory_.at(contents.address, contents.bytes.size()).begin());
  }
  memory_.publish(firmware::job::kExitWhenDone);
  board.run();
}

JobResult JobList::outcome(std::size_t job) const {
  const Outcome &found = memory_.outcome(job);
  const std::string_view what(found.error_what, sizeof(found.error_what));
  return {found.state, static_cast<ErrorCode>(found.error), found.error_index, std::string(what.substr(0, what.find('\0'))), found};
}

std::vector<std::uint8_t> JobList::bytes(std::uint64_t address, std::uint64_t size) const {
  const std::span<const std::byte> memory = memory_.at(address, size);
  const auto *first = reinterpret_cast<const std::uint8_t *>(memory.data());
  return {first, first + size};
}

}  // namespace cox::tests
