// SPDX-License-Identifier: MIT
// The DRAM of a program that a tool runs without a device: the windows of its bindings. Bytes that nothing wrote are 0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "coxswain/isa/pim/configuration.h"
#include "sim/model/pim/machine/dram.h"

namespace cox::tools::pim {

class WindowMemory final : public model::pim::Dram {
 public:
  void add_window(unsigned window, std::uint64_t bytes, bool writable) { windows_.at(window) = {bytes, writable, {}}; }
  /// Writes bytes that lie in a window, whether it is writable or not.
  void fill(unsigned window, std::uint64_t offset, std::span<const std::byte> bytes);
  [[nodiscard]] std::uint64_t size(unsigned window) const { return windows_.at(window).bytes; }

  [[nodiscard]] Status check(bool write, unsigned window, std::uint64_t offset, std::uint64_t bytes) override;
  [[nodiscard]] Status read(unsigned window, std::uint64_t offset, std::span<std::byte> bytes) override;
  [[nodiscard]] Status write(unsigned window, std::uint64_t offset, std::span<const std::byte> bytes) override;

 private:
  static constexpr std::uint64_t kPageBytes = 4096;
  struct Window {
    std::uint64_t bytes = 0;
    bool writable = false;
    std::map<std::uint64_t, std::vector<std::byte>> pages;  ///< by number
  };

  std::array<Window, isa::pim::kWindows> windows_;
};

}  // namespace cox::tools::pim
