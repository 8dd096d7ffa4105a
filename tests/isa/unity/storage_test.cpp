// SPDX-License-Identifier: MIT
// Storage images, by hand: groups, partial groups, END, EXIT and instructions of other engines.
#include <gtest/gtest.h>

#include <vector>

#include "coxswain/isa/unity/storage.h"
#include "coxswain/isa/unity/table.h"
#include "tests/isa/unity/program.h"

namespace cox::isa::unity {
namespace {
namespace storage_test {

MachineCode payload(std::uint32_t number) { return {number, ~number, number * 3, number * 5}; }

std::vector<std::byte> image_of(std::uint32_t instructions) {
  std::vector<std::byte> bytes(program_bytes(std::uint64_t{instructions} + 1), std::byte{0xEE});
  ImageWriter writer(bytes);
  for (std::uint32_t i = 0; i < instructions; ++i) EXPECT_TRUE(writer.add(payload(i), i % 5 == 4 ? Domain::mx : Domain::unity));
  EXPECT_EQ(writer.end(), bytes.size());
  EXPECT_EQ(writer.instructions(), instructions + 1);
  return bytes;
}

TEST(UnityStorage, SizesOfPartialGroups) {
  // n with END: 544 bytes for each whole group of 32, and 32 + 16 (n mod 32) for the rest.
  EXPECT_EQ(program_bytes(1), 48U);
  EXPECT_EQ(program_bytes(2), 64U);
  EXPECT_EQ(program_bytes(31), 528U);
  EXPECT_EQ(program_bytes(32), 544U);
  EXPECT_EQ(program_bytes(33), 592U);
  EXPECT_EQ(program_bytes(64), 1088U);
  EXPECT_EQ(program_bytes(70), 1216U);
  for (std::uint32_t n = 1; n <= 100; ++n) EXPECT_EQ(program_bytes(n), 544 * (n / 32) + (n % 32 == 0 ? 0 : 32 + 16 * (n % 32)));
}

TEST(UnityStorage, ImageByHand) {
  const std::vector<std::byte> bytes = image_of(2);
  ASSERT_EQ(bytes.size(), 80U);
  EXPECT_EQ(bytes[0], std::byte{0});
  EXPECT_EQ(bytes[1], std::byte{0});
  for (unsigned i = 2; i < 32; ++i) EXPECT_EQ(bytes[i], std::byte{0x7F}) << i;
  EXPECT_EQ(bytes[32 + 4], std::byte{0xFF});  // word 1 of payload 0
  EXPECT_EQ(bytes[48], std::byte{1});
  EXPECT_EQ(bytes[56], std::byte{3});
  for (unsigned i = 64; i < 80; ++i) EXPECT_EQ(bytes[i], std::byte{0}) << i;
}

TEST(UnityStorage, WritesAndReadsEveryLengthAroundGroups) {
  for (const std::uint32_t n : {0U, 1U, 4U, 5U, 30U, 31U, 32U, 33U, 62U, 63U, 64U, 65U, 100U}) {
    const std::vector<std::byte> bytes = image_of(n);
    TestMemory memory(0x1000, bytes.size());
    memory.write(0x1000, bytes);
    for (std::uint32_t i = 0; i <= n; ++i) {
      const std::size_t group = i / 32 * 544;
      // By hand: ids first, then payloads.
      const Domain domain = i == n ? Domain::end : i % 5 == 4 ? Domain::mx : Domain::unity;
      EXPECT_EQ(bytes[group + i % 32], static_cast<std::byte>(domain));
      for (const Result<Stored> &stored : {fetch(bytes, 0, i), fetch(0x1000, i, memory)}) {
        ASSERT_TRUE(stored);
        EXPECT_EQ(stored.value().domain, domain);
        EXPECT_EQ(stored.value().code, i == n ? MachineCode{} : payload(i));
      }
      if (i < n) {
        EXPECT_EQ(bytes[group + 32 + i % 32 * 16], static_cast<std::byte>(i));
      }
    }
    for (std::size_t i = n + 1; i % 32 != 0; ++i) EXPECT_EQ(bytes[i / 32 * 544 + i % 32], std::byte{0x7F});
  }
}

TEST(UnityStorage, WriterKeepsRoomForEnd) {
  std::vector<std::byte> bytes(80);
  ImageWriter writer(bytes);
  EXPECT_TRUE(writer.add(payload(1)));
  EXPECT_TRUE(writer.add(payload(2)));
  const std::vector<std::byte> before = bytes;
  const Status full = writer.add(payload(3));
  EXPECT_EQ(full.code(), ErrorCode::no_room);
  EXPECT_STREQ(full.what(), "program");
  EXPECT_EQ(full.value(), 96);
  EXPECT_EQ(full.limit(), 80);
  EXPECT_EQ(bytes, before);
  EXPECT_EQ(writer.end(), 80U);
  // END alone begins a group.
  std::vector<std::byte> groups(592);
  ImageWriter second(groups);
  for (unsigned i = 0; i < 32; ++i) EXPECT_TRUE(second.add(payload(i)));
  EXPECT_EQ(second.add(payload(0)).value(), 608);
  EXPECT_EQ(second.end(), 592U);
  std::vector<std::byte> none(40);
  EXPECT_EQ(ImageWriter(none).end(), 0U);
}

TEST(UnityStorage, FetchErrors) {
  std::vector<std::byte> bytes = image_of(3);
  EXPECT_EQ(fetch(std::span(bytes), 16, 2).status().code(), ErrorCode::misaligned_address);
  EXPECT_EQ(fetch(std::span(bytes), 16, 2).status().limit(), 32);
  const Status truncated = fetch(std::span(bytes).first(70), 0, 2).status();
  EXPECT_EQ(truncated.code(), ErrorCode::stream_truncated);
  EXPECT_EQ(truncated.value(), 70);
  EXPECT_EQ(truncated.limit(), 80);
  EXPECT_EQ(truncated.index(), 2);
  EXPECT_EQ(fetch(std::span(bytes), 0x1000000, 0).status().code(), ErrorCode::stream_truncated);
  for (unsigned id = 0; id < 256; ++id) {
    bytes[1] = static_cast<std::byte>(id);
    const Result<Stored> stored = fetch(std::span(bytes), 0, 1);
    const bool exists = id == 0 || id == 0x7F || (id >= 0x80 && id <= 0x83);
    ASSERT_EQ(stored.ok(), exists) << id;
    if (exists) continue;
    EXPECT_EQ(stored.status().code(), ErrorCode::unsupported);
    EXPECT_STREQ(stored.status().what(), "domain");
    EXPECT_EQ(stored.status().index(), 1);
    EXPECT_EQ(stored.status().value(), id);
  }
  TestMemory memory(0x1000, 60);
  memory.write(0x1000, image_of(3) /* its first bytes */.size() > 60 ? std::span(bytes).first(60) : std::span(bytes));
  memory.write(0x1000, 0, 1);
  EXPECT_TRUE(fetch(0x1000, 0, memory));
  memory.write(0x1001, 0, 1);
  const Status outside = fetch(0x1000, 1, memory).status();
  EXPECT_EQ(outside.code(), ErrorCode::address_outside_window);
  EXPECT_EQ(outside.value(), 0x1030);
  EXPECT_EQ(fetch(0x2000, 0, memory).status().code(), ErrorCode::address_outside_window);
  EXPECT_EQ(fetch(0x1008, 0, memory).status().code(), ErrorCode::misaligned_address);
}

TEST(UnityStorage, SubmissionsOfOtherEngines) {
  // Queue 5, 32-bit addresses, 3 slots at 0x2040; takes 1 key.
  const MachineCode code{5U | 1U << 6 | 3U << 8, 1, 0x2040, 0};
  const Result<EngineSubmission> submission = resolve_submission(Domain::tile, code, 0x70000);
  ASSERT_TRUE(submission);
  EXPECT_EQ(submission.value().domain, Domain::tile);
  EXPECT_EQ(submission.value().queue, 5);
  EXPECT_EQ(submission.value().slots, 3);
  EXPECT_EQ(submission.value().address, 0x2040U);
  EXPECT_EQ(resolve_submission(Domain::pim, {3U << 8, 0, 0x2040, 0}, 0x70000).value().address, 0x72040U);
  EXPECT_EQ(resolve_submission(Domain::pim, {0x3FFFU << 8, 0, 0, 0}, 0).value().slots, 0x3FFF);

  const auto error = [&](MachineCode changed) { return resolve_submission(Domain::mx, changed, 0).status(); };
  EXPECT_STREQ(error({5U | 1U << 6, 0, 0x2040, 0}).what(), "slots");
  EXPECT_STREQ(error({3U << 6 | 3U << 8, 0, 0x2040, 0}).what(), "address_space");
  EXPECT_EQ(error({1U << 22 | 3U << 8, 0, 0x2040, 0}).code(), ErrorCode::reserved_bits);
  EXPECT_EQ(error({1U << 22 | 3U << 8, 0, 0x2040, 0}).index(), 22);
  EXPECT_EQ(error({1U << 6 | 3U << 8, 1U << 26, 0x2040, 0}).code(), ErrorCode::reserved_bits);
  EXPECT_EQ(error({1U << 6 | 3U << 8, 0, 0x2050, 0}).code(), ErrorCode::misaligned_address);
  EXPECT_EQ(error({1U << 6 | 3U << 8, 0, 0x2040, 1}).code(), ErrorCode::address_outside_window);
  EXPECT_EQ(error({3U << 8, 0, 0x12040, 0}).code(), ErrorCode::address_outside_window);
  EXPECT_TRUE(error({2U << 6 | 3U << 8, 0, 0x2040, 1}).ok());
}

}  // namespace storage_test
}  // namespace
}  // namespace cox::isa::unity
