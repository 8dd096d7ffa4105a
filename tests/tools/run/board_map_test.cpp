// SPDX-License-Identifier: MIT
#include "tools/run/boards/board_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tools/file/error.h"
#include "tools/run/boards/board.h"
#include "tools/run/boards/model_options.h"

namespace cox::tools::run {
namespace {

TEST(BoardMap, EachBoardIsFoundByItsName) {
  ASSERT_GE(board_maps().size(), 2U);
  for (const BoardMap *map : board_maps()) {
    EXPECT_EQ(board_map(map->name), map);
    EXPECT_TRUE(map->name == "qemu-" + map->machine || map->machine == map->name + "-npu") << map->name << ", " << map->machine;
  }
  EXPECT_EQ(board_map("native"), nullptr);
  EXPECT_EQ(board_map("qemu-npu"), nullptr);
}

TEST(BoardMap, TheModelAcceptsTheOptionsOfEachBoard) {
  for (const BoardMap *map : board_maps()) EXPECT_NO_THROW(check_model_options(nlohmann::json::parse(map->model_options))) << map->name;
}

// Returns the text of the default board's board.json, with one part replaced.
std::string with(const std::string &part, const std::string &other) {
  std::string text;
  for (const BoardText &board : board_texts()) {
    if (board.name == kDefaultBoard) text = board.text;
  }
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), other);
}

TEST(BoardMap, FaultsOfABoardJsonAreNamed) {
  for (const auto &[part, other, complaint] : std::vector<std::array<const char *, 3>>{
           {"\"dram\"", "\"draam\"", "my/board.json: memory: draam: no such field; did you mean \"dram\"?"},
           {"\"size\"", "\"siz\"", "my/board.json: memory: code: siz: no such field; did you mean \"size\"?"},
           {"\"interrupts\": 64,", "", "my/board.json: interrupts: missing"},
           {"\"0x60000000\"", "\"60000000\"", "is neither a number nor a hexadecimal one"},
           {"\"0x60000000\"", "\"0x160000000\"", "0x160000000 is more than 32 bits hold"},
           {"\"0x60000000\"", "\"0xd0000000\"", "dram (0xd0000000 to 0x10fffffff): it ends above the 32 bits"},
           {"\"0x20000000\"", "\"0x60000000\"", "dram (0x60000000 to 0x9fffffff) overlaps sram (0x60000000 to 0x601fffff); move one"},
           {"\"0x40008000\"", "\"0x40004000\"", "uart (0x40004000 to 0x40004fff) overlaps probe (0x40004000 to 0x40004fff)"},
           {"\"interrupt\": 11", "\"interrupt\": 64", "dma: interrupt: 64 is none of the 64 interrupts"},
           {"\"0x10000000\"", "\"0x00800000\"", "min, default and max must be in ascending order"},
           {"\"0x10000000\"", "\"0x10000001\"", "must be whole MiB"},
           {"\"0x00200000\"", "0", "sram: it has no bytes"},
           {"\"min\"", "\"bus\": \"0x20000000\", \"min\"",
            "on the bus, dram (0x20000000 to 0x5fffffff) overlaps on the bus, sram (0x20000000 to 0x201fffff); move one"},
           {"\"min\"", "\"bus\": \"0xd0000000\", \"min\"", "on the bus, dram (0xd0000000 to 0x10fffffff): it ends above the 32 bits"},
           {"{\n", "[\n", "my/board.json:"}}) {
    try {
      static_cast<void>(parse_board_map(with(part, other), "my/board.json"));
      ADD_FAILURE() << complaint;
    } catch (const FileError &error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(complaint));
    }
  }
}

TEST(BoardMap, DramMayBeElsewhereOnTheBus) {
  EXPECT_EQ(parse_board_map(with("\"min\"", "\"bus\": \"0xa0000000\", \"min\""), "my/board.json").dram_base, 0xa0000000U);
}

TEST(BoardMap, AFolderOrItsFile) {
  const std::string folder = std::string(COX_SOURCE_DIR) + "/boards/qemu-npu-small";
  for (const std::string &path : {folder, folder + "/board.json"}) {
    const BoardMap &map = read_board_map(path);
    EXPECT_EQ(map.name, "qemu-npu-small");
    EXPECT_EQ(map.file, folder + "/board.json");
    EXPECT_EQ(map.dram_base, 0xc0000000U);
    EXPECT_EQ(map.model_options, board_map("qemu-npu-small")->model_options);
  }
  EXPECT_THROW(static_cast<void>(read_board_map(std::string(COX_SOURCE_DIR) + "/boards/cortex-m55")), FileError);
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
