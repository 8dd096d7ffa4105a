// SPDX-License-Identifier: MIT
// The commands for signed images in a build without BearSSL.
#include <CLI/CLI.hpp>

#include "tools/command/failure.h"
#include "tools/cox/commands.h"
#include "tools/cox/run_arguments.h"

namespace cox::tools {
namespace {

[[noreturn]] void refuse_without_library() {
  throw Failure(
      ExitCode::failed,
      "this cox was built without BearSSL, so it cannot sign or verify; run toolchain/fetch-bearssl, configure the build anew and "
      "build cox again");
}

}  // namespace

void add_signing(CLI::App &app) {
  for (const auto &[name, what] : {std::pair("keygen", "Make a pair of keys for signed images"), std::pair("sign", "Sign a task image"),
                                   std::pair("verify", "Verify a signed image, and say what its header has")}) {
    CLI::App *command = app.add_subcommand(name, what);
    command->allow_extras();
    command->callback(refuse_without_library);
  }
}

std::function<void()> policy_of(const std::vector<std::string> &keys) {
  if (!keys.empty()) refuse_without_library();
  return {};
}

}  // namespace cox::tools
