// SPDX-License-Identifier: MIT
// cox doctor: says which parts of an installation are missing or wrong, and how to get them.
#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/command/colour.h"
#include "tools/command/failure.h"
#include "tools/cox/commands.h"
#include "tools/cox/version.h"
#include "tools/file/file.h"
#include "tools/run/boards/board_map.h"
#include "tools/run/boards/diagnosis.h"

namespace cox::tools {
namespace {

using run::Finding;
using State = Finding::State;

struct Word {
  const char *text;
  Colour colour;
};

Word word_of(State state) {
  switch (state) {
    case State::good: return {"ok", Colour::green};
    case State::absent: return {"absent", Colour::yellow};
    case State::missing: return {"missing", Colour::red};
    case State::wrong: return {"wrong", Colour::red};
  }
  return {"", Colour::red};
}

bool runs(const std::vector<Finding> &findings) {
  bool good = true;
  for (const Finding &finding : findings) good = good && (!finding.needed || finding.state == State::good);
  return good;
}

std::string text_of(const std::vector<Finding> &findings) {
  std::string text;
  for (const Finding &finding : findings) {
    const Word word = word_of(finding.state);
    text += painted(word.colour, fmt::format("{:<8}", word.text), STDOUT_FILENO) + fmt::format("{:<30} {}\n", finding.part, finding.detail);
    if (!finding.mend.empty()) text += fmt::format("{:<39}{}\n", "", finding.mend);
  }
  return text + fmt::format("The board {} {}.\n", run::kDefaultBoard,
                            runs(findings) ? "has all that it needs" : "lacks what is marked missing or wrong above");
}

std::string json_of(const std::vector<Finding> &findings) {
  nlohmann::ordered_json parts = nlohmann::ordered_json::array();
  for (const Finding &finding : findings) {
    parts.push_back({{"part", finding.part},
                     {"state", word_of(finding.state).text},
                     {"needed", finding.needed},
                     {"detail", finding.detail},
                     {"mend", finding.mend}});
  }
  const nlohmann::ordered_json all = {
      {"version", version_text()}, {"board", run::kDefaultBoard}, {"runs", runs(findings)}, {"parts", parts}};
  return all.dump(2) + "\n";
}

}  // namespace

void add_doctor(CLI::App &app) {
  const auto json = std::make_shared<bool>(false);
  CLI::App *command = app.add_subcommand("doctor", "Look for the parts of this installation, and say how to get those that are missing");
  command->add_flag("--json", *json, "Print an object instead of a table");
  command->footer("Exit status 4: a part is missing that the board " + std::string(run::kDefaultBoard) +
                  " needs. --board native needs none.");
  command->callback([json] {
    const std::vector<Finding> findings = run::diagnose();
    write_file("-", *json ? json_of(findings) : fmt::format("cox {}\n", version_text()) + text_of(findings));
    if (!runs(findings)) throw Failure(ExitCode::failed, "");
  });
}

}  // namespace cox::tools
