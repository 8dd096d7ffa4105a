// SPDX-License-Identifier: MIT
// ResNet-18 with random weights on many cores: every byte of every layer equals the reference.
#include "examples/pim_networks/pipeline.h"

#include <gtest/gtest.h>

#include "examples/pim_networks/pack_pipeline.h"
#include "examples/pim_networks/reference.h"
#include "examples/pim_networks/routes.h"
#include "tests/kernels/pim/pim_bench.h"
#include "tools/pim/check_program.h"

namespace cox::tests::pim_networks {
namespace {

using namespace cox::pim_networks;
using tests::pim::Bench;

constexpr std::size_t kMiB = 1U << 20;

/// The reference's maps, computed once.
const std::vector<Map> &expected_maps(const Parameters &parameters) {
  static const std::vector<Map> maps = evaluate(kResnet18, parameters, resnet18_image());
  return maps;
}

struct Case {
  unsigned cores;
  std::uint64_t jitter_seed;  ///< 0: the timing of the configuration
};

class PimPipelines : public testing::TestWithParam<Case> {};

/// Bytes of a row of a unit's results that differ from the reference.
std::size_t differing(Bench &bench, const Pipeline &pipeline, const Unit &unit, std::int32_t row, const Map &expected) {
  const Routes routes(pipeline, bench.configuration);
  const kernels::pim::ResidentMap map = pipeline.map_of(unit.layer);
  const std::uint32_t address = routes.result_of(unit, row) + map.block;
  std::size_t space = 0;
  while (address - bench.configuration.memories[space].first >= bench.configuration.memories[space].bytes) ++space;
  const std::span<const std::byte> bytes = bench.machine.memory(unit.core, static_cast<unsigned>(space));
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < map.width * map.block; ++i) {
    const std::size_t pixel = static_cast<std::uint32_t>(row) * map.width + i / map.block;
    const std::int32_t wanted = expected[pixel * map.channels + unit.block * map.block + i % map.block];
    if (static_cast<std::int8_t>(bytes[address - bench.configuration.memories[space].first + i]) != wanted) ++count;
  }
  return count;
}

TEST_P(PimPipelines, EqualTheReference) {
  const isa::pim::Configuration &configuration = isa::pim::default_configuration();
  static Pipeline pipeline;
  ASSERT_TRUE(pipeline.plan(configuration, GetParam().cores).ok());
  const unsigned cores = pipeline.cores();
  model::pim::Timing timing;
  timing.jitter_seed = GetParam().jitter_seed;
  Bench bench(cores, (cores + 4) * kMiB, 4 * kMiB, configuration, timing);
  const Parameters parameters = resnet18_parameters();
  const auto bytes = [&](std::uint32_t address, std::size_t count) { return std::span(bench.at(address), count); };
  const std::size_t array_bytes = cores * configuration.array.bytes(), constant_bytes = std::size_t{cores} * Pipeline::kConstantsBytes;
  Pipeline::Addresses addresses;
  addresses.arrays = bench.allocate(array_bytes);
  addresses.constants = bench.allocate(constant_bytes);
  addresses.image = bench.allocate(Pipeline::image_map().bytes());
  addresses.classes = bench.allocate(Pipeline::kClassesBytes);
  pack_image(resnet18_image(), bytes(addresses.image, Pipeline::image_map().bytes()));
  pack_weights(pipeline, configuration.array, parameters, bytes(addresses.arrays, array_bytes), bytes(addresses.constants, constant_bytes));

  ASSERT_TRUE(pipeline.append_load(bench.builder, addresses).ok());
  bench.run();
  // The second inference finds what the first one left in the memories.
  for (unsigned inference = 0; inference < 2; ++inference) {
    std::ranges::fill(bytes(addresses.classes, Pipeline::kClassesBytes), std::byte{0});
    const Status status = pipeline.append_inference(bench.builder, addresses);
    ASSERT_TRUE(status.ok()) << status.what() << " " << status.value();
    bench.run();
    const std::vector<Map> &expected = expected_maps(parameters);
    for (const Unit &unit : pipeline.units()) {
      if (is_projection(unit.layer)) continue;  // the last stage has taken the memory
      for (std::int32_t row = unit.rows.first; row < unit.rows.end; ++row)
        ASSERT_EQ(differing(bench, pipeline, unit, row, expected[unit.layer]), 0U)
            << layer_of(unit.layer).name << " row " << row << " block " << unit.block;
    }
    const std::span<const std::byte> classes = bytes(addresses.classes, Pipeline::kClassesBytes);
    for (std::size_t i = 0; i < expected[kClasses].size(); ++i) ASSERT_EQ(static_cast<std::int8_t>(classes[i]), expected[kClasses][i]) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(All, PimPipelines, testing::Values(Case{16, 0}, Case{16, 1}, Case{23, 2}, Case{32, 3}, Case{64, 0}, Case{64, 4}),
                         [](const auto &instance) {
                           return std::to_string(instance.param.cores) + (instance.param.jitter_seed == 0 ? "" : "WithJitter");
                         });

// Most messages are early, so the results are right even if a core does not wait for one. `cox check` finds it.
TEST(PimPipeline, HasNoHazards) {
  const isa::pim::Configuration &configuration = isa::pim::default_configuration();
  for (const unsigned cores : {16U, 23U, 64U}) {
    static Pipeline pipeline;
    ASSERT_TRUE(pipeline.plan(configuration, cores).ok());
    Bench bench(cores, kMiB, 4 * kMiB);
    const std::uint32_t dram = configuration.dram_first;
    ASSERT_TRUE(pipeline.append_inference(bench.builder, {dram, dram, dram, dram + (1U << 19)}).ok());
    const auto *const first = reinterpret_cast<const std::uint8_t *>(bench.builder.code().data());
    model::pim::Settings settings;
    settings.cores = cores;
    const tools::Report report =
        tools::pim::check_program({.stream = {first, bench.builder.code().size()}, .windows = {}, .constants = {}}, settings);
    EXPECT_EQ(tools::findings_text(report), "") << cores;
  }
}

TEST(PimPipeline, RefusesOtherNumbersOfCores) {
  static Pipeline pipeline;
  EXPECT_EQ(pipeline.plan(isa::pim::default_configuration(), 15).code(), ErrorCode::no_room);
  EXPECT_EQ(pipeline.plan(isa::pim::default_configuration(), 65).code(), ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace cox::tests::pim_networks
