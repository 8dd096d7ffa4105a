// SPDX-License-Identifier: MIT
// Memory of a test. It refuses, with an exception, ranges that lie outside. Results are copies until finish().
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sim/model/unity/arithmetic/memory.h"

namespace cox::test {

class TestMemory final : public model::unity::Memory {
 public:
  static constexpr std::uint64_t kBase = 0x60000000;

  explicit TestMemory(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}

  const std::byte *read(std::uint64_t address, std::uint64_t bytes) override { return copies_.emplace_back(copy(address, bytes)).data(); }
  std::byte *write(std::uint64_t address, std::uint64_t bytes) override {
    return results_.emplace_back(address - kBase, copy(address, bytes)).second.data();
  }
  /// Memory as it is after the operation.
  [[nodiscard]] const std::vector<std::byte> &finish() {
    for (const auto &[offset, copy] : results_) std::copy(copy.begin(), copy.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(offset));
    results_.clear();
    copies_.clear();
    return bytes_;
  }

 private:
  [[nodiscard]] std::vector<std::byte> copy(std::uint64_t address, std::uint64_t bytes) const {
    const std::uint64_t offset = address - kBase;
    if (offset > bytes_.size() || bytes > bytes_.size() - offset) throw std::out_of_range("outside of the test's memory");
    const auto first = bytes_.begin() + static_cast<std::ptrdiff_t>(offset);
    return {first, first + static_cast<std::ptrdiff_t>(bytes)};
  }

  std::vector<std::byte> bytes_;
  std::vector<std::vector<std::byte>> copies_;
  std::vector<std::pair<std::uint64_t, std::vector<std::byte>>> results_;
};

}  // namespace cox::test
