// SPDX-License-Identifier: MIT
// PIM programs for tests of the engine, the firmware and the device: assembled from instructions, and one that multiplies a vector by a
// matrix.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "coxswain/isa/pim/build.h"
#include "coxswain/isa/pim/configuration.h"
#include "coxswain/isa/pim/write_program.h"

namespace cox::test::pim {

namespace set = isa::pim;
namespace build = isa::pim::build;

// Addresses of the default configuration.
inline constexpr std::uint32_t kInput = 0x100000, kOutput = 0x200000, kData = 0x300000;
inline constexpr std::uint32_t kDram = 0x80000000, kDramPart = 0x20000000;

/// Collects the parts of a program.
struct Assembly {
  std::vector<std::vector<set::MachineCode>> cores{1};
  std::vector<set::Setting> settings;
  std::vector<set::Copy> copies;
  std::uint64_t time_limit = 0;

  /// Appends to the code of a core, and adds the cores that are missing.
  Assembly &add(unsigned core, const set::MachineCode &code) {
    if (cores.size() <= core) cores.resize(core + 1);
    cores[core].push_back(code);
    return *this;
  }
  Assembly &add(unsigned core, const build::Constant &constant) {
    for (const set::MachineCode &code : constant.code()) add(core, code);
    return *this;
  }
  /// A general register that the core has at its start.
  Assembly &set_register(unsigned core, unsigned number, std::uint32_t value) {
    settings.push_back({static_cast<std::uint8_t>(core), static_cast<std::uint8_t>(number), 0, value});
    return *this;
  }
  Assembly &set_special(unsigned core, set::Special number, std::uint32_t value) {
    return set_register(core, set::kRegisters + static_cast<unsigned>(number), value);
  }

  [[nodiscard]] std::vector<std::byte> bytes() const {
    std::vector<std::uint32_t> sizes;
    for (const auto &code : cores) sizes.push_back(static_cast<std::uint32_t>(code.size()));
    std::vector<std::byte> memory(set::program_bytes(static_cast<unsigned>(cores.size()), sizes,
                                                     static_cast<std::uint32_t>(settings.size()),
                                                     static_cast<std::uint32_t>(copies.size())));
    set::ProgramWriter writer(memory, static_cast<unsigned>(cores.size()));
    for (unsigned core = 0; core < cores.size(); ++core) {
      if (cores[core].empty()) continue;
      writer.begin_code(core);
      writer.append(cores[core]);
    }
    if (!settings.empty()) writer.begin_settings();
    for (const set::Setting &setting : settings) writer.append(setting);
    if (!copies.empty()) writer.begin_copies();
    for (const set::Copy &copy : copies) writer.append(copy);
    writer.set_time_limit(time_limit);
    const auto program = writer.finish();
    EXPECT_TRUE(program.ok()) << program.status().what();
    return {program.value().begin(), program.value().end()};
  }
};

// A vector of 32 numbers of 8 bits times a matrix of 32 rows and 16 columns. The operands are the vector, then the matrix row by row.

inline constexpr unsigned kRows = 32, kColumns = 16;
inline constexpr std::uint32_t kOperandBytes = kRows + kRows * kColumns;
inline constexpr std::uint32_t kProductBytes = kColumns * 4;

[[nodiscard]] inline std::vector<std::byte> operands_of(unsigned seed) {
  std::vector<std::byte> bytes(kOperandBytes);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 37 + seed * 101 + (i * i >> 5));
  return bytes;
}
[[nodiscard]] inline std::vector<std::byte> product_of(std::span<const std::byte> operands) {
  std::vector<std::byte> result(kProductBytes);
  for (unsigned column = 0; column < kColumns; ++column) {
    std::int32_t sum = 0;
    for (unsigned row = 0; row < kRows; ++row)
      sum += static_cast<std::int8_t>(operands[row]) * static_cast<std::int8_t>(operands[kRows + row * kColumns + column]);
    std::memcpy(&result[column * 4], &sum, sizeof sum);
  }
  return result;
}

/// The registers that add_product() uses, from number 1 on.
inline constexpr unsigned kProductRegisters = 10;

/// Appends to the code of a core: the product of the operands at `input`, written to `output`. Both are addresses of the cores' DRAM.
inline void add_product(Assembly &program, unsigned core, std::uint32_t input, std::uint32_t output) {
  using namespace build;  // NOLINT(google-build-using-namespace)
  using build::r;
  const Reg source = r(1), destination = r(2), bytes = r(3), row = r(4), rows = r(5), zero = r(6), one = r(7), step = r(8), inputs = r(9),
            result = r(10);
  // Macros 0 and 1 have eight columns each. Row 0 of a compartment is 16 bytes of both, and 256 macros further the next one begins.
  program.add(core, constant(source, input + kRows)).add(core, general_li(destination, 0));
  program.add(core, general_li(bytes, kColumns)).add(core, general_li(row, 0)).add(core, general_li(rows, kRows));
  program.add(core, general_li(zero, 0)).add(core, general_li(one, 1)).add(core, general_li(step, 256 * 8));
  program.add(core, trans(destination, source, bytes));
  program.add(core, build::add(destination, destination, step)).add(core, build::add(source, source, bytes));
  program.add(core, build::add(row, row, one)).add(core, blt(row, rows, -4));
  program.add(core, constant(source, input)).add(core, general_li(inputs, kInput)).add(core, trans(inputs, source, rows));
  program.add(core, special_li(set::Special::input_bit_width, 8)).add(core, special_li(set::Special::weight_bit_width, 8));
  program.add(core, special_li(set::Special::output_bit_width, 32)).add(core, special_li(set::Special::group_size, 16));
  program.add(core, special_li(set::Special::activation_group_num, 1)).add(core, special_li(set::Special::activation_column_num, kColumns));
  program.add(core, pim_compute(inputs, rows, zero, {.group = true}));
  program.add(core, constant(result, kOutput)).add(core, pim_output(result));
  program.add(core, constant(destination, output)).add(core, general_li(bytes, kProductBytes));
  program.add(core, trans(destination, result, bytes));
}

}  // namespace cox::test::pim
