// SPDX-License-Identifier: MIT
// The reader of weight files. It names the error in every file that it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "examples/yolov5s/host/error.h"
#include "examples/yolov5s/host/safetensors.h"

namespace cox::yolov5s {
namespace test_safetensors {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::byte> file_of(const std::string &header, const std::vector<std::uint8_t> &data) {
  std::vector<std::byte> file;
  for (unsigned i = 0; i < 8; ++i) file.push_back(static_cast<std::byte>(std::uint64_t{header.size()} >> 8 * i & 0xFF));
  for (const char character : header) file.push_back(static_cast<std::byte>(character));
  for (const std::uint8_t byte : data) file.push_back(static_cast<std::byte>(byte));
  return file;
}

std::string refusal(std::vector<std::byte> file) {
  try {
    (void)Safetensors::parse(std::move(file));
  } catch (const FileError &error) {
    return error.what();
  }
  return "";
}
std::string refusal(const std::string &header, std::size_t data_bytes = 8) {
  return refusal(file_of(header, std::vector<std::uint8_t>(data_bytes)));
}

TEST(Safetensors, ReadsItsThreeTypes) {
  // The tensors have 1.5 and -2 as F32, F16 and BF16, and 2^-24 (the smallest F16) and an infinity as F16.
  const std::string header =
      R"({"__metadata__":{"format":"pt"},"f":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
      R"("h":{"dtype":"F16","shape":[2,2],"data_offsets":[8,16]},"b":{"dtype":"BF16","shape":[2],"data_offsets":[16,20]}})";
  const Safetensors file = Safetensors::parse(
      file_of(header, {0, 0, 0xC0, 0x3F, 0, 0, 0, 0xC0, 0x00, 0x3E, 0x00, 0xC0, 0x01, 0x00, 0x00, 0xFC, 0xC0, 0x3F, 0x00, 0xC0}));
  const std::array<std::uint64_t, 1> two{2};
  const std::array<std::uint64_t, 2> square{2, 2};
  EXPECT_THAT(file.values("f", two), ElementsAre(1.5F, -2.0F));
  EXPECT_THAT(file.values("h", square), ElementsAre(1.5F, -2.0F, 0x1p-24F, -std::numeric_limits<float>::infinity()));
  EXPECT_THAT(file.values("b", two), ElementsAre(1.5F, -2.0F));
  EXPECT_FALSE(file.contains("__metadata__"));
}

TEST(Safetensors, RefusesWhatIsMissingOrOfAnotherShapeOrType) {
  const Safetensors file =
      Safetensors::parse(file_of(R"({"i":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}})", std::vector<std::uint8_t>(8)));
  const std::array<std::uint64_t, 1> one{1};
  const std::array<std::uint64_t, 1> two{2};
  const auto message = [&file](const char *name, std::span<const std::uint64_t> shape) -> std::string {
    try {
      (void)file.values(name, shape);
    } catch (const FileError &error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message("model.0.conv.weight", one), HasSubstr("no tensor model.0.conv.weight"));
  EXPECT_THAT(message("i", two), HasSubstr("i has shape [1], not [2]"));
  EXPECT_THAT(message("i", one), HasSubstr("i is I64"));
}

TEST(Safetensors, RefusesMalformedHeaders) {
  EXPECT_THAT(refusal(std::vector<std::byte>(7)), HasSubstr("shorter than"));
  EXPECT_THAT(refusal(std::vector<std::byte>(16, std::byte{0xFF})), HasSubstr("a header of"));
  std::vector<std::byte> long_header = file_of("{}", {});
  long_header[0] = std::byte{3};  // the header says one byte more than the file has
  EXPECT_THAT(refusal(long_header), HasSubstr("a header of 3 bytes"));
  EXPECT_THAT(refusal("{"), HasSubstr("not JSON"));
  EXPECT_THAT(refusal("[]"), HasSubstr("not a JSON object"));
  EXPECT_THAT(refusal(std::string(1000, '[')), HasSubstr("nests too deeply"));
  std::string many = "{";
  for (std::size_t i = 1; i < Safetensors::kMostObjects; ++i) many.append("\"").append(std::to_string(i)).append("\":{},");
  EXPECT_THAT(refusal(many + "\"0\":1}"), HasSubstr("wants dtype")) << "the largest number of objects, none of which is a tensor";
  EXPECT_THAT(refusal(many + "\"0\":{}}"), HasSubstr("more than 4096 objects"));
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})"),
              HasSubstr("names a twice"));
}

TEST(Safetensors, RefusesMalformedEntries) {
  EXPECT_THAT(refusal(R"({"a":1})"), HasSubstr("a: wants dtype"));
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F32","shape":[2]}})"), HasSubstr("a: wants dtype"));
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0]}})"), HasSubstr("a: wants dtype"));
  EXPECT_THAT(refusal(R"({"a":{"dtype":"C64","shape":[1],"data_offsets":[0,8]}})"), HasSubstr("unknown dtype C64"));
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})"), HasSubstr("whole numbers"));
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F32","shape":[2.0],"data_offsets":[0,8]}})"), HasSubstr("whole numbers"));
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,1e30]}})"), HasSubstr("whole numbers"));
}

TEST(Safetensors, RefusesBytesThatAreNotThere) {
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,12]}})"), HasSubstr("outside the file's 8 bytes"));
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F32","shape":[0],"data_offsets":[8,4]}})"), HasSubstr("outside the file's"));
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})"), HasSubstr("8 bytes, but shape [3] of F32 is 12"));
  // The tensor has 2^62 * 2 elements of 4 bytes: 2^65 bytes, which wrap to 0 in 64 bits.
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F32","shape":[4611686018427387904,2],"data_offsets":[0,0]}})"), HasSubstr("more than 2^64"));
  EXPECT_THAT(refusal(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[2,6]}})"),
              HasSubstr("share bytes"));
}

TEST(Safetensors, SurvivesAnyDamage) {
  const std::vector<NamedTensor> tensors{{"model.0.conv.weight", {2, 3}, std::vector<float>(6, 1.0F)}, {"b", {}, {2.0F}}};
  const std::vector<std::byte> good = write_safetensors(tensors);
  std::mt19937 random(11);
  unsigned refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::byte> bad = good;
    for (unsigned i = 0; i <= random() % 3; ++i) bad[random() % bad.size()] = static_cast<std::byte>(random());
    if (random() % 4 == 0) bad.resize(random() % bad.size());
    if (!refusal(bad).empty()) ++refused;  // the sanitizers check the reader on every file
  }
  EXPECT_GT(refused, 1000U);
}

TEST(Safetensors, ReadsWhatItWrites) {
  const std::vector<NamedTensor> tensors{{"b", {2, 1}, {1.0F, -2.5F}}, {"a", {3}, {0.0F, 7.0F, 8.0F}}};
  const std::vector<std::byte> bytes = write_safetensors(tensors);
  EXPECT_EQ((std::to_integer<unsigned>(bytes[0]) + 8) % 8, 0U);  // the header's length is a multiple of 8, so the tensors are aligned
  const Safetensors file = Safetensors::parse(bytes);
  for (const NamedTensor &tensor : tensors) EXPECT_EQ(file.values(tensor.name, tensor.shape), tensor.values);
}

}  // namespace test_safetensors
}  // namespace cox::yolov5s
