// SPDX-License-Identifier: MIT
// cox info: says what a TensorFlow Lite model has, and which of its operators have kernels.
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "tools/command/format_option.h"
#include "tools/cox/commands.h"
#include "tools/file/file.h"
#include "tools/registry/file_kind.h"
#include "tools/tflite/information.h"

namespace cox::tools {

void add_info(CLI::App &app) {
  struct Options {
    std::string model;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App *command =
      app.add_subcommand("info", "Show a TensorFlow Lite model: operators, shapes, memory, and which operators have kernels");
  command->add_option("MODEL", options->model, "Model, unchanged")->required()->type_name("FILE.tflite");
  command->add_flag("--json", options->json, "Print an object instead of a table");
  command->footer("Example:\n  cox info model.tflite");
  command->callback([options] {
    refuse_other_kinds(options->model, kTensorFlowLiteModel);
    const tflite::Information information = tflite::information_of(options->model, tflite::kernel_sets());
    write_file("-", options->json ? tflite::json_of(information).dump(2) + "\n" : tflite::text_of(information));
  });
}

}  // namespace cox::tools
