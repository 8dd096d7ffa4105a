// SPDX-License-Identifier: MIT
#include "tools/tile/bindings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "tests/tools/tile/small_stream.h"
#include "tools/file/error.h"
#include "tools/file/file.h"
#include "tools/tile/bindings_file.h"
#include "tools/tile/image.h"
#include "tools/tile/stream.h"

namespace cox::task {
namespace {

using tools::FileError;
using tools::write_file;

class Bindings : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / ("cox-bindings-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    write_file(file("small.jsonl"), std::string_view(test::kSmallStream));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string file(const std::string &name) const { return (folder_ / name).string(); }

  Task load(std::string_view bindings) {
    write_file(file("small.bindings.json"), bindings);
    return load_task(file("small.jsonl"));
  }
  std::string message(std::string_view bindings) {
    try {
      static_cast<void>(load(bindings));
    } catch (const FileError &error) {
      return error.what();
    }
    return "taken";
  }

  std::filesystem::path folder_;
};

TEST_F(Bindings, ABareStreamHasWindowsAsLargeAsItsAddresses) {
  const Task task = load_task(file("small.jsonl"));
  EXPECT_EQ(task.windows, (std::vector<Window>{{0, 32, false}, {1, 160, true}}));
  EXPECT_TRUE(task.tensors.empty());
  EXPECT_TRUE(task.constants.empty());
  EXPECT_FALSE(has_bindings(task));
}

TEST_F(Bindings, ABareStreamThatWouldNeedMoreThanTheLimit) {
  std::string stream = test::kSmallStream;
  stream.replace(stream.find("\"DTaddr\": 128"), 13, "\"DTaddr\": 268435456");
  write_file(file("small.jsonl"), stream);
  EXPECT_THROW(static_cast<void>(load_task(file("small.jsonl"))), FileError);
  EXPECT_EQ(load(R"({"windows": [{"index": 1, "size": 268435488, "writable": true}]})").windows.size(), 2U);
}

TEST_F(Bindings, Everything) {
  write_file(file("weights.bin"), std::string_view("abcd"));
  const Task task = load(R"({"name": "n", "windows": [{"index": 1, "size": 512, "writable": true}],
    "constants": [{"window": 0, "file": "weights.bin"}, {"window": 0, "offset": 4, "hex": "00fF"}, {"window": 3, "offset": 8, "zeros": 8}],
    "tensors": [{"name": "out", "direction": "output", "format": "FP16", "shape": [1, 3, 2, 5], "window": 1, "offset": 64, "padded": true}]})");
  EXPECT_EQ(task.name, "n");
  EXPECT_EQ(task.windows, (std::vector<Window>{{0, 32, false}, {1, 512, true}, {3, 16, false}}));
  ASSERT_EQ(task.constants.size(), 3U);
  EXPECT_EQ(task.constants[0].data, (std::vector<std::uint8_t>{'a', 'b', 'c', 'd'}));
  EXPECT_EQ(task.constants[1].data, (std::vector<std::uint8_t>{0, 255}));
  EXPECT_EQ(task.constants[2].data, std::vector<std::uint8_t>(8, 0));
  ASSERT_EQ(task.tensors.size(), 1U);
  EXPECT_EQ(task.tensors[0].size, 80U);  // 3 FP16 channels take 8 bytes
  EXPECT_TRUE(has_bindings(task));
}

TEST_F(Bindings, WrittenAndReadAgain) {
  Task task = load(R"({"name": "n", "constants": [{"window": 0, "zeros": 100}, {"window": 0, "offset": 100, "hex": "01"}],
    "tensors": [{"name": "out", "direction": "output", "format": "INT8", "shape": [1, 8, 1, 4], "window": 1, "offset": 128}]})");
  write_bindings(file("again.bindings.json"), task);
  write_file(file("again.jsonl"), write_stream(task.instructions));
  EXPECT_EQ(build_image(load_task(file("again.jsonl"))), build_image(task));
}

TEST_F(Bindings, WhatIsWrongIsNamed) {
  using testing::EndsWith;
  EXPECT_THAT(message("{"), testing::HasSubstr("small.bindings.json:1:2: this is not JSON"));
  EXPECT_THAT(message("[]"), EndsWith("small.bindings.json: must be an object"));
  EXPECT_THAT(message(R"({"window": []})"), EndsWith(": window: no such field; did you mean \"windows\"?"));
  EXPECT_THAT(message(R"({"windows": {}})"), EndsWith(": windows: must be a list"));
  EXPECT_THAT(message(R"({"windows": [{"size": 1}]})"), EndsWith(": windows[0]: index: missing"));
  EXPECT_THAT(message(R"({"windows": [{"index": 4, "size": 1}]})"), EndsWith(": windows[0]: index: 4 is not a whole number from 0 to 3"));
  EXPECT_THAT(message(R"({"windows": [{"index": 0, "size": 1}, {"index": 0, "size": 1}]})"),
              EndsWith(": windows[1]: index: window 0 is there twice"));
  EXPECT_THAT(message(R"({"windows": [{"index": 0, "size": 1, "writable": 1}]})"), EndsWith("writable: 1 is neither true nor false"));
  EXPECT_THAT(message(R"({"constants": [{"window": 0}]})"), EndsWith("constants[0]: file: needs one of file, hex and zeros"));
  EXPECT_THAT(message(R"({"constants": [{"window": 0, "hex": "0"}]})"), EndsWith("hex: an odd number of digits"));
  EXPECT_THAT(message(R"({"constants": [{"window": 0, "hex": "0g"}]})"), EndsWith("hex: 'g' is not a hexadecimal digit"));
  EXPECT_THAT(message(R"({"constants": [{"window": 0, "file": "missing.bin"}]})"), EndsWith("missing.bin: No such file or directory"));
  EXPECT_THAT(message(R"({"windows": [{"index": 0, "size": 8}], "constants": [{"window": 0, "offset": 1, "zeros": 8}]})"),
              EndsWith("constants[0]: ends at byte 9 of window 0, which has 8"));
  const auto tensor = [this](const std::string &name, const std::string &value) {
    std::string text = R"({"tensors": [{"name": "t", "direction": "input", "format": "INT8", "shape": [1, 8, 1, 4], "window": 0}]})";
    const std::size_t at = text.find('"' + name + "\": ") + name.size() + 4;
    const std::size_t end = name == "shape" ? text.find(']', at) + 1 : text.find_first_of(",}", at);
    return message(text.replace(at, end - at, value));
  };
  EXPECT_THAT(tensor("name", R"("")"), EndsWith("tensors[0]: name: is empty"));
  EXPECT_THAT(tensor("direction", R"("both")"), EndsWith("direction: 'both' is neither input nor output"));
  EXPECT_THAT(tensor("format", R"("INT9")"), EndsWith("format: 'INT9' is not a data format; did you mean \"INT4\"?"));
  EXPECT_THAT(tensor("shape", "[1, 2]"), EndsWith("shape: needs four numbers: N, C, H, W"));
  EXPECT_THAT(tensor("shape", "[1, 0, 1, 1]"), EndsWith("shape: 0 is not a whole number from 1 to 16777216"));
  EXPECT_THAT(tensor("window", "0, \"size\": 5"), EndsWith("size: the shape takes 32 bytes"));
}

}  // namespace
}  // namespace cox::task
