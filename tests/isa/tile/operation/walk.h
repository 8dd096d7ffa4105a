// SPDX-License-Identifier: MIT
// A walk from element to element by the rules of docs/isa/tile.md. The walk does not use Operation. compare() compares the walk's bytes
// with the footprint of an instruction. The environment variable COX_FOOTPRINTS sets count(), on which the number of random instructions of
// each test depends (default: 300).
#pragma once

#include <algorithm>
#include <cstdlib>
#include <random>
#include <tuple>
#include <vector>

#include "coxswain/isa/tile/operation.h"
#include "tests/isa/tile/operation/instruction.h"

namespace cox::isa::tile::test {

/// A byte that an instruction touches: its space, the number of its region, window or core, whether it is written, and its address.
using Byte = std::tuple<Space, int, bool, std::int64_t>;

class Walk : public testing::Test {
 protected:
  static constexpr double kBits[] = {4, 8, 16, 16, 16, 32, 32};  // bits of a DataFmt
  enum Layout { kNhwc, kNchw, kBlocks8, kBlocks16 };

  struct Shape {
    int c, h, w;
    [[nodiscard]] Values values() const { return {double(c), double(h), double(w)}; }
  };
  /// A map in memory.
  struct Place {
    Space space;
    int selector;
    std::int64_t base;
    Shape shape;
    int bits;
    bool dense = false;
    Layout layout = kNhwc;
  };

  int any(int first, int last) { return std::uniform_int_distribution<int>(first, last)(random_); }
  bool chance() { return any(0, 1) == 1; }
  Shape shape(int c, int h, int w) { return {any(1, c), any(1, h), any(1, w)}; }
  Shape at_least(const Shape &box) { return {box.c + any(0, 5), box.h + any(0, 2), box.w + any(0, 2)}; }
  static int bits_of(int format) { return static_cast<int>(kBits[format]); }
  static std::int64_t bytes(std::int64_t count, int bits) { return (count * bits + 7) / 8; }
  static std::int64_t aligned(std::int64_t count) { return count + (8 - count % 8) % 8; }

  /// The first bit of element (n, c, h, w).
  static std::int64_t bit(const Place &place, std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w) {
    const Shape &s = place.shape;
    if (place.layout == kNchw) {
      const std::int64_t row = aligned(bytes(s.w, place.bits));
      return 8 * (place.base + ((n * s.c + c) * s.h + h) * row) + w * place.bits;
    }
    if (place.layout == kNhwc) {
      const std::int64_t packed = bytes(s.c, place.bits);
      return 8 * (place.base + ((n * s.h + h) * s.w + w) * (place.dense ? packed : aligned(packed))) + c * place.bits;
    }
    const int block = place.layout == kBlocks8 ? 8 : 16;
    const std::int64_t blocks = (s.c + block - 1) / block;
    return 8 * (place.base + (((n * blocks + c / block) * s.h + h) * s.w + w) * aligned(bytes(block, place.bits))) + c % block * place.bits;
  }
  void touch(const Place &place, bool write, std::int64_t first_bit, std::int64_t bits) {
    for (std::int64_t byte = first_bit / 8; byte <= (first_bit + bits - 1) / 8; ++byte) {
      walked_.emplace_back(place.space, place.selector, write, byte);
    }
  }
  void element(const Place &place, bool write, std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w) {
    touch(place, write, bit(place, n, c, h, w), place.bits);
  }
  void run(Space space, int selector, bool write, std::int64_t start, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) walked_.emplace_back(space, selector, write, start + i);
  }
  void box(const Place &place, bool write, int batch, const Shape &extent) {
    for (int n = 0; n < batch; ++n) {
      for (int h = 0; h < extent.h; ++h) {
        for (int w = 0; w < extent.w; ++w) {
          for (int c = 0; c < extent.c; ++c) element(place, write, n, c, h, w);
        }
      }
    }
  }

  void configure(const MachineCode &code) { ASSERT_TRUE(configuration_.apply(code).ok()); }

  static void tidy(std::vector<Byte> &bytes) {
    std::sort(bytes.begin(), bytes.end());
    bytes.erase(std::unique(bytes.begin(), bytes.end()), bytes.end());
  }

  /// Expects that a change of the access's address moves all accesses with this address, and changes nothing else of the footprint.
  void expect_moves(const MachineCode &code, const Footprint &found, const Access &access) {
    if (access.word == 0) return;
    MachineCode moved = code;
    moved[access.word] += access.space == Space::wl0 ? 1U : static_cast<std::uint32_t>(kL2AddressUnit);
    const std::int64_t distance = access.space == Space::wl0 ? std::int64_t{kWeightUnitBytes} : kL2AddressUnit;
    const Result<Operation> operation = resolve(moved, configuration_);
    ASSERT_TRUE(operation.ok());
    const Footprint result = footprint(operation.value());
    ASSERT_EQ(result.count, found.count);
    for (unsigned i = 0; i < found.count; ++i) {
      const Reach before = found.accesses[i].reach(), after = result.accesses[i].reach();
      const std::int64_t by = before.word == access.word ? distance : 0;
      EXPECT_EQ(after.start, before.start + by) << before.field;
      EXPECT_EQ(after.origin, before.origin + by) << before.field;
      EXPECT_EQ(std::tie(after.space, after.write, after.selector, after.word, after.length),
                std::tie(before.space, before.write, before.selector, before.word, before.length));
    }
  }

  /// Expects that the walk and the instruction's footprint have the same bytes, and that no access has a byte twice.
  void compare(const MachineCode &code) {
    const Result<Operation> operation = resolve(code, configuration_);
    ASSERT_TRUE(operation.ok()) << error_name(operation.status().code()) << " " << operation.status().what() << " "
                                << operation.status().value() << " " << operation.status().limit();
    const Footprint found = footprint(operation.value());
    std::vector<Byte> touched;
    for (unsigned i = 0; i < found.count; ++i) {
      const Access &access = found.accesses[i];
      std::vector<Byte> own;
      for (std::int64_t x = 0; x < access.count[0]; ++x) {
        for (std::int64_t y = 0; y < access.count[1]; ++y) {
          for (std::int64_t z = 0; z < access.count[2]; ++z) {
            const std::int64_t start = access.start + x * access.stride[0] + y * access.stride[1] + z * access.stride[2];
            for (std::int64_t b = 0; b < access.run; ++b) own.emplace_back(access.space, access.selector, access.write, start + b);
          }
        }
      }
      const std::size_t before = own.size();
      tidy(own);
      ASSERT_EQ(own.size(), before) << access.field;
      ASSERT_EQ(access.bytes(), static_cast<std::int64_t>(before)) << access.field;
      ASSERT_FALSE(own.empty());
      ASSERT_EQ(access.end(), std::get<3>(own.back()) + 1) << access.field;
      touched.insert(touched.end(), own.begin(), own.end());
    }
    tidy(touched);
    tidy(walked_);
    ASSERT_EQ(touched.size(), walked_.size());
    ASSERT_TRUE(touched == walked_);
    for (unsigned i = 0; i < found.count; ++i) expect_moves(code, found, found.accesses[i]);
    walked_.clear();
  }

  static int count() {
    const char *wanted = std::getenv("COX_FOOTPRINTS");
    return wanted == nullptr ? 300 : std::atoi(wanted);
  }

  std::mt19937 random_{20261121};
  Configuration configuration_;
  std::vector<Byte> walked_;
};

}  // namespace cox::isa::tile::test
