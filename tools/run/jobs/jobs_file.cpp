// SPDX-License-Identifier: MIT
#include "tools/run/jobs/jobs_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "coxswain/firmware/job/job_queue.h"
#include "tools/command/failure.h"
#include "tools/file/error.h"
#include "tools/file/file.h"
#include "tools/json/parse.h"
#include "tools/names/did_you_mean.h"

namespace cox::tools::run {
namespace {

using firmware::job::kCores;
using nlohmann::json;

constexpr std::array<std::string_view, 11> kMembers = {"task",   "owner",   "priority", "share",  "cores",        "retries",
                                                       "inputs", "outputs", "windows",  "repeat", "time_limit_us"};

constexpr SourceNames kSources{"'inputs':", "'outputs':", "'windows':", "'repeat'", nullptr};

/// Reads one entry of the jobs file, and composes the messages about it.
class Reader {
 public:
  Reader(ProgramFormats formats, const json &entry, std::filesystem::path folder, std::string place)
      : formats_(formats), entry_(entry), folder_(std::move(folder)), place_(std::move(place)) {}

  JobEntry read() const {
    if (!entry_.is_object()) throw Failure(ExitCode::bad_input, place_ + ": it should be an object");
    for (const auto &[name, value] : entry_.items()) {
      if (std::ranges::find(kMembers, name) == kMembers.end()) refuse(name, "is no member of an entry" + did_you_mean(name, kMembers));
    }
    if (!entry_.contains("task")) refuse("task", "is missing");
    if (!entry_["task"].is_string()) refuse("task", "should be the name of a file");
    JobEntry entry;
    entry.owner = static_cast<std::uint8_t>(number("owner", 0, 0, firmware::job::kOwners - 1));
    entry.priority = static_cast<std::uint8_t>(number("priority", 0, 0, firmware::job::kPriorities - 1));
    entry.share = number("share", 0, 1, firmware::job::kLargestWeight);
    entry.retries = static_cast<std::uint8_t>(number("retries", 0, 0, firmware::job::kMostRetries));
    entry.time_limit_us = number("time_limit_us", 0, 1, std::numeric_limits<std::uint32_t>::max());
    entry.core_mask = cores();
    entry.outputs = files("outputs");
    const std::size_t repeat = number("repeat", 0, 1, 1'000'000);
    entry.repeated = repeat > 1;
    const std::vector<FileBinding> inputs = files("inputs"), windows = files("windows");
    try {
      entry.workload = read_workload(formats_, (folder_ / entry_["task"].get<std::string>()).string(), inputs, windows, repeat, kSources);
      for (const FileBinding &output : entry.outputs) static_cast<void>(output_named(*entry.workload.program, output.name, kSources));
    } catch (const Failure &failure) {
      throw Failure(failure.code(), place_ + ": " + failure.what());
    }
    return entry;
  }

 private:
  [[noreturn]] void refuse(const std::string &member, const std::string &why) const {
    throw Failure(ExitCode::bad_input, fmt::format("{}: '{}' {}", place_, member, why));
  }

  std::uint32_t number(const char *member, std::uint32_t otherwise, std::uint32_t least, std::uint32_t most) const {
    if (!entry_.contains(member)) return otherwise;
    const json &value = entry_[member];
    if (!value.is_number_integer()) refuse(member, fmt::format("should be a number from {} to {}", least, most));
    // nlohmann-json turns a number beyond 64 bits into a real number, which was refused above.
    const bool negative = !value.is_number_unsigned() && value.get<std::int64_t>() < 0;
    if (negative || value.get<std::uint64_t>() < least || value.get<std::uint64_t>() > most)
      refuse(member, fmt::format("is {}; it should be a number from {} to {}", value.dump(), least, most));
    return value.get<std::uint32_t>();
  }

  std::uint8_t cores() const {
    if (!entry_.contains("cores")) return 0;
    const std::string should = fmt::format("should be a list of cores, from 0 to {}", kCores - 1);
    if (!entry_["cores"].is_array() || entry_["cores"].empty()) refuse("cores", should);
    unsigned mask = 0;
    for (const json &core : entry_["cores"]) {
      if (!core.is_number_unsigned() || core.get<std::uint64_t>() >= kCores) refuse("cores", should);
      const unsigned bit = 1U << core.get<unsigned>();
      if ((mask & bit) != 0) refuse("cores", fmt::format("has core {} twice", core.get<unsigned>()));
      mask |= bit;
    }
    return static_cast<std::uint8_t>(mask);
  }

  std::vector<FileBinding> files(const char *member) const {
    std::vector<FileBinding> all;
    if (!entry_.contains(member)) return all;
    if (!entry_[member].is_object()) refuse(member, "should be an object of names and files");
    for (const auto &[name, file] : entry_[member].items()) {
      if (!file.is_string() || file.get<std::string>().empty())
        refuse(member, fmt::format("should have the name of a file for '{}'", name));
      all.push_back({name, (folder_ / file.get<std::string>()).string()});
    }
    return all;
  }

