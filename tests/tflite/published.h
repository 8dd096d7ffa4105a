// SPDX-License-Identifier: MIT
// Published models and layers (docs/testing.md). Tests that need them skip if they are not there.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace cox::tests::published {

inline std::string root() { return std::string(COX_SHARED_DATA) + "/mlperf-tiny/"; }

inline constexpr const char *kModels[] = {"hello_world",  "ic01_resnet8",  "kws01_dscnn",
                                          "micro_speech", "sww01_dscnn1d", "vww01_mobilenetv1_025"};

inline std::string model_file(const std::string &model) { return root() + "models/" + model + ".tflite"; }

inline bool present(const std::string &path) { return std::filesystem::exists(path); }

inline std::vector<std::uint8_t> read_bytes(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

inline nlohmann::json read_json(const std::string &path) { return nlohmann::json::parse(std::ifstream(path)); }

/// Returns `number` with at least `digits` digits, as the files' names have it.
inline std::string numbered(std::size_t number, std::size_t digits) {
  std::string text = std::to_string(number);
  return std::string(text.size() < digits ? digits - text.size() : 0, '0') + text;
}

inline std::span<const std::int8_t> as_signed(const std::vector<std::uint8_t> &bytes) {
  return {reinterpret_cast<const std::int8_t *>(bytes.data()), bytes.size()};
}

inline std::vector<std::int32_t> as_words(std::span<const std::uint8_t> bytes) {
  std::vector<std::int32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

}  // namespace cox::tests::published
