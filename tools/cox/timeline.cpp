// SPDX-License-Identifier: MIT
// cox timeline: reads an event log and draws what the engines did as a picture.
#include <CLI/CLI.hpp>
#include <memory>
#include <sstream>
#include <string>

#include "coxswain/firmware/job/job_queue.h"
#include "tools/command/failure.h"
#include "tools/command/format_option.h"
#include "tools/command/usage.h"
#include "tools/cox/commands.h"
#include "tools/file/error.h"
#include "tools/file/file.h"
#include "tools/registry/job_program.h"
#include "tools/run/picture/engine_timeline_svg.h"

namespace cox::tools {
namespace {

void draw_run(const std::string &task, const std::string &log, const RunPlace &place, const std::string &picture) {
  try {
    const auto program = job_format(program_formats(), task).read_job(task);
    if (!program->is_recorded()) throw Failure(ExitCode::usage, "--task: " + task + " is a stream; leave the option out");
    std::ostringstream drawn;
    program->read_recording(log, place)->write_picture(drawn);
    write_file(picture, drawn.str());
  } catch (const FileError &error) {
    throw Failure(ExitCode::bad_input, error.what());
  }
}

}  // namespace

void add_timeline(CLI::App &app) {
  struct Options {
    std::string log, picture = "-", task;
    RunPlace place;
    run::EnginePictureOptions drawn;
  };
  const auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand("timeline", "Draw what the engines did, from an event log");
  command->add_option("LOG", options->log, "Event log, as the model's option events writes it (docs/model.md)")->required();
  command->add_option("-o,--output", options->picture, "Picture to write, SVG; default: standard output")->type_name("FILE.svg");
  command->add_option("--task", options->task, "Draw a run of this task, as cox run --svg does")->type_name("FILE");
  command->add_option("--start", options->place.start_cycle, "With --task: the run's start_cycle, as its job reports it")
      ->type_name("CYCLE");
  command->add_option("--first-core", options->place.first_core, "With --task: the run's first core")
      ->check(in_range(0U, firmware::job::kCores - 1))
      ->type_name("CORE");
  command->add_option("--title", options->drawn.title, "Title; default: the log's name");
  command->add_option("--from", options->drawn.from, "First cycle to draw, since the first instruction's start")->type_name("CYCLE");
  command->add_option("--to", options->drawn.to, "Cycle to draw up to; default: the end")->type_name("CYCLE");
  command->add_flag("--units", options->drawn.units,
                    "Draw a lane for each unit of a core of an engine with cores; default: a lane for each core");
  command->add_option("--width", options->drawn.width, "Width of the picture in pixels")
      ->check(in_range(run::kLeastPictureWidth, run::kMostPictureWidth))
      ->capture_default_str()
      ->type_name("PIXELS");
  command->footer(
      "Example, of an application's boot with -machine npu-soc,model-options='{\"events\":\"first.events\"}':\n"
      "  cox timeline first.events -o first.svg --to 20000");
  command->callback([options] {
    refuse_other_kinds(options->log, "an event log");
    if (!options->task.empty()) return draw_run(options->task, options->log, options->place, options->picture);
    if (options->drawn.title.empty()) options->drawn.title = options->log;
    std::ostringstream picture;
    run::write_engine_timeline_svg(picture, options->log, options->drawn, program_formats());
    write_file(options->picture, picture.str());
  });
}

}  // namespace cox::tools
