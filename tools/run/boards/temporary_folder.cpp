// SPDX-License-Identifier: MIT
#include "tools/run/boards/temporary_folder.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "tools/command/failure.h"

namespace cox::tools::run {

TemporaryFolder::TemporaryFolder() : path_((std::filesystem::temp_directory_path() / "cox-XXXXXX").string()) {
  if (mkdtemp(path_.data()) == nullptr)
    throw Failure(ExitCode::failed, fmt::format("a temporary folder {}: {}", path_, std::strerror(errno)));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace cox::tools::run
