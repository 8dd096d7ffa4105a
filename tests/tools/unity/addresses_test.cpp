// SPDX-License-Identifier: MIT
// The addresses of a container that task images relocate.
#include "tools/unity/addresses.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "coxswain/isa/unity/relocation.h"
#include "tools/unity/assemble.h"

namespace cox::tools::unity::addresses_test {
namespace {

using isa::unity::AddressPlace;

std::vector<std::uint64_t> values(const std::vector<PlacedAddress> &placed) {
  std::vector<std::uint64_t> values;
  for (const PlacedAddress &one : placed) values.push_back(one.address);
  return values;
}
std::vector<PlacedAddress> addresses_of(const std::string &text) { return addresses(assemble(text, "x").container); }

TEST(AddressesUnity, OperandsAndParameters) {
  EXPECT_EQ(values(addresses_of(".unit 0\nADD S0=0x1000000 S1=0x1000004 D=0x1000008 LEN=1\n")),
            (std::vector<std::uint64_t>{0x1000000, 0x1000004, 0x1000008}));
  const auto wide = addresses_of(".unit 0\nADD space=64 S0=0x100000000 S1=4 D=8 LEN=1\n");
  EXPECT_EQ(values(wide), (std::vector<std::uint64_t>{0x100000000, 4, 8}));
  for (const PlacedAddress &one : wide) EXPECT_EQ(AddressPlace(one.place).bytes(), 8U);
  // Modes decide whether a parameter is an address. An absent operand has no address.
  EXPECT_EQ(values(addresses_of(".unit 0\nMAX_POOL FM=1 D=2 PAD=3\n")), (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(values(addresses_of(".unit 0\nMAX_POOL FM=1 D=2 PAD=3 PAD_MODE=1\n")), (std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_EQ(values(addresses_of(".unit 0\nPRELU S=1 D=2 MUL=3\n")), (std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_EQ(values(addresses_of(".unit 0\nPRELU S=1 D=2 MUL=3 SHIFT=4\n")), (std::vector<std::uint64_t>{1, 2, 3, 4}));
  // Sub-programs move with the container.
  EXPECT_EQ(values(addresses_of(".unit 0\nCOND PRED=1 TRUE=body\n.sub body\n")), (std::vector<std::uint64_t>{1}));
  EXPECT_EQ(values(addresses_of(".page 0x20000\n.unit 0\nADD table=0x1000\n")), (std::vector<std::uint64_t>{0x20000}));
  EXPECT_TRUE(addresses_of(".absolute 0\n.unit 0\nADD S0=1\n").empty());
}

TEST(AddressesUnity, PairsOfCase) {
  const auto found = addresses_of(".unit 0\nCASE PAIRS=pairs N=2\n.sub body\n.data pairs\n.u32 0x1000000, body, 0x1000004, body\n");
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[1].address, 0x1000000U);
  EXPECT_EQ(found[2].address, 0x1000004U);
  EXPECT_EQ(AddressPlace(found[2].place).offset() - AddressPlace(found[1].place).offset(), 8U);
}

TEST(AddressesUnity, ResultsOfUnstack) {
  const std::string list = ".data list\n.u32 0x1000000, 0x1000010, 0x1000020\n";
  const auto found = addresses_of(".unit 0\nUNSTACK S=0x2000000 LIST=list AXIS=2 FN=4 FH=5 FW=3 FC=1 UNIT=u8\n" + list);
  ASSERT_EQ(found.size(), 5U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(found[i + 2].address, 0x1000000U + 0x10 * i);
  EXPECT_EQ(addresses_of(".unit 0\nUNSTACK S=0x2000000 LIST=list AXIS=4 FN=1 FH=1 FW=3 FC=1 UNIT=u8\n" + list).size(), 2U);
}

TEST(AddressesUnity, WrittenAddressesStayOperands) {
  auto bytes = assemble(".unit 0\nPRELU S=1 D=2 MUL=3 SHIFT=4\n", "x").container;
  for (const PlacedAddress &one : addresses(bytes)) write_address(bytes, {one.place, 0});
  EXPECT_EQ(addresses(bytes).size(), 4U);  // 0 would say that there are no shifts
  for (const PlacedAddress &one : addresses(bytes)) write_address(bytes, {one.place, 0x12345678});
  for (const std::uint64_t value : values(addresses(bytes))) EXPECT_EQ(value, 0x12345678U);
}

TEST(AddressesUnity, OwnBytes) {
  const std::vector<std::uint8_t> bytes(64);
  const auto own = relocate_own(bytes, {.place = 8, .address = 63});
  ASSERT_TRUE(own);
  EXPECT_EQ(own->window, isa::unity::kOwnBytes);
  EXPECT_EQ(own->offset, 63U);
  EXPECT_FALSE(relocate_own(bytes, {.place = 8, .address = 64}));
}

}  // namespace
}  // namespace cox::tools::unity::addresses_test
