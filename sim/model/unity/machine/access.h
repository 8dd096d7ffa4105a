// SPDX-License-Identifier: MIT
// The container's DRAM, as instruction set and arithmetic want it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coxswain/isa/operand_memory.h"
#include "sim/model/unity/arithmetic/memory.h"
#include "sim/model/unity/machine/dram.h"

namespace cox::model::unity {

/// What a container may touch: the DRAM's windows, and its own bytes for reading. Reads operand tables, predicates and lists of programs.
/// Remembers the last error of the DRAM, which says more than "not readable".
class TableMemory final : public isa::OperandMemory {
 public:
  /// A container of `bytes` bytes lies at `address`.
  void begin(Dram &dram, std::uint64_t address, std::uint64_t bytes) {
    dram_ = &dram;
    address_ = address;
    bytes_ = bytes;
  }
  /// Error: that of Dram::check().
  [[nodiscard]] Status check(bool write, std::uint64_t address, std::uint64_t bytes) const;
  [[nodiscard]] bool read(std::uint64_t address, std::span<std::byte> bytes) const override;
  /// Returns the DRAM's error if one has made `status`, and `status` otherwise. Forgets the error.
  [[nodiscard]] Status explain(const Status &status) const;

 private:
  Dram *dram_ = nullptr;
  std::uint64_t address_ = 0, bytes_ = 0;
  mutable Status failure_;
};

/// Operands of one execute(). Results reach the DRAM with flush(), after everything was read.
class Operands final : public Memory {
 public:
  explicit Operands(Dram &dram) : dram_(dram) {}

  [[nodiscard]] const std::byte *read(std::uint64_t address, std::uint64_t bytes) override { return fetch(address, bytes); }
  [[nodiscard]] std::byte *write(std::uint64_t address, std::uint64_t bytes) override;
  /// Writes the results. Returns the first error of a read or write; nothing was written if a read has failed.
  [[nodiscard]] Status flush();

 private:
  std::byte *fetch(std::uint64_t address, std::uint64_t bytes);

  struct Result {
    std::uint64_t address = 0;
    std::span<std::byte> bytes;
  };
  Dram &dram_;
  Status status_;
  std::vector<std::vector<std::byte>> copies_;
  std::vector<Result> results_;
};

}  // namespace cox::model::unity
