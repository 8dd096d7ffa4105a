// SPDX-License-Identifier: MIT
// cox stats: shows the figures of two runs beside each other (docs/cox.md, cox stats).
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "tools/command/format_option.h"
#include "tools/cox/commands.h"
#include "tools/run/report/comparison.h"

namespace cox::tools {

void add_stats(CLI::App &app) {
  struct Options {
    std::string first, second;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand("stats", "Compare the statistics of two runs");
  command->add_option("FIRST", options->first, "Statistics, as cox run --stats writes them")->required();
  command->add_option("SECOND", options->second, "Those that are compared with them")->required();
  command->add_flag("--json", options->json, "Print an object instead of a table");
  command->footer("Example:\n  cox stats one_core.json four_cores.json");
  command->callback([options] {
    for (const std::string &file : {options->first, options->second}) refuse_other_kinds(file, "the statistics of a run");
    const nlohmann::json first = run::read_statistics(options->first), second = run::read_statistics(options->second);
    const std::vector<run::Figure> figures = run::compare(first, second);
    if (options->json) {
      run::write_comparison_json(std::cout, figures, options->first, options->second);
    } else {
      run::write_comparison_text(std::cout, figures, options->first, options->second);
    }
  });
}

}  // namespace cox::tools
