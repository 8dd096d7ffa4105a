// SPDX-License-Identifier: MIT
// Tests how the work of the control core affects the choice of a plan, and which tokens cores get if they share the kernels of a layer.
#include <gtest/gtest.h>

#include "coxswain/isa/tile/header.h"
#include "tests/tools/lower/network_files.h"
#include "tools/lower/lowering.h"

namespace cox::lower {
namespace {

using test::Folder;

TEST(Choice, SaysWhatTheControlCoreHasToDo) {
  Lowering lowering;
  lowering.program.resize(100);
  lowering.cycles = 12000;
  EXPECT_EQ(describe_control_core(lowering), "") << "the control core does not take longer than the device";
  lowering.cycles = 11999;
  EXPECT_EQ(describe_control_core(lowering), "the control core has more to do than the device: about 12000 cycles for 100 instructions\n");
  lowering.cycles = 20000;
  lowering.faster = Alternative{2, Division::rows, 15000, 300};
  EXPECT_EQ(describe_control_core(lowering),
            "the control core decided: by 2 cores, divided by rows the device would take 15000 cycles, "
            "but the control core about 36000 cycles for 300 instructions\n");
}

TEST(Choice, ASmallNetworkIsNotDividedBecauseOfTheControlCore) {
  const Folder folder;
  test::write_small_weights(folder);
  Network network = read_network(folder.write("net.json", test::small_network().dump()));
  network.batch = 8;  // enough images for the device to be faster with several cores
  const Lowering lowering = lower(network, pack_weights(network), {4});
  EXPECT_EQ(lowering.plan.cores, 1U);
  ASSERT_TRUE(lowering.faster.has_value());
  EXPECT_GT(lowering.faster->cores, 1U);
  EXPECT_LT(lowering.faster->cycles, lowering.cycles);
  EXPECT_GT(control_cycles(lowering.faster->instructions), lowering.cycles);
  EXPECT_FALSE(lower(network, pack_weights(network), {1}).faster.has_value()) << "one division";
}

TEST(Choice, EveryImageOfABatchHoldsTheirNumber) {
  const Folder folder;
  test::write_small_weights(folder);
  Network network = read_network(folder.write("net.json", test::small_network().dump()));
  for (const std::uint32_t images : {1U, 3U}) {
    network.batch = images;
    Plan plan;
    plan.images = images;
    plan.segments = {{0, network.layers.size(), images}};
    plan.piece_cycles = 8000;
    plan.tile_bytes = std::int64_t{128} * 1024;
    unsigned vectors = 0;
    for (const Instruction &instruction : lower_by(plan, network, pack_weights(network), {}).program) {
      if (instruction.queue != isa::tile::Class::VP || instruction.configuration) continue;
      EXPECT_EQ(isa::tile::images_of(instruction.code), images) << instruction.name;
      ++vectors;
    }
    EXPECT_GE(vectors, 3 * images) << "quantise, pool, add";
  }
}

TEST(Choice, WithDividedKernelsNoCoreFetchesAfterItsOwnAnnouncement) {
  const Folder folder;
  test::write_small_weights(folder);
  const Network network = read_network(folder.write("net.json", test::small_network().dump()));
  const Lowering lowering = lower(network, pack_weights(network), {2, Division::kernels});
  std::vector<const Instruction *> announcements;
  for (const Instruction &instruction : lowering.program) {
    if (instruction.name == "so_sync" && instruction.next_cores != 0) announcements.push_back(&instruction);
  }
  ASSERT_GE(announcements.size(), 3U);
  announcements.pop_back();  // the last one is the task's end
  for (const Instruction *announcement : announcements) {
    EXPECT_EQ(announcement->previous, 1U << static_cast<unsigned>(isa::tile::Class::PE)) << "waits only for its own kernels";
    EXPECT_EQ(announcement->next, 0U);
  }
}

}  // namespace
}  // namespace cox::lower
