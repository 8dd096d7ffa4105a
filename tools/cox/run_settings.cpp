// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>

#include "coxswain/device/engines.h"
#include "tools/command/colour.h"
#include "tools/command/failure.h"
#include "tools/cox/run_arguments.h"
#include "tools/file/file.h"
#include "tools/run/boards/model_options.h"

namespace cox::tools {
namespace {

// Returns the number of the device's cores. It comes from --cores or from --option; without either, it is the number that the task needs.
unsigned settle_cores(const RunArguments &arguments, unsigned needed, nlohmann::json &options) {
  nlohmann::json &geometry = options["geometry"];
  const std::string parameter = run::cores_parameter();
  const bool given = geometry.is_object() && geometry.contains(parameter);
  if (given && arguments.cores > 0) throw Failure(ExitCode::usage, "--cores: --option geometry." + parameter + " says it, too");
  if (given) return geometry[parameter].is_number_unsigned() ? geometry[parameter].get<unsigned>() : 1;  // the model refuses other values
  if (arguments.cores > 0 && arguments.cores < needed && arguments.jobs.empty()) {
    throw Failure(ExitCode::usage, "--cores " + std::to_string(arguments.cores) + ": the task needs " + std::to_string(needed) + " " +
                                       std::string(registers::core_engine().key) + " cores");
  }
  const unsigned cores = arguments.cores > 0 ? arguments.cores : std::max(needed, 1U);
  if (geometry.is_null() || geometry.is_object()) geometry[parameter] = cores;  // check_model_options() refuses other types
  return cores;
}

/// Refuses what a run step by step would have to ignore: it has no firmware and no end at which it writes files.
void check_step(const RunArguments &arguments) {
  const std::pair<const char *, bool> others[] = {
      {"--jobs", !arguments.jobs.empty()},
      {"--out", !arguments.out.empty()},
      {"--dump", !arguments.dump.empty()},
      {"--zero-inputs", arguments.zero_inputs},
      {"--repeat", arguments.repeat > 0},
      {"--batch", arguments.batch > 1},
      {"--durations", !arguments.durations.empty()},
      {"--trace", !arguments.trace.empty()},
      {"--svg", !arguments.svg.empty()},
      {"--stats", !arguments.stats.empty()},
      {"--events", !arguments.events.empty()},
      {"--time-limit", arguments.time_limit_us > 0},
      {"--retries", arguments.retries > 0},
      {"--keys", !arguments.keys.empty()},
      {"--firmware-trace", arguments.firmware_trace},
      {"--max-host-seconds", arguments.host_seconds > 0},
      {"--control-core-ns", arguments.control_core_ns > 0},
  };
  for (const auto &[name, given] : others) {
    if (given) throw Failure(ExitCode::usage, std::string("--step: ") + name + " has no meaning beside it");
  }
}

}  // namespace

void check_arguments(const RunArguments &arguments) {
  if (arguments.task.empty() == arguments.jobs.empty())
    throw Failure(ExitCode::usage,
                  arguments.task.empty() ? "a task is missing, or --jobs: see cox run --help" : "a task and --jobs are too much");
  if (arguments.step) check_step(arguments);
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
  if (!arguments.image.empty() && arguments.board == "native") {
    throw Failure(ExitCode::usage, "--image: natively the firmware is part of cox; use --board qemu");
  }
  if (!arguments.keys.empty() && arguments.board != "native") {
    throw Failure(
        ExitCode::usage,
        "--keys: a firmware image has its keys in it; build it with COX_SIGNING_KEYS and name it with --image, or use --board native");
  }
  if (arguments.host_seconds > 0 && arguments.board == "native") {
    throw Failure(ExitCode::usage, "--max-host-seconds: only QEMU can be ended from outside; --time-limit bounds a run on either board");
  }
  if (arguments.control_core_ns > 0 && arguments.board == "native") {
    throw Failure(ExitCode::usage, "--control-core-ns: natively the control core takes no time; use --board qemu");
  }
}

run::ExecutionSettings settings_of(const RunArguments &arguments, const nlohmann::json &options, unsigned needed) {
  run::ExecutionSettings settings;
  if (const run::BoardMap *map = run::board_map(arguments.board)) {
    settings.machine.map = map;
  } else if (arguments.board == "native") {
    settings.machine.map = &run::native_board_map();
  } else if (arguments.board != "qemu") {
    settings.machine.map = &run::read_board_map(arguments.board);
  }
  nlohmann::json all = nlohmann::json::parse(settings.machine.map->model_options);
  all.update(run::parse_model_options(arguments.options), true);
  all.update(options);
  if (arguments.dispatch == "ideal") all["dispatch"] = "ideal";
  settings.device_cores = settle_cores(arguments, needed, all);
  run::check_model_options(all);
  settings.machine.model_options = all.dump();
  settings.machine.host_seconds = arguments.host_seconds;
  if (arguments.control_core_ns > 0) settings.machine.instruction_nanoseconds = arguments.control_core_ns;
  settings.machine.verbose = arguments.verbose;
  settings.time_limit_us = arguments.time_limit_us;
  settings.retries = arguments.retries;
  settings.batch = arguments.batch;
  settings.counters = !arguments.no_counters;
  settings.trace = arguments.firmware_trace;
  if (arguments.board == "native") {
    settings.machine.before_boot = policy_of(arguments.keys);
    settings.board = run::make_native_board;
    return settings;
  }
  const run::QemuFiles files =
      run::find_qemu_files(*settings.machine.map, arguments.firmware_trace ? "coxswain-trace.elf" : "coxswain.elf", arguments.image);
  settings.board = [files](const run::BoardSettings &machine) { return run::make_qemu_board(machine, files); };
  return settings;
}

std::unique_ptr<run::ProgressBar> progress_bar(const RunArguments &arguments, std::size_t jobs, run::ExecutionSettings &settings) {
  if (!arguments.progress && (isatty(STDERR_FILENO) == 0 || arguments.verbose || jobs < 2)) return nullptr;
  auto bar = std::make_unique<run::ProgressBar>(jobs);
  settings.machine.progress = [bar = bar.get()](std::uint32_t done) { bar->show(done); };
  return bar;
}

FaultNotice::FaultNotice(const RunArguments &arguments, run::ExecutionSettings &settings)
    : tally_(nlohmann::json::parse(settings.machine.model_options)), quiet_(arguments.quiet) {
  // Under QEMU, --verbose already shows the model's log, which has the lines about faults.
  const bool shown = arguments.quiet || (arguments.verbose && arguments.board != "native");
  settings.machine.on_fault = [this, shown](std::string_view line) {
    tally_.take(line);
    if (!shown) print_message(Colour::yellow, "npu: " + std::string(line));
  };
}

FaultNotice::~FaultNotice() {
  if (const std::string missed = tally_.missed(); !quiet_ && !missed.empty()) print_message(Colour::yellow, "cox: " + missed);
}

void write_text(const std::string &path, const std::function<void(std::ostream &)> &writer) {
  if (path.empty()) return;
  std::ostringstream text;
  writer(text);
  write_file(path, text.view());
}

}  // namespace cox::tools
