// SPDX-License-Identifier: MIT
// Task images: each way in which an image can be wrong is refused.
#include "coxswain/firmware/image/loader.h"

#include <gmock/gmock.h>

#include <functional>
#include <ostream>
#include <string_view>

#include "coxswain/base/crc32.h"
#include "tests/firmware/task_builder.h"

namespace cox::tests {
namespace {

using firmware::image::LoadedTask;

struct LoadedImage {
  Result<LoadedTask> result;
  std::vector<std::uint32_t> workspace;
};

LoadedImage load(std::span<std::byte> image, std::size_t instructions = 64) {
  LoadedImage loaded{Status(), std::vector<std::uint32_t>(firmware::image::workspace_bytes(instructions) / 4 + 1)};
  loaded.result = firmware::image::load(image, firmware::image::reference_geometry(), std::as_writable_bytes(std::span(loaded.workspace)));
  return loaded;
}

TaskText with_constant() {
  TaskText text = copy_task();
  text.windows.push_back({1, 48, false});
  text.constants = {{1, 0, std::vector<std::uint8_t>(48, 7)}, {0, 8, {1, 2, 3}}};
  return text;
}

TEST(Geometry, OfTheDefaultDeviceAndOfTheLargestOne) {
  const firmware::image::DeviceGeometry usual = firmware::image::reference_geometry();
  EXPECT_EQ(usual.l2_bytes, 8U << 20);
  EXPECT_EQ(usual.wl0_bytes, 20'480U * 64);
  EXPECT_EQ(usual.cores, 1U);
  const firmware::image::DeviceGeometry largest = firmware::image::largest_geometry();
  EXPECT_EQ(largest.l2_bytes, 8U << 20);
  EXPECT_EQ(largest.wl0_bytes, 65'536U * 64);
  EXPECT_EQ(largest.cores, 4U);
}

TEST(Crc32, IsThatOfZlib) {
  // The published catalogue of CRCs gives this result for the digits 1 to 9.
  const std::string_view digits = "123456789";
  EXPECT_EQ(crc32(std::as_bytes(std::span(digits))), 0xCBF43926U);
  EXPECT_EQ(crc32({}), 0U);
}

TEST(Crc32, InPiecesIsTheSameAsAtOnce) {
  std::vector<std::byte> data(1000);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::byte>(i * 37 >> 3);
  const std::uint32_t whole = crc32(data);
  for (const std::size_t cut : {0U, 1U, 7U, 8U, 13U, 999U}) {
    EXPECT_EQ(crc32(std::span(data).subspan(cut), crc32(std::span(data).first(cut))), whole);
  }
}

TEST(Loader, AGoodImageIsReadInPlace) {
  TaskText text = with_constant();
  text.mapping = text.code.size();
  Image image(text);
  const LoadedImage loaded = load(image.bytes());
  ASSERT_TRUE(loaded.result.ok()) << error_name(loaded.result.status().code()) << " " << loaded.result.status().what();
  const LoadedTask &task = loaded.result.value();
  EXPECT_EQ(task.name(), "copy");
  EXPECT_EQ(task.instructions().size(), text.code.size());
  const auto *code = reinterpret_cast<const std::byte *>(task.instructions().data());
  EXPECT_TRUE(code >= image.bytes().data() && code < image.bytes().data() + image.bytes().size());
  EXPECT_EQ(task.windows()[0].size, 256U);
  EXPECT_TRUE(task.windows()[0].writable);
  EXPECT_EQ(task.windows()[2].size, 0U);
  EXPECT_EQ(task.needs().blocks.first, 0U);
  EXPECT_EQ(task.needs().blocks.last, 8191U);
  EXPECT_TRUE(task.needs().weights.empty());
  EXPECT_EQ(task.needs().cores, 1U);
}

TEST(Loader, TensorsAreFoundByName) {
  Image image(copy_task());
  const LoadedImage loaded = load(image.bytes());
  ASSERT_TRUE(loaded.result.ok());
  const auto y = loaded.result.value().find_tensor("y");
  ASSERT_TRUE(y.ok());
  EXPECT_TRUE(y.value().output);
  EXPECT_EQ(y.value().offset, 128U);
  EXPECT_THAT(y.value().shape, testing::ElementsAre(1, 8, 4, 4));
  EXPECT_EQ(loaded.result.value().find_tensor("z").status().code(), ErrorCode::tensor_unknown);
}

// If a constant is used in place, its window lies in the image. A second constant in this window would overwrite the image.
TEST(Loader, AConstantThatIsUsedInPlaceIsAloneInItsWindow) {
  TaskText text = with_constant();
  text.constants.push_back({1, 8, {1, 2, 3}});
  Image image(text);
  const Status status = load(image.bytes()).result.status();
  EXPECT_EQ(status.code(), ErrorCode::image_malformed);
  EXPECT_STREQ(status.what(), "constants.data");
  EXPECT_EQ(status.index(), 2);
  text.constants.back().data.clear();  // the constant writes no bytes
  EXPECT_TRUE(load(Image(text).bytes()).result.ok());
}

// Constants may share their bytes in the image, so a small image could make the loader write much. The sizes of the windows limit that.
TEST(Loader, ConstantsOfAWindowAreNoMoreThanItHolds) {
  TaskText text = copy_task();
  text.constants = {{0, 0, std::vector<std::uint8_t>(128, 7)}, {0, 128, {}, true}};
  Image image(text);
  const LoadedImage loaded = load(image.bytes());
  ASSERT_TRUE(loaded.result.ok());
  EXPECT_EQ(loaded.result.value().constant(0).data.data(), loaded.result.value().constant(1).data.data());
  text.constants.push_back({0, 255, {1}});
  const Status status = load(Image(text).bytes()).result.status();
  EXPECT_EQ(status.code(), ErrorCode::image_malformed);
  EXPECT_STREQ(status.what(), "constants.data");
  EXPECT_EQ(status.index(), 2);
  EXPECT_EQ(status.value(), 257);
  EXPECT_EQ(status.limit(), 256);
}

TEST(Loader, AConstantThatIsAWholeReadOnlyWindowIsUsedInPlace) {
  Image image(with_constant());
  const LoadedImage loaded = load(image.bytes());
  ASSERT_TRUE(loaded.result.ok());
  const std::span<const std::byte> constant = loaded.result.value().constant_in_place(1);
  ASSERT_EQ(constant.size(), 48U);
  EXPECT_EQ(constant[47], std::byte{7});
  EXPECT_TRUE(loaded.result.value().constant_in_place(0).empty());
}

// If the constant of a writable window were used in place, the task would write into the image.
TEST(Loader, AConstantThatIsAWholeWritableWindowIsCopied) {
  TaskText text = copy_task();
  text.constants = {{0, 0, std::vector<std::uint8_t>(256, 7)}};
  Image image(text);
  const LoadedImage loaded = load(image.bytes());
  ASSERT_TRUE(loaded.result.ok());
  const LoadedTask &task = loaded.result.value();
  EXPECT_TRUE(task.windows()[0].has_constants);
  EXPECT_TRUE(task.constant_in_place(0).empty());
}

TEST(Loader, TruncatedAtAnyLengthIsRefused) {
  Image image(with_constant());
  for (std::size_t size = 0; size < image.bytes().size(); ++size) {
    // The copy has exactly `size` bytes, so a sanitizer detects a read past its end.
    std::vector<std::uint64_t> words(size / 8 + 3);
    std::span<std::byte> copy = std::as_writable_bytes(std::span(words));
    const std::size_t shift = (16 - reinterpret_cast<std::uintptr_t>(copy.data()) % 16) % 16;
    copy = copy.subspan(shift).first(size);
    std::copy_n(image.bytes().begin(), size, copy.begin());
    EXPECT_EQ(load(copy).result.status().code(), ErrorCode::image_truncated) << size;
  }
}

TEST(Loader, AnyByteFlippedIsRefused) {
  Image image(with_constant());
  for (std::size_t at = 0; at < image.bytes().size(); ++at) {
    image.bytes()[at] ^= std::byte{0x41};
    EXPECT_FALSE(load(image.bytes()).result.ok()) << at;
    image.bytes()[at] ^= std::byte{0x41};
  }
}

// The checksum is mended after each flip, so only the loader's other checks protect the firmware. Even if they accept the image, the loader
// reads only the image and the workspace (the sanitizers check this). All tensors and constants of an accepted task lie in its windows.
TEST(Loader, AnyByteFlippedUnderAGoodChecksumIsSafe) {
  Image image(with_constant());
  unsigned refused = 0;
  for (std::size_t at = sizeof(std::uint32_t) * 4; at < image.bytes().size(); ++at) {
    for (const unsigned change : {0x01U, 0x80U, 0xFFU}) {
      const std::byte before = image.bytes()[at];
      image.bytes()[at] ^= static_cast<std::byte>(change);
      image.seal();
      const LoadedImage loaded = load(image.bytes());
      if (loaded.result.ok()) {
        const LoadedTask &task = loaded.result.value();
        for (std::size_t i = 0; i < task.tensors(); ++i)
          EXPECT_LE(task.tensor(i).offset + task.tensor(i).size, task.windows()[task.tensor(i).window].size);
        for (std::size_t i = 0; i < task.constants(); ++i)
          EXPECT_LE(task.constant(i).offset + task.constant(i).data.size(), task.windows()[task.constant(i).window].size);
      } else {
        ++refused;
      }
      image.bytes()[at] = before;
    }
  }
  EXPECT_GT(refused, image.bytes().size());
}

struct BadImage {
  const char *name;
  ErrorCode error;
  const char *what;
  std::function<void(TaskText &)> change;
};

void PrintTo(const BadImage &bad, std::ostream *out) { *out << bad.name; }

class BadImageTest : public testing::TestWithParam<BadImage> {};

TEST_P(BadImageTest, IsRefusedWithItsReason) {
  TaskText text = with_constant();
  GetParam().change(text);
  Image image(text);
  const Status status = load(image.bytes()).result.status();
  EXPECT_EQ(status.code(), GetParam().error) << error_name(status.code()) << " " << status.what();
  EXPECT_STREQ(status.what(), GetParam().what);
}

INSTANTIATE_TEST_SUITE_P(
    Loader, BadImageTest,
    testing::Values(
        BadImage{"L2", ErrorCode::image_geometry, "l2_bytes", [](TaskText &text) { text.l2_bytes = 16U << 20; }},
        BadImage{"WL0", ErrorCode::image_geometry, "wl0_bytes", [](TaskText &text) { text.wl0_bytes = 2U << 20; }},
        BadImage{"Cores", ErrorCode::image_geometry, "tile_cores", [](TaskText &text) { text.tile_cores = 2; }},
        BadImage{"WindowIndex", ErrorCode::image_malformed, "windows.index", [](TaskText &text) { text.windows[1].index = 4; }},
        BadImage{"WindowTwice", ErrorCode::image_malformed, "windows.index",
                 [](TaskText &text) {
                   text.windows.push_back({0, 8, false});
                 }},
        BadImage{"WindowEmpty", ErrorCode::image_malformed, "windows.size", [](TaskText &text) { text.windows[1].size = 0; }},
        BadImage{"WindowTooLarge", ErrorCode::image_malformed, "windows.size", [](TaskText &text) { text.windows[1].size = 1ULL << 32; }},
        BadImage{"ConstantNowhere", ErrorCode::image_malformed, "constants.window", [](TaskText &text) { text.constants[0].window = 3; }},
        BadImage{"ConstantOutside", ErrorCode::image_malformed, "constants.offset", [](TaskText &text) { text.constants[1].offset = 254; }},
        BadImage{"ConstantFarOutside", ErrorCode::image_malformed, "constants.offset",
                 [](TaskText &text) { text.constants[1].offset = UINT64_MAX; }},
        BadImage{"TensorNowhere", ErrorCode::image_malformed, "tensors.window", [](TaskText &text) { text.tensors[0].window = 200; }},
        BadImage{"TensorOutside", ErrorCode::tensor_size, "tensors.offset", [](TaskText &text) { text.tensors[1].offset = 129; }},
        BadImage{"TensorFarOutside", ErrorCode::tensor_size, "tensors.offset",
                 [](TaskText &text) { text.tensors[1].offset = UINT64_MAX - 1; }},
        BadImage{"TensorSize", ErrorCode::tensor_size, "tensors.size", [](TaskText &text) { text.tensors[1].size = 127; }},
        BadImage{"TensorEmpty", ErrorCode::tensor_size, "tensors.size",
                 [](TaskText &text) {
                   text.tensors[0].shape = {1, 0, 4, 4};
                   text.tensors[0].size = 0;
                 }},
        BadImage{"TensorHuge", ErrorCode::tensor_size, "tensors.size",
                 [](TaskText &text) {
                   text.tensors[0].shape = {65536, 65536, 65536, 65536};
                   text.tensors[0].size = 0;
                 }},
        // N * C * H * W = 2^64 + 128 must not count as 128 bytes.
        BadImage{"TensorLargerThan64Bits", ErrorCode::tensor_size, "tensors.size",
                 [](TaskText &text) {
                   text.tensors[0].shape = {160465489, 8, 174763, 82224};
                 }},
        BadImage{"TensorPadded", ErrorCode::tensor_size, "tensors.size",
                 [](TaskText &text) {
                   text.tensors[0].padded = true;
                   text.tensors[0].shape = {1, 3, 4, 4};
                   text.tensors[0].size = 48;
                 }},
        BadImage{"TensorShape", ErrorCode::image_malformed, "tensors.shape",
                 [](TaskText &text) {
                   text.tensors[0].shape = {8, 4, 4};
                 }},
        BadImage{"TensorFormat", ErrorCode::image_malformed, "tensors.format", [](TaskText &text) { text.tensors[0].format = 8; }},
        BadImage{"OutputReadOnly", ErrorCode::image_malformed, "windows.writable",
                 [](TaskText &text) { text.windows[0].writable = false; }},
        BadImage{"Mapping", ErrorCode::image_malformed, "mapping", [](TaskText &text) { text.mapping = 3; }}),
    [](const testing::TestParamInfo<BadImage> &bad) { return std::string(bad.param.name); });

TEST(Loader, APaddedTensorCountsItsPadding) {
  TaskText text = copy_task();
  text.tensors[0] = {"x", false, 3, {1, 3, 4, 4}, 0, 0, 128, true};  // FP16: 6 bytes per pixel, padded to 8
  Image image(text);
  EXPECT_TRUE(load(image.bytes()).result.ok());
}

TEST(Loader, ATensorOfHalfBytesCountsWholeBytesAPixel) {
  TaskText text = copy_task();
  text.tensors[0] = {"x", false, 0, {1, 3, 4, 4}, 0, 0, 32, false};  // INT4: 3 channels take 2 bytes per pixel
  EXPECT_TRUE(load(Image(text).bytes()).result.ok());
  text.tensors[0].size = 24;
  EXPECT_STREQ(load(Image(text).bytes()).result.status().what(), "tensors.size");
}

TEST(Loader, MagicVersionAndSurplusAreNamed) {
  Image image(copy_task());
  image.bytes()[0] ^= std::byte{1};
  EXPECT_EQ(load(image.bytes()).result.status().code(), ErrorCode::image_magic);
  image.seal();
  image.bytes()[4] = std::byte{3};
  EXPECT_EQ(load(image.bytes()).result.status().code(), ErrorCode::image_version);
  image.seal();
  image.bytes()[8] ^= std::byte{1};  // makes the size in the header one byte too small or too large
  const ErrorCode code = load(image.bytes()).result.status().code();
  EXPECT_TRUE(code == ErrorCode::image_malformed || code == ErrorCode::image_truncated);
}

TEST(Loader, WorkspaceMustBeLargeEnoughAndAligned) {
  Image image(copy_task());
  EXPECT_EQ(load(image.bytes(), 1).result.status().code(), ErrorCode::no_room);
  alignas(8) std::byte workspace[4096];
  const Status status =
      firmware::image::load(image.bytes(), firmware::image::reference_geometry(), std::span(workspace).subspan(1)).status();
  EXPECT_EQ(status.code(), ErrorCode::invalid_argument);
  EXPECT_STREQ(status.what(), "workspace");
  EXPECT_STREQ(load(image.bytes().subspan(8)).result.status().what(), "image");
}

TEST(Loader, TheInstructionCountIsKnownBeforeThereIsAWorkspace) {
  Image image(copy_task());
  const Result<std::size_t> count = firmware::image::instruction_count(image.bytes());
  ASSERT_TRUE(count.ok());
  EXPECT_EQ(count.value(), 7U);
  image.bytes()[40] ^= std::byte{1};
  EXPECT_EQ(firmware::image::instruction_count(image.bytes()).status().code(), ErrorCode::image_checksum);
}

}  // namespace
}  // namespace cox::tests
