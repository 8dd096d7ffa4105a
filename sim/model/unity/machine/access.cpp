// SPDX-License-Identifier: MIT
#include "sim/model/unity/machine/access.h"

namespace cox::model::unity {

Status TableMemory::check(bool write, std::uint64_t address, std::uint64_t bytes) const {
  const std::uint64_t offset = address - address_;
  if (!write && address >= address_ && offset <= bytes_ && bytes <= bytes_ - offset) return {};
  return dram_->check(write, address, bytes);
}

bool TableMemory::read(std::uint64_t address, std::span<std::byte> bytes) const {
  if (bytes.empty()) return true;
  if (!check(false, address, bytes.size())) return false;
  failure_ = dram_->read(address, bytes);
  return failure_.ok();
}

Status TableMemory::explain(const Status &status) const {
  const Status failure = failure_;
  failure_ = Status();
  return failure.ok() ? status : failure;
}

std::byte *Operands::write(std::uint64_t address, std::uint64_t bytes) {
  std::byte *const first = fetch(address, bytes);
  results_.push_back({address, {first, bytes}});
  return first;
}

std::byte *Operands::fetch(std::uint64_t address, std::uint64_t bytes) {
  std::vector<std::byte> &copy = copies_.emplace_back(bytes);
  if (status_.ok()) status_ = dram_.read(address, copy);
  return copy.data();
}

Status Operands::flush() {
  for (const Result &result : results_) {
    if (!status_) break;
    status_ = dram_.write(result.address, result.bytes);
  }
  return status_;
}

}  // namespace cox::model::unity
