// SPDX-License-Identifier: MIT
// A core's memories, and the execution of operations on them by every path.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "random.h"
#include "sim/model/pim/arithmetic/fast.h"

namespace cox::test {

using isa::pim::Configuration;

/// A core that owns its bytes. All are 0 at first.
class TestCore {
 public:
  explicit TestCore(const Configuration &core_configuration)
      : configuration(core_configuration),
        array(configuration.array.bytes()),
        registers(configuration.array.macros * configuration.array.line_bits()),
        memories{configuration, {}, array, registers, 0} {
    for (unsigned i = 0; i < configuration.memories_count; ++i) {
      local[i].resize(configuration.memories[i].bytes);
      memories.local[i] = local[i];
    }
  }
  TestCore(const TestCore &) = delete;
  TestCore &operator=(const TestCore &) = delete;

  void copy_from(const TestCore &other) {
    for (unsigned i = 0; i < configuration.memories_count; ++i) std::copy(other.local[i].begin(), other.local[i].end(), local[i].begin());
    std::copy(other.array.begin(), other.array.end(), array.begin());
    std::copy(other.registers.begin(), other.registers.end(), registers.begin());
    memories.registers_used = other.memories.registers_used;
  }
  void fill(Random &random) {
    for (unsigned i = 0; i < configuration.memories_count; ++i) random.fill(local[i]);
    random.fill(array);
  }

  template <typename T>
  void put(std::uint32_t address, T value) {
    std::memcpy(model::pim::bytes_at(memories, address, sizeof value), &value, sizeof value);
  }
  template <typename T>
  [[nodiscard]] T get(std::uint32_t address) const {
    T value;
    std::memcpy(&value, model::pim::bytes_at(memories, address, sizeof value), sizeof value);
    return value;
  }

  Configuration configuration;
  std::array<std::vector<std::byte>, isa::pim::kMostMemories> local;
  std::vector<std::byte> array;
  std::vector<std::uint32_t> registers;
  model::pim::CoreMemories memories;
};

inline void run(const isa::pim::Compute &op, model::pim::CoreMemories &memories, const model::pim::Kernels &kernels) {
  model::pim::fast::compute(op, memories, kernels);
}
inline void run(const isa::pim::Output &op, model::pim::CoreMemories &memories, const model::pim::Kernels &kernels) {
  model::pim::fast::output(op, memories, kernels);
}
inline void run(const isa::pim::Transfer &op, model::pim::CoreMemories &memories, const model::pim::Kernels &kernels) {
  model::pim::fast::transfer(op, memories, kernels);
}
inline void run(const isa::pim::Simd &op, model::pim::CoreMemories &memories, const model::pim::Kernels &kernels) {
  model::pim::fast::simd(op, memories, kernels);
}

/// Executes the operation with the reference on `core`, and expects the same bytes from every set of kernels that this host supports.
template <typename Operation>
void execute_everywhere(const Operation &operation, TestCore &core) {
  TestCore before(core.configuration), copy(core.configuration);
  before.copy_from(core);
  model::pim::execute(operation, core.memories, model::pim::Path::reference);
  for (const model::pim::Kernels *kernels : model::pim::fast::supported_kernels()) {
    SCOPED_TRACE(kernels->name);
    copy.copy_from(before);
    run(operation, copy.memories, *kernels);
    ASSERT_EQ(copy.registers, core.registers);
    for (unsigned i = 0; i < core.configuration.memories_count; ++i) ASSERT_TRUE(copy.local[i] == core.local[i]) << "memory " << i;
    ASSERT_TRUE(copy.array == core.array);
    for (std::size_t i = copy.memories.registers_used; i < copy.registers.size(); ++i) ASSERT_EQ(copy.registers[i], 0U) << i;
  }
}

}  // namespace cox::test
