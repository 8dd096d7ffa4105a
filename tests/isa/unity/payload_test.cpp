// SPDX-License-Identifier: MIT
// Payloads and SYNC_CTRL, by hand.
#include <gtest/gtest.h>

#include "coxswain/isa/unity/sync.h"
#include "coxswain/isa/unity/table.h"

namespace cox::isa::unity {
namespace {
namespace payload_test {

void expect_status(const Status &status, ErrorCode code, std::string_view what, std::int32_t index, std::int64_t value,
                   std::int64_t limit) {
  EXPECT_EQ(error_name(status.code()), std::string_view(error_name(code)));
  EXPECT_EQ(std::string_view(status.what()), what);
  EXPECT_EQ(status.index(), index);
  EXPECT_EQ(status.value(), value);
  EXPECT_EQ(status.limit(), limit);
}

TEST(UnityPayload, WordsByHand) {
  // ADD (BASE, group 0, operation 0), 32-bit addresses, takes 2 keys of table 1 entry 5, gives one to table 3 entry 255, BLK; table at
  // 0x12345678.
  MachineCode code = begin<Opcode::ADD>();
  put<Opcode::ADD, "address_space">(code, 1);
  put<Opcode::ADD, "fetch">(code, 1);
  put<Opcode::ADD, "deposit">(code, 1);
  put<Opcode::ADD, "blk">(code, 1);
  put<Opcode::ADD, "num_key">(code, 1);
  put<Opcode::ADD, "keyr_bar">(code, 1);
  put<Opcode::ADD, "keyw_bar">(code, 3);
  put<Opcode::ADD, "fetch_key">(code, 5);
  put<Opcode::ADD, "deposit_key">(code, 255);
  put<Opcode::ADD, "table">(code, 0x12345678);
  EXPECT_EQ(code, (MachineCode{0x0000007F, 0x03FC174F, 0x12345678, 0}));
  EXPECT_TRUE(check(code));
  EXPECT_EQ(address_space(code), AddressSpace::bits32);
  EXPECT_EQ(table_address(code), 0x12345678U);
  const Sync sync{true, true, true, 2, {1, 5}, {3, 255}};
  EXPECT_EQ(read_sync(code[1]), sync);
  EXPECT_EQ(sync_word(sync), code[1]);
  // RELU is the AI section's operation 0: a payload of zeros, at 16-bit addresses.
  EXPECT_EQ(begin<Opcode::RELU>(), MachineCode{});
  // MATRIX_MUL: group 11. PIXEL_UNSHUFFLE: AI group 10, operation 1. EXIT: all 14 bits.
  EXPECT_EQ(begin<Opcode::MATRIX_MUL>()[0], 0x0001603FU);
  EXPECT_EQ(begin<Opcode::PIXEL_UNSHUFFLE>()[0], 0x00014100U);
  EXPECT_EQ(begin<Opcode::EXIT>()[0], 0x003FFF3FU);
  EXPECT_EQ(begin<Opcode::RESIZE_NEAREST>()[0] & 0x3F, 0x3FU);
}

TEST(UnityPayload, EachSyncFieldAtItsEnds) {
  EXPECT_EQ(sync_word({}), 0U);
  EXPECT_EQ(sync_word({.fetches = true, .keys = 1}), 0x1U);
  EXPECT_EQ(sync_word({.fetches = true, .keys = 8}), 0x39U);
  EXPECT_EQ(sync_word({.fetches = true, .keys = 1, .fetch = {3, 0}}), 0xC1U);
  EXPECT_EQ(sync_word({.fetches = true, .keys = 1, .fetch = {0, 255}}), 0x3FC01U);
  EXPECT_EQ(sync_word({.deposits = true}), 0x2U);
  EXPECT_EQ(sync_word({.deposits = true, .deposit = {3, 0}}), 0x302U);
  EXPECT_EQ(sync_word({.deposits = true, .deposit = {0, 255}}), 0x3FC0002U);
  EXPECT_EQ(sync_word({.blocks = true}), 0x4U);
  for (std::uint32_t word = 0; word < 1U << 26; word += 1021) {
    if (check_sync(word)) {
      EXPECT_EQ(sync_word(read_sync(word)), word);
    }
  }
}

TEST(UnityPayload, SyncErrors) {
  for (unsigned bit = 26; bit < 32; ++bit) {
    const auto number = static_cast<std::int32_t>(32 + bit);
    expect_status(check_sync(1U << bit), ErrorCode::reserved_bits, "sync", number, number, 0);
  }
  // A half that is off: each field of it, also while the other half is on.
  for (const std::uint32_t on : {0U, 2U}) {
    expect_status(check_sync(on | 7U << 3), ErrorCode::field_out_of_range, "num_key", -1, 7, 0);
    expect_status(check_sync(on | 2U << 6), ErrorCode::field_out_of_range, "keyr_bar", -1, 2, 0);
    expect_status(check_sync(on | 0x80U << 10), ErrorCode::field_out_of_range, "fetch_key", -1, 0x80, 0);
  }
  for (const std::uint32_t on : {0U, 1U}) {
    expect_status(check_sync(on | 1U << 8), ErrorCode::field_out_of_range, "keyw_bar", -1, 1, 0);
    expect_status(check_sync(on | 3U << 18), ErrorCode::field_out_of_range, "deposit_key", -1, 3, 0);
  }
  EXPECT_TRUE(check_sync(0x03FFFFFF));
}

TEST(UnityPayload, OnlyTheCodesOfTheTableExist) {
  unsigned found = 0;
  for (std::uint32_t section = 0; section < 64; ++section) {
    for (std::uint32_t operation = 0; operation < 1U << 14; ++operation) {
      const MachineCode code{section | operation << 8};
      const Instruction *row = find_quickly(code);
      if (section != 0 && section != 0x3F) {
        ASSERT_EQ(row, nullptr);
        continue;
      }
      if (operation < 0x300 || row != nullptr) {
        ASSERT_EQ(row, Set::find(code)) << section << ' ' << operation;
      }
      found += row != nullptr ? 1 : 0;
    }
  }
  EXPECT_EQ(found, 224U);
  expect_status(check({0x3E}), ErrorCode::unknown_instruction, "opcode", -1, 0x3E, 0);
}

TEST(UnityPayload, ReservedBitsAndAddressSpace) {
  MachineCode add = begin<Opcode::ADD>();
  EXPECT_TRUE(check(add));
  for (unsigned bit = 22; bit < 32; ++bit) {
    MachineCode code = add;
    code[0] |= 1U << bit;
    expect_status(check(code), ErrorCode::reserved_bits, "ADD", static_cast<std::int32_t>(bit), bit, 0);
  }
  for (unsigned bit = 58; bit < 64; ++bit) {
    MachineCode code = add;
    code[1] |= 1U << (bit - 32);
    expect_status(check(code), ErrorCode::reserved_bits, "ADD", static_cast<std::int32_t>(bit), bit, 0);
  }
  add[0] |= 3U << 6;
  expect_status(check(add), ErrorCode::field_out_of_range, "address_space", 0, 3, 2);
}

TEST(UnityPayload, ExitHasNoFields) {
  for (unsigned bit = 0; bit < 128; ++bit) {
    MachineCode code = begin<Opcode::EXIT>();
    if ((bit < 6) || (bit >= 8 && bit < 22)) continue;
    code[bit / 32] |= 1U << bit % 32;
    expect_status(check(code), ErrorCode::reserved_bits, "EXIT", static_cast<std::int32_t>(bit), bit, 0);
  }
  EXPECT_TRUE(check(begin<Opcode::EXIT>()));
}

TEST(UnityPayload, TableAddressFitsTheAddressSpace) {
  MachineCode code = begin<Opcode::ADD>();
  code[2] = 0xFFFC;
  EXPECT_TRUE(check(code));
  code[2] = 0x10000;
  expect_status(check(code), ErrorCode::address_outside_window, "table", -1, 0x10000, 0);
  code[0] |= 1U << 6;
  EXPECT_TRUE(check(code));
  code[3] = 1;
  expect_status(check(code), ErrorCode::address_outside_window, "table", -1, 0x100010000, 0);
  code[0] ^= 3U << 6;
  EXPECT_TRUE(check(code));
  code[2] = 0x10002;
  expect_status(check(code), ErrorCode::misaligned_address, "table", -1, 0x100010002, 4);
}

}  // namespace payload_test
}  // namespace
}  // namespace cox::isa::unity
