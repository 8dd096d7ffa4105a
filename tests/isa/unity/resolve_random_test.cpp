// SPDX-License-Identifier: MIT
// resolve() of random tables: it ends, names a field of the instruction, and what it accepts stays in the address space.
#include <gtest/gtest.h>

#include <random>

#include "tests/isa/unity/program.h"

namespace cox::isa::unity {
namespace {
namespace resolve_random_test {

TEST(UnityResolveRandom, RandomTables) {
  std::mt19937_64 random(3);
  unsigned accepted = 0, refused = 0;
  for (unsigned turn = 0; turn < 60000; ++turn) {
    const Instruction &row = kInstructions[1 + random() % (std::size(kInstructions) - 1)];
    if (row.stage == Stage::later && turn % 8 != 0) continue;
    const AddressSpace space = kAddressSpaces[random() % 3];
    TestInstruction instruction(row.opcode, {}, space);
    for_each_field(*row.layout, true, [&](const Placed &placed) {
      const unsigned width = placed.place.width(space);
      std::uint64_t value = random();
      switch (random() % 8) {
        case 0: value = 0; break;
        case 1: value = UINT64_MAX; break;
        case 2: break;
        case 3: value %= 5; break;
        default: value = 1 + value % 3; break;
      }
      if (placed.field->holds == Holds::unit && random() % 16 != 0) value %= kUnits;
      const bool address = placed.field->holds == Holds::address || placed.field->holds == Holds::optional_address;
      if (address && random() % 8 != 0) value = random() % 0xC00 * 16;
      if (placed.field->holds == Holds::program && random() % 8 != 0) value = random() % 0x100 * 32;
      instruction.table().write(placed.place.bit(space), width, value);
      return true;
    });
    const Result<Operation> operation = instruction.resolve();
    if (!operation) {
      ++refused;
      const std::string_view what = operation.status().what();
      const bool known = find_field(*row.layout, what).field != nullptr || what == "table" || what == row.name;
      EXPECT_TRUE(known) << row.name << ' ' << what;
      continue;
    }
    ++accepted;
    std::uint64_t lines = 0;
    class Count final : public RegionVisitor {
     public:
      void visit(const Region &region) override { lines += region.empty() ? 0 : region.chunks(); }
      std::uint64_t lines = 0;
    } count;
    visit_regions(operation.value(), count);
    if (count.lines > 100000) continue;
    const std::uint64_t base = space == AddressSpace::bits16 ? TestInstruction::kPage : 0;
    for (const Access &access : instruction.accesses()) {
      ++lines;
      EXPECT_GT(access.bytes, 0U);
      EXPECT_GE(access.start, base);
      EXPECT_LE(access.bytes - 1, (UINT64_MAX >> (64 - address_bits(space))) - (access.start - base)) << row.name << ' ' << access.field;
    }
    EXPECT_GT(lines, 0U);
  }
  EXPECT_GT(accepted, 2000U);
  EXPECT_GT(refused, 2000U);
}

TEST(UnityResolveRandom, RandomPayloads) {
  std::mt19937 random(4);
  const TestMemory memory(0, 0x1000);
  for (unsigned turn = 0; turn < 100000; ++turn) {
    MachineCode code{static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random()),
                     static_cast<std::uint32_t>(random() % 0x1100), 0};
    if (turn % 2 == 0)
      code[0] = Set::begin(kInstructions[random() % std::size(kInstructions)])[0] | static_cast<std::uint32_t>(random() % 3) << 6;
    if (turn % 4 != 1) code[1] &= 7;
    if (!check(code)) continue;
    static_cast<void>(resolve(code, {memory, 0}));
  }
}

}  // namespace resolve_random_test
}  // namespace
}  // namespace cox::isa::unity
