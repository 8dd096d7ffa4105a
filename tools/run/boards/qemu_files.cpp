// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "tools/command/failure.h"
#include "tools/run/boards/board.h"

namespace cox::tools::run {
namespace {

namespace fs = std::filesystem;

std::string find(const BoardMap &map, const char *variable, const fs::path &beside, const std::string &what, const std::string &made_by) {
  const char *given = std::getenv(variable);
  const fs::path path = given != nullptr && *given != '\0' ? fs::path(given) : beside;
  std::error_code ignored;
  if (fs::is_regular_file(path, ignored)) return fs::absolute(path).string();
  throw Failure(ExitCode::failed,
                fmt::format("the board {} needs {}: '{}' does not exist. Build it with `{}`, or set {}; `--board native` runs without it",
                            map.name, what, path.lexically_normal().string(), made_by, variable));
}

}  // namespace

QemuFiles find_qemu_files(const BoardMap &map, const char *image) {
  const fs::path host = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  const fs::path build = host.parent_path();
  // For other boards than the default one, make builds only the image without a trace.
  const std::string make = map.name == kDefaultBoard || std::string_view(image) == "coxswain.elf"
                               ? "make target"
                               : fmt::format("make target && ninja -C build/{} {}", map.name, image);
  return {
      .qemu = find(map, "COX_QEMU", build / "qemu/bin/qemu-system-arm", fmt::format("QEMU with the machine {}", map.machine), "make qemu"),
      .model = find(map, "COX_MODEL", host / "lib/libcox_model.so", "the accelerator model", "make host"),
      .firmware = find(map, "COX_FIRMWARE", build / map.name / "bin" / image, "the firmware image", make)};
}

}  // namespace cox::tools::run
