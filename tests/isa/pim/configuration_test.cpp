// SPDX-License-Identifier: MIT
// The default configuration, what check() refuses, and where addresses lie.
#include <gtest/gtest.h>

#include <functional>

#include "coxswain/isa/pim/place.h"

namespace cox::isa::pim {
namespace configuration_test {

constexpr std::uint32_t kMebibyte = 0x100000;

TEST(Configuration, TheDefaultIsLegal) { EXPECT_TRUE(check(default_configuration()).ok()) << check(default_configuration()).what(); }

TEST(Configuration, TheDefault) {
  const Configuration &configuration = default_configuration();
  struct Row {
    const char *name;
    MemoryType type;
    std::uint32_t first, bytes;
  };
  const Row kRows[] = {{"input", MemoryType::sram, 0x100000, 262144},
                       {"output", MemoryType::sram, 0x200000, 262144},
                       {"data", MemoryType::sram, 0x300000, 262144},
                       {"input_buffer", MemoryType::reg_buffer, 0x400000, 16384},
                       {"output_buffer", MemoryType::reg_buffer, 0x500000, 65536},
                       {"mask_buffer", MemoryType::reg_buffer, 0x600000, 65536},
                       {"meta_buffer", MemoryType::reg_buffer, 0x700000, 262144}};
  ASSERT_EQ(configuration.memories_count, std::size(kRows));
  for (unsigned i = 0; i < std::size(kRows); ++i) {
    const Memory &memory = configuration.memories[i];
    EXPECT_EQ(memory.name(), kRows[i].name);
    EXPECT_EQ(memory.type, kRows[i].type) << kRows[i].name;
    EXPECT_EQ(memory.first, kRows[i].first) << kRows[i].name;
    EXPECT_EQ(memory.bytes, kRows[i].bytes) << kRows[i].name;
    EXPECT_EQ(memory.read_width, 128U) << kRows[i].name;
    EXPECT_EQ(memory.write_width, 128U) << kRows[i].name;
    EXPECT_EQ(configuration.find_memory(kRows[i].name), i);
  }
  EXPECT_EQ(configuration.find_memory("inputs"), std::size(kRows));
  EXPECT_EQ(configuration.array.first, 0U);
  EXPECT_EQ(configuration.array.bytes(), kMebibyte);
  EXPECT_EQ(configuration.array.line_bits(), 64U);
  EXPECT_EQ(configuration.array.group_sizes[0], 16U);
  for (const std::uint32_t size : {8U, 16U, 32U, 64U, 128U, 256U}) EXPECT_TRUE(configuration.array.has_group_size(size)) << size;
  for (const std::uint32_t size : {0U, 1U, 15U, 48U, 512U}) EXPECT_FALSE(configuration.array.has_group_size(size)) << size;
  EXPECT_EQ(configuration.dram_first, 0x80000000U);
  EXPECT_EQ(configuration.dram_part(), 0x20000000U);
  for (const std::uint8_t bound : configuration.bound) EXPECT_EQ(bound, kUnbound);
}

// The examples of the reading: group 2, macro 3, row 5, compartment 7, element 1.
TEST(Configuration, LinesOfTheExamples) {
  Array array;
  EXPECT_EQ(line_offset(array, 2 * 16 + 3, 5, 7) + 1, 342297U);
  array.order = ArrayOrder::inside_group;
  EXPECT_EQ(line_offset(array, 2 * 16 + 3, 5, 7) + 1, 152473U);
}

TEST(Configuration, LinesFillTheArrayOnce) {
  for (const ArrayOrder order : {ArrayOrder::between_groups, ArrayOrder::inside_group}) {
    Array array{.macros = 12, .compartments = 3, .elements = 2, .rows = 5, .order = order, .group_sizes = {4}};
    std::vector<bool> taken(array.bytes());
    for (std::uint32_t macro = 0; macro < array.macros; ++macro) {
      for (std::uint32_t row = 0; row < array.rows; ++row) {
        for (std::uint32_t compartment = 0; compartment < array.compartments; ++compartment) {
          const std::uint64_t offset = line_offset(array, macro, row, compartment);
          ASSERT_LE(offset + array.line_bytes(), array.bytes());
          for (std::uint64_t byte = offset; byte < offset + array.line_bytes(); ++byte) {
            EXPECT_FALSE(taken[byte]);
            taken[byte] = true;
          }
        }
      }
    }
  }
}

struct Refusal {
  std::function<void(Configuration &)> change;
  ErrorCode code;
  const char *what;
  std::int32_t index;
  std::int64_t value, limit;
};

TEST(Configuration, Refusals) {
  constexpr auto kRange = ErrorCode::field_out_of_range;
  constexpr auto kOverlap = ErrorCode::tensor_overlap;
  constexpr auto kArgument = ErrorCode::invalid_argument;
  const Refusal kRefusals[] = {
      {[](Configuration &c) { c.memories_count = 17; }, kRange, "memories", -1, 17, 16},
      {[](Configuration &c) { c.memories[2].set_name(""); }, kArgument, "memory name", 2, 0, 0},
      {[](Configuration &c) { c.memories[4].set_name("data"); }, kArgument, "memory name", 4, 0, 0},
      {[](Configuration &c) { c.memories[1].name_bytes.fill('x'); }, kArgument, "memory name", 1, 0, 0},
      {[](Configuration &c) { c.memories[1].type = static_cast<MemoryType>(2); }, kRange, "memory type", 1, 2, 1},
      {[](Configuration &c) { c.memories[0].bytes = 0; }, kRange, "memory bytes", 0, 0, 1},
      {[](Configuration &c) {
         c.dram_bytes = 0;
         c.memories[3].first = 0xFFFFFF00;
         c.memories[3].bytes = 0x101;
       },
       kRange, "memory bytes", 3, 0x101, 0x100},
      {[](Configuration &c) { c.memories[5].read_width = 0; }, kRange, "memory width", 5, 0, 1},
      {[](Configuration &c) { c.memories[6].write_width = 0; }, kRange, "memory width", 6, 0, 1},
      {[](Configuration &c) { c.array.macros = 0; }, kRange, "macros", -1, 0, 1},
      {[](Configuration &c) { c.array.macros = 1025; }, kRange, "macros", -1, 1025, 1024},
      {[](Configuration &c) { c.array.compartments = 0; }, kRange, "compartments", -1, 0, 1},
      {[](Configuration &c) { c.array.compartments = 65; }, kRange, "compartments", -1, 65, 64},
      {[](Configuration &c) { c.array.elements = 0; }, kRange, "elements", -1, 0, 1},
      {[](Configuration &c) { c.array.elements = 17; }, kRange, "elements", -1, 17, 16},
      {[](Configuration &c) { c.array.rows = 0; }, kRange, "rows", -1, 0, 1},
      {[](Configuration &c) { c.array.rows = 1025; }, kRange, "rows", -1, 1025, 1024},
      {[](Configuration &c) { c.array.bits = 7; }, kRange, "bits", -1, 7, 8},
      {[](Configuration &c) { c.array.bits = 16; }, kRange, "bits", -1, 16, 8},
      {[](Configuration &c) { c.array.order = static_cast<ArrayOrder>(2); }, kRange, "order", -1, 2, 1},
      {[](Configuration &c) { c.array.group_sizes_count = 0; }, kRange, "group sizes", -1, 0, 1},
      {[](Configuration &c) { c.array.group_sizes_count = 9; }, kRange, "group sizes", -1, 9, 8},
      {[](Configuration &c) { c.array.group_sizes[2] = 0; }, kRange, "group sizes", 2, 0, 1},
      {[](Configuration &c) { c.array.group_sizes[5] = 512; }, kRange, "group sizes", 5, 512, 256},
      {[](Configuration &c) { c.array.group_sizes[1] = 12; }, kRange, "group sizes", 1, 12, 256},
      {[](Configuration &c) { c.array.first = 0xFFF00001; }, kRange, "array", -1, kMebibyte, kMebibyte - 1},
      {[](Configuration &c) { c.dram_bytes = 0x80000004; }, kRange, "dram", -1, 0x80000004, 0x80000000},
      {[](Configuration &c) { c.dram_bytes = 0x7FFFFFFE; }, kRange, "dram", -1, 0x7FFFFFFE, 4},
      {[](Configuration &c) { c.memories[1].first = 0x13FFFF; }, kOverlap, "memory", 1, 0x13FFFF, 0x100000},
      {[](Configuration &c) { c.memories[0].bytes = 0x100001; }, kOverlap, "memory", 1, 0x200000, 0x100000},
      {[](Configuration &c) { c.array.first = 1; }, kOverlap, "array", 7, 1, 0x100000},
      {[](Configuration &c) { c.dram_first = 0x73FFFC; }, kOverlap, "dram", 8, 0x73FFFC, 0x700000},
      {[](Configuration &c) { c.bound[9] = 1; }, kRange, "binding", 9, 1, 255},
      {[](Configuration &c) { c.bound[21] = 1; }, kRange, "binding", 21, 1, 255},
      {[](Configuration &c) { c.bound[7] = 32; }, kRange, "binding", 7, 32, 31},
      {[](Configuration &c) { c.bound[7] = c.bound[8] = 30; }, kArgument, "binding", 8, 30, 0},
      {[](Configuration &c) { c.simd[0].opcode = 7; }, kRange, "simd", 0, 7, 0},
      {[](Configuration &c) { c.simd[3].inputs = 1; }, kRange, "simd", 3, 3, 3},
      {[](Configuration &c) { c.simd[6].kinds[2] = SimdKind::vector; }, kRange, "simd", 6, 4, 4},
      {[](Configuration &c) { c.simd[9].kinds[0] = SimdKind::block; }, kRange, "simd", 9, 0x81, 0x81},
      {[](Configuration &c) { c.simd[10].kinds[1] = static_cast<SimdKind>(3); }, kRange, "simd", 10, 0x82, 0x82},
  };
  for (std::size_t i = 0; i < std::size(kRefusals); ++i) {
    SCOPED_TRACE(testing::Message() << "refusal " << i << ": " << kRefusals[i].what);
    Configuration configuration = default_configuration();
    kRefusals[i].change(configuration);
    const Status status = check(configuration);
    EXPECT_EQ(status.code(), kRefusals[i].code) << error_name(status.code());
    EXPECT_STREQ(status.what(), kRefusals[i].what);
    EXPECT_EQ(status.index(), kRefusals[i].index);
    EXPECT_EQ(status.value(), kRefusals[i].value);
    EXPECT_EQ(status.limit(), kRefusals[i].limit);
  }
}

TEST(Configuration, Extremes) {
  const std::function<void(Configuration &)> kChanges[] = {
      [](Configuration &c) { c.dram_bytes = 0; },
      [](Configuration &c) { c.memories_count = 0; },
      [](Configuration &c) { c.memories[6].bytes = 0x7F900000; },  // up to the first byte of DRAM
      [](Configuration &c) { c.memories[0].set_name("1234567890123456789012345678901"); },
      [](Configuration &c) { c.bound[0] = 31, c.bound[20] = 0; },
      [](Configuration &c) {
        c.simd[0].kinds = {SimdKind::scalar, SimdKind::scalar};
      },
      [](Configuration &c) { c.simd[7].kinds[0] = SimdKind::scalar; },
      [](Configuration &c) {
        c.array = {.first = 0x40000000, .macros = 1024, .compartments = 64, .elements = 16, .rows = 1024, .group_sizes = {1024}};
      },
      [](Configuration &c) { c.array = {.macros = 1, .compartments = 1, .elements = 1, .rows = 1, .group_sizes = {1}}; },
  };
  for (std::size_t i = 0; i < std::size(kChanges); ++i) {
    Configuration configuration = default_configuration();
    kChanges[i](configuration);
    const Status status = check(configuration);
    EXPECT_TRUE(status.ok()) << i << " " << error_name(status.code()) << " " << status.what();
  }
}

TEST(Configuration, NamesAreCut) {
  Memory memory;
  memory.set_name("12345678901234567890123456789012");
  EXPECT_EQ(memory.name(), "1234567890123456789012345678901");
  memory.set_name("a");
  EXPECT_EQ(memory.name(), "a");
}

// Two memories that adjoin: small at 0x800000 with 16 bytes, next to it large with 32.
Configuration with_neighbours() {
  Configuration configuration = default_configuration();
  for (const std::uint32_t bytes : {16U, 32U}) {
    Memory &memory = configuration.memories[configuration.memories_count++];
    memory = {.first = bytes == 16 ? 0x800000U : 0x800010U, .bytes = bytes};
    memory.set_name(bytes == 16 ? "small" : "large");
  }
  return configuration;
}

TEST(Place, LocalMemories) {
  const Configuration configuration = with_neighbours();
  ASSERT_TRUE(check(configuration).ok());
  const auto at = [&](std::uint32_t first, std::uint64_t bytes) { return place(configuration, Reach::local, first, bytes); };
  EXPECT_EQ(at(0x800000, 16).space, 7);
  EXPECT_EQ(at(0x800000, 16).offset, 0U);
  EXPECT_EQ(at(0x80000F, 1).offset, 15U);
  EXPECT_EQ(at(0x800010, 32).space, 8);
  EXPECT_EQ(at(0x80002F, 1).offset, 31U);
  EXPECT_FALSE(at(0x80000F, 2).found());  // two memories
  EXPECT_FALSE(at(0x800000, 17).found());
  EXPECT_FALSE(at(0x7FFFFF, 1).found());
  EXPECT_FALSE(at(0x7FFFFF, 2).found());
  EXPECT_FALSE(at(0x800030, 1).found());
  EXPECT_FALSE(at(0x80002F, 2).found());
  EXPECT_FALSE(at(0, 1).found());           // the array
  EXPECT_FALSE(at(0x80000000, 1).found());  // DRAM
}

TEST(Place, SumsOfAddressAndBytesDoNotWrap) {
  Configuration configuration = default_configuration();
  configuration.dram_bytes = 0;
  configuration.memories[0].first = 0xFFFFFF00;
  configuration.memories[0].bytes = 0x100;
  ASSERT_TRUE(check(configuration).ok());
  EXPECT_EQ(place(configuration, Reach::local, 0xFFFFFFFF, 1).offset, 0xFFU);
  EXPECT_FALSE(place(configuration, Reach::local, 0xFFFFFFFF, 2).found());
  EXPECT_FALSE(place(configuration, Reach::local, 0xFFFFFF00, 0x100000001).found());
  EXPECT_FALSE(place(configuration, Reach::local, 0xFFFFFFFF, ~std::uint64_t{0}).found());
}

TEST(Place, ArrayAndDram) {
  const Configuration &configuration = default_configuration();
  const auto at = [&](Reach reach, std::uint32_t first, std::uint64_t bytes) { return place(configuration, reach, first, bytes); };
  EXPECT_TRUE(at(Reach::all, 0, kMebibyte).is_array());
  EXPECT_EQ(at(Reach::all, 0xFFFFF, 1).offset, 0xFFFFFU);
  EXPECT_FALSE(at(Reach::all, 0xFFFFF, 2).found());  // into the first memory
  EXPECT_TRUE(at(Reach::all, 0x100000, 2).is_local());
  EXPECT_FALSE(at(Reach::dram, 0, 1).found());
  EXPECT_FALSE(at(Reach::dram, 0x100000, 1).found());
  for (unsigned window = 0; window < kWindows; ++window) {
    const std::uint32_t first = 0x80000000 + window * 0x20000000;
    for (const Reach reach : {Reach::all, Reach::dram}) {
      const Place place = at(reach, first + 5, 7);
      EXPECT_EQ(place.space, kDramSpace + window);
      EXPECT_TRUE(place.is_dram());
      EXPECT_EQ(place.window(), window);
      EXPECT_EQ(place.offset, 5U);
      EXPECT_EQ(at(reach, first + 0x1FFFFFFF, 1).offset, 0x1FFFFFFFU);
      EXPECT_FALSE(at(reach, first + 0x1FFFFFFF, 2).found());  // into the next part, or past 2^32
    }
  }
}

TEST(Place, Errors) {
  const Configuration &configuration = default_configuration();
  struct Row {
    Reach reach;
    std::uint32_t first;
    ErrorCode code;
    std::int64_t limit;
  };
  constexpr auto kBuffer = ErrorCode::address_outside_buffer, kWindow = ErrorCode::address_outside_window;
  const Row kRows[] = {
      {Reach::local, 0x13FFFF, kBuffer, 0x140000},
      {Reach::local, 0x140000, kBuffer, 0},
      {Reach::local, 0, kBuffer, 0},
      {Reach::local, 0x80000000, kBuffer, 0},
      {Reach::all, 0xFFFFF, kBuffer, 0x100000},
      {Reach::all, 0x800000, kBuffer, 0},
      {Reach::all, 0x9FFFFFFF, kWindow, 0xA0000000},
      {Reach::all, 0xFFFFFFFF, kWindow, 0x100000000},
      {Reach::dram, 0x9FFFFFFF, kWindow, 0xA0000000},
      {Reach::dram, 0x100000, kWindow, 0},
  };
  for (const Row &row : kRows) {
    const Status status = outside(configuration, row.reach, "rs1", row.first);
    EXPECT_EQ(status.code(), row.code) << std::hex << row.first;
    EXPECT_STREQ(status.what(), "rs1");
    EXPECT_EQ(status.value(), row.first);
    EXPECT_EQ(status.limit(), row.limit) << std::hex << row.first;
  }
}

TEST(Place, VectorBytes) {
  EXPECT_EQ(vector_bytes(0, 32), 0U);
  EXPECT_EQ(vector_bytes(1, 1), 1U);
  EXPECT_EQ(vector_bytes(8, 1), 1U);
  EXPECT_EQ(vector_bytes(9, 1), 2U);
  EXPECT_EQ(vector_bytes(3, 4), 2U);
  EXPECT_EQ(vector_bytes(0x7FFFFFFF, 32), 0x1FFFFFFFCU);
}

}  // namespace configuration_test
}  // namespace cox::isa::pim
