// SPDX-License-Identifier: MIT
#include "tools/run/boards/diagnosis.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "coxswain/base/image_version_text.h"
#include "coxswain/base/version.h"
#include "sim/model/cox_model.h"
#include "tools/command/python_interpreter.h"
#include "tools/run/boards/board_map.h"
#include "tools/run/boards/qemu_files.h"

namespace cox::tools::run {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using State = Finding::State;

constexpr std::chrono::seconds kLongestProgram{20};

/// Reads until the end of the pipe or the time limit. Returns false at the limit.
bool read_all(int pipe, std::string &text) {
  const auto limit = Clock::now() + kLongestProgram;
  while (Clock::now() < limit) {
    pollfd wait{.fd = pipe, .events = POLLIN, .revents = 0};
    if (poll(&wait, 1, 100) <= 0) continue;
    std::array<char, 4096> bytes{};
    const ssize_t got = read(pipe, bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    text.append(bytes.data(), static_cast<std::size_t>(got));
  }
  return false;
}

/// Runs a program. Returns what it prints, or nothing if it cannot be started, fails, or takes too long.
std::optional<std::string> output_of(std::vector<std::string> words) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  std::vector<char *> arguments;
  for (std::string &word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  close(ends[1]);
  std::string text;
  const bool ended = child > 0 && read_all(ends[0], text);
  close(ends[0]);
  if (child <= 0) return std::nullopt;
  if (!ended) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!ended || !WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return text;
}

Finding missing(const std::string &part, bool needed, const SoughtFile &file) {
  return {part, State::missing, needed, fmt::format("'{}' does not exist", file.path), file.mend};
}

/// Returns true if a line of `-machine help` begins with the machine's name.
bool has_machine(const std::string &help, const std::string &machine) {
  return ("\n" + help).find("\n" + machine + " ") != std::string::npos;
}

void look_at_qemu(const SoughtFile &file, std::vector<Finding> &findings) {
  const std::string part = "QEMU";
  if (!file.found) return findings.push_back(missing(part, true, file));
  const std::string mend = "Install coxswain again with the packages that it depends on, or set COX_QEMU to another qemu-system-arm";
  const std::optional<std::string> version = output_of({file.path, "--version"}), help = output_of({file.path, "-machine", "help"});
  if (!version || !help) {
    return findings.push_back(
        {part, State::wrong, true, fmt::format("'{}' does not run: `{} --version` says why", file.path, file.path), mend});
  }
  findings.push_back({part, State::good, true, fmt::format("{}: {}", file.path, version->substr(0, version->find('\n'))), ""});
  for (const BoardMap *map : board_maps()) {
    const bool there = has_machine(*help, map->machine), needed = map->name == kDefaultBoard;
    findings.push_back({"machine " + map->machine, there ? State::good : State::wrong, needed,
                        there ? "for the board " + map->name : fmt::format("this QEMU lacks the machine of the board {}", map->name),
                        there ? "" : "Set COX_QEMU to a QEMU that `make qemu` has built from this version"});
  }
}

void look_at_model(const SoughtFile &file, std::vector<Finding> &findings) {
  const std::string part = "accelerator model";
  if (!file.found) return findings.push_back(missing(part, true, file));
  void *library = dlopen(file.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  const char *reason = library == nullptr ? dlerror() : nullptr;
  const auto abi = library == nullptr ? nullptr : reinterpret_cast<std::uint32_t (*)()>(dlsym(library, "cox_model_abi"));
  if (abi != nullptr && abi() == COX_MODEL_ABI) {
    findings.push_back({part, State::good, true, file.path, ""});
  } else {
    const std::string why = reason != nullptr ? reason
                            : abi == nullptr  ? "it is no accelerator model"
                                              : fmt::format("its interface has version {}, this cox uses {}", abi(), COX_MODEL_ABI);
    findings.push_back(
        {part, State::wrong, true, fmt::format("'{}': {}", file.path, why), "Install model and cox of one version, or set COX_MODEL"});
  }
  if (library != nullptr) dlclose(library);
}

std::string contents(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns what is wrong with the version record of an image (docs/flashing.md, The version section), or an empty text.
std::string wrong_version(const std::string &image, const BoardMap &map) {
  const std::size_t at = image.find(COX_IMAGE_VERSION_MAGIC);
  cox_image_version record{};
  if (at == std::string::npos || image.size() - at < sizeof record) return "it has no version record";
  std::memcpy(&record, image.data() + at, sizeof record);
  if (record.layout != COX_IMAGE_VERSION_LAYOUT) return "its version record is of another version of coxswain";
  const std::string version = fmt::format("{}.{}.{}", record.major, record.minor, record.patch);
  const std::string own = fmt::format("{}.{}.{}", COX_VERSION_MAJOR, COX_VERSION_MINOR, COX_VERSION_PATCH);
  if (version != own) return fmt::format("it has version {}, this cox has {}", version, own);
  const std::string_view board = image_version::text_of(record.board);
  return board == map.name ? "" : fmt::format("it is an image of the board {}", board);
}

void look_at_board(const BoardMap &map, const SoughtFile &firmware, std::vector<Finding> &findings) {
  const std::string part = "image of " + map.name;
  const bool needed = map.name == kDefaultBoard;
  if (!firmware.found) {
    findings.push_back(missing(part, needed, firmware));
  } else if (const std::string wrong = wrong_version(contents(firmware.path), map); !wrong.empty()) {
    findings.push_back(
        {part, State::wrong, needed, fmt::format("'{}': {}", firmware.path, wrong), "Build or install image and cox of one version"});
  } else {
    findings.push_back({part, State::good, needed, firmware.path, ""});
  }
}

/// The board files of an installation are copies of those in cox, for other programs to read.
void look_at_board_files(std::vector<Finding> &findings) {
  const fs::path folder = installation_folder();
  if (folder.empty()) return;
  for (const BoardText &board : board_texts()) {
    const fs::path path = folder / "boards" / board.name / "board.json";
    std::error_code ignored;
    if (!fs::exists(path, ignored)) {
      findings.push_back({fmt::format("board.json of {}", board.name), State::absent, false,
                          fmt::format("'{}' does not exist; cox has a copy, other programs may need it", path.string()),
                          "Install coxswain again"});
    } else if (contents(path) != board.text) {
      findings.push_back({fmt::format("board.json of {}", board.name), State::wrong, false,
                          fmt::format("'{}' is not of this version of cox", path.string()),
                          "Install coxswain again; a board of your own has a folder of its own"});
    } else {
      findings.push_back({fmt::format("board.json of {}", board.name), State::good, false, path.string(), ""});
    }
  }
}

void look_at_python(std::vector<Finding> &findings) {
  const std::optional<std::string> path = output_of({"python3", "-c", "import coxswain; print(coxswain.__file__)"});
  if (path) {
    findings.push_back({"Python package", State::good, false, path->substr(0, path->find('\n')), ""});
  } else {
    findings.push_back({"Python package", State::absent, false, "python3 finds no package coxswain",
                        "Install the folder python/ of the source tree with pip"});
  }
}

/// Looks for what `cox sweep` and `cox campaign` need, in the interpreter that they start.
void look_at_dask(std::vector<Finding> &findings) {
  const std::optional<std::string> version =
      output_of({python_interpreter(), "-c", "import dask, distributed; print(distributed.__version__)"});
  if (version) {
    findings.push_back(
        {"Dask", State::good, false, "version " + version->substr(0, version->find('\n')) + ", for sweeps and campaigns", ""});
  } else {
    findings.push_back({"Dask", State::absent, false, "sweeps and campaigns need it", "Install python3-dask and python3-distributed"});
  }
}

void look_at_completion(std::vector<Finding> &findings) {
  const char *home = std::getenv("HOME");
  std::vector<fs::path> places;
  if (!installation_folder().empty())
    places.push_back(fs::path(installation_folder()).parent_path().parent_path() / "share/bash-completion/completions/cox");
  if (home != nullptr) places.push_back(fs::path(home) / ".local/share/bash-completion/completions/cox");
  places.emplace_back("/usr/share/bash-completion/completions/cox");
  for (const fs::path &place : places) {
    std::error_code ignored;
    if (fs::exists(place, ignored)) return findings.push_back({"completion", State::good, false, place.string(), ""});
  }
  findings.push_back({"completion", State::absent, false, "bash has no file for it",
                      "`source <(cox help --format bash)`; docs/install.md has other shells"});
}

}  // namespace

std::vector<Finding> diagnose() {
  std::vector<Finding> findings;
  const SoughtFiles files = look_for_files(*board_map(kDefaultBoard));
  look_at_qemu(files.qemu, findings);
  look_at_model(files.model, findings);
  for (const BoardMap *map : board_maps()) look_at_board(*map, look_for_files(*map).firmware, findings);
  look_at_board_files(findings);
  look_at_python(findings);
  look_at_dask(findings);
  look_at_completion(findings);
  return findings;
}

}  // namespace cox::tools::run
