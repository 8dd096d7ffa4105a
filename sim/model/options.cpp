// SPDX-License-Identifier: MIT
#include "sim/model/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "coxswain/base/closest_name.h"
#include "sim/model/faults/parse.h"
#include "sim/model/faults/random_plan.h"
#include "sim/model/registry.h"

namespace cox::model {
namespace {

using nlohmann::json;

// A member that editors read (schemas/).
constexpr std::string_view kSchemaMember = "$schema";
constexpr std::string_view kOptions[] = {"geometry",  "path",   "dispatch",   "configuration", "events", "energy",
                                         "durations", "faults", "fault_seed", "fault_count",   "hazards"};

constexpr std::uint64_t kMostFaults = 10'000;

constexpr ParameterField<Geometry> kDeviceParameters[] = {
    {{"contexts", 1, kMostContexts}, &Geometry::contexts},
    {{"queue_size_log2_max", 1, 12}, &Geometry::queue_size_log2_max},
    {{"doorbell_latency", 0, kMostCycles}, &Geometry::doorbell_latency},
    {{"interrupt_latency", 0, kMostCycles}, &Geometry::interrupt_latency},
    {{"dram_bytes_per_1024_cycles", 1, 1U << 20}, &Geometry::dram_bytes_per_1024_cycles},
    {{"dma_setup_cycles", 0, kMostCycles}, &Geometry::dma_setup_cycles},
    {{"dma_bytes_per_cycle", 1, kMostCycles}, &Geometry::dma_bytes_per_cycle},
};
constexpr auto kDeviceParameterList = parameters_of(kDeviceParameters);

/// Returns the parameter of this name, if there is one.
std::optional<Parameter> find_parameter(std::string_view name) {
  for (const OwnedParameter &each : all_parameters()) {
    if (name == each.parameter.name) return each.parameter;
  }
  return std::nullopt;
}

/// Returns `; did you mean "…"?`, or nothing if no name is near.
template <typename Names, typename Projection>
std::string near(std::string_view typed, const Names &names, Projection name_of) {
  ClosestName closest(typed);
  for (const auto &name : names) closest.offer(name_of(name));
  return closest.found().empty() ? std::string() : fmt::format("; did you mean \"{}\"?", closest.found());
}

std::string near_option(std::string_view typed) {
  return near(typed, kOptions, [](std::string_view name) { return name; });
}

std::string near_parameter(std::string_view typed) {
  return near(typed, all_parameters(), [](const OwnedParameter &each) { return std::string_view(each.parameter.name); });
}

std::string near_engine(std::string_view typed) {
  return near(typed, engine_kinds(), [](const EngineKind *kind) { return std::string_view(registers::row_of(kind->id).key); });
}

/// Reads the values of options. Keeps the first error.
class Reader {
 public:
  explicit Reader(std::string &error) : error_(error) {}

  [[nodiscard]] bool failed() const { return !error_.empty(); }
  void fail(std::string text) {
    if (error_.empty()) error_ = std::move(text);
  }

  void geometry(const json &value, Options &options) {
    if (!value.is_object()) return fail("option 'geometry' is not an object");
    for (const auto &[key, number] : value.items()) {
      const std::optional<Parameter> parameter = find_parameter(key);
      if (!parameter) return fail(fmt::format("geometry has no parameter '{}'{}", key, near_parameter(key)));
      if (!number.is_number_unsigned() || number.get<std::uint64_t>() < parameter->minimum ||
          number.get<std::uint64_t>() > parameter->maximum) {
        return fail(fmt::format("geometry parameter '{}' is {}, must be an integer from {} to {}", key, number.dump(), parameter->minimum,
                                parameter->maximum));
      }
      options.parameters[key] = number.get<std::uint32_t>();
    }
    set_parameters(options.geometry, kDeviceParameters, options.parameters);
  }

  std::string text(const json &value, std::string_view key) {
    if (!value.is_string()) {
      fail(fmt::format("option '{}' is not a string", key));
      return {};
    }
    return value.get<std::string>();
  }

  /// Returns 0 if the value is `first`, 1 if it is `second`, and 0 on an error.
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

