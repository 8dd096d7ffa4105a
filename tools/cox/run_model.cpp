// SPDX-License-Identifier: MIT
// cox run of a TensorFlow Lite model (docs/tflite.md, Run your own .tflite).
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/command/failure.h"
#include "tools/cox/run_arguments.h"
#include "tools/file/file.h"
#include "tools/registry/file_kind.h"
#include "tools/registry/registry.h"
#include "tools/run/boards/board_map.h"
#include "tools/run/boards/model_options.h"
#include "tools/run/boards/temporary_folder.h"
#include "tools/run/jobs/workload.h"
#include "tools/tflite/kernel_sets.h"
#include "tools/tflite/layer_report.h"
#include "tools/tflite/model_run.h"

namespace cox::tools {
namespace {

constexpr const char *kEvents = "events";  ///< the model option that names the event log

/// Refuses options that have no meaning for a model.
void check_options(const RunArguments &arguments) {
  const std::pair<const char *, bool> others[] = {
      {"--jobs", !arguments.jobs.empty()},
      {"--window", !arguments.windows.empty()},
      {"--set", !arguments.set.empty()},
      {"--memory", !arguments.memory.empty()},
      {"--dump", !arguments.dump.empty()},
      {"--step", arguments.step},
      {"--batch", arguments.batch > 1},
      {"--no-counters", arguments.no_counters},
      {"--durations", !arguments.durations.empty()},
      {"--dispatch", arguments.dispatch != "firmware"},
      {"--trace", !arguments.trace.empty()},
      {"--events", !arguments.events.empty()},
      {"--cores", arguments.cores > 0},
      {"--retries", arguments.retries > 0},
      {"--keys", !arguments.keys.empty()},
      {"--firmware-trace", arguments.firmware_trace},
      {"--max-host-seconds", arguments.host_seconds > 0},
      {"--control-core-ns", arguments.control_core_ns > 0},
  };
  for (const auto &[name, given] : others) {
    if (given) throw Failure(ExitCode::usage, std::string(name) + ": a TensorFlow Lite model does not take this option");
  }
  if (arguments.board_given && arguments.board != "native")
    throw Failure(ExitCode::usage, "--board " + arguments.board +
                                       ": a TensorFlow Lite model runs on the board native; examples/tflite/run runs it under QEMU");
}

std::vector<tflite::TensorBinding> tensor_bindings(const std::vector<std::string> &texts, const char *option) {
  std::vector<tflite::TensorBinding> all;
  for (const std::string &text : texts) {
    const run::FileBinding binding = run::parse_binding(text, option);
    all.push_back({binding.name, binding.file});
  }
  return all;
}

/// Options of the device, with an event log unless the user asked for one.
tflite::SessionSettings session_settings(const RunArguments &arguments, const std::string &log) {
  nlohmann::json options = nlohmann::json::parse(run::board_map(run::kDefaultBoard)->model_options);
  options.update(run::parse_model_options(arguments.options), true);
  if (!options.contains(kEvents)) options[kEvents] = log;
  run::check_model_options(options);
  return {.model_options = options.dump(),
          .events = options[kEvents].get<std::string>(),
          .time_limit_us = arguments.time_limit_us,
          .units = std::max(arguments.units, 1U)};
}

}  // namespace

bool is_model(const std::string &file) {
  if (file.empty() || file == "-") return false;
  const std::optional<FileKind> kind = identify(program_formats(), read_file(file));
  return kind.has_value() && kind->what == kTensorFlowLiteModel;
}

void run_model(const RunArguments &arguments) {
  check_options(arguments);
  tflite::ModelFile file(arguments.task);
  const tflite::KernelSet &kernels = tflite::kernel_sets().front();
  tflite::check_operators(arguments.task, file, kernels);
  const std::vector<tflite::TensorBinding> outputs = tensor_bindings(arguments.out, "--out");
  tflite::ModelRun model_run(file, tensor_bindings(arguments.in, "--in"), outputs, arguments.repeat, arguments.zero_inputs);
  for (const tflite::TensorBinding &output : outputs) check_writable(output.file);
  for (const std::string &path : {arguments.svg, arguments.stats}) {
    if (!path.empty()) check_writable(path);
  }

  const run::TemporaryFolder folder;
  const std::unique_ptr<tflite::Session> session = kernels.open(file, session_settings(arguments, folder.file("events")));
  model_run.run(*session);
  const tflite::Session::Sizes sizes = session->sizes();
  const std::vector<tflite::InferenceTime> times = session->finish();
  model_run.write_outputs();
  const tflite::LayerReport report = tflite::report_of(arguments.task, file, sizes, times);
  write_text(arguments.svg, [&](std::ostream &out) { tflite::write_picture(out, report); });
  write_text(arguments.stats, [&](std::ostream &out) { out << tflite::json_of(report).dump(2) << "\n"; });
  if (!arguments.quiet) std::cout << tflite::text_of(report);
}

}  // namespace cox::tools
