// SPDX-License-Identifier: MIT
#include "tools/run/boards/board_map.h"

#include <gtest/gtest.h>

#include "tools/run/boards/board.h"
#include "tools/run/boards/model_options.h"

namespace cox::tools::run {
namespace {

TEST(BoardMap, EachBoardIsFoundByItsName) {
  ASSERT_GE(board_maps().size(), 2U);
  for (const BoardMap *map : board_maps()) {
    EXPECT_EQ(board_map(map->name), map);
    EXPECT_EQ(map->name, std::string("qemu-") + map->machine);
  }
  EXPECT_EQ(board_map("native"), nullptr);
  EXPECT_EQ(board_map("qemu-npu"), nullptr);
}

TEST(BoardMap, TheModelAcceptsTheOptionsOfEachBoard) {
  for (const BoardMap *map : board_maps()) EXPECT_NO_THROW(check_model_options(nlohmann::json::parse(map->model_options))) << map->name;
}

TEST(BoardMap, TheDefaultBoardHasTheNumbersOfTheNativeOne) {
  const BoardMap &map = *BoardSettings().map;
  EXPECT_EQ(map.name, kDefaultBoard);
  EXPECT_EQ(map.dram_base, kDramBase);
  EXPECT_EQ(map.dram_default_bytes, kDramDefaultBytes);
  EXPECT_EQ(map.dram_largest_bytes, kDramLargestBytes);
}

}  // namespace
}  // namespace cox::tools::run
