// SPDX-License-Identifier: MIT
// The unit and its memory, which all parts of the matrix unit's self-test share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/kernels/cube/engine.h"
#include "coxswain/kernels/cube/stream.h"
#include "tests/target/selftest/selftest.h"

namespace selftest {

inline constexpr std::uint64_t kLimit = 1'000'000;  ///< us

/// All parts use these. `stream` has segments, which are fed to the unit as they fill.
extern cox::kernels::cube::Engine engine;
extern cox::kernels::cube::Stream stream;

/// Frees all of DRAM.
void release_memory();
/// Takes DRAM that shares no cache line with other memory.
std::span<std::byte> take(std::size_t bytes);
template <typename T>
std::span<T> take_array(std::size_t count) {
  return {reinterpret_cast<T *>(take(count * sizeof(T)).data()), count};
}
template <typename T>
std::uint64_t address_of(std::span<T> memory) {
  return reinterpret_cast<std::uintptr_t>(memory.data());
}
/// Cleans and invalidates the cache for this memory, so that the device sees what the core has written.
void give(std::span<const std::byte> memory);
/// Makes the core see what the device has written.
void fetch(std::span<std::byte> memory);

void test_streams();
void test_products();
void test_convolutions();
void test_softmax();
void test_attention();
void measure();

}  // namespace selftest
