// SPDX-License-Identifier: MIT
// A small L2, a WL0 and maps in them, for tests that run operations.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "coxswain/isa/tile/operation.h"
#include "sim/model/tile/arithmetic/element.h"
#include "sim/model/tile/arithmetic/execute.h"
#include "sim/model/tile/arithmetic/fast.h"
#include "sim/model/tile/arithmetic/reference.h"

namespace cox::test {

using isa::tile::DataFmt;
using isa::tile::Map;
using isa::tile::Region;
using model::arithmetic::Memories;
using model::arithmetic::Memory;

struct Core {
  explicit Core(std::uint16_t blocks = 64, std::int64_t wl0_bytes = 65536)
      : l2(std::size_t{blocks} * isa::tile::kBlockBytes), wl0(static_cast<std::size_t>(wl0_bytes)), region{0, blocks} {}

  std::vector<std::byte> l2, wl0;
  std::array<float, isa::tile::kScalarRegisters> scalars{};
  Region region;  ///< region of all operands

  [[nodiscard]] Memories memories() {
    const Memory buffer = Memory::circular(l2.data(), region);
    const Memory weights = Memory::linear(wl0.data(), 0, static_cast<std::int64_t>(wl0.size()));
    return {buffer, buffer, buffer, weights, buffer, buffer, scalars.data()};
  }

  template <typename T>
  void put(std::int64_t address, T value) {
    std::memcpy(l2.data() + address, &value, sizeof value);
  }
  template <typename T>
  [[nodiscard]] T get(std::int64_t address) const {
    T value;
    std::memcpy(&value, l2.data() + address, sizeof value);
    return value;
  }
  template <typename T>
  void put_weight(std::int64_t address, T value) {
    std::memcpy(wl0.data() + address, &value, sizeof value);
  }
};

/// A map with pixels padded to 8 bytes, as in L2.
inline Map padded_map(DataFmt format, std::uint32_t channels, std::uint32_t height, std::uint32_t width, std::int64_t base) {
  Map map;
  map.format.format = format;
  map.channels = channels;
  map.height = height;
  map.width = width;
  map.element_bits = isa::tile::bits_of(format);
  map.pixel_bytes = static_cast<std::uint32_t>((map.bytes_of(channels) + 7) / 8 * 8);
  map.row_bytes = std::int64_t{width} * map.pixel_bytes;
  map.image_bytes = map.row_bytes * height;
  map.base = base;
  return map;
}

/// Number of ways to execute an operation. Way 0 is the reference. Each other way is a set of kernels that this host supports.
inline std::size_t ways() { return 1 + model::arithmetic::fast::supported_kernels().size(); }

inline const char *way_name(std::size_t way) {
  return way == 0 ? "reference" : model::arithmetic::fast::supported_kernels()[way - 1]->name;
}

inline void carry_out(const isa::tile::Convolution &operation, const Memories &memories, std::size_t way) {
  namespace arithmetic = model::arithmetic;
  if (way == 0) return arithmetic::reference::convolve(operation, memories);
  arithmetic::fast::convolve(operation, memories, *arithmetic::fast::supported_kernels()[way - 1]);
}

inline void carry_out(const isa::tile::Vector &operation, const Memories &memories, std::size_t way) {
  namespace arithmetic = model::arithmetic;
  if (way == 0) return arithmetic::reference::vector(operation, memories);
  arithmetic::fast::vector(operation, memories, *arithmetic::fast::supported_vector_kernels()[way - 1]);
}

}  // namespace cox::test
