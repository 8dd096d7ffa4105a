// SPDX-License-Identifier: MIT
#include "tests/fuzz/machine_run.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "firmware/firmware.h"
#include "firmware/image/loader.h"

namespace cox::fuzz {

namespace job = firmware::job;

MachineRun::MachineRun(const std::string &model_options) {
  board::NativeBoardSettings settings;
  settings.model_options = model_options;
  settings.dram_bytes = kDramBytes;
  settings.console = [](std::string_view) {};
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
  while (top_ % 64 != remainder) ++top_;
  if (bytes > kDramBytes - top_) return 0;
  const std::uint64_t address = reinterpret_cast<std::uintptr_t>(board_->dram().data()) + top_;
  top_ += bytes;
  return address;
}

std::span<std::byte> MachineRun::at(std::uint64_t address, std::uint64_t bytes) const {
  return board_->dram().subspan(static_cast<std::size_t>(address - reinterpret_cast<std::uintptr_t>(board_->dram().data())),
                                static_cast<std::size_t>(bytes));
}

bool MachineRun::place_load(std::span<const std::byte> image, std::size_t instructions, std::uint32_t slot, job::Descriptor &load) {
  // The header ends where a line begins, so that the payload's own alignment holds.
  const std::uint64_t address = reserve(image.size(), 48);
  const std::uint64_t workspace_bytes = firmware::image::workspace_bytes(instructions);
  const std::uint64_t workspace = reserve(workspace_bytes);
  if (address == 0 || workspace == 0) return false;
  std::memcpy(at(address, image.size()).data(), image.data(), image.size());
  load = {};
  load.kind = job::Kind::load;
  load.task_slot = slot;
  load.image_address = address;
  load.image_bytes = image.size();
  load.workspace_address = workspace;
  load.workspace_bytes = workspace_bytes;
  return true;
}

void MachineRun::submit(const job::Descriptor &descriptor) {
  job::Descriptor submitted = descriptor;
  submitted.state = job::State::submitted;
  std::memcpy(board_->dram().data() + sizeof(job::Header) + jobs_++ * sizeof(submitted), &submitted, sizeof(submitted));
}

bool MachineRun::boot() {
  job::Header header{};
  header.magic = job::kMagic;
  header.version = job::kVersion;
  header.capacity = kCapacity;
  header.flags = job::kExitWhenDone;
  header.submitted = jobs_;
  std::memcpy(board_->dram().data(), &header, sizeof(header));
  return firmware::firmware_main() == 0;
}

const job::Descriptor &MachineRun::outcome(std::size_t index) const {
  return reinterpret_cast<const job::Descriptor *>(board_->dram().data() + sizeof(job::Header))[index];
}

}  // namespace cox::fuzz