  ProgramFormats formats_;
  const json &entry_;
  std::filesystem::path folder_;
  std::string place_;
};

/// Refuses a member that an object has twice. The JSON library would silently take the last.
class UniqueMembers {
 public:
  explicit UniqueMembers(const std::string &path) : path_(path) {}

  bool operator()(int depth, json::parse_event_t event, json &parsed) {
    if (event == json::parse_event_t::array_start && depth == (members_.empty() ? 0 : 1)) list_depth_ = depth;
    if (event == json::parse_event_t::object_start) {
      if (depth == list_depth_ + 1) ++entries_;
      members_.emplace_back();
    } else if (event == json::parse_event_t::object_end) {
      members_.pop_back();
    } else if (event == json::parse_event_t::key && !members_.back().insert(parsed.get<std::string>()).second) {
      const std::string entry = entries_ == 0 ? "" : fmt::format("entry {}: ", entries_ - 1);
      throw Failure(ExitCode::bad_input, fmt::format("{}: {}'{}' is there twice", path_, entry, parsed.get<std::string>()));
    }
    return true;
  }

 private:
  const std::string &path_;
  std::size_t entries_ = 0;
  int list_depth_ = -2;                         // depth of the list of entries: 0, or 1 if it is a member of an object; -2: not found yet
  std::vector<std::set<std::string>> members_;  // for each JSON object that is not yet complete: its members so far
};

json parse(const std::string &path) {
  try {
    return parse_json(read_file(path), path, UniqueMembers(path));
  } catch (const FileError &error) {
    throw Failure(ExitCode::bad_input, error.what());
  }
}

// Returns the list of entries: the file itself, or the member `jobs` of an object, which can have the member "$schema" for editors.
const json &list_of(const json &root, const std::string &path) {
  if (!root.is_object() || !root.contains("jobs")) return root;
  constexpr std::array<std::string_view, 2> kRootMembers = {"$schema", "jobs"};
  for (const auto &[name, value] : root.items()) {
    if (std::ranges::find(kRootMembers, name) == kRootMembers.end()) {
      throw Failure(ExitCode::bad_input,
                    fmt::format("{}: '{}' is no member beside 'jobs'{}", path, name, did_you_mean(name, kRootMembers)));
    }
  }
  return root["jobs"];
}

// Refuses two different shares for one owner.
void check_shares(const std::vector<JobEntry> &entries, const std::string &path) {
  std::array<std::uint32_t, firmware::job::kOwners> shares{};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].share == 0) continue;
    std::uint32_t &share = shares.at(entries[i].owner);
    if (share != 0 && share != entries[i].share) {
      throw Failure(ExitCode::bad_input, fmt::format("{}: entry {}: 'share' is {}; owner {} has {} already", path, i, entries[i].share,
                                                     entries[i].owner, share));
    }
    share = entries[i].share;
  }
}

// Refuses two outputs in one file, because the second would replace the first.
void check_outputs(const std::vector<JobEntry> &entries, const std::string &path) {
  std::map<std::filesystem::path, std::pair<std::size_t, std::string>> written;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    for (const FileBinding &output : entries[i].outputs) {
      std::error_code error;
      const std::filesystem::path file = std::filesystem::weakly_canonical(output.file, error);
      if (std::filesystem::exists(file, error) && !std::filesystem::is_regular_file(file, error)) continue;  // such as /dev/null
      const auto [first, is_new] = written.try_emplace(file, i, output.name);
      if (is_new) continue;
      throw Failure(ExitCode::bad_input, fmt::format("{}: entry {}: output '{}' goes to {}, where output '{}' of entry {} goes", path, i,
                                                     output.name, output.file, first->second.second, first->second.first));
    }
  }
}

}  // namespace

std::vector<JobEntry> read_jobs_file(ProgramFormats formats, const std::string &path) {
  const json root = parse(path);
  const json &file = list_of(root, path);
  if (!file.is_array() || file.empty())
    throw Failure(ExitCode::bad_input, path + ": it should be a list of entries, one at least, or an object with this list as 'jobs'");
  if (file.size() > firmware::job::kTaskSlots) {
    throw Failure(ExitCode::bad_input,
                  fmt::format("{}: {} entries; the firmware keeps {} tasks", path, file.size(), firmware::job::kTaskSlots));
  }
  std::vector<JobEntry> entries;
  for (std::size_t i = 0; i < file.size(); ++i) {
    entries.push_back(Reader(formats, file[i], std::filesystem::path(path).parent_path(), fmt::format("{}: entry {}", path, i)).read());
  }
  check_shares(entries, path);
  check_outputs(entries, path);
  return entries;
}

unsigned cores_needed(const std::vector<JobEntry> &entries) {
  unsigned cores = 1;
  for (const JobEntry &entry : entries)
    cores = std::max({cores, entry.workload.program->interface().cores, static_cast<unsigned>(std::bit_width(entry.core_mask))});
  return cores;
}

}  // namespace cox::tools::run
