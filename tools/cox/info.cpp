// SPDX-License-Identifier: MIT
// cox info: says what a file is: a firmware image, a TensorFlow Lite model, a program that runs as a job, or another file of cox.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "tools/cox/commands.h"
#include "tools/file/error.h"
#include "tools/file/file.h"
#include "tools/flash/information.h"
#include "tools/image/signed_file.h"
#include "tools/registry/file_kind.h"
#include "tools/registry/job_program.h"
#include "tools/registry/registry.h"
#include "tools/tflite/information.h"

namespace cox::tools {
namespace {

using nlohmann::ordered_json;

/// The facts of a program that runs as a job.
ordered_json facts_of(const JobProgram &program) {
  const JobProgram::Interface &interface = program.interface();
  ordered_json facts{{"name", interface.name},
                     {"image_bytes", interface.image.size()},
                     {"workspace_bytes", interface.workspace_bytes},
                     {"cores", interface.cores},
                     {"multiply_accumulates", program.multiply_accumulates()}};
  for (const JobProgram::Window &window : interface.windows) {
    facts["windows"].push_back({{"window", window.index}, {"bytes", window.size}, {"writable", window.writable}});
  }
  std::uint64_t constants = 0;
  for (const JobProgram::Constant &constant : interface.constants) constants += constant.size;
  facts["constant_bytes"] = constants;
  for (const JobProgram::Tensor &tensor : interface.tensors) {
    facts["tensors"].push_back({{"name", tensor.name},
                                {"direction", tensor.direction == JobProgram::Direction::input ? "input" : "output"},
                                {"window", tensor.window},
                                {"offset", tensor.offset},
                                {"bytes", tensor.size}});
  }
  return facts;
}

std::string text_of(const ordered_json &facts) {
  std::string text = fmt::format("  name '{}', {} multiply-accumulates, {} core(s)\n  image {} bytes, workspace {}, constants {}\n",
                                 facts["name"].get<std::string>(), facts["multiply_accumulates"].get<std::uint64_t>(),
                                 facts["cores"].get<unsigned>(), facts["image_bytes"].get<std::uint64_t>(),
                                 facts["workspace_bytes"].get<std::uint64_t>(), facts["constant_bytes"].get<std::uint64_t>());
  for (const ordered_json &window : facts.value("windows", ordered_json::array())) {
    text += fmt::format("  window {}: {} bytes{}\n", window["window"].get<unsigned>(), window["bytes"].get<std::uint64_t>(),
                        window["writable"].get<bool>() ? ", writable" : "");
  }
  for (const ordered_json &tensor : facts.value("tensors", ordered_json::array())) {
    text += fmt::format("  {} '{}': {} bytes at byte {} of window {}\n", tensor["direction"].get<std::string>(),
                        tensor["name"].get<std::string>(), tensor["bytes"].get<std::uint64_t>(), tensor["offset"].get<std::uint64_t>(),
                        tensor["window"].get<unsigned>());
  }
  return text;
}

std::string information_of(const std::string &file, bool as_json) {
  const std::vector<std::uint8_t> bytes = read_file(file);
  if (flash::is_image(bytes, file)) return as_json ? flash::json_of(bytes, file).dump(2) + "\n" : flash::text_of(bytes, file);
  const std::optional<FileKind> kind = identify(program_formats(), bytes);
  if (!kind || kind->what == kTensorFlowLiteModel) {
    if (!kind && !file.ends_with(".tflite")) {
      throw FileError(file +
                      ": not a file that cox knows: neither a firmware image (a .bin needs a version record), a model, a program, nor what "
                      "a run writes");
    }
    const tflite::Information information = tflite::information_of(file, tflite::kernel_sets());
    return as_json ? tflite::json_of(information).dump(2) + "\n" : tflite::text_of(information);
  }
  ordered_json json{{"file", file}, {"kind", kind->what}, {"bytes", bytes.size()}, {"taken_by", kind->taken_by}};
  std::string text = fmt::format("{}: {}, {} bytes; {}\n", file, kind->what, bytes.size(), kind->taken_by);
  if (is_signed_file(bytes)) {
    const firmware::image::SignedHeader header = signed_parts(bytes, file).header;
    json["signed"] = {{"version", header.version}, {"key", key_text(header.key_id)}};
    text +=
        fmt::format("  signed as version {} by key {}, not checked here; cox verify checks it\n", header.version, key_text(header.key_id));
  }
  if (kind->format != nullptr && !kind->text) {
    if (const std::shared_ptr<const JobProgram> program = kind->format->read_job(file)) {
      json["program"] = facts_of(*program);
      text += text_of(json["program"]);
    }
  }
  return as_json ? json.dump(2) + "\n" : text;
}

}  // namespace

void add_info(CLI::App &app) {
  struct Options {
    std::string file;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand(
      "info", "Show what a file is: a firmware image, a TensorFlow Lite model with its operators, a program or what a run writes");
  command->add_option("FILE", options->file, "Image (.elf, .hex, .bin, signed), model, program, ...")->required()->type_name("FILE");
  command->add_flag("--json", options->json, "Print an object instead of text");
  command->footer("Examples:\n  cox info coxswain.elf\n  cox info model.tflite");
  command->callback([options] { write_file("-", information_of(options->file, options->json)); });
}

}  // namespace cox::tools
