// SPDX-License-Identifier: MIT
// Parts of a JSON file that a user wrote, with their places for messages: `pim.json: local memory list[2] "data": addressing: size: …`.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "coxswain/base/closest_name.h"

namespace cox::model::pim {

/// A mistake in a configuration file. The text is the whole message. parse_settings() catches it.
class ConfigurationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Returns `; did you mean "…"?`, or nothing if no name is near.
template <typename Names>
[[nodiscard]] std::string near_name(std::string_view typed, const Names &names) {
  ClosestName closest(typed);
  for (const std::string_view name : names) closest.offer(name);
  return closest.found().empty() ? std::string() : fmt::format("; did you mean \"{}\"?", closest.found());
}

/// The spellings of one key. The first is the one that messages use if none is given.
using Spellings = std::initializer_list<const char *>;

/// An object of the file. It lives as long as the file's JSON.
class JsonPart {
 public:
  JsonPart(const nlohmann::json &value, std::string place) : value_(value), place_(std::move(place)) {
    if (!value_.is_object()) fail("must be an object");
  }

  [[nodiscard]] const std::string &place() const { return place_; }
  [[noreturn]] void fail(const std::string &why) const { throw ConfigurationError(place_ + ": " + why); }
  [[noreturn]] void fail(std::string_view key, const std::string &why) const { fail(std::string(key) + ": " + why); }

  /// Refuses keys that are not in `keys`, except those that begin with an underscore, which are comments.
  void allow(std::span<const std::string_view> keys) const {
    for (const auto &[key, value] : value_.items()) {
      if (key.starts_with('_') || std::ranges::find(keys, key) != keys.end()) continue;
      fail(key, "there is no such key" + near_name(key, keys));
    }
  }
  void allow(std::initializer_list<std::string_view> keys) const { allow(std::span(keys.begin(), keys.size())); }

  /// Returns the value of the key in the spelling that the file has, nullptr if it is absent. Sets `key` to that spelling. Fails if two
  /// spellings are given.
  [[nodiscard]] const nlohmann::json *find(Spellings spellings, const char *&key) const {
    const nlohmann::json *found = nullptr;
    for (const char *spelling : spellings) {
      const auto at = value_.find(spelling);
      if (at == value_.end()) continue;
      if (found != nullptr) fail(spelling, fmt::format("\"{}\" says the same", key));
      found = &*at;
      key = spelling;
    }
    return found;
  }
  [[nodiscard]] bool has(Spellings spellings) const {
    const char *key = nullptr;
    return find(spellings, key) != nullptr;
  }

  /// Changes `number` if the key is given.
  template <typename Number>
  void read_number(Spellings spellings, Number &number, std::uint64_t minimum, std::uint64_t maximum) const {
    const char *key = nullptr;
    if (const nlohmann::json *value = find(spellings, key)) number = static_cast<Number>(checked(key, *value, minimum, maximum));
  }
  [[nodiscard]] std::uint64_t number(Spellings spellings, std::uint64_t minimum, std::uint64_t maximum) const {
    const char *key = nullptr;
    const nlohmann::json *value = find(spellings, key);
    if (value == nullptr) fail(*spellings.begin(), "missing");
    return checked(key, *value, minimum, maximum);
  }
  [[nodiscard]] std::uint64_t checked(std::string_view key, const nlohmann::json &value, std::uint64_t minimum,
                                      std::uint64_t maximum) const {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() < minimum || value.get<std::uint64_t>() > maximum)
      fail(key, fmt::format("{} is not a whole number from {} to {}", value.dump(), minimum, maximum));
    return value.get<std::uint64_t>();
  }

  /// Returns the index in `names` of the key's text, `fallback` if the key is absent.
  [[nodiscard]] std::size_t choice(Spellings spellings, std::span<const std::string_view> names, std::size_t fallback) const {
    const char *key = nullptr;
    const nlohmann::json *value = find(spellings, key);
    if (value == nullptr) return fallback;
    std::string all;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (*value == names[i]) return i;
      all += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", names[i]);
    }
    const std::string near = value->is_string() ? near_name(value->get<std::string>(), names) : std::string();
    fail(key, fmt::format("{} is not one of {}{}", value->dump(), all, near));
  }

  [[nodiscard]] std::string text(Spellings spellings) const {
    const char *key = nullptr;
    const nlohmann::json *value = find(spellings, key);
    if (value == nullptr) fail(*spellings.begin(), "missing");
    if (!value->is_string()) fail(key, value->dump() + " is not a string");
    return value->get<std::string>();
  }

  /// Returns the elements of a list as objects; none if the key is absent.
  [[nodiscard]] std::vector<JsonPart> list(Spellings spellings) const {
    std::vector<JsonPart> all;
    const char *key = nullptr;
    const nlohmann::json *value = find(spellings, key);
    if (value == nullptr) return all;
    if (!value->is_array()) fail(key, "must be a list");
    for (const nlohmann::json &element : *value) all.emplace_back(element, fmt::format("{}: {}[{}]", place_, key, all.size()));
    return all;
  }

  /// Returns the object of the key, wrapped in a list with one or no element.
  [[nodiscard]] std::vector<JsonPart> object(Spellings spellings) const {
    std::vector<JsonPart> all;
    const char *key = nullptr;
    if (const nlohmann::json *value = find(spellings, key)) all.emplace_back(*value, fmt::format("{}: {}", place_, key));
    return all;
  }

  /// The same object with more in its place: `[2] "data"`.
  [[nodiscard]] JsonPart named(std::string_view name) const { return {value_, fmt::format("{} \"{}\"", place_, name)}; }

 private:
  const nlohmann::json &value_;
  std::string place_;
};

}  // namespace cox::model::pim
