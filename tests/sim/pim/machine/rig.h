// SPDX-License-Identifier: MIT
// A machine of PIM cores with DRAM in vectors, and programs from lists of instructions.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "coxswain/isa/pim/build.h"
#include "coxswain/isa/pim/write_program.h"
#include "sim/model/pim/machine/machine.h"

namespace cox::model::pim::testing {

using isa::pim::Configuration;
using isa::pim::MachineCode;
using Instructions = std::vector<MachineCode>;

// Addresses of the default configuration (docs/isa/pim.md).
inline constexpr std::uint32_t kArray = 0, kInput = 0x100000, kOutput = 0x200000, kData = 0x300000, kInputBuffer = 0x400000,
                               kOutputBuffer = 0x500000, kMaskBuffer = 0x600000, kMetaBuffer = 0x700000, kDram = 0x80000000;
enum Space : unsigned { input_space, output_space, data_space, input_buffer_space, output_buffer_space, mask_buffer_space };

/// Windows of 1 MiB. Window 3 may only be read.
class VectorDram final : public Dram {
 public:
  VectorDram() {
    for (std::vector<std::byte> &window : windows) window.resize(1 << 20);
  }
  Status check(bool write, unsigned window, std::uint64_t offset, std::uint64_t bytes) override;
  Status read(unsigned window, std::uint64_t offset, std::span<std::byte> bytes) override;
  Status write(unsigned window, std::uint64_t offset, std::span<const std::byte> bytes) override;

  [[nodiscard]] std::uint32_t word(unsigned window, std::uint64_t offset) const;
  void set_word(unsigned window, std::uint64_t offset, std::uint32_t value);

  std::array<std::vector<std::byte>, isa::pim::kWindows> windows;
  bool fails = false;  ///< read() and write() fail
};

/// A program before it is written. Appends to `code[core]` as to any vector.
struct Source {
  explicit Source(unsigned cores = 1) : code(cores) {}

  Source &set(unsigned core, unsigned place, std::uint32_t value) {
    settings.push_back({static_cast<std::uint8_t>(core), static_cast<std::uint8_t>(place), 0, value});
    return *this;
  }
  [[nodiscard]] std::vector<std::byte> write() const;

  std::vector<Instructions> code;
  std::vector<isa::pim::Setting> settings;
  std::vector<isa::pim::Copy> copies;
  std::uint64_t time_limit = 0;
};

/// Appends the instructions that write a constant.
void constant(Instructions &code, unsigned general, std::uint32_t value);

class Rig {
 public:
  explicit Rig(unsigned cores = 4, const Timing &timing = Timing(), const Configuration &configuration = isa::pim::default_configuration());

  /// Starts the program at cycle `now`.
  void start(const Source &source, Cycle now = 0);
  /// Runs until the machine is done or has nothing to do. Returns the last event's time.
  Cycle finish();
  /// start() and finish(). Returns the cycles from start to end.
  Cycle run(const Source &source);

  [[nodiscard]] std::uint32_t general(unsigned core, unsigned number) const { return machine.registers(core).general[number]; }
  [[nodiscard]] std::uint32_t word(unsigned core, unsigned space, std::uint32_t offset);
  void set_word(unsigned core, unsigned space, std::uint32_t offset, std::uint32_t value);
  [[nodiscard]] Status status() const { return machine.outcome().status; }

  Machine machine;
  VectorDram dram;

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace cox::model::pim::testing
