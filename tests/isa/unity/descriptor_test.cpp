// SPDX-License-Identifier: MIT
// Tensor descriptors: their bytes, which of them are refused, and where the elements lie.
#include "coxswain/isa/unity/descriptor.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstddef>
#include <limits>
#include <random>
#include <string_view>

#include "tests/isa/unity/tensor.h"

namespace cox::isa::unity {
namespace {
namespace descriptor_test {

constexpr std::int64_t kU4 = 0, kU8 = 1, kS16 = 7;

std::int64_t bits_of(float number) { return std::bit_cast<std::uint32_t>(number); }
constexpr float kInfinity = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();

TEST(UnityDescriptor, BytesAreAsDocumented) {
  std::array<std::byte, kDescriptorBytes> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i + 1);
  const TensorDescriptor d = read_descriptor(bytes);
  EXPECT_EQ(d.address, 0x0807060504030201U);
  EXPECT_EQ(d.unit, 9);
  EXPECT_EQ(d.rank, 10);
  EXPECT_EQ(d.flags, 11);
  EXPECT_EQ(d.zero_point, 12);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(d.scale), 0x100F0E0DU);
  EXPECT_EQ(d.dimensions[5], 0x28272625U);
  EXPECT_EQ(d.strides[0], 0x2C2B2A29);
  EXPECT_EQ(d.index_address(), 0x302F2E2D2C2B2A29U);
  EXPECT_EQ(d.count(), 0x34333231U);
  std::array<std::byte, kDescriptorBytes> again{};
  write_descriptor(d, again);
  EXPECT_EQ(again, bytes);
}

TEST(UnityDescriptor, Ranges) {
  const auto range_of = [](const TensorDescriptor &d) {
    TensorRange range;
    EXPECT_TRUE(check_descriptor(d, "DESC", range).ok());
    return std::array<std::uint64_t, 3>{range.first, range.bytes, range.origin};
  };
  using Range = std::array<std::uint64_t, 3>;
  EXPECT_EQ(range_of(tensor(kS16, {2, 3}, {3, 1})), (Range{0x2000, 12, 0}));
  EXPECT_EQ(range_of(tensor(kS16, {2, 3}, {-3, 1})), (Range{0x1FFA, 12, 12}));
  EXPECT_EQ(range_of(tensor(kS16, {2, 3}, {10, 0})), (Range{0x2000, 22, 0}));
  EXPECT_EQ(range_of(tensor(kU4, {4}, {-1})), (Range{0x1FFE, 3, 4}));
  EXPECT_EQ(range_of(tensor(kU4, {3}, {1})), (Range{0x2000, 2, 0}));
  EXPECT_EQ(range_of(tensor(kS16, {2, 0}, {1000, 1})), (Range{0x2000, 0, 0}));
  TensorDescriptor low = tensor(kU8, {5}, {-1});
  low.address = 4;
  EXPECT_EQ(range_of(low), (Range{0, 5, 8}));
  TensorRange range;
  low.address = 3;
  EXPECT_EQ(check_descriptor(low, "DESC", range).code(), ErrorCode::address_outside_window);
  TensorDescriptor high = tensor(kU8, {5}, {1});
  high.address = UINT64_MAX - 4;
  EXPECT_TRUE(check_descriptor(high, "DESC", range).ok());
  ++high.address;
  EXPECT_EQ(check_descriptor(high, "DESC", range).code(), ErrorCode::address_outside_window);
}

TEST(UnityDescriptor, EnormousShapes) {
  constexpr std::uint32_t kMost = UINT32_MAX;
  TensorRange range;
  const auto expect_too_large = [&](const TensorDescriptor &d, std::int32_t dimension) {
    const Status status = check_descriptor(d, "DESC", range);
    EXPECT_EQ(status.code(), ErrorCode::shape_mismatch);
    EXPECT_EQ(status.index(), dimension);
    EXPECT_EQ(status.value(), d.dimensions[static_cast<std::size_t>(dimension)]);
    EXPECT_EQ(status.limit(), std::int64_t{1} << 58);
  };
  expect_too_large(tensor(kU8, {kMost, kMost}, {0, 0}), 1);
  expect_too_large(tensor(kU8, {kMost, kMost, kMost, kMost, kMost, kMost}, {0, 0, 0, 0, 0, 0}), 1);
  expect_too_large(tensor(kU8, {1U << 29, 1U << 29}, {0, 0}), 1);
  EXPECT_TRUE(check_descriptor(tensor(kU8, {1U << 29, (1U << 29) - 1}, {0, 0}), "DESC", range).ok());
  EXPECT_TRUE(check_descriptor(tensor(kU8, {kMost, kMost, 0}, {0, 0, 0}), "DESC", range).ok());
  // Distances: 2^31 * 2^27, forwards or backwards, alone or together.
  expect_too_large(tensor(kU8, {(1U << 27) + 1}, {INT32_MIN}), 0);
  expect_too_large(tensor(kU8, {(1U << 26) + 1, (1U << 26) + 2}, {INT32_MIN, INT32_MAX}), 1);
  expect_too_large(tensor(kU8, {kMost}, {INT32_MIN}), 0);
  TensorDescriptor far = tensor(kU8, {1U << 27}, {INT32_MIN});
  far.address = std::uint64_t{1} << 60;
  ASSERT_TRUE(check_descriptor(far, "DESC", range).ok());
  EXPECT_EQ(range.bytes, (std::uint64_t{1} << 31) * ((1U << 27) - 1) + 1);
}

/// Ranges of random tensors against sums of 128 bits.
TEST(UnityDescriptor, RandomShapes) {
  __extension__ using Wide = __int128;
  std::mt19937_64 random(5);
  constexpr Wide kLimit = Wide{1} << 58;
  unsigned accepted = 0, too_large = 0, outside = 0;
  for (unsigned turn = 0; turn < 200000; ++turn) {
    TensorDescriptor d{.unit = static_cast<std::uint8_t>(random() % kUnits), .flags = kDescriptorValid};
    d.rank = static_cast<std::uint8_t>(1 + random() % kMostRank);
    Wide elements = 1, before = 0, behind = 0;
    bool fits = true;
    for (unsigned i = 0; i < d.rank; ++i) {
      d.dimensions[i] = static_cast<std::uint32_t>(random() >> (32 + random() % 32));
      d.strides[i] = static_cast<std::int32_t>(random()) >> random() % 32;
    }
    for (unsigned i = 0; i < d.rank; ++i) {
      elements = elements > kLimit ? elements : elements * d.dimensions[i];
      const Wide reach = Wide{d.strides[i]} * (Wide{d.dimensions[i]} - 1);
      (reach < 0 ? before : behind) += reach < 0 ? -reach : reach;
    }
    for (unsigned i = 0; i < d.rank; ++i) elements = d.dimensions[i] == 0 ? 0 : elements;
    const unsigned nibbles = nibbles_of(d.element_unit());
    d.address = random() >> random() % 64 & ~std::uint64_t{7};
    const Wide first = Wide{d.address} - (before * nibbles + 1) / 2, end = Wide{d.address} + ((behind + 1) * nibbles + 1) / 2;
    fits = elements == 0 || (elements < kLimit && before + behind < kLimit);
    const bool inside = elements == 0 || (first >= 0 && end <= Wide{1} << 64);
    TensorRange range;
    const Status status = check_descriptor(d, "DESC", range);
    EXPECT_EQ(status.code(), !fits ? ErrorCode::shape_mismatch : !inside ? ErrorCode::address_outside_window : ErrorCode::ok);
    ++(!fits ? too_large : !inside ? outside : accepted);
    if (!status.ok() || elements == 0) continue;
    EXPECT_TRUE(first == range.first && end - first == range.bytes);
    EXPECT_EQ(range.first + range.origin / 2, d.address);
  }
  EXPECT_GT(accepted, 1000U);
  EXPECT_GT(too_large, 1000U);
  EXPECT_GT(outside, 1000U);
}

TEST(UnityDescriptor, PartsThatAreRefused) {
  const TensorDescriptor good = tensor(kS16, {2, 3}, {3, 1});
  const auto expect_part = [&](auto change, std::int32_t byte, std::int64_t value, std::int64_t limit) {
    TensorDescriptor d = good;
    change(d);
    TensorRange range;
    const Status status = check_descriptor(d, "DESC", range);
    EXPECT_EQ(status.code(), ErrorCode::field_out_of_range) << byte;
    EXPECT_EQ(std::string_view(status.what()), "DESC");
    EXPECT_EQ(status.index(), byte);
    EXPECT_EQ(status.value(), value);
    EXPECT_EQ(status.limit(), limit);
  };
  expect_part([](auto &d) { d.unit = 13; }, 8, 13, 12);
  expect_part([](auto &d) { d.rank = 0; }, 9, 0, 1);
  expect_part([](auto &d) { d.rank = 7; }, 9, 7, 6);
  expect_part([](auto &d) { d.flags = 0; }, 10, 0, 7);
  expect_part([](auto &d) { d.flags = 6; }, 10, 6, 7);
  expect_part([](auto &d) { d.flags = 9; }, 10, 9, 7);
  expect_part([](auto &d) { d.zero_point = -1; }, 11, -1, 0);
  expect_part([](auto &d) { d.scale = 1; }, 12, bits_of(1), 0);
  expect_part([](auto &d) { d.scale = -0.0F; }, 12, bits_of(-0.0F), 0);
  expect_part([](auto &d) { d.dimensions[2] = 1; }, 24, 1, 0);
  expect_part([](auto &d) { d.strides[2] = -1; }, 48, -1, 0);
  for (const float scale : {0.0F, -1.0F, kInfinity, kNan}) {
    expect_part(
        [&](auto &d) {
          d.flags |= kDescriptorQuantised;
          d.scale = scale;
        },
        12, bits_of(scale), 0);
  }
  expect_part(
      [](auto &d) {
        d.set_sparse(0x100, 6);
        d.strides[3] = 1;
      },
      52, 1, 0);
  TensorRange range;
  TensorDescriptor sparse = good;
  sparse.set_sparse(0x100, 6);
  EXPECT_TRUE(check_descriptor(sparse, "DESC", range).ok());
  sparse.set_sparse(0x102, 6);
  EXPECT_EQ(check_descriptor(sparse, "DESC", range).code(), ErrorCode::misaligned_address);
  sparse.set_sparse(0x100, 7);
  EXPECT_EQ(check_descriptor(sparse, "DESC", range).code(), ErrorCode::shape_mismatch);
  TensorDescriptor odd = good;
  odd.address = 0x2001;
  EXPECT_EQ(check_descriptor(odd, "DESC", range).code(), ErrorCode::misaligned_address);
}

}  // namespace descriptor_test
}  // namespace
}  // namespace cox::isa::unity
