// SPDX-License-Identifier: MIT
#include "sim/model/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

#include "sim/model/faults/parse.h"
#include "sim/model/faults/random_plan.h"

namespace cox::model {
namespace {

using nlohmann::json;

constexpr std::uint32_t kMostCycles = 1'000'000;
constexpr std::uint64_t kMostFaults = 10'000;

struct GeometryOption {
  const char *name;
  std::uint32_t Geometry::*member;
  std::uint32_t minimum, maximum;
};

constexpr GeometryOption kGeometryOptions[] = {
    {"tile_cores", &Geometry::tile_cores, 1, kMostCores},
    {"contexts", &Geometry::contexts, 1, kMostContexts},
    {"l2_mib", &Geometry::l2_mib, 1, 8},
    {"pe_columns", &Geometry::pe_columns, 1, 8},
    {"pe_rows", &Geometry::pe_rows, 1, 8},
    {"queue_size_log2_max", &Geometry::queue_size_log2_max, 1, 12},
    {"doorbell_latency", &Geometry::doorbell_latency, 0, kMostCycles},
    {"interrupt_latency", &Geometry::interrupt_latency, 0, kMostCycles},
    {"configuration_cycles", &Geometry::configuration_cycles, 0, kMostCycles},
    {"control_cycles", &Geometry::control_cycles, 0, kMostCycles},
    {"load_setup_cycles", &Geometry::load_setup_cycles, 0, kMostCycles},
    {"store_setup_cycles", &Geometry::store_setup_cycles, 0, kMostCycles},
    {"dram_bytes_per_1024_cycles", &Geometry::dram_bytes_per_1024_cycles, 1, 1U << 20},
    {"l2_bytes_per_cycle", &Geometry::l2_bytes_per_cycle, 1, kMostCycles},
    {"scrub_bytes_per_cycle", &Geometry::scrub_bytes_per_cycle, 1, kMostCycles},
    {"link_bytes_per_cycle", &Geometry::link_bytes_per_cycle, 1, kMostCycles},
    {"vector_setup_cycles", &Geometry::vector_setup_cycles, 0, kMostCycles},
    {"vector_bytes_per_cycle", &Geometry::vector_bytes_per_cycle, 1, kMostCycles},
    {"pe_setup_cycles", &Geometry::pe_setup_cycles, 0, kMostCycles},
    {"pe_outputs_per_1024_cycles", &Geometry::pe_outputs_per_1024_cycles, 1, 1U << 26},
    {"pe_weight_cycles_per_byte", &Geometry::pe_weight_cycles_per_byte, 0, kMostCycles},
    {"mx_lanes", &Geometry::mx_lanes, 1, 16},
    {"mx_buffer_kib", &Geometry::mx_buffer_kib, 1, 65535},
    {"mx_setup_cycles", &Geometry::mx_setup_cycles, 0, kMostCycles},
    {"mx_dram_bytes_per_cycle", &Geometry::mx_dram_bytes_per_cycle, 1, 1024},
    {"cube_dispatch_cycles", &Geometry::cube_dispatch_cycles, 1, kMostCycles},
    {"cube_queue_slots", &Geometry::cube_queue_slots, 1, 1024},
    {"cube_issue_cycles", &Geometry::cube_issue_cycles, 0, kMostCycles},
    {"cube_dram_bytes_per_cycle", &Geometry::cube_dram_bytes_per_cycle, 1, 1024},
    {"cube_dram_latency", &Geometry::cube_dram_latency, 0, kMostCycles},
    {"cube_l1_bytes_per_cycle", &Geometry::cube_l1_bytes_per_cycle, 1, 4096},
    {"cube_out_bytes_per_cycle", &Geometry::cube_out_bytes_per_cycle, 1, 4096},
    {"cube_clear_cycles", &Geometry::cube_clear_cycles, 0, kMostCycles},
};

/// Reads options into a value; the first error stays.
class Reader {
 public:
  explicit Reader(std::string &error) : error_(error) {}

  [[nodiscard]] bool failed() const { return !error_.empty(); }
  void fail(std::string text) {
    if (error_.empty()) error_ = std::move(text);
  }

  void geometry(const json &value, Geometry &result) {
    if (!value.is_object()) return fail("option 'geometry' is not an object");
    for (const auto &[key, number] : value.items()) {
      const auto *option = std::find_if(std::begin(kGeometryOptions), std::end(kGeometryOptions),
                                        [&name = key](const GeometryOption &candidate) { return name == candidate.name; });
      if (option == std::end(kGeometryOptions)) return fail(fmt::format("geometry has no parameter '{}'", key));
      if (!number.is_number_unsigned() || number.get<std::uint64_t>() < option->minimum || number.get<std::uint64_t>() > option->maximum) {
        return fail(fmt::format("geometry parameter '{}' is {}, must be an integer from {} to {}", key, number.dump(), option->minimum,
                                option->maximum));
      }
      result.*(option->member) = number.get<std::uint32_t>();
    }
  }

