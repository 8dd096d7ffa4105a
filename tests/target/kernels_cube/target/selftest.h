// SPDX-License-Identifier: MIT
// What the parts of the matrix unit's self-test share: the unit itself and memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/cube/engine.h"
#include "kernels/cube/stream.h"
#include "tests/target/selftest/selftest.h"

namespace selftest {

inline constexpr std::uint64_t kLimit = 1'000'000;  ///< us

/// One for all parts: `stream` is in segments and fed to the unit as it fills.
extern cox::kernels::cube::Engine engine;
extern cox::kernels::cube::Stream stream;

/// All of DRAM is free again.
void release_memory();
/// DRAM, in lines of the cache that nothing else uses.
std::span<std::byte> take(std::size_t bytes);
template <typename T>
std::span<T> take_array(std::size_t count) {
  return {reinterpret_cast<T *>(take(count * sizeof(T)).data()), count};
}
template <typename T>
std::uint64_t address_of(std::span<T> memory) {
  return reinterpret_cast<std::uintptr_t>(memory.data());
}
/// What the core has written is in memory, and what it has cached of it forgotten.
void give(std::span<const std::byte> memory);
/// What the device has written is seen.
void fetch(std::span<std::byte> memory);

void test_streams();
void test_products();
void test_convolutions();
void test_softmax();
void test_attention();
void measure();

}  // namespace selftest
