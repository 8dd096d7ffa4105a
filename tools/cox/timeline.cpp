// SPDX-License-Identifier: MIT
// cox timeline: reads an event log and draws what the engines did as a picture.
#include <CLI/CLI.hpp>
#include <memory>
#include <sstream>
#include <string>

#include "tools/command/format_option.h"
#include "tools/command/usage.h"
#include "tools/cox/commands.h"
#include "tools/file/file.h"
#include "tools/run/picture/engine_timeline_svg.h"

namespace cox::tools {

void add_timeline(CLI::App &app) {
  struct Options {
    std::string log, picture = "-";
    run::EnginePictureOptions drawn;
  };
  const auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand("timeline", "Draw what the engines did, from an event log");
  command->add_option("LOG", options->log, "Event log, as the model's option events writes it (docs/model.md)")->required();
  command->add_option("-o,--output", options->picture, "Picture to write, SVG; default: standard output")->type_name("FILE.svg");
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
    if (options->drawn.title.empty()) options->drawn.title = options->log;
    std::ostringstream picture;
    run::write_engine_timeline_svg(picture, options->log, options->drawn, program_formats());
    write_file(options->picture, picture.str());
  });
}

}  // namespace cox::tools
