// SPDX-License-Identifier: MIT
#include "tools/tile/image.h"

#include <gtest/gtest.h>

#include <cstring>

#include "coxswain/base/crc32.h"
#include "coxswain/firmware/image/image_header.h"
#include "tests/tools/tile/small_stream.h"
#include "tools/file/error.h"
#include "tools/tile/layout.h"
#include "tools/tile/stream.h"

namespace cox::task {
namespace image_test {

using tools::FileError;

Task small_task() {
  Task task;
  task.name = "small";
  task.instructions = read_stream(test::kSmallStream, "small");
  task.geometry = layout_of(task.instructions).geometry;
  task.windows = {{0, 64, false}, {1, 256, true}};
  task.constants = {{0, 0, std::vector<std::uint8_t>(64, 7)}};
  task.tensors = {{"out", Direction::output, isa::tile::DataFmt::INT8, {1, 8, 1, 4}, 1, 128, 32, false}};
  return task;
}

ErrorCode code_of(const std::vector<std::uint8_t> &image) {
  try {
    static_cast<void>(parse_image(image, "image"));
  } catch (const FileError &error) {
    return error.code();
  }
  return ErrorCode::ok;
}

/// Writes length and checksum of the changed payload into the header.
void seal(std::vector<std::uint8_t> &image) {
  firmware::image::ImageHeader header{};
  std::memcpy(&header, image.data(), sizeof(header));
  header.payload_bytes = static_cast<std::uint32_t>(image.size() - sizeof(header));
  header.payload_crc32 = crc32(std::as_bytes(std::span(image).subspan(sizeof(header))));
  std::memcpy(image.data(), &header, sizeof(header));
}

TEST(Image, EverythingComesBack) {
  const Task task = small_task();
  const std::vector<std::uint8_t> image = build_image(task);
  EXPECT_EQ(std::memcmp(image.data(), "CXT1", 4), 0);
  const Task back = parse_image(image, "image");
  EXPECT_EQ(back.name, task.name);
  EXPECT_EQ(back.geometry, (Geometry{8U << 20, 0, 1}));
  EXPECT_EQ(back.windows, task.windows);
  EXPECT_EQ(back.constants, task.constants);
  EXPECT_EQ(back.tensors, task.tensors);
  ASSERT_EQ(back.instructions.size(), task.instructions.size());
  for (std::size_t i = 0; i < back.instructions.size(); ++i) EXPECT_TRUE(back.instructions[i].same_instruction(task.instructions[i]));
  EXPECT_EQ(build_image(back), image);
}

TEST(Image, EveryTruncation) {
  const std::vector<std::uint8_t> image = build_image(small_task());
  for (std::size_t size = 0; size < image.size(); ++size) {
    EXPECT_EQ(code_of({image.begin(), image.begin() + static_cast<std::ptrdiff_t>(size)}), ErrorCode::image_truncated) << size;
  }
}

TEST(Image, EveryFlippedBitOfThePayload) {
  const std::vector<std::uint8_t> image = build_image(small_task());
  for (std::size_t byte = sizeof(firmware::image::ImageHeader); byte < image.size(); ++byte) {
    std::vector<std::uint8_t> changed = image;
    changed[byte] ^= static_cast<std::uint8_t>(1U << byte % 8);
    EXPECT_EQ(code_of(changed), ErrorCode::image_checksum) << byte;
  }
}

TEST(Image, Header) {
  std::vector<std::uint8_t> image = build_image(small_task());
  image[0] ^= 1U;
  EXPECT_EQ(code_of(image), ErrorCode::image_magic);
  image[0] ^= 1U;
  image[4] = 2;
  EXPECT_EQ(code_of(image), ErrorCode::image_version);
  image[4] = 1;
  image.push_back(0);
  EXPECT_EQ(code_of(image), ErrorCode::image_malformed);
}

/// The test changes each byte of the payload in turn and renews the checksum. Reading must succeed or refuse, and never crash.
TEST(Image, MalformedPayloads) {
  const std::vector<std::uint8_t> image = build_image(small_task());
  int refused = 0;
  for (std::size_t byte = sizeof(firmware::image::ImageHeader); byte < image.size(); ++byte) {
    for (const unsigned value : {0U, 0x7FU, 0xFFU}) {
      std::vector<std::uint8_t> changed = image;
      changed[byte] = static_cast<std::uint8_t>(value);
      seal(changed);
      const ErrorCode code = code_of(changed);
      EXPECT_TRUE(code == ErrorCode::ok || code == ErrorCode::image_malformed);
      refused += code == ErrorCode::ok ? 0 : 1;
    }
  }
  EXPECT_GT(refused, 50);
}

std::string two_cores() {
  return R"(["ct_st", {}, {"Prev_Insts": [], "Next_Insts": ["LD"]}]
["ct_bc", {"core": 1}, {"BCS": 0, "BufCut": [4, 7, 0, 0, 0, 0, 0, 0], "Prev_Insts": [], "Next_Insts": []}]
["lda_cfg", {"core": 0}, {"SME": 1, "RS": 0, "BAS": 2, "DF": "INT8", "STile": [8, 1, 4], "DTile": [8, 1, 4]}]
["lda_cfg", {"core": 1}, {"SME": 1, "RS": 0, "BAS": 1, "DF": "INT8", "STile": [8, 1, 4], "DTile": [8, 1, 4]}]
["lda_mov", {"core": 0}, {"RS": 0, "DBSG": 0, "STaddr": 0, "DTaddr": 64, "Tile": [1, 8, 1, 4], "Prev_Insts": ["CT"], "Next_Insts": []}]
["so_cfg", {"core": 1}, {"DF": "INT8", "STile": [8, 1, 4], "DTile": [8, 1, 4]}]
)";
}

Geometry geometry_of(const std::string &stream) { return layout_of(read_stream(stream, "stream")).geometry; }

TEST(Layout, EachCoreHasItsOwnConfiguration) {
  const Layout layout = layout_of(read_stream(two_cores(), "stream"));
  EXPECT_EQ(layout.windows[2].end, 32U);  // what core 1 configures later does not affect core 0
  EXPECT_EQ(layout.windows[1].end, 0U);
  EXPECT_EQ(layout.geometry, (Geometry{8 * 1024, 0, 2}));
}

TEST(Layout, CoresThatAreReadWrittenOrWaitedFor) {
  const std::string move =
      R"(["so_mov", {"core": 1}, {"CORE": 2, "SBSG": 0, "STaddr": 4096, "DTaddr": 16384, "Tile": [1, 8, 1, 4], "Prev_Cores": 0, "Next_Cores": )";
  EXPECT_EQ(geometry_of(two_cores() + move + R"(0, "Prev_Insts": [], "Next_Insts": []}])"), (Geometry{16384 + 32, 0, 3}));
  EXPECT_EQ(geometry_of(two_cores() + move + R"(8, "Prev_Insts": [], "Next_Insts": []}])"), (Geometry{16384 + 32, 0, 4}));
  const std::string sync = R"(["si_sync", {}, {"Prev_Cores": 4, "Next_Cores": 0, "Prev_Insts": [], "Next_Insts": []}])";
  EXPECT_EQ(geometry_of(two_cores() + sync), (Geometry{8 * 1024, 0, 3}));
}

TEST(Image, CoresComeBack) {
  Task task = small_task();
  task.instructions = read_stream(two_cores(), "stream");
  const Task back = parse_image(build_image(task), "image");
  ASSERT_EQ(back.instructions.size(), task.instructions.size());
  for (std::size_t i = 0; i < back.instructions.size(); ++i) EXPECT_TRUE(back.instructions[i].same_instruction(task.instructions[i]));
  EXPECT_EQ(isa::tile::core_of(back.instructions[1].code), 1U);
}

TEST(Image, AFileThatIsNotThere) { EXPECT_THROW(static_cast<void>(load_task("/nowhere/at/all.cxt")), FileError); }

}  // namespace image_test
}  // namespace cox::task
