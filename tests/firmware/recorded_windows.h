// SPDX-License-Identifier: MIT
// Addresses for which tests record programs of streams, and the relocations that lead from there to windows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "coxswain/firmware/image/stream_program.h"
#include "coxswain/isa/window.h"

namespace cox::tests {

/// Programs are recorded for windows at these addresses: multiples of 16 MiB, so that base registers of MX streams lie in windows.
constexpr std::uint64_t address_of(unsigned window) { return std::uint64_t{window + 1} << 24; }

/// Bit n of `writable`: window n.
inline std::array<isa::Window, 3> recorded_windows(std::uint32_t writable) {
  std::array<isa::Window, 3> windows;
  for (unsigned i = 0; i < windows.size(); ++i) windows[i] = {address_of(i), 1U << 24, true, (writable >> i & 1) != 0};
  return windows;
}

inline firmware::image::Relocation relocation(std::uint32_t place, std::uint64_t address) {
  const auto window = static_cast<std::uint8_t>((address >> 24) - 1);
  return {.offset = address - address_of(window), .place = place, .window = window};
}

inline std::vector<std::uint8_t> bytes_of(std::span<const std::byte> code) {
  std::vector<std::uint8_t> bytes(code.size());
  std::memcpy(bytes.data(), code.data(), code.size());
  return bytes;
}

template <typename T>
[[nodiscard]] std::vector<std::uint8_t> bytes_of(const std::vector<T> &values) {
  return bytes_of(std::as_bytes(std::span(values)));
}

}  // namespace cox::tests
