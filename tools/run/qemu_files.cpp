// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "tools/command/failure.h"
#include "tools/run/board.h"

namespace cox::tools::run {
namespace {

namespace fs = std::filesystem;

std::string find(const char *variable, const fs::path &beside, const char *what, const char *made_by) {
  const char *given = std::getenv(variable);
  const fs::path path = given != nullptr && *given != '\0' ? fs::path(given) : beside;
  std::error_code ignored;
  if (fs::is_regular_file(path, ignored)) return fs::absolute(path).string();
  throw Failure(ExitCode::failed,
                fmt::format("the board qemu needs {}: '{}' does not exist. Build it with `{}`, or set {}; `--board native` runs without it",
                            what, path.lexically_normal().string(), made_by, variable));
}

}  // namespace

QemuFiles find_qemu_files() {
  const fs::path host = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  const fs::path build = host.parent_path();
  return {.qemu = find("COX_QEMU", build / "qemu/bin/qemu-system-arm", "QEMU with the machine npu-soc", "make qemu"),
          .model = find("COX_MODEL", host / "lib/libcox_model.so", "the accelerator model", "make host"),
          .firmware = find("COX_FIRMWARE", build / "qemu-npu-soc/bin/coxswain.elf", "the firmware image", "make target")};
}

}  // namespace cox::tools::run
