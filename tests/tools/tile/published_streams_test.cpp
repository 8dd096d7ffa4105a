// SPDX-License-Identifier: MIT
// Reads the published streams. Each is written as text and as an image, and read again. This must give the same instructions.
#include <gtest/gtest.h>

#include <filesystem>

#include "coxswain/isa/tile/header.h"
#include "tools/file/file.h"
#include "tools/tile/image.h"
#include "tools/tile/stream.h"

namespace cox::task {
namespace {

class PublishedStreams : public testing::TestWithParam<const char *> {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(path(".asm.txt"))) GTEST_SKIP() << "no published streams at " << COX_SHARED_DATA;
  }
  static std::string path(const std::string &ending) { return std::string(COX_SHARED_DATA) + "/tile-streams/" + GetParam() + ending; }
};

TEST_P(PublishedStreams, ThereAndBack) {
  const Task task = load_task(path(".asm.txt"));
  const std::string text = write_stream(task.instructions);
  const std::vector<Instruction> again = read_stream(text, "again");
  ASSERT_EQ(again.size(), task.instructions.size());
  for (std::size_t i = 0; i < again.size(); ++i) EXPECT_TRUE(again[i].same_instruction(task.instructions[i])) << i;
  EXPECT_EQ(write_stream(again), text);
}

TEST_P(PublishedStreams, ThroughAnImage) {
  const Task task = load_task(path(".asm.txt"));
  const std::vector<std::uint8_t> image = build_image(task);
  const Task back = parse_image(image, "image");
  EXPECT_EQ(build_image(back), image);
  ASSERT_EQ(back.instructions.size(), task.instructions.size());
  for (std::size_t i = 0; i < back.instructions.size(); ++i) EXPECT_TRUE(back.instructions[i].same_instruction(task.instructions[i])) << i;
}

TEST_P(PublishedStreams, TheTraceHoldsTheSameInstructions) {
  const Task task = load_task(path(".asm.txt"));
  const Task trace = load_task(path(".trace.txt"));
  ASSERT_EQ(trace.instructions.size(), task.instructions.size());
  for (std::size_t i = 0; i < trace.instructions.size(); ++i) {
    EXPECT_TRUE(trace.instructions[i].same_instruction(task.instructions[i])) << i;
    ASSERT_TRUE(trace.instructions[i].times.has_value()) << i;
    EXPECT_EQ(trace.instructions[i].times->index, static_cast<std::int64_t>(i) + 1);
  }
}

TEST_P(PublishedStreams, EveryTileOfAVectorIsAnImageOfTheBatch) {
  int indices = 0;
  for (const Instruction &instruction : load_task(path(".asm.txt")).instructions) {
    const isa::tile::Opcode opcode = isa::tile::opcode_of(instruction.code);
    if (opcode != isa::tile::Opcode::vp_self && opcode != isa::tile::Opcode::vp_pool) continue;
    EXPECT_EQ(static_cast<int>(isa::tile::batch_of(instruction.code)), instruction.mapping.tile);
    indices += instruction.mapping.tile > 0 ? 1 : 0;
  }
  EXPECT_EQ(indices > 0, std::string(GetParam()) == "resnet50_b4");
}

INSTANTIATE_TEST_SUITE_P(All, PublishedStreams, testing::Values("resnet34_b1", "resnet50_b1", "resnet50_b4"),
                         [](const testing::TestParamInfo<const char *> &stream) { return std::string(stream.param); });

}  // namespace
}  // namespace cox::task
