// SPDX-License-Identifier: MIT
// cox campaign: runs random faults, tasks and programs by seeds, and files what fails (docs/campaign.md). The work is done by
// python/coxswain/campaign.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tools/command/usage.h"
#include "tools/cox/commands.h"
#include "tools/cox/python_command.h"

namespace cox::tools {
namespace {

constexpr std::uint64_t kMostSeeds = 1'000'000'000'000;
constexpr std::uint64_t kLongest = 366ULL * 24 * 3600;  // seconds

struct CampaignArguments {
  std::vector<std::string> kinds;
  std::string output = "campaign.results", reproducers = "reproducers", scheduler, programs, picture;
  std::uint64_t first = 1, count = 1000, seconds = 0;
  unsigned workers = std::max(1U, std::thread::hardware_concurrency());
  bool accept_revision = false, quiet = false;
};

/// Returns the folder of this program, which has the trial programs in a build tree.
std::string own_folder() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path().string();
}

void start_campaign(const CampaignArguments &arguments) {
  run_python("coxswain.campaign", {{"kinds", arguments.kinds},
                                   {"first", arguments.first},
                                   {"count", arguments.count},
                                   {"seconds", arguments.seconds},
                                   {"output", arguments.output},
                                   {"reproducers", arguments.reproducers},
                                   {"scheduler", arguments.scheduler.empty() ? nlohmann::json() : nlohmann::json(arguments.scheduler)},
                                   {"workers", arguments.workers},
                                   {"programs", arguments.programs.empty() ? own_folder() : arguments.programs},
                                   {"picture", arguments.picture},
                                   {"accept_revision", arguments.accept_revision},
                                   {"quiet", arguments.quiet}});
}

}  // namespace

void add_campaign(CLI::App &app) {
  const auto arguments = std::make_shared<CampaignArguments>();
  CLI::App *command = app.add_subcommand("campaign", "Try random faults, tasks and programs by seeds, and file what fails");
  command->add_option("KIND", arguments->kinds, "Kinds of trials (docs/campaign.md); default: all");
  command->add_option("--first", arguments->first, "First seed")->check(in_range(std::uint64_t{0}, kMostSeeds))->capture_default_str();
  command->add_option("--count", arguments->count, "Seeds of each kind")
      ->check(in_range(std::uint64_t{1}, kMostSeeds))
      ->capture_default_str();
  command->add_option("--seconds", arguments->seconds, "Hand out no more seeds after so many seconds; default: no limit")
      ->check(in_range(std::uint64_t{1}, kLongest));
  command->add_option("-o,--output", arguments->output, "File that keeps the results; seeds that have one do not run again")
      ->capture_default_str()
      ->type_name("FILE");
  command
      ->add_option("--reproducers", arguments->reproducers,
                   "Folder for what failed: a folder for each failure, with a command that shows it")
      ->capture_default_str()
      ->type_name("FOLDER");
  command->add_option("--picture", arguments->picture, "Draw which faults met which engines, and what became of them")
      ->type_name("FILE.svg");
  command->add_option("--programs", arguments->programs, "Folder of the trial programs; default: the folder of cox")->type_name("FOLDER");
  command->add_option("--workers", arguments->workers, "Trials that run at a time in this process; default: the processor's cores")
      ->check(in_range(1U, kMostWorkers));
  command->add_option("--scheduler", arguments->scheduler, "Run on the workers of this Dask scheduler instead")
      ->type_name("tcp://HOST:PORT");
  command->add_flag("--accept-revision", arguments->accept_revision, "Go on with a results file that another revision of cox has written");
  command->add_flag("-q,--quiet", arguments->quiet, "No progress");
  command->footer(
      "Example:\n"
      "  cox campaign faults --count 5000 --picture coverage.svg\n"
      "Exit status 1: something failed, and is filed.");
  command->callback([arguments] { start_campaign(*arguments); });
}

}  // namespace cox::tools
