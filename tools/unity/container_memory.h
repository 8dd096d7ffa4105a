// SPDX-License-Identifier: MIT
// The memory of a container that a tool runs without a device: its own bytes at address 0, and windows. Bytes that nothing wrote are 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "coxswain/isa/operand_memory.h"
#include "sim/model/unity/machine/dram.h"

namespace cox::tools::unity {

class ContainerMemory final : public model::unity::Dram {
 public:
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 28;

  explicit ContainerMemory(std::span<const std::byte> container) : container_(container) {}

  /// Without any window, all addresses behind the container can be read and written, by at most kMostBytes bytes an access.
  void add_window(std::uint64_t start, std::uint64_t bytes, bool writable) { windows_.push_back({start, bytes, writable}); }
  /// Writes bytes, whether a window permits it or not.
  void fill(std::uint64_t address, std::span<const std::byte> bytes);
  /// True if the bytes are the container's, or if fill() wrote one of them.
  [[nodiscard]] bool is_known(std::uint64_t address, std::uint64_t bytes) const;

  [[nodiscard]] Status check(bool write, std::uint64_t address, std::uint64_t bytes) override;
  [[nodiscard]] Status read(std::uint64_t address, std::span<std::byte> bytes) override;
  [[nodiscard]] Status write(std::uint64_t address, std::span<const std::byte> bytes) override;

 private:
  static constexpr std::uint64_t kPageBytes = 4096;
  struct Window {
    std::uint64_t start = 0, bytes = 0;
    bool writable = false;
  };
  [[nodiscard]] bool is_own(std::uint64_t address, std::uint64_t bytes) const;

  std::span<const std::byte> container_;
  std::vector<Window> windows_;
  std::map<std::uint64_t, std::vector<std::byte>> pages_;  ///< by number
};

/// Reads what is_known(): operand tables of a container that does not run.
class KnownBytes final : public isa::OperandMemory {
 public:
  explicit KnownBytes(ContainerMemory &memory) : memory_(memory) {}
  [[nodiscard]] bool read(std::uint64_t address, std::span<std::byte> bytes) const override {
    return memory_.is_known(address, bytes.size()) && memory_.read(address, bytes).ok();
  }

 private:
  ContainerMemory &memory_;
};

}  // namespace cox::tools::unity
