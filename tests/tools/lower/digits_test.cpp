// SPDX-License-Identifier: MIT
// The hazard detector finds nothing in the demo's task and in a larger one. If any dependency bit is removed, there is an error.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "coxswain/isa/tile/table.h"
#include "sim/model/tile/hazard/analysis.h"
#include "sim/model/tile/hazard/mending.h"
#include "tests/tools/lower/network_files.h"
#include "tools/lower/lowering.h"
#include "tools/tile/stream.h"

namespace cox::lower {
namespace digits_test {

using isa::tile::kClasses;
using isa::tile::MachineCode;
using model::hazard::DependencyBit;
using model::hazard::Step;
using test::Folder;
using test::json;

std::vector<Step> steps_of(const Program &program) {
  const std::string text = task::write_stream(assembled(program));
  std::vector<MachineCode> code;
  for (const task::Instruction &instruction : task::read_stream(text, "lowered")) code.push_back(instruction.code);
  const Result<std::vector<Step>> steps = model::hazard::make_steps(code);
  EXPECT_TRUE(steps.ok()) << steps.status().what() << " at " << steps.status().index();
  return steps.value();
}

std::vector<Step> steps_of(const std::string &path, std::uint32_t batch = 1, const Wish &wish = {}) {
  Network network = read_network(path);
  network.batch = batch;
  return steps_of(lower(network, pack_weights(network), wish).program);
}

std::vector<Step> digits() { return steps_of(std::string(COX_SOURCE_DIR) + "/examples/digits/network.json"); }

/// Clears bit `bit` of an instruction.
void clear_bit(MachineCode &code, unsigned bit) { code[bit / 32] &= ~(1U << bit % 32); }

struct Bit {
  std::size_t instruction = 0;
  bool next = false;
  unsigned other = 0;
};

std::vector<Bit> bits_of(const std::vector<Step> &steps) {
  std::vector<Bit> bits;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (unsigned c = 0; c < kClasses; ++c) {
      if ((isa::tile::previous_of(steps[i].code) >> c & 1U) != 0) bits.push_back({i, false, c});
      if ((isa::tile::next_of(steps[i].code) >> c & 1U) != 0) bits.push_back({i, true, c});
    }
  }
  return bits;
}

TEST(Digits, TaskIsClean) {
  const model::hazard::Analysis analysis = model::hazard::analyse(digits());
  EXPECT_TRUE(analysis.passes());
  EXPECT_TRUE(analysis.stale_weights.empty());
}

TEST(Digits, EachDependencyBitThatIsRemovedIsCaughtAndFoundAgain) {
  const std::vector<Step> steps = digits();
  const std::vector<Bit> bits = bits_of(steps);
  ASSERT_GE(bits.size(), 20U);
  for (const Bit &bit : bits) {
    std::vector<Step> without = steps;
    clear_bit(without[bit.instruction].code, (bit.next ? isa::tile::kNextBit : isa::tile::kPreviousBit) + bit.other);
    EXPECT_FALSE(model::hazard::analyse(without).passes()) << "instruction " << bit.instruction;
    const std::vector<DependencyBit> mends = model::hazard::mending_bits(without);
    EXPECT_TRUE(std::any_of(mends.begin(), mends.end(),
                            [&bit](const DependencyBit &mend) {
                              return mend.instruction == static_cast<std::int32_t>(bit.instruction) && mend.next == bit.next &&
                                     static_cast<unsigned>(mend.other) == bit.other;
                            }))
        << (bit.next ? "Next" : "Prev") << " of instruction " << bit.instruction;
  }
}

TEST(Digits, EachTokenIsNeeded) {
  // If a token is removed at both ends, the tokens stay balanced, so only the detector can notice. Tokens for class CT are left out:
  // only ct_ed takes them. It accesses no memory, so it is never part of a hazard.
  const std::vector<Step> steps = digits();
  for (const Bit &bit : bits_of(steps)) {
    const auto own = static_cast<unsigned>(isa::tile::find_instruction(isa::tile::opcode_of(steps[bit.instruction].code))->queue);
    if (bit.next || own == static_cast<unsigned>(isa::tile::Class::CT)) continue;
    std::size_t pops = 0;
    std::vector<std::size_t> pushes;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const auto queue = static_cast<unsigned>(isa::tile::find_instruction(isa::tile::opcode_of(steps[i].code))->queue);
      if (i < bit.instruction && queue == own) pops += isa::tile::previous_of(steps[i].code) >> bit.other & 1U;
      if (queue == bit.other && (isa::tile::next_of(steps[i].code) >> own & 1U) != 0) pushes.push_back(i);
    }
    ASSERT_LT(pops, pushes.size());
    std::vector<Step> without = steps;
    clear_bit(without[bit.instruction].code, isa::tile::kPreviousBit + bit.other);
    clear_bit(without[pushes[pops]].code, isa::tile::kNextBit + own);
    const model::hazard::Analysis analysis = model::hazard::analyse(without);
    EXPECT_TRUE(analysis.imbalances.empty());
    EXPECT_FALSE(analysis.hazards.empty()) << "the token from " << pushes[pops] << " to " << bit.instruction;
  }
}

