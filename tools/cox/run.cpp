// SPDX-License-Identifier: MIT
// cox run: runs a task through the firmware on a board (docs/cox.md, run).
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cctype>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/command/device_option.h"
#include "tools/command/failure.h"
#include "tools/command/format_option.h"
#include "tools/command/usage.h"
#include "tools/cox/commands.h"
#include "tools/cox/run_arguments.h"
#include "tools/file/error.h"
#include "tools/file/file.h"
#include "tools/run/boards/interruption.h"
#include "tools/run/boards/model_options.h"
#include "tools/run/boards/temporary_folder.h"
#include "tools/run/jobs/execution.h"
#include "tools/run/jobs/outputs.h"
#include "tools/run/jobs/progress_bar.h"
#include "tools/run/jobs/workload.h"
#include "tools/tflite/session.h"

namespace cox::tools {
namespace {

// Range of --max-host-seconds, in seconds.
constexpr double kShortestBoot = 0.001, kLongestBoot = 1e6;

constexpr const char *kExamples = R"(
Examples:
  cox run digits.cxt --in image=images.bin --out logits=logits.bin
      as many inferences as images.bin holds images, under QEMU, in one boot
  cox run first.cxt --in in=in.bin --out out=out.bin --board native --svg first.svg
      in this process; the timeline as a picture
  cox run --jobs jobs.json --cores 4
      tasks of several owners side by side
  cox run resnet50_b1.cxt --durations resnet50_b1.trace.txt --events events.csv --stats stats.json
      with the durations of a published trace

  cox run network.tflite --in 0=image.npy --out 0=scores.npy --svg layers.svg
      a TensorFlow Lite model in this process; inputs and outputs by number or name, as .npy or as bytes

QEMU, the model and the firmware image are found in this program's installation or build, or where COX_QEMU, COX_MODEL and COX_FIRMWARE
say.)";

std::vector<std::string> board_names() {
  std::vector<std::string> names = {"native", "qemu"};
  for (const run::BoardMap *map : run::board_maps()) names.emplace_back(map->name);
  return names;
}

/// Accepts the name of a board, or a path.
CLI::Validator board_or_path() {
  const CLI::Validator names = one_of(board_names());
  const auto check = [names](std::string &text) -> std::string { return std::filesystem::exists(text) ? "" : names(text); };
  return {check, names.get_description()};
}

std::vector<run::FileBinding> bindings(const std::vector<std::string> &texts, const char *option) {
  std::vector<run::FileBinding> all;
  all.reserve(texts.size());
  for (const std::string &text : texts) all.push_back(run::parse_binding(text, option));
  return all;
}

model::Options device_of_run(const RunArguments &arguments) {
  const nlohmann::json options = run::parse_model_options(arguments.options);
  run::check_model_options(options);
  std::string error;
  return model::parse_options(options.dump().c_str(), error).value();
}

run::Workload workload_of(const RunArguments &arguments, std::vector<run::FileBinding> &outputs) {
  const ProgramFormat::RunRequest request{arguments.set, arguments.memory, arguments.dump, device_of_run(arguments)};
  run::SourceNames sources;
  if (arguments.step) sources.zero = nullptr;
  return run::read_workload(program_formats(), arguments.task, request, bindings(arguments.in, "--in"),
                            bindings(arguments.windows, "--window"), arguments.repeat, outputs, sources,
                            arguments.zero_inputs ? run::MissingInputs::zero : run::MissingInputs::refused);
}

void step_task(const RunArguments &arguments) {
  std::vector<run::FileBinding> none;
  const run::Workload workload = workload_of(arguments, none);
  if (workload.inferences > 1)
    throw Failure(ExitCode::usage, "--step: runs one inference; --in has values for " + std::to_string(workload.inferences));
  try {
    workload.program->step(run::contents_of(workload, 0), std::cin, std::cout, isatty(STDIN_FILENO) != 0);
  } catch (const FileError &error) {
    throw Failure(ExitCode::bad_input, error.what());
  }
}

void run_task(const RunArguments &arguments) {
  if (arguments.step) return step_task(arguments);
  std::vector<run::FileBinding> outputs = bindings(arguments.out, "--out");
  const run::Workload workload = workload_of(arguments, outputs);
  if (!workload.program->is_recorded() && !(arguments.events.empty() && arguments.trace.empty() && arguments.svg.empty())) {
    throw Failure(ExitCode::usage, "--trace, --svg and --events: " + arguments.task +
                                       " is a stream; --option events=LOG writes a log that cox timeline draws");
  }
  for (const run::FileBinding &output : outputs) {
    static_cast<void>(run::output_named(*workload.program, output.name));
    check_writable(output.file);
  }
  for (const std::string &path : {arguments.events, arguments.trace, arguments.svg, arguments.stats}) {
    if (!path.empty()) check_writable(path);
  }

  const run::TemporaryFolder folder;
  const run::Interruption interruption(folder.path());
  nlohmann::json options = nlohmann::json::object();
  if (!arguments.durations.empty()) {
    write_file(folder.file("durations.json"), workload.program->replay_of_trace(arguments.durations));
    options["durations"] = folder.file("durations.json");
  }
  run::ExecutionSettings settings = settings_of(arguments, options, workload.program->interface().cores);
  settings.count_cores = !arguments.stats.empty() && settings.device_cores > 1;
  if (settings.count_cores || !arguments.trace.empty() || !arguments.svg.empty() || !arguments.events.empty())
    settings.events_file = folder.file("events");
  if (!arguments.stats.empty()) settings.energy_file = folder.file("energy");
  std::unique_ptr<run::ProgressBar> bar = progress_bar(arguments, workload.inferences, settings);
  const FaultNotice faults(arguments, settings);
  const run::ExecutionResult result = run::execute(workload, settings);
  bar.reset();

  const bool repeated = arguments.repeat > 1;
  if (repeated) run::check_repetitions(workload, result.outputs);
  run::write_outputs(workload, result.outputs, outputs, repeated);
  workload.program->print_outputs(result.outputs, std::cout);
  write_text(arguments.events, [&](std::ostream &out) { result.recording->write_events(out); });
  write_text(arguments.trace, [&](std::ostream &out) { result.recording->write_trace(out); });
  write_text(arguments.svg, [&](std::ostream &out) { result.recording->write_picture(out); });
  write_text(arguments.stats, [&](std::ostream &out) { run::write_statistics_json(out, result.statistics); });
  if (!arguments.quiet) run::write_statistics_text(std::cout, result.statistics);
}

}  // namespace

