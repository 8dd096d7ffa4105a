// SPDX-License-Identifier: MIT
// One core for tests by hand of the slow interpreter.
#pragma once

#include <initializer_list>
#include <optional>
#include <vector>

#include "tests/sim/pim/reference/interpreter.h"
#include "tests/sim/pim/reference/memory.h"

namespace cox::model::pim::oracle {

inline constexpr std::uint32_t kInput = 0x100000, kOutput = 0x200000, kMask = 0x300000, kMeta = 0x400000, kDram = 0x80000000;

/// The array of the specification at address 0, four local memories that do not adjoin, and DRAM.
inline Configuration desk_configuration() {
  Configuration configuration;
  configuration.memories_count = 4;
  const auto memory = [&](unsigned i, const char *name, std::uint32_t first, std::uint32_t bytes) {
    configuration.memories[i].set_name(name);
    configuration.memories[i].first = first;
    configuration.memories[i].bytes = bytes;
  };
  memory(0, "input", kInput, 4096);
  memory(1, "output", kOutput, 65536);
  memory(2, "mask", kMask, 4096);
  memory(3, "meta", kMeta, 1U << 18);
  configuration.array.group_sizes_count = 3;
  configuration.array.group_sizes = {16, 8, 32};
  configuration.dram_first = kDram;
  configuration.dram_bytes = 0x80000000;
  return configuration;
}

class Desk {
 public:
  explicit Desk(const Configuration &configuration = desk_configuration()) : configuration_(configuration), core_(configuration_) {
    for (Bytes &window : dram_.windows) window.resize(256);
  }

  Desk &general(unsigned number, std::uint32_t value) {
    core_.general[number] = value;
    return *this;
  }
  Desk &special(unsigned number, std::uint32_t value) {
    view().set_special(number, value);
    return *this;
  }
  /// Puts bytes anywhere.
  Desk &put(std::uint32_t address, const Bytes &bytes) {
    write(anywhere(view(), address, bytes.size()), bytes);
    return *this;
  }
  Desk &put(std::uint32_t address, unsigned width, const std::vector<std::int64_t> &numbers) {
    return put(address, packed(numbers, width));
  }
  /// Puts a weight into the array.
  Desk &weight(unsigned macro, unsigned row, unsigned compartment, unsigned column, unsigned width, std::int64_t value) {
    const std::uint64_t first = line_byte(configuration_, macro, row, compartment) * 8 + column * width;
    for (unsigned i = 0; i < width; ++i) {
      std::uint8_t &byte = core_.array.at((first + i) / 8);
      const unsigned bit = 1U << (first + i) % 8;
      byte = static_cast<std::uint8_t>((value >> i & 1) != 0 ? byte | bit : byte & ~bit);
    }
    return *this;
  }

  /// Runs a program from its first instruction. Returns its fault.
  std::optional<Fault> run(const Code &code) {
    Interpreter interpreter(configuration_, {code});
    core_.counter = 0;
    interpreter.cores[0] = core_;
    interpreter.dram = dram_;
    if (!interpreter.run(100000)) return Fault{0, ErrorCode::time_limit};
    core_ = interpreter.cores[0];
    dram_ = interpreter.dram;
    return interpreter.faults()[0];
  }
  /// The code of the fault of one instruction; ok without a fault.
  ErrorCode fault(std::uint32_t word) {
    const std::optional<Fault> fault = run({word});
    return fault ? fault->code : ErrorCode::ok;
  }

  [[nodiscard]] const Core &core() const { return core_; }
  [[nodiscard]] std::uint32_t general(unsigned number) const { return core_.general[number]; }
  [[nodiscard]] std::int32_t output(unsigned number) const { return static_cast<std::int32_t>(core_.outputs.at(number)); }
  Desk &output(unsigned number, std::int32_t value) {
    core_.outputs.at(number) = static_cast<std::uint32_t>(value);
    return *this;
  }
  [[nodiscard]] std::vector<std::int64_t> get(std::uint32_t address, unsigned width, std::uint64_t elements) {
    return numbers(read(anywhere(view(), address, bytes_of(elements, width))), elements, width);
  }

 private:
  [[nodiscard]] View view() { return {configuration_, core_, dram_}; }

  Configuration configuration_;
  Core core_;
  Dram dram_;
};

}  // namespace cox::model::pim::oracle
