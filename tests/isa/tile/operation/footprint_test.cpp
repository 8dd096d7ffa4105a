// SPDX-License-Identifier: MIT
#include "coxswain/isa/tile/operation.h"
#include "tests/isa/tile/operation/instruction.h"

namespace cox::isa::tile {
namespace {

Map map_of(std::uint32_t channels, std::uint32_t height, std::uint32_t width, std::int64_t base) {
  Map map;
  map.channels = channels;
  map.height = height;
  map.width = width;
  map.pixel_bytes = (channels + 7) / 8 * 8;
  map.row_bytes = std::int64_t{map.pixel_bytes} * width;
  map.image_bytes = map.row_bytes * height;
  map.base = base;
  return map;
}

TEST(Footprint, WholeMapsAreOneRun) {
  Move move;
  move.from = map_of(16, 4, 5, 100);
  move.to = map_of(16, 4, 5, 1000);
  move.batch = 3, move.channels = 16, move.height = 4, move.width = 5;
  const Footprint result = footprint(move);
  ASSERT_EQ(result.count, 2U);
  EXPECT_EQ(result.accesses[0].start, 100);
  EXPECT_EQ(result.accesses[0].run, 3 * 4 * 5 * 16);
  EXPECT_FALSE(result.accesses[0].write);
  EXPECT_TRUE(result.accesses[1].write);
  EXPECT_EQ(result.accesses[1].end(), 1000 + 960);
}

TEST(Footprint, ChannelSliceKeepsThePixelStride) {
  Convolution op;
  op.source = map_of(8, 4, 4, 0);
  op.destination = map_of(32, 4, 4, 4096 + 8);
  op.record_bytes = 40;
  op.batch = 1, op.kernels = 8, op.channels = 8, op.height = 4, op.width = 4;
  op.kernel_height = op.kernel_width = op.stride_height = op.stride_width = 1;
  const Footprint result = footprint(op);
  ASSERT_EQ(result.count, 3U);
  EXPECT_EQ(result.accesses[1].space, Space::wl0);
  EXPECT_EQ(result.accesses[1].run, 320);
  const Access &write = result.accesses[2];
  EXPECT_EQ(write.run, 8);
  EXPECT_EQ(write.count[0], 4);
  EXPECT_EQ(write.stride[0], 32);
  EXPECT_EQ(write.bytes(), 8 * 16);
  EXPECT_EQ(write.end(), 4096 + 8 + 15 * 32 + 8);
}

TEST(Footprint, PaddingIsNotTouched) {
  Convolution op;
  op.source = map_of(8, 6, 6, 512);
  op.destination = map_of(8, 6, 6, 4096);
  op.record_bytes = 104;
  op.batch = 1, op.kernels = 8, op.channels = 8, op.height = 6, op.width = 6;
  op.kernel_height = op.kernel_width = 3;
  op.stride_height = op.stride_width = 1;
  op.first_row = op.first_column = -1;
  const Access source = footprint(op).accesses[0];
  EXPECT_EQ(source.start, 512);
  EXPECT_EQ(source.end(), 512 + 6 * 6 * 8);
  op.first_row = 2;  // rows 2 to 9 of a map of six rows: only rows 2 to 5 exist
  const Access lower = footprint(op).accesses[0];
  EXPECT_EQ(lower.start, 512 + 2 * 48);
  EXPECT_EQ(lower.end(), 512 + 6 * 48);
  op.first_row = 6;  // all rows lie below the map
  EXPECT_EQ(footprint(op).accesses[0].space, Space::wl0);
}

TEST(Region, OriginInsideAndNoLongerThanTheRegion) {
  const Region region{4, 2};  // bytes 4,096 to 6,143
  Access access;
  access.field = "DTaddr";
  access.start = access.origin = 4096;
  access.run = 2048;
  EXPECT_TRUE(check_region(access.reach(), region).ok());
  access.start = access.origin = 6143;  // begins at the region's last byte and wraps around
  EXPECT_TRUE(check_region(access.reach(), region).ok());
  access.run = 2049;
  EXPECT_EQ(check_region(access.reach(), region).code(), ErrorCode::address_outside_cut);
  access.run = 8;
  access.origin = 4095;
  EXPECT_EQ(check_region(access.reach(), region).limit(), 4096);
  access.origin = 6144;
  EXPECT_EQ(check_region(access.reach(), region).limit(), 6143);
  EXPECT_STREQ(check_region(access.reach(), region).what(), "DTaddr");
  access.origin = 4096;
  EXPECT_EQ(check_region(access.reach(), Region{}).code(), ErrorCode::address_outside_cut);
}

TEST(Window, BoundsAndPermission) {
  Access access;
  access.space = Space::dram;
  access.field = "STaddr";
  access.start = 100;
  access.run = 28;
  EXPECT_TRUE(check_window(access.reach(), 128, true, false).ok());
  EXPECT_EQ(check_window(access.reach(), 127, true, false).code(), ErrorCode::address_outside_window);
  EXPECT_FALSE(check_window(access.reach(), 128, false, true).ok());
  access.write = true;
  EXPECT_FALSE(check_window(access.reach(), 128, true, false).ok());
  EXPECT_TRUE(check_window(access.reach(), 128, false, true).ok());
  access.start = -1;
  EXPECT_EQ(check_window(access.reach(), 128, true, true).code(), ErrorCode::address_outside_window);
}

// The products of the largest fields must not overflow.
TEST(Footprint, LargestMapsAreRefusedBeforeTheyAreMultiplied) {
  const Configuration configuration =
      test::configured({test::instruction("dt_cfg", {{"DF", {1}}, {"STile", {65535, 65535, 65535}}, {"DTile", {65535, 65535, 65535}}})});
  EXPECT_EQ(resolve(test::instruction("dt_cal", {{"Tile", {65535, 65535, 65535, 65535}}}), configuration).status().code(),
            ErrorCode::shape_mismatch);
}

}  // namespace
}  // namespace cox::isa::tile
