// SPDX-License-Identifier: MIT
// Tests how the assembler finds the number of images in a batch and the index of the image of each VP instruction. It derives both from the
// fields `wkl` and `tile` of the lines (docs/isa/tile.md, Batches in VP).
#include <gtest/gtest.h>

#include "coxswain/isa/tile/encode.h"
#include "coxswain/isa/tile/header.h"
#include "tools/tile/assemble.h"
#include "tools/tile/stream.h"

namespace cox::task {
namespace {

Instruction vector(int workload, int tile, int address, const char *previous = "", int core = 0) {
  std::string line = R"(["vp_pool", {"core": )";
  line += std::to_string(core);
  line += R"(, "wkl": )";
  line += std::to_string(workload);
  line += R"(, "tile": )";
  line += std::to_string(tile);
  line +=
      R"(}, {"IQEN": 1, "QEN": 3, "SHMD": 0, "GPMD": 4, "CMPD": "DEFAULT", "TREED": "DEFAULT", "ACCD": "DEFAULT", "SWRS": "DEFAULT", "LUT": 17, "IPH": 0, "IPW": 0, "SBSG": 0, "DBSG": 0, "STaddr": )";
  line += std::to_string(address);
  line += R"(, "DTaddr": 4096, "Prev_Insts": [)";
  line += previous;
  line += R"(], "Next_Insts": []}])";
  return assemble_line(line);
}

std::vector<unsigned> batches(std::vector<Instruction> instructions) {
  EXPECT_EQ(set_batches(instructions), -1);
  std::vector<unsigned> found;
  for (const Instruction &instruction : instructions) found.push_back(isa::tile::batch_of(instruction.code));
  return found;
}

using Batches = std::vector<unsigned>;

TEST(Batches, RepeatsOfOneWorkload) {
  EXPECT_EQ(batches({vector(5, 0, 0, R"("PE")"), vector(5, 1, 0), vector(5, 2, 0), vector(6, 0, 0), vector(6, 1, 0)}),
            (Batches{0, 1, 2, 0, 1}));
}

std::vector<unsigned> images(std::vector<Instruction> instructions) {
  EXPECT_EQ(set_batches(instructions), -1);
  std::vector<unsigned> found;
  for (const Instruction &instruction : instructions) found.push_back(isa::tile::images_of(instruction.code));
  return found;
}

TEST(Batches, EachImageHoldsTheNumberOfImages) {
  EXPECT_EQ(images({vector(5, 0, 0), vector(5, 1, 0), vector(5, 2, 0), vector(6, 0, 0), vector(6, 1, 64), vector(7, 0, 0)}),
            (Batches{3, 3, 3, 1, 1, 1}));
  EXPECT_EQ(images({vector(5, 0, 0), vector(5, 0, 0, "", 1), vector(5, 1, 0), vector(6, 0, 0, "", 1)}), (Batches{2, 1, 2, 1}));
}

TEST(Batches, ALineMaySayTheNumberOfImages) {
  std::vector<Instruction> old = {vector(5, 0, 0), vector(5, 1, 0)};
  for (Instruction &instruction : old) instruction.tiles = 1;
  EXPECT_EQ(images(old), (Batches{1, 1}));
  const Instruction alone = assemble_line(
      R"(["vp_self", {"tiles": 256}, {"IQEN": 0, "QEN": 0, "SHMD": 0, "GPMD": 4, "CMPD": "DEFAULT", "TREED": "DEFAULT", "ACCD": "DEFAULT", "TM": 0, "SWRS": "DEFAULT", "LUT": 16, "SBSG": 0, "SBSG1": 0, "DBSG": 0, "STaddr": 0, "STaddr1": 0, "DTaddr": 0, "Prev_Insts": [], "Next_Insts": []}])");
  EXPECT_EQ(images({alone}), Batches{256});
}

/// In an old task file, the machine code says that each batch has one image. The printed lines must say the same, and assemble to the same
/// machine code.
TEST(Batches, AnOldImageStaysWhatItIs) {
  std::vector<Instruction> instructions = {vector(5, 0, 0), vector(5, 1, 0)};
  ASSERT_EQ(set_batches(instructions), -1);
  const std::string as_new = write_stream(instructions);
  EXPECT_NE(as_new.find(R"("tiles": 2)"), std::string::npos);
  for (Instruction &instruction : instructions) ASSERT_TRUE(isa::tile::set_images(instruction.code, 1).ok());
  const std::string as_old = write_stream(instructions);
  EXPECT_NE(as_old.find(R"("tiles": 1)"), std::string::npos);
  const std::vector<Instruction> again = read_stream(as_old, "old");
  for (std::size_t i = 0; i < instructions.size(); ++i) EXPECT_EQ(again[i].code, instructions[i].code);
}

TEST(Batches, TilesWithAddressesOfTheirOwn) {
  EXPECT_EQ(batches({vector(5, 0, 0), vector(5, 1, 64), vector(5, 2, 128)}), (Batches{0, 0, 0}));
}

TEST(Batches, OtherWorkloadsAndUnknownOnes) {
  EXPECT_EQ(batches({vector(5, 0, 0), vector(6, 1, 0), vector(-1, 0, 0), vector(-1, 1, 0)}), (Batches{0, 0, 0, 0}));
}

TEST(Batches, ARunThatDoesNotBeginWithTheFirstImage) { EXPECT_EQ(batches({vector(5, 1, 0), vector(5, 2, 0)}), (Batches{0, 0})); }

TEST(Batches, AConfigurationBetweenThem) {
  const Instruction configuration = assemble_line(R"(["vp_cfg_iq1", {}, {"IQB1": 0, "IQK1": 1}])");
  EXPECT_EQ(batches({vector(5, 0, 0), configuration, vector(5, 1, 0)}), (Batches{0, 0, 0}));
}

TEST(Batches, OtherClassesBetweenThem) {
  const Instruction other = assemble_line(R"(["pe_cfg_dq", {}, {"DQC": 0, "DQB": 0, "DQK": 0}])");
  EXPECT_EQ(batches({vector(5, 0, 0), other, vector(5, 1, 0)}), (Batches{0, 0, 1}));
}

TEST(Batches, CoresCountOnTheirOwn) {
  EXPECT_EQ(batches({vector(5, 0, 0), vector(5, 0, 0, "", 1), vector(5, 1, 0), vector(5, 1, 0, "", 1)}), (Batches{0, 0, 1, 1}));
  EXPECT_EQ(batches({vector(5, 0, 0), vector(5, 1, 0, "", 1)}), (Batches{0, 0}));
}

TEST(Batches, MoreThanTheMachineCodeHolds) {
  std::vector<Instruction> instructions;
  for (int i = 0; i <= 256; ++i) instructions.push_back(vector(5, i, 0));
  EXPECT_EQ(set_batches(instructions), 256);
}

}  // namespace
}  // namespace cox::task
