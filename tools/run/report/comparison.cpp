// SPDX-License-Identifier: MIT
#include "tools/run/report/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "sim/model/registry.h"
#include "tools/command/failure.h"
#include "tools/file/error.h"
#include "tools/file/file.h"
#include "tools/json/parse.h"
#include "tools/run/picture/lane_picture.h"

namespace cox::tools::run {
namespace {

using nlohmann::json;

struct Member {
  const char *name, *key;
  Figure::Unit unit;
};
using enum Figure::Unit;

const auto &members() {
  static const std::array all = {
      Member{"cycles", "end_cycle", count},
      Member{"inferences", "inferences", count},
      Member{"images", "images", count},
      Member{"MACs a cycle", "macs_per_cycle", ratio},
      Member{"accelerator instructions", "accelerator_instructions", count},
      Member{"instructions a dispatch", "instructions_per_dispatch", ratio},
      Member{"bytes of DRAM", "dram_bytes", count},
      Member{"control core asleep", "asleep", share},
      Member{"cores of the device", model::cores_parameter(), count},
      Member{"cores of the task", "task_cores", count},
      Member{"cores without a clock", "clock_gated", share},
      Member{"begun again", "retries", count},
      Member{"corrected by ECC", "ecc_corrected", count},
  };
  return all;
}

std::optional<double> number(const json &value) { return value.is_number() ? std::optional(value.get<double>()) : std::nullopt; }

/// A share of time that the statistics have for each class: its name for the user, and its key in the JSON file. The member `queues` of the
/// file has the busy share, and `cores` the occupied share (docs/tracing.md, The statistics).
struct ClassShare {
  const char *name, *key;
};
constexpr ClassShare kBusy{"busy", "utilisation"}, kOccupied{"occupied", "occupancy"};

std::optional<double> class_share(const json &classes, const char *name, const ClassShare &which) {
  return classes.is_object() ? number(classes.at(name).at(which.key)) : std::nullopt;
}

std::string text_of(const std::optional<double> &value, Figure::Unit unit) {
  if (!value) return "-";
  switch (unit) {
    case count: return grouped(static_cast<std::uint64_t>(*value));
    case share: return fmt::format("{:.1f} %", 100 * *value);
    case ratio: return fmt::format("{:.1f}", *value);
  }
  return "";
}

void check(const json &statistics, const std::string &path) {
  const auto missing = [&](const std::string &member) {
    throw Failure(ExitCode::bad_input, fmt::format("{}: no statistics of cox run: '{}' is missing", path, member));
  };
  const auto wrong = [&](const std::string &member, const char *expected) {
    throw Failure(ExitCode::bad_input, fmt::format("{}: '{}' should be {}", path, member, expected));
  };
  if (!statistics.is_object()) throw Failure(ExitCode::bad_input, path + ": no statistics of cox run: it should be an object");
  if (statistics.contains("jobs")) {
    throw Failure(ExitCode::bad_input,
                  path + ": statistics of cox run --jobs; those of one task can be compared (cox run --stats without --jobs)");
  }
  for (const Member &member : members()) {
    if (!statistics.contains(member.key)) missing(member.key);
    const json &value = statistics[member.key];
    if (!value.is_number() && !value.is_null()) wrong(member.key, "a number or null");
  }
  const auto check_classes = [&](const json &classes, const std::string &where, const ClassShare &which) {
    if (!classes.is_object()) wrong(where, "an object");
    for (const char *name : model::core_queues()) {
      const std::string place = where + '.' + name;
      if (!classes.contains(name) || !classes[name].is_object() || !classes[name].contains(which.key)) missing(place + '.' + which.key);
      if (!classes[name][which.key].is_number()) wrong(place + '.' + which.key, "a number");
    }
  };
  for (const char *list : {"queues", "cores"}) {
    if (!statistics.contains(list)) missing(list);
  }
  check_classes(statistics["queues"], "queues", kBusy);
  if (!statistics["cores"].is_array()) wrong("cores", "a list");
  for (std::size_t i = 0; i < statistics["cores"].size(); ++i)
    check_classes(statistics["cores"][i], fmt::format("cores[{}]", i), kOccupied);
}

}  // namespace

std::optional<double> Figure::change() const {
  if (!first || !second || *first == 0) return std::nullopt;
  return *second / *first;
}

json read_statistics(const std::string &path) {
  try {
    json statistics = parse_json(read_file(path), path);
    check(statistics, path);
    return statistics;
  } catch (const FileError &error) {
    throw Failure(ExitCode::bad_input, error.what());
  }
}

std::vector<Figure> compare(const json &first, const json &second) {
  std::vector<Figure> figures;
  for (const Member &member : members())
    figures.push_back({member.name, member.unit, number(first.at(member.key)), number(second.at(member.key))});
  const auto add_classes = [&](const json &one, const json &other, const std::string &where, const ClassShare &which) {
    for (const char *name : model::core_queues()) {
      Figure figure{fmt::format("{} {}{}", which.name, name, where), Figure::Unit::share, class_share(one, name, which),
                    class_share(other, name, which)};
      if (figure.first.value_or(0) > 0 || figure.second.value_or(0) > 0) figures.push_back(std::move(figure));
    }
  };
  add_classes(first.at("queues"), second.at("queues"), "", kBusy);
  const json nothing;
  const json &one = first.at("cores"), &other = second.at("cores");
  for (std::size_t core = 0; core < std::max(one.size(), other.size()); ++core)
    add_classes(core < one.size() ? one[core] : nothing, core < other.size() ? other[core] : nothing, fmt::format(", core {}", core),
                kOccupied);
  return figures;
}

void write_comparison_text(std::ostream &out, const std::vector<Figure> &figures, const std::string &first, const std::string &second) {
  // A long path loses its beginning, because its end tells more.
  const auto cut = [](const std::string &path) { return path.size() <= 20 ? path : ".." + path.substr(path.size() - 18); };
  out << fmt::format("{:<26}{:>22}{:>22}{:>12}\n", "", cut(first), cut(second), "change");
  for (const Figure &figure : figures) {
    const std::optional<double> change = figure.change();
    out << fmt::format("{:<26}{:>22}{:>22}{:>12}\n", figure.name, text_of(figure.first, figure.unit), text_of(figure.second, figure.unit),
                       change ? fmt::format("x {:.3f}", *change) : "-");
  }
}

void write_comparison_json(std::ostream &out, const std::vector<Figure> &figures, const std::string &first, const std::string &second) {
  nlohmann::ordered_json all = {{"first", first}, {"second", second}, {"figures", nlohmann::ordered_json::array()}};
  const auto or_null = [](const std::optional<double> &value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
  };
  for (const Figure &figure : figures) {
    all["figures"].push_back({{"name", figure.name},
                              {"first", or_null(figure.first)},
                              {"second", or_null(figure.second)},
                              {"change", or_null(figure.change())}});
  }
  out << all.dump(2) << '\n';
}

}  // namespace cox::tools::run
