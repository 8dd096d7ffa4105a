// SPDX-License-Identifier: MIT
// The `cox` command of the people who work with tasks (docs/cox.md).
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "tools/command/failure.h"
#include "tools/cox/commands.h"

namespace {

using cox::tools::exit_status;
using cox::tools::ExitCode;

int run(int argc, char **argv) {
  CLI::App app{"Assemble, print, check, run and lower tasks of the accelerator.", "cox"};
  app.require_subcommand(1);
  app.set_version_flag("--version", "cox " COX_VERSION);
  app.footer(cox::tools::kExitCodesHelp);
  cox::tools::add_as(app);
  cox::tools::add_dis(app);
  cox::tools::add_check(app);
  cox::tools::add_run(app);
  cox::tools::add_stats(app);
  cox::tools::add_lower(app);
  cox::tools::add_timeline(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::RequiredError &error) {
    // CLI11 says that a subcommand is missing where there is one that it does not know.
    if (app.get_subcommands().empty() && argc > 1 && argv[1][0] != '-') {
      std::fprintf(stderr, "cox: '%s' is not one of its commands: cox --help lists them\n", argv[1]);
      return exit_status(ExitCode::usage);
    }
    app.exit(error);
    return exit_status(ExitCode::usage);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : exit_status(ExitCode::usage);
  } catch (const cox::tools::Failure &failure) {
    if (failure.what()[0] != '\0') std::fprintf(stderr, "cox: %s\n", failure.what());
    return exit_status(failure.code());
  }
  return exit_status(ExitCode::ok);
}

}  // namespace

int main(int argc, char **argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "cox: internal error: %s\n", error.what());
    return exit_status(ExitCode::internal);
  }
}
