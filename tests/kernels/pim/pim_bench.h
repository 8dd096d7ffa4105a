// SPDX-License-Identifier: MIT
// Runs programs of kernels/pim on the cores of the model, without the device around them.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <vector>

#include "coxswain/isa/window.h"
#include "coxswain/kernels/pim/program_builder.h"
#include "sim/model/pim/machine/machine.h"

namespace cox::tests::pim {

/// DRAM of one window, which begins at bus address kBase.
class TestDram final : public model::pim::Dram {
 public:
  static constexpr std::uint64_t kBase = 0x60000000;

  explicit TestDram(std::size_t bytes) : bytes_(bytes) {}
  Status check(bool write, unsigned window, std::uint64_t offset, std::uint64_t bytes) override;
  Status read(unsigned window, std::uint64_t offset, std::span<std::byte> bytes) override;
  Status write(unsigned window, std::uint64_t offset, std::span<const std::byte> bytes) override;

  [[nodiscard]] std::span<std::byte> bytes() { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// Cores, DRAM and a program that is written by kernels.
class Bench {
 public:
  explicit Bench(unsigned cores = 1, std::size_t dram_bytes = 24U << 20, std::size_t program_bytes = 1U << 20,
                 const isa::pim::Configuration &configuration = isa::pim::default_configuration(), const model::pim::Timing &timing = {});

  /// Takes bytes of DRAM and returns their device address.
  std::uint32_t allocate(std::size_t bytes);
  template <typename Element>
  std::uint32_t put(const std::vector<Element> &elements) {
    const std::uint32_t address = allocate(elements.size() * sizeof(Element));
    if (!elements.empty()) std::memcpy(at(address), elements.data(), elements.size() * sizeof(Element));
    return address;
  }
  template <typename Element>
  std::vector<Element> get(std::uint32_t address, std::size_t count) {
    std::vector<Element> elements(count);
    std::memcpy(elements.data(), at(address), count * sizeof(Element));
    return elements;
  }
  std::byte *at(std::uint32_t address) { return dram.bytes().data() + (address - configuration.dram_first); }

  /// Runs the program and returns its cycles; a test fails if the program does. Then the program is empty.
  std::uint64_t run();

  const isa::pim::Configuration &configuration;
  TestDram dram;
  std::array<isa::Window, 1> windows;
  kernels::pim::ProgramBuilder builder;
  model::pim::Machine machine;

 private:
  std::vector<std::uint64_t> program_;
  std::uint32_t next_ = 0;
};

/// Random numbers from `least` to `most`.
template <typename Element>
std::vector<Element> random_vector(std::mt19937 &random, std::size_t count, std::int64_t least, std::int64_t most) {
  std::uniform_int_distribution<std::int64_t> distribution(least, most);
  std::vector<Element> elements(count);
  for (Element &element : elements) element = static_cast<Element>(distribution(random));
  return elements;
}

}  // namespace cox::tests::pim
