// SPDX-License-Identifier: MIT
// Each function adds one subcommand with its options to `app`, and a callback that does the work. If the callback returns, the exit status
// is 0; otherwise it throws a Failure (tools/command/failure.h).
#pragma once

namespace CLI {
class App;
}

namespace cox::tools {

void add_as(CLI::App &app);
void add_dis(CLI::App &app);
void add_campaign(CLI::App &app);
void add_doctor(CLI::App &app);
void add_check(CLI::App &app);
/// Adds the subcommands for signed firmware images.
void add_images(CLI::App &app);
void add_info(CLI::App &app);
void add_run(CLI::App &app);
/// Adds keygen, sign and verify. Without BearSSL they only say what is missing (docs/signing.md).
void add_signing(CLI::App &app);
void add_stats(CLI::App &app);
void add_sweep(CLI::App &app);
void add_timeline(CLI::App &app);
/// Call it last: `cox help` knows the subcommands that `app` has at this call.
void add_help(CLI::App &app);
/// Adds the subcommands that engines define in their folders tools/KEY. The build generates this function (tools/cox/CMakeLists.txt).
void add_engine_commands(CLI::App &app);

}  // namespace cox::tools