void add_run(CLI::App &app) {
  auto arguments = std::make_shared<RunArguments>();
  std::string cores = std::string(registers::core_engine().key) + " cores";
  cores.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(cores.front())));
  CLI::App *run = app.add_subcommand("run", "Run a task through the firmware, under QEMU or in this process");
  run->add_option("task", arguments->task, "Task image, a stream, which is assembled first, or a TensorFlow Lite model")->type_name("FILE");
  run->add_option("--jobs", arguments->jobs, "Run the tasks of several owners that this file lists, in one boot, instead of one task")
      ->type_name("FILE.json");
  // --in, --out, --window and --option take one value each, so the task's file may follow them.
  run->add_option("--in", arguments->in, "Values of an input tensor; several inferences' back to back run one after the other")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
  run->add_option("--out", arguments->out, "Where the values of an output tensor go, of all inferences back to back")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
  run->add_flag("--zero-inputs", arguments->zero_inputs, "Input tensors that no --in names are zero bytes, for runs that measure time");
  run->add_option("--window", arguments->windows, "What stands in DRAM window N before each run, from its first byte on")
      ->type_name("N=FILE")
      ->allow_extra_args(false);
  run->add_option("--set", arguments->set, "Initial value of a register, of all cores of a program or of one")
      ->type_name("[coreN.]REGISTER=VALUE")
      ->allow_extra_args(false);
  run->add_option("--memory", arguments->memory, "Initial bytes of a memory of a core, from OFFSET on; without coreN of core 0")
      ->type_name("[coreN.]NAME@OFFSET=FILE")
      ->allow_extra_args(false);
  run->add_option("--dump", arguments->dump, "Where bytes of a memory go at the end; `registers` prints those of all cores")
      ->type_name("[coreN.]NAME@OFFSET+BYTES=FILE")
      ->allow_extra_args(false);
  run->add_option("--configuration", arguments->configurations, "File that describes an engine of the device (docs/model.md, Options)")
      ->type_name("ENGINE=FILE")
      ->allow_extra_args(false);
  run->add_flag("--step", arguments->step,
                "Run a program of an engine with cores step by step, without firmware; commands come from standard input, help lists them");
  run->add_option(
         "--board", arguments->board,
         "qemu: the firmware image on a Cortex-M55 (the board " + std::string(run::kDefaultBoard) +
             "); qemu-NAME: the image on that board; native: the same firmware in this process; a folder or its board.json: any board")
      ->check(board_or_path())
      ->capture_default_str();
  run->add_option("--image", arguments->image, "Firmware image of the board, instead of the one of this build or installation (QEMU alone)")
      ->type_name("FILE.elf");
  run->add_option("--repeat", arguments->repeat, "Run so many times with the same input; the outputs must be the same, and one is written")
      ->check(in_range(std::size_t{1}, std::size_t{1'000'000}));
  run->add_option("--batch", arguments->batch, "Inferences that one job computes")
      ->check(in_range(std::size_t{1}, std::size_t{firmware::job::kMostInferences}))
      ->capture_default_str();
  run->add_flag("--no-counters", arguments->no_counters, "Do not read the device's counters between inferences, which costs time");
  run->add_option("--durations", arguments->durations, "Trace file that says how long each instruction takes, instead of the model")
      ->type_name("TRACE");
  run->add_option("--dispatch", arguments->dispatch, "ideal: doorbells and interrupts take no time (native alone)")
      ->check(one_of({"firmware", "ideal"}))
      ->capture_default_str();
  run->add_option("--trace", arguments->trace, "Write the first run as Chrome trace JSON, which Perfetto opens")->type_name("FILE.json");
  run->add_option("--svg", arguments->svg, "Write the first run as a picture")->type_name("FILE.svg");
  run->add_option("--stats", arguments->stats, "Write statistics of all runs")->type_name("FILE.json");
  run->add_option("--events", arguments->events, "Write the first run as a table: index,core,class,name,start,end")->type_name("FILE.csv");
  run->add_option("--time-limit", arguments->time_limit_us, "Most microseconds of the control core's clock for each run (default: 10 s)")
      ->check(in_range(std::uint32_t{1}, std::numeric_limits<std::uint32_t>::max()))
      ->type_name("US");
  run->add_option("--cores", arguments->cores, cores + " of the device (default: as many as the task needs)")
      ->check(in_range(1U, firmware::job::kCores));
  run->add_option("--units", arguments->units, "Units of the engine that run a TensorFlow Lite model side by side (default: 1)")
      ->check(in_range(1U, tflite::kMostUnits));
  run->add_option("--retries", arguments->retries, "How often a run may begin again after a fault that passes")
      ->check(in_range(0U, firmware::job::kMostRetries));
  run->add_option(
         "--keys", arguments->keys,
         "Public keys as PEM files: the firmware takes only images that are signed with one of them (native alone; docs/signing.md)")
      ->type_name("KEY.pem")
      ->allow_extra_args(false);
  run->add_flag("--firmware-trace", arguments->firmware_trace,
                "Run the firmware that traces itself, and put what it did into --trace and --svg (QEMU alone)");
  run->add_option("--option", arguments->options, "Option of the accelerator model (docs/model.md), e.g. geometry.doorbell_latency=0")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  run->add_option("--control-core-ns", arguments->control_core_ns,
                  "Nanoseconds that an instruction of the control core takes (QEMU alone; default: " +
                      std::to_string(run::kInstructionNanoseconds) + ")")
      ->check(one_of({"1", "2", "4", "8", "16", "32"}))
      ->type_name("NS");
  run->add_option("--max-host-seconds", arguments->host_seconds, "Most time of this host for each boot")
      ->check(in_range(kShortestBoot, kLongestBoot))
      ->type_name("S");
  run->add_flag("--progress", arguments->progress, "Show progress even where standard error is no terminal");
  run->add_flag("-v,--verbose", arguments->verbose, "Show the firmware's console");
  run->add_flag("-q,--quiet", arguments->quiet, "Print no statistics");
  run->footer(std::string(kExamples) + "\n\n" + kExitCodesHelp);
  run->callback([arguments, run] {
    for (const std::string &file : arguments->configurations) arguments->options.push_back(configuration_option(file));
    check_arguments(*arguments);
    arguments->board_given = run->count("--board") > 0;
    if (is_model(arguments->task)) {
      run_model(*arguments);
    } else if (arguments->units > 0) {
      throw Failure(ExitCode::usage, "--units: only a TensorFlow Lite model takes this option");
    } else if (arguments->jobs.empty()) {
      refuse_other_kinds(arguments->task, job_format(program_formats(), arguments->task), Form::either);
      run_task(*arguments);
    } else {
      run_jobs(*arguments);
    }
  });
}

}  // namespace cox::tools
