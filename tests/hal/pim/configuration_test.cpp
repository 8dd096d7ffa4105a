// SPDX-License-Identifier: MIT
// The configuration of the PIM cores as the device describes it.
#include "coxswain/hal/pim/configuration.h"

#include <gtest/gtest.h>

#include <cstring>

#include "coxswain/hal/pim/deadlock.h"
#include "coxswain/hal/pim/geometry.h"
#include "coxswain/isa/pim/description.h"
#include "tests/hal/strict_bus.h"

namespace cox::hal::pim {
namespace {

namespace configuration_test {

namespace set = isa::pim;

constexpr std::uint32_t kIndex = 0xA004, kWord = 0xA008;

Status read(const set::Description &words, set::Configuration &configuration) {
  StrictBus bus;
  for (std::uint32_t i = 0; i < words.size(); ++i) {
    bus.expect_write(kIndex, i);
    bus.expect_read(kWord, words[i]);
  }
  return read_configuration(configuration);
}

/// A configuration in which each number differs from the default.
set::Configuration unusual() {
  set::Configuration configuration = set::default_configuration();
  configuration.memories_count = 3;
  configuration.memories[1] = {
      .type = set::MemoryType::reg_buffer, .first = 0x00765430, .bytes = 0x12345, .read_width = 7, .write_width = 96};
  configuration.memories[1].set_name("second");
  configuration.memories[2].first = 0x01000000;
  set::Array &array = configuration.array;
  array = {.first = 0x20000000, .macros = 48, .compartments = 64, .elements = 16, .rows = 1024};
  array.order = set::ArrayOrder::inside_group;
  array.group_sizes_count = 3;
  array.group_sizes = {24, 48, 6};
  configuration.dram_first = 0x90000000;
  configuration.dram_bytes = 0x70000000;
  configuration.bound[8] = 31;
  configuration.bound[16] = 5;
  configuration.simd[2].kinds[1] = set::SimdKind::scalar;
  configuration.simd[10].kinds[1] = set::SimdKind::vector;
  EXPECT_TRUE(set::check(configuration).ok()) << set::check(configuration).what();
  return configuration;
}

TEST(PimConfiguration, ReadsWhatTheDeviceDescribes) {
  for (const set::Configuration &wanted : {set::default_configuration(), unusual()}) {
    set::Configuration found;
    found.memories_count = 16;
    const Status status = read(set::describe(wanted), found);
    ASSERT_TRUE(status.ok()) << status.what();
    ASSERT_EQ(found.memories_count, wanted.memories_count);
    for (unsigned i = 0; i < found.memories_count; ++i) {
      EXPECT_EQ(found.memories[i].name(), "memory" + std::to_string(i));
      EXPECT_EQ(found.memories[i].type, wanted.memories[i].type);
      EXPECT_EQ(found.memories[i].first, wanted.memories[i].first);
      EXPECT_EQ(found.memories[i].bytes, wanted.memories[i].bytes);
      EXPECT_EQ(found.memories[i].read_width, wanted.memories[i].read_width);
      EXPECT_EQ(found.memories[i].write_width, wanted.memories[i].write_width);
    }
    EXPECT_EQ(found.array.first, wanted.array.first);
    EXPECT_EQ(found.array.macros, wanted.array.macros);
    EXPECT_EQ(found.array.compartments, wanted.array.compartments);
    EXPECT_EQ(found.array.elements, wanted.array.elements);
    EXPECT_EQ(found.array.rows, wanted.array.rows);
    EXPECT_EQ(found.array.bits, wanted.array.bits);
    EXPECT_EQ(found.array.order, wanted.array.order);
    ASSERT_EQ(found.array.group_sizes_count, wanted.array.group_sizes_count);
    for (unsigned i = 0; i < found.array.group_sizes_count; ++i) EXPECT_EQ(found.array.group_sizes[i], wanted.array.group_sizes[i]);
    EXPECT_EQ(found.dram_first, wanted.dram_first);
    EXPECT_EQ(found.dram_bytes, wanted.dram_bytes);
    EXPECT_EQ(found.bound, wanted.bound);
    for (unsigned i = 0; i < set::kSimdForms; ++i) {
      EXPECT_EQ(found.simd[i].opcode, wanted.simd[i].opcode);
      EXPECT_EQ(found.simd[i].inputs, wanted.simd[i].inputs);
      EXPECT_EQ(found.simd[i].kinds, wanted.simd[i].kinds) << i;
    }
  }
}

TEST(PimConfiguration, TheLastMemoryHasItsNumberAndTheLastWords) {
  set::Configuration most = set::default_configuration();
  most.memories_count = set::kMostMemories;
  for (unsigned i = 0; i < set::kMostMemories; ++i) {
    most.memories[i] = {.first = 0x100000 + i * 0x1000, .bytes = 0x1000, .read_width = i + 1, .write_width = i + 2};
    most.memories[i].set_name("m" + std::to_string(i));
  }
  const set::Description words = set::describe(most);
  EXPECT_EQ(words[words.size() - 1], 17U);
  set::Configuration found;
  ASSERT_TRUE(read(words, found).ok());
  EXPECT_EQ(found.memories[15].name(), "memory15");
  EXPECT_EQ(found.memories[15].read_width, 16U);
}

TEST(PimConfiguration, ADescriptionThatThisFirmwareDoesNotKnowIsRefused) {
  const set::Description good = set::describe(set::default_configuration());
  const auto refused = [&](unsigned word, std::uint32_t value, ErrorCode code) {
    set::Description words = good;
    words[word] = value;
    set::Configuration configuration;
    const Status status = read(words, configuration);
    EXPECT_EQ(status.code(), code) << word << " " << status.what();
    if (code == ErrorCode::unknown_device) {
      EXPECT_STREQ(status.what(), "PIM configuration");
    }
  };
  refused(0, 0, ErrorCode::unknown_device);
  refused(0, good[0] + 1, ErrorCode::unknown_device);
  refused(0, (good[0] & ~0xFF00U) | 17U << 8, ErrorCode::unknown_device);
  refused(0, (good[0] & ~0xFF0000U) | 9U << 16, ErrorCode::unknown_device);
  refused(0, good[0] | 2U << 24, ErrorCode::unknown_device);
  refused(set::kDescriptionMemories + 2, 2, ErrorCode::unknown_device);
  refused(set::kDescriptionSimd, 0x3, ErrorCode::unknown_device);
  refused(set::kDescriptionArray + 1, 0, ErrorCode::field_out_of_range);
}

TEST(PimCores, NumberAndDeadlock) {
  StrictBus bus;
  bus.expect_read(0xA000, 64);
  EXPECT_EQ(read_cores().value(), 64U);
  bus.expect_read(0xA000, 65);
  EXPECT_EQ(read_cores().status().code(), ErrorCode::unknown_device);
  bus.expect_read(0xA000, 0);
  EXPECT_STREQ(read_cores().status().what(), "PIM_CORES.COUNT");
  bus.expect_read(0xA010, 0x12345678);
  bus.expect_read(0xA014, 0x9ABCDEF0);
  EXPECT_EQ(read_waiting(), 0x9ABCDEF012345678U);
}

}  // namespace configuration_test
}  // namespace
}  // namespace cox::hal::pim