  std::string text(const json &value, std::string_view key) {
    if (!value.is_string()) {
      fail(fmt::format("option '{}' is not a string", key));
      return {};
    }
    return value.get<std::string>();
  }

  /// The index of the value in `choices`, 0 on an error.
  unsigned choice(const json &value, std::string_view key, std::string_view first, std::string_view second) {
    const std::string chosen = text(value, key);
    if (chosen == second) return 1;
    if (chosen != first) fail(fmt::format("option '{}' is {}, must be \"{}\" or \"{}\"", key, value.dump(), first, second));
    return 0;
  }

  std::uint64_t number(const json &value, std::string_view key, std::uint64_t most) {
    if (value.is_number_unsigned() && value.get<std::uint64_t>() <= most) return value.get<std::uint64_t>();
    fail(fmt::format("option '{}' is {}, must be a number from 0 to {}", key, value.dump(), most));
    return 0;
  }

  void faults(const std::string &path, Options &options) {
    std::ifstream file(path);
    if (!file) return fail(fmt::format("fault plan '{}' cannot be opened", path));
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::string reason;
    if (!faults::parse_plan(text, options.geometry, options.faults, reason)) fail(fmt::format("fault plan '{}', {}", path, reason));
  }

  void durations(const std::string &path, Durations &result) {
    std::ifstream file(path);
    if (!file) return fail(fmt::format("durations file '{}' cannot be opened", path));
    const json document = json::parse(file, nullptr, false);
    if (!document.is_object()) return fail(fmt::format("durations file '{}' is not a JSON object", path));
    for (const auto &[key, list] : document.items()) {
      const auto *name = std::find_if(std::begin(isa::tile::kClassNames), std::end(isa::tile::kClassNames),
                                      [&wanted = key](const char *candidate) { return wanted == candidate; });
      if (name == std::end(isa::tile::kClassNames)) return fail(fmt::format("durations file '{}': there is no class '{}'", path, key));
      if (!list.is_array()) return fail(fmt::format("durations file '{}': class '{}' is not a list", path, key));
      std::vector<Cycle> &durations = result[static_cast<std::size_t>(name - std::begin(isa::tile::kClassNames))];
      for (const json &duration : list) {
        if (!duration.is_number_unsigned()) {
          return fail(
              fmt::format("durations file '{}': {}[{}] is {}, must be a number of cycles", path, key, durations.size(), duration.dump()));
        }
        durations.push_back(duration.get<Cycle>());
      }
    }
  }

 private:
  std::string &error_;
};

}  // namespace

std::optional<Options> parse_options(const char *text, std::string &error) {
  error.clear();
  Options options;
  if (text == nullptr) return options;
  const json document = json::parse(text, nullptr, false);
  Reader reader(error);
  if (!document.is_object()) reader.fail("options are not a JSON object");
  bool ideal = false;
  std::string plan;
  std::optional<std::uint64_t> seed;
  if (!reader.failed()) {
    for (const auto &[key, value] : document.items()) {
      if (key == "geometry") {
        reader.geometry(value, options.geometry);
      } else if (key == "path") {
        options.path = reader.choice(value, key, "reference", "fast") == 0 ? arithmetic::Path::reference : arithmetic::Path::fast;
      } else if (key == "dispatch") {
        ideal = reader.choice(value, key, "firmware", "ideal") == 1;
      } else if (key == "events") {
        options.events = reader.text(value, key);
      } else if (key == "durations") {
        options.durations.emplace();
        reader.durations(reader.text(value, key), *options.durations);
      } else if (key == "faults") {
        plan = reader.text(value, key);
      } else if (key == "fault_seed") {
        seed = reader.number(value, key, UINT64_MAX);
      } else if (key == "fault_count") {
        options.random_faults = reader.number(value, key, kMostFaults);
      } else if (key == "hazards") {
        if (!value.is_boolean()) reader.fail("option 'hazards' is not true or false");
        options.hazards = value.is_boolean() && value.get<bool>();
      } else {
        reader.fail(fmt::format("there is no option '{}'", key));
      }
    }
  }
  if (seed.has_value() != (options.random_faults != 0)) reader.fail("'fault_seed' and a 'fault_count' over 0 belong together");
  // What there is to go wrong depends on the geometry.
  if (!plan.empty() && !reader.failed()) reader.faults(plan, options);
  if (seed && !reader.failed()) {
    const auto count = static_cast<std::uint32_t>(options.random_faults);
    for (const faults::Planned &fault : faults::random_plan(*seed, count, options.geometry)) options.faults.push_back(fault);
  }
  if (ideal) options.geometry.doorbell_latency = options.geometry.interrupt_latency = 0;
  if (reader.failed()) return std::nullopt;
  return options;
}

}  // namespace cox::model
