// SPDX-License-Identifier: MIT
#include "tools/tile/registration.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "coxswain/isa/tile/table.h"
#include "sim/model/tile/geometry.h"
#include "tools/check/check_task.h"
#include "tools/check/verification.h"
#include "tools/file/error.h"
#include "tools/file/file.h"
#include "tools/image/bindings.h"
#include "tools/run/tile/task_program.h"
#include "tools/tile/bindings_file.h"
#include "tools/tile/image.h"
#include "tools/tile/message.h"
#include "tools/tile/page.h"
#include "tools/tile/stream.h"

namespace cox::tools::tile {
namespace {

model::TileGeometry geometry_of(const model::Options &device) { return model::tile_geometry(device.geometry, device.parameters); }

/// The format of tasks: streams with bindings beside them, and task images.
class Format final : public ProgramFormat {
 public:
  Format() : ProgramFormat(registers::Engine::tile) {}

  [[nodiscard]] std::string_view text_ending() const override { return ".jsonl"; }
  [[nodiscard]] std::string_view binary_ending() const override { return ".cxt"; }
  [[nodiscard]] std::string text_name() const override { return "a stream of tile instructions"; }
  [[nodiscard]] std::string binary_name() const override { return "a task image"; }
  [[nodiscard]] bool is_task() const override { return true; }
  [[nodiscard]] std::shared_ptr<const JobProgram> read_job(const std::string &path) const override { return run::read_task_program(path); }

  /// Returns true if the text begins with `[` and an instruction's name, which may be quoted.
  [[nodiscard]] bool is_text(std::string_view text) const override {
    constexpr std::string_view kBefore = " \t\r\n[\"'";
    const std::size_t first = text.find_first_not_of(kBefore);
    if (first == std::string_view::npos || text.substr(0, first).find('[') == std::string_view::npos) return false;
    const std::string_view rest = text.substr(first);
    return isa::tile::find_instruction(rest.substr(0, rest.find_first_of("\"', \t"))) != nullptr;
  }
  [[nodiscard]] bool is_binary(std::span<const std::uint8_t> bytes) const override { return task::is_image(bytes); }

  [[nodiscard]] std::span<const Lane> lanes() const override {
    static constexpr auto kLanes = [] {
      std::array<Lane, isa::tile::kClasses> lanes{};
      for (unsigned i = 0; i < lanes.size(); ++i) lanes[i] = {isa::tile::kClassNames[i], "tile engine"};
      return lanes;
    }();
    return kLanes;
  }
  [[nodiscard]] std::optional<Drawn> drawn(std::uint8_t opcode) const override {
    const isa::tile::Instruction *const instruction = isa::tile::find_instruction(static_cast<isa::tile::Opcode>(opcode));
    if (instruction == nullptr) return std::nullopt;
    return Drawn{instruction->name, instruction->configuration};
  }

  [[nodiscard]] std::vector<std::uint8_t> assemble_text(std::string_view text, const std::string &file) const override {
    task::Task task;
    task.instructions = task::read_stream(text, file);
    return task::build_image(task);
  }
  [[nodiscard]] std::string print(std::span<const std::uint8_t> program, const std::string &file) const override {
    return task::write_stream(task::parse_image(program, file).instructions);
  }

  void assemble(const std::string &path, const std::string &bindings, const model::Options &device,
                const std::string &output) const override {
    const task::Task loaded = task::load_task(path, bindings);
    if (const Status fits = check_geometry(loaded, geometry_of(device)); !fits.ok()) {
      throw FileError(path + ": " + task::describe(fits, loaded));
    }
    write_file(output, task::build_image(loaded));
  }

  void disassemble(const std::string &path, const std::string &output) const override {
    const task::Task loaded = task::load_task(path);
    std::string text;
    try {
      text = task::write_stream(loaded.instructions);
    } catch (const FileError &error) {
      throw FileError(path + ": " + error.what(), error.code());
    }
    write_file(output, text);
    if (output != "-" && task::has_bindings(loaded)) task::write_bindings(bindings_path(output), loaded);
  }

  [[nodiscard]] Verdict check(const std::string &path, const model::Options &device, bool json, const Print &print) const override {
    const task::Task loaded = task::load_task(path);
    const Report report = check_task(loaded, geometry_of(device), [&](const Report &found) {
      if (!json) print(findings_text(found));
    });
    print(json ? report_json(report, loaded, path) : conclusion_text(report, loaded, path));
    return {!report.errors.empty(), !report.warnings.empty()};
  }

  [[nodiscard]] std::string page(const std::string &prose) const override { return tile_page(prose); }
};

}  // namespace

const ProgramFormat &program_format() {
  static const Format format;
  return format;
}

}  // namespace cox::tools::tile
