// SPDX-License-Identifier: MIT
// cox run: a task through the firmware, on a board (docs/cox.md, run).
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "tools/command/failure.h"
#include "tools/cox/commands.h"
#include "tools/run/board.h"
#include "tools/run/chrome_trace.h"
#include "tools/run/durations.h"
#include "tools/run/events_csv.h"
#include "tools/run/execution.h"
#include "tools/run/interruption.h"
#include "tools/run/model_options.h"
#include "tools/run/progress_bar.h"
#include "tools/run/temporary_folder.h"
#include "tools/run/timeline_svg.h"
#include "tools/run/workload.h"
#include "tools/task/error.h"
#include "tools/task/file.h"

namespace cox::tools {
namespace {

struct Arguments {
  std::string task;
  std::vector<std::string> in, out, windows, options;
  std::string board = "qemu", dispatch = "firmware";
  std::size_t repeat = 0;
  bool progress = false, verbose = false, quiet = false;
  std::string durations, trace, svg, stats, events;
  std::uint32_t time_limit_us = 0;
  unsigned cores = 0;
  std::uint8_t retries = 0;
  bool firmware_trace = false;
  double host_seconds = 0;
};

// Of --max-host-seconds.
constexpr double kShortestBoot = 0.001, kLongestBoot = 1e6;

constexpr const char *kExamples = R"(
Examples:
  cox run digits.cxt --in image=images.bin --out logits=logits.bin
      as many inferences as images.bin holds images, under QEMU, in one boot
  cox run first.cxt --in in=in.bin --out out=out.bin --board native --svg first.svg
      in this process; the timeline as a picture
  cox run resnet50_b1.cxt --durations resnet50_b1.trace.txt --events events.csv --stats stats.json
      with the durations of a published trace

QEMU, the model and the firmware image are found beside this program's build, or where COX_QEMU, COX_MODEL and COX_FIRMWARE say.)";

std::vector<run::FileBinding> bindings(const std::vector<std::string> &texts, const char *option) {
  std::vector<run::FileBinding> all;
  all.reserve(texts.size());
  for (const std::string &text : texts) all.push_back(run::parse_binding(text, option));
  return all;
}

void write_text(const std::string &path, const std::function<void(std::ostream &)> &writer) {
  if (path.empty()) return;
  std::ostringstream text;
  writer(text);
  task::write_file(path, text.view());
}

void check(const Arguments &arguments) {
  if (arguments.firmware_trace && arguments.board == "native")
    throw Failure(ExitCode::usage,
                  "--firmware-trace: natively the firmware is built without a trace; its control core takes no time there");
  if (arguments.firmware_trace && arguments.trace.empty() && arguments.svg.empty())
    throw Failure(ExitCode::usage, "--firmware-trace: it goes into --trace and --svg; neither is wanted");
  if (arguments.dispatch == "ideal" && arguments.board != "native") {
    throw Failure(ExitCode::usage,
                  "--dispatch ideal: under QEMU the control core takes the time that its instructions take, so dispatch cannot be ideal; "
                  "use --board native");
  }
  if (arguments.host_seconds > 0 && arguments.board == "native") {
    throw Failure(ExitCode::usage, "--max-host-seconds: only QEMU can be ended from outside; --time-limit bounds a run on either board");
  }
}

// What the device has: --cores, or what --option says, or what the task needs.
unsigned settle_cores(const Arguments &arguments, unsigned needed, nlohmann::json &options) {
  nlohmann::json &geometry = options["geometry"];
  const bool given = geometry.is_object() && geometry.contains("tile_cores");
  if (given && arguments.cores > 0) throw Failure(ExitCode::usage, "--cores: --option geometry.tile_cores says it, too");
  if (given) return geometry["tile_cores"].is_number_unsigned() ? geometry["tile_cores"].get<unsigned>() : 1;  // the model refuses others
  const unsigned cores = arguments.cores > 0 ? arguments.cores : std::max(needed, 1U);
  geometry["tile_cores"] = cores;
  return cores;
}

void write_outputs(const run::Workload &workload, const run::ExecutionResult &result, const std::vector<run::FileBinding> &outputs,
                   bool repeated) {
  for (const run::FileBinding &output : outputs) {
    const task::Tensor &tensor = run::output_named(workload.task, output.name);
    const auto index = static_cast<std::size_t>(&tensor - workload.task.tensors.data());
    std::span<const std::uint8_t> bytes = result.outputs.at(index);
    if (repeated) bytes = bytes.first(tensor.size);
    task::write_file(output.file, bytes);
  }
}

// The same task on the same values: anything but the same result is an error of the machine.
void check_repetitions(const run::Workload &workload, const run::ExecutionResult &result) {
  for (const auto &[index, bytes] : result.outputs) {
    const task::Tensor &tensor = workload.task.tensors[index];
    for (std::size_t i = 1; i < workload.inferences; ++i) {
      if (!std::equal(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(tensor.size),
                      bytes.begin() + static_cast<std::ptrdiff_t>(i * tensor.size))) {
        throw Failure(ExitCode::failed,
                      "output '" + tensor.name + "': run " + std::to_string(i) + " differs from run 0 with the same input");
      }
    }
  }
}

void execute(const Arguments &arguments) {
  check(arguments);
  const std::vector<run::FileBinding> outputs = bindings(arguments.out, "--out");
  const run::Workload workload =
      run::read_workload(arguments.task, bindings(arguments.in, "--in"), bindings(arguments.windows, "--window"), arguments.repeat);
  for (const run::FileBinding &output : outputs) {
    static_cast<void>(run::output_named(workload.task, output.name));
    task::check_writable(output.file);
  }
  for (const std::string &path : {arguments.events, arguments.trace, arguments.svg, arguments.stats}) {
    if (!path.empty()) task::check_writable(path);
  }

  const run::TemporaryFolder folder;
  const run::Interruption interruption(folder.path());
  nlohmann::json options = run::parse_model_options(arguments.options);
  if (arguments.dispatch == "ideal") options["dispatch"] = "ideal";
  run::ExecutionSettings settings;
  settings.tile_cores = settle_cores(arguments, workload.task.geometry.tile_cores, options);
  if (!arguments.durations.empty()) {
    task::write_file(folder.file("durations.json"), run::replay_of_trace(arguments.durations, workload.task));
    options["durations"] = folder.file("durations.json");
  }

  settings.machine.model_options = options.dump();
  settings.machine.host_seconds = arguments.host_seconds;
  settings.machine.verbose = arguments.verbose;
  settings.time_limit_us = arguments.time_limit_us;
  settings.retries = arguments.retries;
  settings.trace = arguments.firmware_trace;
  settings.count_cores = !arguments.stats.empty() && settings.tile_cores > 1;
  if (settings.count_cores || !arguments.trace.empty() || !arguments.svg.empty() || !arguments.events.empty())
    settings.events_file = folder.file("events");
  if (arguments.board == "qemu-npu-compact") settings.machine.map = &run::kNpuCompact;
  if (arguments.board != "native") {
    settings.board = [files =
                          run::find_qemu_files(*settings.machine.map, arguments.firmware_trace ? "coxswain-trace.elf" : "coxswain.elf")](
                         const run::BoardSettings &machine) { return run::make_qemu_board(machine, files); };
  } else {
    settings.board = run::make_native_board;
  }
  std::unique_ptr<run::ProgressBar> bar;
  if (arguments.progress || (isatty(STDERR_FILENO) != 0 && !arguments.verbose && workload.inferences > 1)) {
    bar = std::make_unique<run::ProgressBar>(workload.inferences);
    settings.machine.progress = [&bar](std::uint32_t done) { bar->show(done); };
  }
  const run::ExecutionResult result = run::execute(workload, settings);
  bar.reset();

  const bool repeated = arguments.repeat > 1;
  if (repeated) check_repetitions(workload, result);
  write_outputs(workload, result, outputs, repeated);
  write_text(arguments.events, [&](std::ostream &out) { run::write_events_csv(out, result.timeline); });
  write_text(arguments.trace, [&](std::ostream &out) { run::write_chrome_trace(out, result.timeline); });
  write_text(arguments.svg, [&](std::ostream &out) { run::write_timeline_svg(out, result.timeline); });
  write_text(arguments.stats, [&](std::ostream &out) { run::write_statistics_json(out, result.statistics); });
  if (!arguments.quiet) run::write_statistics_text(std::cout, result.statistics);
}

}  // namespace

void add_run(CLI::App &app) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App *run = app.add_subcommand("run", "Run a task through the firmware, under QEMU or in this process");
  run->add_option("task", arguments->task, "Task image, or a stream, which is assembled first")->required()->type_name("FILE.cxt");
  run->add_option("--in", arguments->in, "Values of an input tensor; several inferences' back to back run one after the other")
      ->type_name("NAME=FILE");
  run->add_option("--out", arguments->out, "Where the values of an output tensor go, of all inferences back to back")
      ->type_name("NAME=FILE");
  run->add_option("--window", arguments->windows, "What stands in DRAM window N before each run, from its first byte on")
      ->type_name("N=FILE");
  run->add_option(
         "--board", arguments->board,
         "qemu: the firmware image on a Cortex-M55; qemu-npu-compact: on the second board; native: the same firmware in this process")
      ->check(CLI::IsMember({"qemu", "qemu-npu-compact", "native"}))
      ->capture_default_str();
  run->add_option("--repeat", arguments->repeat, "Run so many times with the same input; the outputs must be the same, and one is written")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}));
  run->add_option("--durations", arguments->durations, "Trace file that says how long each instruction takes, instead of the model")
      ->type_name("TRACE");
  run->add_option("--dispatch", arguments->dispatch, "ideal: doorbells and interrupts take no time (native alone)")
      ->check(CLI::IsMember({"firmware", "ideal"}))
      ->capture_default_str();
  run->add_option("--trace", arguments->trace, "Write the first run as Chrome trace JSON, which Perfetto opens")->type_name("FILE.json");
  run->add_option("--svg", arguments->svg, "Write the first run as a picture")->type_name("FILE.svg");
  run->add_option("--stats", arguments->stats, "Write statistics of all runs")->type_name("FILE.json");
  run->add_option("--events", arguments->events, "Write the first run as a table: index,core,class,name,start,end")->type_name("FILE.csv");
  run->add_option("--time-limit", arguments->time_limit_us, "Most microseconds of the control core's clock for each run (default: 10 s)")
      ->check(CLI::Range(std::uint32_t{1}, std::numeric_limits<std::uint32_t>::max()))
      ->type_name("US");
  run->add_option("--cores", arguments->cores, "Tile cores of the device (default: as many as the task needs)")
      ->check(CLI::Range(1U, isa::tile::kMostCores));
  run->add_option("--retries", arguments->retries, "How often a run may begin again after a fault that passes")
      ->check(CLI::Range(0U, firmware::job::kMostRetries));
  run->add_flag("--firmware-trace", arguments->firmware_trace,
                "Run the firmware that traces itself, and put what it did into --trace and --svg (QEMU alone)");
  run->add_option("--option", arguments->options, "Option of the accelerator model (docs/model.md), e.g. geometry.doorbell_latency=0")
      ->type_name("KEY=VALUE");
  run->add_option("--max-host-seconds", arguments->host_seconds, "Most time of this host for each boot")
      ->check(CLI::Range(kShortestBoot, kLongestBoot))
      ->type_name("S");
  run->add_flag("--progress", arguments->progress, "Show progress even where standard error is no terminal");
  run->add_flag("-v,--verbose", arguments->verbose, "Show the firmware's console");
  run->add_flag("-q,--quiet", arguments->quiet, "Print no statistics");
  run->footer(std::string(kExamples) + "\n\n" + kExitCodesHelp);
  run->callback([arguments] {
    try {
      execute(*arguments);
    } catch (const task::OutputError &error) {
      throw Failure(ExitCode::bad_output, error.what());
    }
  });
}

}  // namespace cox::tools
