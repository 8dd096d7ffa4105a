// SPDX-License-Identifier: MIT
// Reads the fields of a JSON object that a user wrote. Each error names the file, the object and the field.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tools/file/error.h"
#include "tools/names/did_you_mean.h"

namespace cox::tools {

/// One object of a JSON file, with its position for messages: `digits.bindings.json: tensors[1]: shape: ...`.
class JsonObject {
 public:
  JsonObject(const nlohmann::json &value, std::string place) : value_(value), place_(std::move(place)) {
    if (!value_.is_object()) throw FileError(place_ + ": must be an object");
  }

  /// Refuses every key that is not in `keys`.
  void allow(std::initializer_list<std::string_view> keys) const {
    for (const auto &[key, value] : value_.items()) {
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) fail(key, "no such field" + did_you_mean(key, keys));
    }
  }

  [[noreturn]] void fail(std::string_view key, const std::string &why) const {
    throw FileError(place_ + ": " + std::string(key) + ": " + why);
  }

  [[nodiscard]] bool has(const char *key) const { return value_.contains(key); }

  [[nodiscard]] const nlohmann::json &at(const char *key) const {
    if (!has(key)) fail(key, "missing");
    return value_.at(key);
  }

  [[nodiscard]] std::uint64_t number(const char *key, std::uint64_t minimum, std::uint64_t maximum) const {
    return checked(key, at(key), minimum, maximum);
  }
  [[nodiscard]] std::uint64_t number_or(const char *key, std::uint64_t fallback, std::uint64_t minimum, std::uint64_t maximum) const {
    return has(key) ? number(key, minimum, maximum) : fallback;
  }

  [[nodiscard]] std::uint64_t checked(const char *key, const nlohmann::json &value, std::uint64_t minimum, std::uint64_t maximum) const {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() < minimum || value.get<std::uint64_t>() > maximum) {
      fail(key, value.dump() + " is not a whole number from " + std::to_string(minimum) + " to " + std::to_string(maximum));
    }
    return value.get<std::uint64_t>();
  }

  [[nodiscard]] bool flag_or(const char *key, bool fallback) const {
    if (!has(key)) return fallback;
    if (!at(key).is_boolean()) fail(key, at(key).dump() + " is neither true nor false");
    return at(key).get<bool>();
  }

  [[nodiscard]] std::string text(const char *key) const {
    if (!at(key).is_string()) fail(key, at(key).dump() + " is not a string");
    return at(key).get<std::string>();
  }

  /// Returns the elements of a list, or [] if the list is absent.
  [[nodiscard]] std::vector<JsonObject> list(const char *key) const {
    std::vector<JsonObject> all;
    if (!has(key)) return all;
    if (!at(key).is_array()) fail(key, "must be a list");
    for (const nlohmann::json &element : at(key)) all.emplace_back(element, place_ + ": " + key + "[" + std::to_string(all.size()) + "]");
    return all;
  }

 private:
  const nlohmann::json &value_;
  std::string place_;
};

}  // namespace cox::tools