/// Returns a network whose maps have several bands of rows and whose layers have several weight tiles.
json large_network() {
  json network = test::small_network();
  network["input"]["shape"] = {24, 96, 96};
  const json same = {{"kernel", {3, 3}}, {"padding", {1, 1, 1, 1}}};
  const auto convolution = [&same](const char *name, const char *input, const json &output) {
    json layer = same;
    layer.update(
        {{"name", name}, {"operation", "convolution"}, {"inputs", {input}}, {"weights", std::string(name) + ".bin"}, {"output", output}});
    return layer;
  };
  network["layers"] = {
      {{"name", "quantise"}, {"operation", "quantise"}, {"inputs", {"image"}}, {"output", test::map_of(24, 96, 96)}},
      convolution("first", "quantise", test::map_of(64, 96, 96)),
      {{"name", "pool"},
       {"operation", "maximum_pool"},
       {"inputs", {"first"}},
       {"kernel", {3, 3}},
       {"stride", {2, 2}},
       {"padding", {1, 1, 1, 1}},
       {"output", test::map_of(64, 48, 48)}},
      convolution("wide", "pool", test::map_of(1100, 48, 48)),
      {{"name", "average"},
       {"operation", "average_pool"},
       {"inputs", {"wide"}},
       {"kernel", {48, 48}},
       {"output", test::map_of(1100, 1, 1)}},
      {{"name", "logits"},
       {"operation", "fully_connected"},
       {"inputs", {"average"}},
       {"weights", "logits.bin"},
       {"output", {{"shape", {10, 1, 1}}, {"format", "FP16"}}}},
  };
  return network;
}

TEST(Lowering, BandsAndWeightTilesAreClean) {
  const Folder folder;
  folder.write_weights("first.bin", 64, std::size_t{9} * 24);
  folder.write_weights("wide.bin", 1100, std::size_t{9} * 64);
  folder.write_weights("logits.bin", 10, 1100);
  const std::vector<Step> steps = steps_of(folder.write("net.json", large_network().dump()));
  const auto convolutions = std::count_if(steps.begin(), steps.end(),
                                          [](const Step &step) { return isa::tile::opcode_of(step.code) == isa::tile::Opcode::pe_conv; });
  EXPECT_GT(convolutions, 20);
  const model::hazard::Analysis analysis = model::hazard::analyse(steps);
  EXPECT_TRUE(analysis.passes());
  EXPECT_TRUE(analysis.stale_weights.empty());
}