  void configurations(const json &value, Options &options) {
    if (!value.is_object()) return fail("option 'configuration' is not an object of files, one for each engine");
    for (const auto &[key, path] : value.items()) {
      const auto kinds = engine_kinds();
      const auto has_key = [&key = key](const EngineKind *kind) { return registers::row_of(kind->id).key == key; };
      const auto kind = std::find_if(kinds.begin(), kinds.end(), has_key);
      if (kind == kinds.end()) return fail(fmt::format("option 'configuration': there is no engine '{}'{}", key, near_engine(key)));
      if ((*kind)->check_configuration == nullptr) return fail(fmt::format("option 'configuration': the engine '{}' has none", key));
      ConfigurationFile file{.path = text(path, "configuration." + key), .text = {}};
      if (failed()) return;
      std::ifstream stream(file.path);
      if (!stream) return fail(fmt::format("configuration '{}' cannot be opened", file.path));
      file.text.assign(std::istreambuf_iterator<char>(stream), {});
      if (std::string reason; !(*kind)->check_configuration(file.text, file.path, reason)) return fail(reason);
      options.configurations[key] = std::move(file);
    }
  }

  void faults(const std::string &path, Options &options) {
    std::ifstream file(path);
    if (!file) return fail(fmt::format("fault plan '{}' cannot be opened", path));
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::string reason;
    if (!faults::parse_plan(text, inventory_of(options.parameters), options.faults, reason))
      fail(fmt::format("fault plan '{}', {}", path, reason));
  }

  void durations(const std::string &path, Durations &result) {
    std::ifstream file(path);
    if (!file) return fail(fmt::format("durations file '{}' cannot be opened", path));
    const json document = json::parse(file, nullptr, false);
    if (!document.is_object()) return fail(fmt::format("durations file '{}' is not a JSON object", path));
    for (const auto &[key, list] : document.items()) {
      if (key == kSchemaMember) continue;
      const std::span<const char *const> queues = core_queues();
      if (std::find(queues.begin(), queues.end(), std::string_view(key)) == queues.end()) {
        return fail(fmt::format("durations file '{}': there is no class '{}'{}", path, key,
                                near(key, queues, [](const char *name) { return std::string_view(name); })));
      }
      if (!list.is_array()) return fail(fmt::format("durations file '{}': class '{}' is not a list", path, key));
      std::vector<Cycle> &durations = result[key];
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

std::vector<OwnedParameter> all_parameters() {
  std::vector<OwnedParameter> all;
  for (const Parameter &parameter : kDeviceParameterList) all.push_back({parameter, {}});
  for (const EngineKind *kind : engine_kinds()) {
    for (const Parameter &parameter : kind->parameters) all.push_back({parameter, registers::row_of(kind->id).key});
  }
  return all;
}

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
      if (key == kSchemaMember) continue;
      if (key == "geometry") {
        reader.geometry(value, options);
      } else if (key == "path") {
        options.path = reader.choice(value, key, "reference", "fast") == 0 ? Path::reference : Path::fast;
      } else if (key == "dispatch") {
        ideal = reader.choice(value, key, "firmware", "ideal") == 1;
      } else if (key == "configuration") {
        reader.configurations(value, options);
      } else if (key == "events") {
        options.events = reader.text(value, key);
      } else if (key == "energy") {
        options.energy = reader.text(value, key);
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
        reader.fail(fmt::format("there is no option '{}'{}", key, near_option(key)));
      }
    }
  }
  if (seed.has_value() != (options.random_faults != 0)) reader.fail("'fault_seed' and a 'fault_count' over 0 belong together");
  // Read the plan last, because the geometry says which units and memories a fault can name.
  if (!plan.empty() && !reader.failed()) reader.faults(plan, options);
  if (seed && !reader.failed()) {
    const auto count = static_cast<std::uint32_t>(options.random_faults);
    for (const faults::Planned &fault : faults::random_plan(*seed, count, inventory_of(options.parameters)))
      options.faults.push_back(fault);
  }
  if (ideal) options.geometry.doorbell_latency = options.geometry.interrupt_latency = 0;
  if (reader.failed()) return std::nullopt;
  return options;
}

}  // namespace cox::model
