// SPDX-License-Identifier: MIT
// The `cox` command (docs/cox.md).
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <new>

#include "tools/command/failure.h"
#include "tools/command/usage.h"
#include "tools/cox/commands.h"
#include "tools/file/error.h"

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
  cox::tools::add_info(app);
  cox::tools::add_run(app);
  cox::tools::add_stats(app);
  cox::tools::add_signing(app);
  cox::tools::add_engine_commands(app);
  cox::tools::add_timeline(app);
  cox::tools::add_help(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help or --version, which are no errors
    std::fprintf(stderr, "%s\n", cox::tools::usage_text(app, error).c_str());
    return exit_status(ExitCode::usage);
  } catch (const cox::tools::FileError &error) {
    std::fprintf(stderr, "cox: %s\n", error.what());
    return exit_status(ExitCode::bad_input);
  } catch (const cox::tools::OutputError &error) {
    std::fprintf(stderr, "cox: %s\n", error.what());
    return exit_status(ExitCode::bad_output);
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
  } catch (const std::bad_alloc &) {
    std::fprintf(stderr, "cox: there is not enough memory for these files\n");
    return exit_status(ExitCode::failed);
  } catch (const std::exception &) {
    std::fprintf(stderr, "cox: this is a defect of cox itself; please report the command and its files\n");
    return exit_status(ExitCode::internal);
  }
}
