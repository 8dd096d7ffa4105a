// SPDX-License-Identifier: MIT
// The published streams have no hazard except one known defect.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "coxswain/isa/tile/encode.h"
#include "sim/model/tile/hazard/analysis.h"
#include "sim/model/tile/hazard/mending.h"
#include "sim/model/tile/hazard/unwritten.h"
#include "tools/file/file.h"
#include "tools/tile/stream.h"

namespace cox::model::hazard {
namespace {

std::string path_of(const std::string &name) { return std::string(COX_SHARED_DATA) + "/tile-streams/" + name + ".asm.txt"; }

std::vector<task::Instruction> read(const std::string &name) {
  const std::vector<std::uint8_t> bytes = tools::read_file(path_of(name));
  return task::read_stream(std::string_view(reinterpret_cast<const char *>(bytes.data()), bytes.size()), name);
}

std::vector<Step> steps_of(const std::vector<task::Instruction> &instructions) {
  std::vector<isa::tile::MachineCode> codes;
  for (const task::Instruction &instruction : instructions) codes.push_back(instruction.code);
  Result<std::vector<Step>> steps = make_steps(codes);
  EXPECT_TRUE(steps.ok());
  return std::move(steps).value();
}

std::vector<Layers> layers_of(const std::vector<task::Instruction> &instructions) {
  std::vector<Layers> layers;
  for (const task::Instruction &instruction : instructions) layers.push_back({instruction.mapping.slyr, instruction.mapping.clyr});
  return layers;
}

Analysis analyse_all(const std::vector<task::Instruction> &instructions) {
  return analyse(steps_of(instructions), layers_of(instructions));
}

class PublishedStreams : public testing::TestWithParam<const char *> {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(path_of(GetParam()))) GTEST_SKIP() << "no published streams at " << COX_SHARED_DATA;
  }
};

TEST_P(PublishedStreams, HaveNoHazard) {
  const Analysis analysis = analyse_all(read(GetParam()));
  EXPECT_TRUE(analysis.passes());
  EXPECT_EQ(analysis.stale_weights.empty(), std::string(GetParam()) != "resnet50_b4");
}

TEST_P(PublishedStreams, ReadNothingThatTheyHaveNotWritten) {
  std::vector<Step> steps = steps_of(read(GetParam()));
  EXPECT_TRUE(find_unwritten_reads(steps).empty());
  // Without the writes of the first load, later instructions read bytes that no instruction has written.
  const auto load = std::find_if(steps.begin(), steps.end(),
                                 [](const Step &step) { return isa::tile::opcode_of(step.code) == isa::tile::Opcode::lda_mov; });
  ASSERT_NE(load, steps.end());
  load->touches.clear();
  EXPECT_FALSE(find_unwritten_reads(steps).empty());
}

INSTANTIATE_TEST_SUITE_P(All, PublishedStreams, testing::Values("resnet34_b1", "resnet50_b1", "resnet50_b4"),
                         [](const testing::TestParamInfo<const char *> &stream) { return std::string(stream.param); });

class Batch4 : public PublishedStreams {};

TEST_P(Batch4, OverwrittenWeightsAreFound) {
  const Analysis analysis = analyse_all(read(GetParam()));
  ASSERT_EQ(analysis.stale_weights.size(), 1U);
  const StaleWeights &stale = analysis.stale_weights.front();
  EXPECT_EQ(stale.convolution, 229);  // line 230 of the file
  EXPECT_EQ(stale.address, 4096);
  EXPECT_EQ(stale.overwritten_by, (std::vector<std::int32_t>{216, 218}));
  EXPECT_EQ(stale.loaded_by, 113);
}

TEST_P(Batch4, ABitThatIsMissingIsFoundAndTheWarningStays) {
  const std::vector<task::Instruction> instructions = read(GetParam());
  std::vector<Step> steps = steps_of(instructions);
  isa::insert_bits(steps[229].code, isa::tile::kPreviousBit, isa::tile::kClasses, 0);
  const std::vector<DependencyBit> bits = mending_bits(steps, layers_of(instructions));
  EXPECT_THAT(bits, testing::Contains(DependencyBit{229, false, isa::tile::lane_of(0, isa::tile::Class::VP), true}));
  for (const DependencyBit &bit : bits) EXPECT_TRUE(bit.stale_weights);
}

TEST_P(Batch4, MendedHasNoWarning) {
  std::vector<task::Instruction> instructions = read(GetParam());
  constexpr std::uint32_t kLw = 1U << static_cast<unsigned>(isa::tile::Class::LW);
  isa::tile::MachineCode &before = instructions[220].code;
  isa::tile::MachineCode &reader = instructions[229].code;
  ASSERT_TRUE(isa::tile::set_dependencies(before, isa::tile::previous_of(before), isa::tile::next_of(before) | kLw).ok());
  ASSERT_TRUE(isa::tile::set_dependencies(reader, isa::tile::previous_of(reader) | kLw, isa::tile::next_of(reader)).ok());
  const std::vector<task::Instruction> copies(instructions.begin() + 112, instructions.begin() + 114);
  instructions.insert(instructions.begin() + 221, copies.begin(), copies.end());
  const Analysis analysis = analyse_all(instructions);
  EXPECT_TRUE(analysis.passes());
  EXPECT_TRUE(analysis.stale_weights.empty());
}

INSTANTIATE_TEST_SUITE_P(Known, Batch4, testing::Values("resnet50_b4"),
                         [](const testing::TestParamInfo<const char *> &stream) { return std::string(stream.param); });

}  // namespace
}  // namespace cox::model::hazard
