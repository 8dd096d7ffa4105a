// SPDX-License-Identifier: MIT
#include "tools/run/boards/qemu_files.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "tools/command/failure.h"
#include "tools/run/boards/board.h"

namespace cox::tools::run {
namespace {

namespace fs = std::filesystem;

/// A file's place in an installation, its place in a build tree, and the command that builds it there.
struct Places {
  fs::path installed, built;
  std::string make;
};

/// Returns PREFIX of PREFIX/bin/cox, or build/host of build/host/bin/cox.
fs::path prefix() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path().parent_path();
}

bool in_build_tree() {
  std::error_code ignored;
  return fs::exists(prefix() / "CMakeCache.txt", ignored);
}

SoughtFile look_for(const std::string &what, const char *variable, const Places &places) {
  SoughtFile file;
  file.what = what;
  const char *given = std::getenv(variable);
  if (given != nullptr && *given != '\0') {
    file.path = given;
    file.mend = fmt::format("{} names this file: mend or unset it", variable);
  } else if (in_build_tree()) {
    file.path = places.built.lexically_normal().string();
    file.mend = fmt::format("Build it with `{}`, or set {}", places.make, variable);
  } else {
    file.path = places.installed.lexically_normal().string();
    file.mend = fmt::format(
        "If cox was moved, move the whole folder that it was installed to; else install coxswain again, with QEMU and the "
        "images (docs/install.md), or set {}",
        variable);
  }
  std::error_code ignored;
  file.found = fs::is_regular_file(file.path, ignored);
  if (file.found) file.path = fs::absolute(file.path).string();
  return file;
}

std::string found(const BoardMap &map, const SoughtFile &file) {
  if (file.found) return file.path;
  const std::string absent = file.path.empty() ? "" : fmt::format(": '{}' does not exist", file.path);
  throw Failure(ExitCode::failed,
                fmt::format("the board {} needs {}{}. {}; `--board native` runs without it", map.name, file.what, absent, file.mend));
}

}  // namespace

std::string installation_folder() { return in_build_tree() ? "" : (prefix() / "lib/coxswain").string(); }

SoughtFiles look_for_files(const BoardMap &map, std::string_view image, const std::string &given) {
  const fs::path host = prefix(), build = host.parent_path(), installed = host / "lib/coxswain";
  // For other boards than the default one, make builds only the image without a trace.
  const std::string make = map.name == kDefaultBoard || image == "coxswain.elf"
                               ? "make target"
                               : fmt::format("make target && ninja -C build/{} {}", map.name, image);
  SoughtFile firmware =
      look_for("the firmware image", "COX_FIRMWARE", {installed / "boards" / map.name / image, build / map.name / "bin" / image, make});
  const char *variable = std::getenv("COX_FIRMWARE");
  if (!given.empty()) {
    std::error_code ignored;
    firmware = {"the firmware image", given, fs::is_regular_file(given, ignored), "--image names this file: mend the option"};
  } else if (!map.file.empty() && (variable == nullptr || *variable == '\0')) {
    firmware.found = false;
    firmware.path.clear();
    firmware.mend = "Give the image that you have built for this board with --image, or set COX_FIRMWARE";
  }
  return {
      .qemu = look_for(fmt::format("QEMU with the machine {}", map.machine), "COX_QEMU",
                       {installed / "qemu-system-arm", build / "qemu/bin/qemu-system-arm", "make qemu"}),
      .model = look_for("the accelerator model", "COX_MODEL", {installed / "libcox_model.so", host / "lib/libcox_model.so", "make host"}),
      .firmware = firmware};
}

QemuFiles find_qemu_files(const BoardMap &map, const char *image, const std::string &given) {
  if (map.machine.empty()) {
    throw Failure(ExitCode::failed, fmt::format("{}: the board has no machine in QEMU; write \"machine\": \"{}\" into the file, if QEMU's "
                                                "devices are enough for it",
                                                map.file, kAnyBoardMachine));
  }
  const SoughtFiles files = look_for_files(map, image, given);
  return {.qemu = found(map, files.qemu), .model = found(map, files.model), .firmware = found(map, files.firmware)};
}

}  // namespace cox::tools::run
