// SPDX-License-Identifier: MIT
// Runs containers of kernels/unity on the units of the model, without the device around them.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "coxswain/isa/window.h"
#include "coxswain/kernels/unity/program_builder.h"
#include "sim/model/unity/machine/machine.h"

namespace cox::tests::unity {

/// Memory at the addresses of this process. One window covers what allocate() gives.
class TestDram final : public model::unity::Dram {
 public:
  explicit TestDram(std::size_t bytes);

  Status check(bool write, std::uint64_t address, std::uint64_t bytes) override;
  Status read(std::uint64_t address, std::span<std::byte> bytes) override;
  Status write(std::uint64_t address, std::span<const std::byte> bytes) override;

  [[nodiscard]] std::span<std::byte> bytes() const { return {memory_.get(), size_}; }

 private:
  struct Free {
    void operator()(std::byte *memory) const;
  };
  std::size_t size_;
  std::unique_ptr<std::byte, Free> memory_;
};

class Bench {
 public:
  explicit Bench(const kernels::unity::ContainerBuilder::Capacity &capacity = {}, std::size_t dram_bytes = 8U << 20,
                 std::size_t container_bytes = 4U << 20);

  /// Takes bytes of DRAM, aligned to 64.
  std::span<std::byte> allocate(std::size_t bytes);
  template <typename Element>
  std::uint64_t put(const std::vector<Element> &elements) {
    const std::span<std::byte> memory = allocate(elements.size() * sizeof(Element));
    if (!elements.empty()) std::memcpy(memory.data(), elements.data(), memory.size());
    return reinterpret_cast<std::uintptr_t>(memory.data());
  }
  template <typename Element>
  static std::vector<Element> get(std::uint64_t address, std::size_t count) {
    const auto *const first = reinterpret_cast<const Element *>(address);
    return {first, first + count};
  }

  /// Adds random cycles to all durations from now on, others for each seed, which is not 0. All keys are 0 then.
  void set_random_timing(std::uint64_t seed);
  /// Returns the sum of all entries of the key tables.
  [[nodiscard]] unsigned keys() const;
  /// Runs the container and returns its cycles; a test fails if the container does. The container stays.
  std::uint64_t run();

  TestDram dram;
  std::array<isa::Window, 1> windows;
  kernels::unity::ContainerBuilder builder;
  std::unique_ptr<model::unity::Machine> machine;

 private:
  TestDram container_;
  std::size_t next_ = 0;
};

}  // namespace cox::tests::unity
