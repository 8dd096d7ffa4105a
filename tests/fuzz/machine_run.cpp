// SPDX-License-Identifier: MIT
#include "tests/fuzz/machine_run.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "coxswain/firmware/firmware.h"
#include "coxswain/firmware/image/loader.h"
#include "coxswain/hal/bus.h"

namespace cox::fuzz {

namespace job = firmware::job;

MachineRun::MachineRun(const std::string &model_options, std::string *console) {
  board::NativeBoardSettings settings;
  settings.model_options = model_options;
  settings.dram_bytes = kDramBytes;
  settings.console = [console](std::string_view text) {
    if (console != nullptr) *console += text;
  };
  settings.log = [](int, std::string_view) {};
  std::string error;
  board_ = board::NativeBoard::create(std::move(settings), error);
  if (!board_) {
    std::fprintf(stderr, "%s\n", error.c_str());
    std::abort();
  }
  top_ = sizeof(job::Header) + kCapacity * sizeof(job::Descriptor);
}

std::uint64_t MachineRun::reserve(std::uint64_t bytes, std::uint64_t remainder) {
  while (top_ % job::kBlock != 0) ++top_;
  top_ += remainder;
  if (bytes > kDramBytes - top_) return 0;
  const std::uint64_t address = hal::dram_range().address + top_;
  top_ += bytes;
  return address;
}

std::span<std::byte> MachineRun::at(std::uint64_t address, std::uint64_t bytes) const {
  return board_->dram().subspan(static_cast<std::size_t>(address - hal::dram_range().address), static_cast<std::size_t>(bytes));
}

bool MachineRun::place_load(std::span<const std::byte> image, std::uint32_t slot, job::Request &load) {
  // The image begins 48 bytes behind the start of a cache line of 64 bytes. So its header of 16 bytes ends with the line, and the payload
  // is aligned.
  const std::uint64_t address = reserve(image.size(), 48);
  if (address == 0) return false;
  std::memcpy(at(address, image.size()).data(), image.data(), image.size());
  const Result<std::size_t> workspace_bytes = firmware::image::workspace_bytes(at(address, image.size()));
  if (!workspace_bytes) return false;
  const std::uint64_t workspace = reserve(workspace_bytes.value());
  if (workspace == 0) return false;
  load = {};
  load.kind = job::Kind::load;
  load.task_slot = slot;
  load.image_address = address;
  load.image_bytes = image.size();
  load.workspace_address = workspace;
  load.workspace_bytes = workspace_bytes.value();
  return true;
}

void MachineRun::submit(const job::Request &request) {
  job::Descriptor submitted{request, {}};
  submitted.request.state = job::State::submitted;
  std::memcpy(board_->dram().data() + sizeof(job::Header) + jobs_++ * sizeof(submitted), &submitted, sizeof(submitted));
}

void MachineRun::open_ring() {
  job::Header header{};
  header.magic = job::kMagic;
  header.version = job::kVersion;
  header.capacity = kCapacity;
  header.flags = job::kExitWhenDone;
  header.submitted = jobs_;
  std::memcpy(board_->dram().data(), &header, sizeof(header));
}

bool MachineRun::boot() {
  open_ring();
  return firmware::firmware_main() == 0;
}

const job::Outcome &MachineRun::outcome(std::size_t index) const {
  return reinterpret_cast<const job::Descriptor *>(board_->dram().data() + sizeof(job::Header))[index].outcome;
}

}  // namespace cox::fuzz
