// SPDX-License-Identifier: MIT
// Hazards of each kind in each memory, between each two pipes that use it, with and without an order between them.
#include <gmock/gmock.h>

#include "tests/sim/cube/hazard/program.h"

namespace cox::model::cube::test {
namespace detector_test {

using isa::cube::Memory;
using isa::cube::OutputConfiguration;
using isa::cube::ScaleMode;
using isa::cube::Start;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::uint64_t kDram = 0x1'6000'0000;  // beyond 4 GiB

/// Two slots that share `bytes` bytes from `first` on.
struct Pair {
  const char *name;
  OutputConfiguration output;
  Slot earlier, later;
  Memory memory;
  std::uint64_t first, bytes;
  const char *earlier_field, *later_field;
  bool earlier_writes, later_writes;
};

const OutputConfiguration kPlain;
const OutputConfiguration kFactors{.scale_mode = ScaleMode::channel, .scale_address = 0x400};
const OutputConfiguration kBiases{.bias = true, .bias_address = 0x400};
const OutputConfiguration kResidual{.beta = 1, .residual = true, .residual_pitch = 32};

const Pair kPairs[] = {
    {"dram, read after write", kPlain, store(0, kDram), load(kDram + 0x1FF, 0x8000), Memory::dram, kDram + 0x1FF, 1, "Destination",
     "Source", true, false},
    {"dram, write after read", kPlain, load(kDram, 0x8000, 0x80), store(0, kDram), Memory::dram, kDram, 0x80, "Source", "Destination",
     false, true},
    {"l1, left matrix", kPlain, load(0, 0x100), move_left(0, 0), Memory::l1, 0x100, 0x100, "Destination", "Source", true, false},
    {"l1, right matrix", kPlain, load(0, 0x400), move_right(0x400, 0), Memory::l1, 0x400, 0x200, "Destination", "Source", true, false},
    {"l1, biases", kPlain, load(0, 0x400), load_biases(0x5C0, 0), Memory::l1, 0x5C0, 0x40, "Destination", "Source", true, false},
    {"l1, overwritten under MTE1", kPlain, move_left(0x400, 0), load(0, 0x5FF), Memory::l1, 0x5FF, 1, "Source", "Destination", false, true},
    {"l1, factors", kFactors, load(0, 0x400), store(0, kDram), Memory::l1, 0x400, 64, "Destination", "ScaleAddress", true, false},
    {"l1, biases of the output", kBiases, load(0, 0x43F), store(0, kDram), Memory::l1, 0x43F, 1, "Destination", "BiasAddress", true, false},
    {"l1, residual", kResidual, load(0, 0x2100), store_l1(0, 0, 0x2000), Memory::l1, 0x2100, 0x100, "Destination", "ResidualAddress", true,
     false},
    {"l1, residual overwritten", kResidual, store_l1(0, 0, 0x2000), load(0, 0x2100), Memory::l1, 0x2100, 0x100, "ResidualAddress",
     "Destination", false, true},
    {"l1, results over a load", kPlain, load(0, 0x400), store_l1(0, 0x500), Memory::l1, 0x500, 0x100, "Destination", "Destination", true,
     true},
    {"l1, load over results", kPlain, store_l1(0, 0x400), load(0, 0x400), Memory::l1, 0x400, 0x200, "Destination", "Destination", true,
     true},
    {"l1, results as a matrix", kPlain, store_l1(0, 0x400), move_left(0x200, 0, 2), Memory::l1, 0x400, 0x200, "Destination", "Source", true,
     false},
    {"l1, results over a matrix", kPlain, move_right(0x400, 0), store_l1(0, 0x420), Memory::l1, 0x420, 0x1E0, "Source", "Destination",
     false, true},
    {"l0a, read after write", kPlain, move_left(0, 0x200, 2), mad(0x400, 0, 0), Memory::l0a, 0x400, 0x200, "Destination", "Left", true,
     false},
    {"l0a, write after read", kPlain, mad(0x400, 0, 0), move_left(0, 0x400), Memory::l0a, 0x400, 0x200, "Left", "Destination", false, true},
    {"l0b, read after write", kPlain, move_right(0, 0xFE00), mad(0, 0xFE00, 0), Memory::l0b, 0xFE00, 0x200, "Destination", "Right", true,
     false},
    {"l0b, write after read", kPlain, mad(0, 0x400, 0), move_right(0, 0x200, 2), Memory::l0b, 0x400, 0x200, "Right", "Destination", false,
     true},
    {"l0c, read after write", kPlain, mad(0, 0, 0x400), store(0x400, kDram), Memory::l0c, 0x400, 0x400, "Destination", "Source", true,
     false},
    {"l0c, write after read", kPlain, store(0x400, kDram), mad(0, 0, 0, Start::zero, 0, 32), Memory::l0c, 0x400, 0x400, "Source",
     "Destination", false, true},
    {"l0c, to L1", kPlain, mad(0, 0, 0x400, Start::accumulator), store_l1(0x400, 0), Memory::l0c, 0x400, 0x400, "Destination", "Source",
     true, false},
    {"bias table, read after write", kPlain, load_biases(0, 64, 128), mad(0, 0, 0, Start::bias_table, 64), Memory::bias_table, 64, 64,
     "Destination", "BiasAddress", true, false},
    {"bias table, write after read", kPlain, mad(0, 0, 0, Start::bias_table, 128), load_biases(0, 128), Memory::bias_table, 128, 64,
     "BiasAddress", "Destination", false, true},
};

TEST(Detector, FindsEachPairWithBothInstructions) {
  for (const Pair &pair : kPairs) {
    SCOPED_TRACE(pair.name);
    const std::vector<Finding> findings = findings_of({output_configuration(pair.output), pair.earlier, pair.later});
    ASSERT_THAT(findings, SizeIs(1)) << text_of(findings);
    const Finding &found = findings[0];
    EXPECT_EQ(found.kind, FindingKind::hazard);
    EXPECT_EQ(found.memory, pair.memory);
    EXPECT_EQ(found.first, pair.first);
    EXPECT_EQ(found.last, pair.first + pair.bytes - 1);
    EXPECT_EQ(found.bytes, pair.bytes);
    EXPECT_EQ(found.earlier.instruction, 1);
    EXPECT_EQ(found.later.instruction, 2);
    EXPECT_EQ(found.earlier.pipe, pair.earlier.pipe());
    EXPECT_EQ(found.later.pipe, pair.later.pipe());
    EXPECT_STREQ(found.earlier.name, isa::cube::find_instruction(pair.earlier.code()[0])->name);
    EXPECT_STREQ(found.later.name, isa::cube::find_instruction(pair.later.code()[0])->name);
    EXPECT_STREQ(found.earlier.field, pair.earlier_field);
    EXPECT_STREQ(found.later.field, pair.later_field);
    EXPECT_EQ(found.earlier.write, pair.earlier_writes);
    EXPECT_EQ(found.later.write, pair.later_writes);
  }
}

TEST(Detector, AFlagOrdersEachPair) {
  for (const Pair &pair : kPairs) {
    SCOPED_TRACE(pair.name);
    const Pipe first = pair.earlier.pipe(), second = pair.later.pipe();
    const Slot configuration = output_configuration(pair.output);
    for (const unsigned event : {0U, 7U}) {
      EXPECT_THAT(findings_of({configuration, pair.earlier.sets(second, event), pair.later.waits(first, event)}), IsEmpty());
    }
    // The flag is set and awaited by separate instructions.
    EXPECT_THAT(findings_of({configuration, pair.earlier, isa::cube::encode_set_flag(first, second, 3),
                             isa::cube::encode_wait_flag(second, first, 3), pair.later}),
                IsEmpty());
    EXPECT_THAT(findings_of({configuration, pair.earlier, barrier({first}), pair.later}), IsEmpty());
  }
}

TEST(Detector, AFlagTheOtherWayAroundOrdersNothing) {
  for (const Pair &pair : kPairs) {
    SCOPED_TRACE(pair.name);
    const Pipe first = pair.earlier.pipe(), second = pair.later.pipe();
    // The flag goes the wrong way: the pipe of the later slot sets it, and the earlier slot waits for it.
    const std::vector<Finding> findings = findings_of(
        {output_configuration(pair.output), isa::cube::encode_set_flag(second, first, 0), pair.earlier.waits(second, 0), pair.later});
    ASSERT_THAT(findings, SizeIs(1)) << text_of(findings);
    EXPECT_EQ(findings[0].kind, FindingKind::hazard);
    // A barrier only for the pipe of the later slot orders nothing.
    EXPECT_THAT(findings_of({output_configuration(pair.output), pair.earlier, barrier({second}), pair.later}), SizeIs(1));
    // A flag that is set before the earlier slot orders nothing.
    EXPECT_THAT(findings_of({output_configuration(pair.output), isa::cube::encode_set_flag(first, second, 0), pair.earlier,
                             pair.later.waits(first, 0)}),
                SizeIs(1));
  }
}

TEST(Detector, AnotherEventIsADeadlock) {
  for (const Pair &pair : kPairs) {
    SCOPED_TRACE(pair.name);
    const Pipe first = pair.earlier.pipe(), second = pair.later.pipe();
    const std::vector<Finding> findings =
        findings_of({output_configuration(pair.output), pair.earlier.sets(second, 2), pair.later.waits(first, 3)});
    ASSERT_THAT(findings, SizeIs(1)) << text_of(findings);
    EXPECT_EQ(findings[0].kind, FindingKind::deadlock);
    EXPECT_EQ(findings[0].event, 3U);
    EXPECT_EQ(findings[0].other, first);
  }
}

TEST(Detector, NeighboursDoNotCollide) {
  EXPECT_THAT(findings_of({load(0, 0x200), move_left(0x400, 0), load(0, 0x600), move_left(0, 0x200)}), IsEmpty());
  EXPECT_THAT(findings_of({output_configuration(), store(0, kDram), load(kDram + 0x200, 0), load(kDram - 0x200, 0x200)}), IsEmpty());
}

TEST(Detector, OnePipeIsInOrder) {
  EXPECT_THAT(findings_of({load(0, 0), load(0x200, 0), load(0, 0)}), IsEmpty());
  EXPECT_THAT(findings_of({mad(0, 0, 0), mad(0, 0, 0, Start::accumulator)}), IsEmpty());
}

TEST(Detector, ReadersDoNotCollide) {
  EXPECT_THAT(findings_of({output_configuration(kFactors), move_left(0x400, 0), store(0, kDram), move_right(0x400, 0)}), IsEmpty());
}

TEST(Detector, RowsWithGapsAreExact) {
  // The load and the store have tiles of 32 bytes side by side in rows of 64 bytes, so they share no byte. If the load begins a byte
  // earlier, they share a byte in each of 16 rows.
  EXPECT_THAT(findings_of({output_configuration(), load_rows(kDram + 32, 16, 32, 64, 0), store(0, kDram, 64)}), IsEmpty());
  const std::vector<Finding> findings = findings_of({output_configuration(), load_rows(kDram + 31, 16, 32, 64, 0), store(0, kDram, 64)});
  ASSERT_THAT(findings, SizeIs(1)) << text_of(findings);
  EXPECT_EQ(findings[0].first, kDram + 31);
  EXPECT_EQ(findings[0].last, kDram + 31 + 15 * 64);
  EXPECT_EQ(findings[0].bytes, 16U);
}

TEST(Detector, RemembersWhatPipesTouchedWhileTheyWereApart) {
  // The first load reads a range of 0x200 bytes. The last store writes to it from byte `place` on, and is the only hazard. The other two
  // loads overlap the range, the other stores do not.
  for (const std::uint64_t place : {0U, 0x40U, 0x80U, 0x100U, 0x180U, 0x1FFU}) {
    const Slot configuration = output_configuration();
    const std::vector<Finding> findings =
        findings_of({configuration, load(kDram + 0x400, 0, 0x200), load(kDram + 0x440, 0, 0x40), load(kDram + 0x300, 0, 0x110),
                     store(0, kDram), store(0, kDram + 0x1000), store_l1(0, 0x8000), store(0x400, kDram + 0x400 + place)});
    ASSERT_FALSE(findings.empty()) << place;
    for (const Finding &finding : findings) EXPECT_EQ(finding.later.instruction, 7) << finding.text();
  }
  EXPECT_THAT(findings_of({output_configuration(), load(kDram + 0x400, 0, 0x200), load(kDram + 0x440, 0, 0x40), store(0, kDram + 0x200),
                           store(0, kDram + 0x600)}),
              IsEmpty());
}

TEST(Detector, ReportsAPairOnceForEachMemory) {
  // The load overlaps two reads of one store, its factors and its biases: that is one finding. A later load overlaps two rows of the
  // store's destination: that is one finding too.
  const OutputConfiguration both{.scale_mode = ScaleMode::channel, .scale_address = 0x400, .bias = true, .bias_address = 0x500};
  std::vector<Finding> findings = findings_of({output_configuration(both), load(0, 0x400), store(0, kDram, 64), load(kDram, 0x1000, 96)});
  ASSERT_THAT(findings, SizeIs(2)) << text_of(findings);
  EXPECT_EQ(findings[0].memory, Memory::l1);
  EXPECT_STREQ(findings[0].later.field, "ScaleAddress");
  EXPECT_EQ(findings[0].bytes, 64U);
  EXPECT_EQ(findings[1].memory, Memory::dram);
  EXPECT_EQ(findings[1].first, kDram);
  EXPECT_EQ(findings[1].last, kDram + 95);
  EXPECT_EQ(findings[1].bytes, 64U);
  // One pair of slots conflicts in two memories: two findings.
  findings = findings_of({output_configuration(kFactors), load(kDram, 0x400), store(0, kDram)});
  ASSERT_THAT(findings, SizeIs(2)) << text_of(findings);
  EXPECT_EQ(findings[0].memory, Memory::l1);
  EXPECT_EQ(findings[1].memory, Memory::dram);
}

TEST(Detector, AWholeMapIsRead) {
  // A map of 4 x 4 pixels of 32 bytes, with a pixel pitch of 64 and a row pitch of 256. The kernel is 1 x 1. Im2col reads the bytes of all
  // pixels, without the gaps.
  const Slot configuration = encode(isa::cube::Im2col{
      .height = 4, .width = 4, .channels = 16, .pixel_pitch = 64, .row_pitch = 256, .kernel_height = 1, .kernel_width = 1, .out_width = 4});
  isa::cube::Im2colToL0A matrix;
  matrix.source = 0x1000;
  matrix.columns = 16;
  const Slot move_map = encode(matrix);
  const std::vector<Finding> findings = findings_of({configuration, load(0, 0x1000, 1024), move_map});
  ASSERT_THAT(findings, SizeIs(1)) << text_of(findings);
  EXPECT_EQ(findings[0].first, 0x1000U);
  EXPECT_EQ(findings[0].last, 0x1000U + 3 * 256 + 3 * 64 + 31);
  EXPECT_EQ(findings[0].bytes, 512U);
  EXPECT_THAT(findings_of({configuration, load(0, 0x1020, 32), move_map}), IsEmpty());
}

TEST(Detector, BiasesThatWrapAreReadFromTheStart) {
  const Slot wrapping = mad(0, 0, 0, Start::bias_table, 1024 - 64, 32);
  EXPECT_THAT(findings_of({load_biases(0, 0), wrapping}), SizeIs(1));
  EXPECT_THAT(findings_of({load_biases(0, 1024 - 64), wrapping}), SizeIs(1));
  EXPECT_THAT(findings_of({load_biases(0, 64, 1024 - 128), wrapping}), IsEmpty());
}

TEST(Detector, AnEmptyMadTouchesNothing) {
  EXPECT_THAT(findings_of({move_left(0, 0), mad(0, 0, 0, Start::zero, 0, 0), move_left(0, 0)}), IsEmpty());
}

TEST(Detector, SaysWhatItWouldTake) {
  const std::vector<Finding> findings = findings_of({load(0, 0x400), load(0, 0x800), move_left(0x400, 0)});
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(
      findings[0].text(),
      "hazard: read after write: nothing orders DRAM_TO_L1 (instruction 0, MTE2) and L1_TO_L0A (instruction 2, MTE1): Destination and "
      "Source both touch L1 bytes 0x400 to 0x5ff, 512 of them; it would take a flag that MTE2 sets in instruction 0 or after it and "
      "MTE1 waits for in instruction 2 or before it");
  EXPECT_THAT(findings_of({move_left(0x400, 0), load(0, 0x400)})[0].text(), HasSubstr("write after read"));
  EXPECT_THAT(findings_of({load(0, 0x400), output_configuration(), store_l1(0, 0x400)})[0].text(), HasSubstr("write after write"));
}

}  // namespace detector_test
}  // namespace cox::model::cube::test
