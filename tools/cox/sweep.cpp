// SPDX-License-Identifier: MIT
// cox sweep: runs tasks on many devices and compares them (docs/sweep.md). The work is done by python/coxswain/sweep.
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "coxswain/firmware/job/job_queue.h"
#include "sim/model/options.h"
#include "tools/command/failure.h"
#include "tools/command/usage.h"
#include "tools/cox/commands.h"
#include "tools/cox/python_command.h"
#include "tools/lower/network/network.h"
#include "tools/lower/wishes.h"
#include "tools/run/boards/board_map.h"
#include "tools/tflite/session.h"

namespace cox::tools {
namespace {

struct SweepArguments {
  std::string sweep, output, table, report, scheduler;
  unsigned workers = std::max(1U, std::thread::hardware_concurrency());
  bool list_axes = false, plan = false, no_run = false, accept_revision = false, quiet = false;
};

nlohmann::json parameters_of_model() {
  nlohmann::json all = nlohmann::json::array();
  for (const model::OwnedParameter &each : model::all_parameters()) {
    all.push_back({{"name", each.parameter.name},
                   {"least", each.parameter.minimum},
                   {"most", each.parameter.maximum},
                   {"default", each.parameter.initial},
                   {"engine", each.engine}});
  }
  return all;
}

/// What the axes of a sweep can be: facts of the model, of the boards and of the lowering.
nlohmann::json facts_for_axes() {
  nlohmann::json boards = {"native", "qemu"};
  for (const run::BoardMap *map : run::board_maps()) boards.push_back(map->name);
  nlohmann::json divisions = nlohmann::json::array();
  for (const lower::NamedDivision &division : lower::kDivisions) divisions.push_back(division.name);
  return {{"parameters", parameters_of_model()},
          {"boards", std::move(boards)},
          {"divisions", std::move(divisions)},
          {"limits",
           {{"cores", firmware::job::kCores},
            {"batch", lower::kMostImages},
            {"l2_kib", lower::kMostL2Kib},
            {"units", tflite::kMostUnits},
            {"retries", firmware::job::kMostRetries}}}};
}

void start_sweep(const SweepArguments &arguments) {
  if (arguments.sweep.empty() != arguments.list_axes) {
    throw Failure(ExitCode::usage, arguments.list_axes ? "--axes: takes no sweep file" : "a sweep file is missing: see cox sweep --help");
  }
  run_python("coxswain.sweep", {{"sweep", arguments.sweep},
                                {"output", arguments.output},
                                {"table", arguments.table},
                                {"report", arguments.report},
                                {"scheduler", arguments.scheduler.empty() ? nlohmann::json() : nlohmann::json(arguments.scheduler)},
                                {"workers", arguments.workers},
                                {"list_axes", arguments.list_axes},
                                {"plan", arguments.plan},
                                {"no_run", arguments.no_run},
                                {"accept_revision", arguments.accept_revision},
                                {"quiet", arguments.quiet},
                                {"facts", facts_for_axes()}});
}

}  // namespace

void add_sweep(CLI::App &app) {
  const auto arguments = std::make_shared<SweepArguments>();
  CLI::App *command = app.add_subcommand("sweep", "Run tasks on many devices and compare them: cores, memory sizes, bandwidths, latencies");
  command->add_option("SWEEP", arguments->sweep, "Sweep file: tasks, axes, metrics (docs/sweep.md)")->type_name("SWEEP.toml");
  command
      ->add_option("-o,--output", arguments->output,
                   "File that keeps the results; default: the sweep file's name with .results, here. "
                   "Points that have a result in it do not run again")
      ->type_name("FILE");
  command->add_option("--table", arguments->table, "Write all points as CSV; - is standard output")->type_name("FILE.csv");
  command->add_option("--report", arguments->report, "Write a report with plots, for a browser")->type_name("FILE.html");
  command->add_option("--workers", arguments->workers, "Points that run at a time in this process; default: the processor's cores")
      ->check(in_range(1U, kMostWorkers));
  command->add_option("--scheduler", arguments->scheduler, "Run on the workers of this Dask scheduler instead")
      ->type_name("tcp://HOST:PORT");
  command->add_flag("--axes", arguments->list_axes, "List axes and metrics, with ranges and defaults");
  command->add_flag("--plan", arguments->plan, "Check the sweep file and say what would run");
  command->add_flag("--no-run", arguments->no_run, "Only table and report of the results that there are");
  command->add_flag("--accept-revision", arguments->accept_revision, "Go on with a results file that another revision of cox has written");
  command->add_flag("-q,--quiet", arguments->quiet, "No progress and no summary");
  command->footer(
      "Examples:\n"
      "  cox sweep digits.toml --table digits.csv --report digits.html\n"
      "  cox sweep digits.toml --scheduler tcp://head:8786\n"
      "A sweep that was interrupted goes on with the same command. Exit status 4: points have failed.");
  command->callback([arguments] { start_sweep(*arguments); });
}

}  // namespace cox::tools
