// SPDX-License-Identifier: MIT
#include "tools/cox/python_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tools/command/failure.h"
#include "tools/command/python_interpreter.h"
#include "tools/cox/version.h"

namespace cox::tools {
namespace {

namespace fs = std::filesystem;

fs::path this_program() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored);
}

/// Returns the folder that has the package: of the source tree for build/host/bin/cox, else of the installation.
fs::path package_folder() {
  const fs::path prefix = this_program().parent_path().parent_path();
  for (const fs::path &folder : {prefix / "lib/python3/dist-packages", prefix.parent_path().parent_path() / "python"}) {
    std::error_code ignored;
    if (fs::exists(folder / "coxswain/work/__init__.py", ignored)) return folder;
  }
  throw Failure(ExitCode::failed,
                fmt::format("the Python package coxswain is not found in '{}'; install it with the component `python` (docs/install.md)",
                            (prefix / "lib/python3/dist-packages").string()));
}

/// Puts the package before what PYTHONPATH names.
void set_search_path(const fs::path &package) {
  const char *given = std::getenv("PYTHONPATH");
  const std::string path = given == nullptr || *given == '\0' ? package.string() : package.string() + ":" + given;
  setenv("PYTHONPATH", path.c_str(), 1);
}

}  // namespace

void run_python(const std::string &module, nlohmann::json options) {
  set_search_path(package_folder());
  options["cox"] = this_program().string();
  options["revision"] = std::string("cox ") + version_text();
  std::string text = options.dump(), name = module, flag = "-m";
  std::string interpreter = python_interpreter();
  const std::array<char *, 5> arguments{interpreter.data(), flag.data(), name.data(), text.data(), nullptr};
  execvp(interpreter.c_str(), arguments.data());
  throw Failure(ExitCode::failed, fmt::format("'{}' cannot be started: {}; install python3, or name an interpreter with {}", interpreter,
                                              std::strerror(errno), kInterpreterVariable));
}

}  // namespace cox::tools
