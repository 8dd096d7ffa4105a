// SPDX-License-Identifier: MIT
// A JSON object whose fields are checked as they are read.
#pragma once

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/lower/network/network.h"
#include "tools/names/did_you_mean.h"

namespace cox::lower {

/// One object of the file, with the names for messages about it.
class Object {
 public:
  Object(std::string file, std::string layer, const nlohmann::json &value)
      : file_(std::move(file)), layer_(std::move(layer)), value_(value) {}

  [[noreturn]] void fail(const std::string &field, const std::string &message) const { throw NetworkError(file_, layer_, field, message); }

  void require_object(const std::string &field) const {
    if (!value_.is_object()) fail(field, "an object is wanted");
  }

  void only(std::span<const std::string_view> known) const {
    for (const auto &[key, unused] : value_.items()) {
      bool found = false;
      for (const std::string_view name : known) found = found || name == key;
      if (!found) fail(key, "unknown field" + tools::did_you_mean(key, known));
    }
  }

  [[nodiscard]] bool has(const std::string &field) const { return value_.contains(field); }

  [[nodiscard]] const nlohmann::json &at(const std::string &field) const {
    if (!has(field)) fail(field, "missing");
    return value_.at(field);
  }

  [[nodiscard]] std::string text(const std::string &field) const {
    const nlohmann::json &value = at(field);
    if (!value.is_string() || value.get_ref<const std::string &>().empty()) fail(field, "a string is wanted");
    return value.get<std::string>();
  }

  /// Returns the field's integer, which must be from `low` to `high`.
  [[nodiscard]] std::uint32_t integer(const std::string &field, std::uint32_t low, std::uint32_t high) const {
    const nlohmann::json &value = at(field);
    if (!value.is_number_integer() || value.get<std::int64_t>() < low || value.get<std::int64_t>() > high) {
      fail(field, value.dump() + " is not an integer from " + std::to_string(low) + " to " + std::to_string(high));
    }
    return value.get<std::uint32_t>();
  }

  /// Returns the field's `count` integers, which must be from `low` to `high`.
  [[nodiscard]] std::vector<std::uint32_t> integers(const std::string &field, std::size_t count, std::uint32_t low,
                                                    std::uint32_t high) const {
    const nlohmann::json &value = at(field);
    if (!value.is_array() || value.size() != count) fail(field, "a list of " + std::to_string(count) + " integers is wanted");
    std::vector<std::uint32_t> result;
    for (const nlohmann::json &element : value) {
      if (!element.is_number_integer() || element.get<std::int64_t>() < low || element.get<std::int64_t>() > high) {
        fail(field, element.dump() + " is not an integer from " + std::to_string(low) + " to " + std::to_string(high));
      }
      result.push_back(element.get<std::uint32_t>());
    }
    return result;
  }

  /// Returns the field's number, which must be greater than 0 and a normal number in FP32.
  [[nodiscard]] double positive(const std::string &field) const {
    const nlohmann::json &value = at(field);
    if (!value.is_number() || value.get<double>() <= 0 || !std::isnormal(static_cast<float>(value.get<double>()))) {
      fail(field, value.dump() + " is not a positive number whose FP32 value is normal");
    }
    return static_cast<double>(value.get<float>());
  }

  /// Returns the index of the field's value in `names`.
  [[nodiscard]] std::size_t choice(const std::string &field, std::span<const std::string_view> names) const {
    const std::string word = text(field);
    std::string all;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == word) return i;
      all += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + std::string(names[i]);
    }
    fail(field, "'" + word + "' is not " + all + tools::did_you_mean(word, names));
  }

  [[nodiscard]] Object child(const std::string &field) const { return {file_, layer_, at(field)}; }
  [[nodiscard]] const std::string &file() const { return file_; }

 private:
  std::string file_, layer_;
  const nlohmann::json &value_;
};

}  // namespace cox::lower
