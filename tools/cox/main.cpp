// SPDX-License-Identifier: MIT
// The `cox` command (docs/cox.md).
#include <sys/prctl.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>

#include "tools/command/colour.h"
#include "tools/command/failure.h"
#include "tools/command/usage.h"
#include "tools/cox/commands.h"
#include "tools/cox/version.h"
#include "tools/file/error.h"

namespace {

using cox::tools::exit_status;
using cox::tools::ExitCode;
using cox::tools::print_message;

void print_error(const std::string &message) { print_message(cox::tools::Colour::red, message); }

/// Ends this process together with its parent, if the parent asks for it: a worker of a sweep that is killed leaves nothing running.
void end_with_parent() {
  if (std::getenv("COX_END_WITH_PARENT") != nullptr) prctl(PR_SET_PDEATHSIG, SIGKILL);
}

int run(int argc, char **argv) {
  CLI::App app{"Assemble, print, check, run and lower tasks of the accelerator.", "cox"};
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("cox ") + cox::tools::version_text());
  app.footer(cox::tools::kExitCodesHelp);
  cox::tools::add_as(app);
  cox::tools::add_dis(app);
  cox::tools::add_check(app);
  cox::tools::add_images(app);
  cox::tools::add_info(app);
  cox::tools::add_run(app);
  cox::tools::add_stats(app);
  cox::tools::add_signing(app);
  cox::tools::add_engine_commands(app);
  cox::tools::add_timeline(app);
  cox::tools::add_sweep(app);
  cox::tools::add_campaign(app);
  cox::tools::add_doctor(app);
  cox::tools::add_help(app);
  cox::tools::add_colour_option(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help or --version, which are no errors
    print_error(cox::tools::usage_text(app, error));
    return exit_status(ExitCode::usage);
  } catch (const cox::tools::FileError &error) {
    print_error(std::string("cox: ") + error.what());
    return exit_status(ExitCode::bad_input);
  } catch (const cox::tools::OutputError &error) {
    print_error(std::string("cox: ") + error.what());
    return exit_status(ExitCode::bad_output);
  } catch (const cox::tools::Failure &failure) {
    if (failure.what()[0] != '\0') print_error(std::string("cox: ") + failure.what());
    return exit_status(failure.code());
  }
  return exit_status(ExitCode::ok);
}

}  // namespace

int main(int argc, char **argv) {
  end_with_parent();
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc &) {
    print_error("cox: there is not enough memory for these files");
    return exit_status(ExitCode::failed);
  } catch (const std::exception &) {
    print_error("cox: this is a defect of cox itself; please report the command and its files");
    return exit_status(ExitCode::internal);
  }
}
