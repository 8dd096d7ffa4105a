// SPDX-License-Identifier: MIT
// The operations that `cox` has for the programs of one engine. Each engine implements this interface in its own folder,
// tools/KEY/registration.cpp. The build collects the formats from the rows of device/engines.h (tools/registry/registry.h; docs/design.md,
// Registry of the tools).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "coxswain/device/engines.h"
#include "sim/model/options.h"

namespace cox::tools {

class JobProgram;  // tools/registry/job_program.h

class ProgramFormat {
 public:
  explicit ProgramFormat(registers::Engine engine) : engine_(registers::row_of(engine)) {}
  ProgramFormat(const ProgramFormat &) = delete;
  ProgramFormat &operator=(const ProgramFormat &) = delete;
  virtual ~ProgramFormat() = default;

  [[nodiscard]] const registers::EngineRow &engine() const { return engine_; }
  /// Returns the value of --isa for this format.
  [[nodiscard]] std::string_view key() const { return engine_.key; }

  /// Return the endings of file names, with the dot.
  [[nodiscard]] virtual std::string_view text_ending() const = 0;
  [[nodiscard]] virtual std::string_view binary_ending() const = 0;
  /// Return names for messages, with their article: `a task image`.
  [[nodiscard]] virtual std::string text_name() const = 0;
  [[nodiscard]] virtual std::string binary_name() const = 0;

  /// Return true if a file with these contents is in the text form, or in the binary form. A file counts as text if its first instruction
  /// has a name of this set, even if the rest is wrong.
  [[nodiscard]] virtual bool is_text(std::string_view text) const = 0;
  [[nodiscard]] virtual bool is_binary(std::span<const std::uint8_t> bytes) const = 0;

  /// Convert the two forms in memory: text to the program's bytes, and bytes to text. `file` is for messages. assemble_text() turns text
  /// from print() back into the same bytes. Throw FileError.
  [[nodiscard]] virtual std::vector<std::uint8_t> assemble_text(std::string_view text, const std::string &file) const = 0;
  [[nodiscard]] virtual std::string print(std::span<const std::uint8_t> program, const std::string &file) const = 0;

  /// True if every program of the format has bindings and `cox run` takes it. Other programs have them only in task images.
  [[nodiscard]] virtual bool is_task() const { return false; }
  /// Reads the program `path`, text or binary, to run it as a job. Returns nullptr if programs of the format do not run as jobs. Throws
  /// FileError.
  [[nodiscard]] virtual std::shared_ptr<const JobProgram> read_job(const std::string & /*path*/) const { return nullptr; }

  /// What a run is asked for besides inputs and outputs (docs/cox.md, run).
  struct RunRequest {
    std::vector<std::string> set, memory, dump;  ///< values of the options --set, --memory and --dump
    model::Options device;
  };
  /// A program and the tensors that a request has added to it, each with the file that it is read from or written to.
  struct RunPlan {
    std::shared_ptr<const JobProgram> program;
    std::vector<std::pair<std::string, std::string>> inputs, outputs;
  };
  /// Reads the program `path` for a run, as read_job() does. Throws FileError, also for a request that the format does not have.
  [[nodiscard]] virtual RunPlan plan_run(const std::string &path, const RunRequest &request) const;

  /// Assembles the text file `path` for `device` and writes the program to `output`. Throws FileError or OutputError; `output` is unchanged
  /// then.
  virtual void assemble(const std::string &path, const std::string &bindings, const model::Options &device,
                        const std::string &output) const = 0;

  /// Writes the text form of the program `path` to `output`. Throws FileError or OutputError.
  virtual void disassemble(const std::string &path, const std::string &output) const = 0;

  struct Verdict {
    bool errors = false, warnings = false;
  };
  using Print = std::function<void(std::string_view)>;
  /// Checks the program `path`, text or binary, for `device` and prints the report, as JSON if `json`. Throws FileError if the file cannot
  /// be read or parsed.
  [[nodiscard]] virtual Verdict check(const std::string &path, const model::Options &device, bool json, const Print &print) const = 0;

  /// Returns the text file `path` as a listing: each line behind the numbers and the machine code of its instructions. Throws FileError,
  /// also if the format has no listings.
  [[nodiscard]] virtual std::string listing(const std::string &path, const model::Options &device) const;

  /// Returns the page docs/isa/<key>.md: `prose` with the tables in place of their marks. The result is empty if a mark is missing.
  [[nodiscard]] virtual std::string page(const std::string &prose) const = 0;

  /// Lanes of the engine in a timeline of streams, in the order of EventRecord::queue. The list is empty if `cox timeline` does not draw
  /// the engine.
  struct Lane {
    const char *name, *what;
  };
  [[nodiscard]] virtual std::span<const Lane> lanes() const { return {}; }

  /// Returns the name of a lane of a core in a timeline.
  [[nodiscard]] virtual std::string lane_name(unsigned core, unsigned lane) const {
    const std::string name = lanes()[lane].name;
    return core == 0 && !draws_cores() ? name : name + " of core " + std::to_string(core);
  }
  /// True if a timeline has one lane for each core of the engine by default, and draws the lanes above as its rows.
  [[nodiscard]] virtual bool draws_cores() const { return false; }
  /// Returns the place of an instruction of a stream (EventRecord::ordinal), in words.
  [[nodiscard]] virtual std::string position_text(std::uint32_t position) const { return "byte " + std::to_string(position); }

  /// How a timeline draws the instructions of an opcode.
  struct Drawn {
    const char *name;
    bool small;          ///< drawn as a tick instead of a box; for flags, barriers and configurations
    bool waits = false;  ///< the instruction lasts until another core has done its part
  };
  /// Returns how to draw an opcode, or nullopt for an opcode that timelines do not draw.
  [[nodiscard]] virtual std::optional<Drawn> drawn(std::uint8_t /*opcode*/) const { return std::nullopt; }

 private:
  const registers::EngineRow &engine_;
};

/// Formats of engines. They live until the process ends.
using ProgramFormats = std::span<const ProgramFormat *const>;

}  // namespace cox::tools
