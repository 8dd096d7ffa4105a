// SPDX-License-Identifier: MIT
// Executes operations on the reference and on every set of kernels that this host supports.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <vector>

#include "sim/model/cube/arithmetic/fast.h"

namespace cox::test {

class EveryPath : public testing::Test {
 protected:
  /// Executes the operation on `buffers` and `dram` with the reference. Expects the same result from every set of kernels.
  void execute(const isa::cube::Operation &operation, std::span<std::byte> dram = {}) {
    before_ = buffers;  // a member, because constructing Buffers for each call is slow
    const std::vector<std::byte> dram_before(dram.begin(), dram.end());
    model::cube::execute(operation, buffers, dram.data(), model::cube::Path::reference);
    for (const model::cube::Kernels *kernels : model::cube::fast::supported_kernels()) {
      model::cube::Buffers &copy = copy_;
      copy = before_;
      std::vector<std::byte> dram_copy = dram_before;
      model::cube::fast::execute(operation, copy, dram_copy.data(), *kernels);
      EXPECT_TRUE(std::equal(dram.begin(), dram.end(), dram_copy.begin())) << kernels->name;
      EXPECT_TRUE(copy.l1 == buffers.l1 && copy.l0a == buffers.l0a && copy.l0b == buffers.l0b && copy.l0c == buffers.l0c) << kernels->name;
    }
  }

  template <typename T>
  static void put(model::cube::Buffer &buffer, std::size_t at, T value) {
    std::memcpy(buffer.data() + at, &value, sizeof value);
  }
  template <typename T = std::uint32_t>
  static T get(const model::cube::Buffer &buffer, std::size_t at) {
    T value;
    std::memcpy(&value, buffer.data() + at, sizeof value);
    return value;
  }

  model::cube::Buffers buffers;

 private:
  model::cube::Buffers before_, copy_;
};

inline std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }

}  // namespace cox::test