TEST(Lowering, SeveralCoresAreClean) {
  const Folder folder;
  folder.write_weights("first.bin", 64, std::size_t{9} * 24);
  folder.write_weights("wide.bin", 1100, std::size_t{9} * 64);
  folder.write_weights("logits.bin", 10, 1100);
  const std::string path = folder.write("net.json", large_network().dump());
  const struct {
    std::uint32_t batch;
    Wish wish;
  } kCases[] = {{4, {2, Division::images}},  {4, {4, Division::images}}, {1, {2, Division::kernels}},
                {2, {3, Division::kernels}}, {1, {4, Division::rows}},   {2, {3, Division::rows}}};
  for (const auto &[batch, wish] : kCases) {
    const std::vector<Step> steps = steps_of(path, batch, wish);
    std::uint32_t cores = 0;
    for (const Step &step : steps) cores |= 1U << isa::tile::core_of(step.code);
    EXPECT_EQ(cores, (1U << wish.cores) - 1);
    const model::hazard::Analysis analysis = model::hazard::analyse(steps);
    EXPECT_TRUE(analysis.imbalances.empty() && analysis.stuck.empty()) << wish.cores;
    EXPECT_EQ(analysis.hazards.size(), 0U) << wish.cores;
    EXPECT_TRUE(analysis.stale_weights.empty()) << wish.cores;
  }
}

TEST(Lowering, WhatCoresFetchFromOneAnotherIsNotOverwrittenBefore) {
  // The wide layer has six weight tiles, which take turns in the room for two tiles.
  const Folder folder;
  folder.write_weights("first.bin", 64, std::size_t{9} * 24);
  folder.write_weights("wide.bin", 1100, std::size_t{9} * 64);
  folder.write_weights("logits.bin", 10, 1100);
  const Network network = read_network(folder.write("net.json", large_network().dump()));
  Plan plan;
  plan.cores = 3;
  plan.images = 2;
  plan.segments = {{0, network.layers.size(), 1}};
  plan.piece_cycles = 8000;
  plan.tile_bytes = std::int64_t{128} * 1024;
  plan.staging_bytes = 2 * plan.tile_bytes;
  plan.compact = true;
  for (const Division division : {Division::images, Division::kernels, Division::rows}) {
    plan.division = division;
    const model::hazard::Analysis analysis = model::hazard::analyse(steps_of(lower_by(plan, network, pack_weights(network), {}).program));
    EXPECT_TRUE(analysis.passes()) << analysis.hazards.size() << " hazards, division " << static_cast<int>(division);
  }
}

TEST(Lowering, MoreCoresTakeFewerCycles) {
  const Folder folder;
  folder.write_weights("first.bin", 64, std::size_t{9} * 24);
  folder.write_weights("wide.bin", 1100, std::size_t{9} * 64);
  folder.write_weights("logits.bin", 10, 1100);
  Network network = read_network(folder.write("net.json", large_network().dump()));
  network.batch = 4;
  const WeightImage weights = pack_weights(network);
  const model::Cycle one = lower(network, weights, {1}).cycles, two = lower(network, weights, {2}).cycles,
                     four = lower(network, weights, {4}).cycles;
  EXPECT_LT(two, one);
  EXPECT_LT(four, two);
}

TEST(Lowering, ImagesThatDoNotComeOutEvenAreRefusedByName) {
  const Folder folder;
  test::write_small_weights(folder);
  Network network = read_network(folder.write("net.json", test::small_network().dump()));
  network.batch = 3;
  try {
    static_cast<void>(lower(network, pack_weights(network), {2, Division::images}));
    FAIL();
  } catch (const NetworkError &error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("net.json: batch: 3 images cannot be divided among 2 cores"));
  }
}

TEST(Lowering, WeightsAreLoadedAhead) {
  // The weights of both layers fit into WL0, so their load can be the first instruction.
  const Folder folder;
  test::write_small_weights(folder);
  const Network network = read_network(folder.write("net.json", test::small_network().dump()));
  const Lowering lowering = lower(network, pack_weights(network));
  std::size_t loads = 0;
  for (const Instruction &instruction : lowering.program) {
    if (instruction.name != "lw_mov") continue;
    ++loads;
    for (const std::int32_t earlier : instruction.waits_for) {
      EXPECT_NE(lowering.program[static_cast<std::size_t>(earlier)].queue, isa::tile::Class::PE) << "load " << loads;
    }
  }
  EXPECT_EQ(loads, 2U);
}

}  // namespace digits_test
}  // namespace cox::lower
