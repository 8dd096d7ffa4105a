// SPDX-License-Identifier: MIT
// What `cox` can do with the programs of one engine. Each engine implements it in its own folder, tools/KEY/registration.cpp; the build
// collects them from the rows of device/engines.h (tools/registry/registry.h; docs/design.md, Registry of the tools).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/engines.h"

namespace cox::tools {

class ProgramFormat {
 public:
  explicit ProgramFormat(registers::Engine engine) : engine_(registers::row_of(engine)) {}
  ProgramFormat(const ProgramFormat &) = delete;
  ProgramFormat &operator=(const ProgramFormat &) = delete;
  virtual ~ProgramFormat() = default;

  [[nodiscard]] const registers::EngineRow &engine() const { return engine_; }
  /// The value of --isa.
  [[nodiscard]] std::string_view key() const { return engine_.key; }

  /// Endings of file names, with the dot.
  [[nodiscard]] virtual std::string_view text_ending() const = 0;
  [[nodiscard]] virtual std::string_view binary_ending() const = 0;
  /// `a CUBE stream as text`, `a CUBE stream`: for messages.
  [[nodiscard]] virtual std::string text_name() const = 0;
  [[nodiscard]] virtual std::string binary_name() const = 0;

  /// True if a file of these contents is in the text form (or meant to be: its first instruction has a name of this set), or in the
  /// binary form.
  [[nodiscard]] virtual bool is_text(std::string_view text) const = 0;
  [[nodiscard]] virtual bool is_binary(std::span<const std::uint8_t> bytes) const = 0;

  /// The two forms in memory: text to the program's bytes, and back. `file` is for messages. What print() writes assembles to the same
  /// bytes. Throws FileError.
  [[nodiscard]] virtual std::vector<std::uint8_t> assemble_text(std::string_view text, const std::string &file) const = 0;
  [[nodiscard]] virtual std::string print(std::span<const std::uint8_t> program, const std::string &file) const = 0;

  /// True if `cox run` takes these programs as tasks, and `cox as` takes bindings for them.
  [[nodiscard]] virtual bool is_task() const { return false; }

  /// Assembles the text file `path` and writes the program to `output`. Throws FileError or OutputError; then `output` is as it was.
  virtual void assemble(const std::string &path, const std::string &bindings, const std::string &output) const = 0;

  /// Writes the text form of the program `path` to `output`. Throws FileError or OutputError.
  virtual void disassemble(const std::string &path, const std::string &output) const = 0;

  struct Verdict {
    bool errors = false, warnings = false;
  };
  using Print = std::function<void(std::string_view)>;
  /// Checks a program in either form and prints the report, as JSON if `json`. Throws FileError if the file cannot be read or parsed.
  [[nodiscard]] virtual Verdict check(const std::string &path, bool json, const Print &print) const = 0;

  /// The page docs/isa/<key>.md: `prose` with the tables in place of their marks. Empty if a mark is missing.
  [[nodiscard]] virtual std::string page(const std::string &prose) const = 0;

  /// Lanes of the engine in a timeline of streams, in the order of EventRecord::queue. Empty if `cox timeline` does not draw it.
  struct Lane {
    const char *name, *what;
  };
  [[nodiscard]] virtual std::span<const Lane> lanes() const { return {}; }

  /// How a timeline draws instructions with that opcode; nullopt if the set has none.
  struct Drawn {
    const char *name;
    bool small;  ///< a tick instead of a box: flags, barriers, configurations
  };
  [[nodiscard]] virtual std::optional<Drawn> drawn(std::uint8_t /*opcode*/) const { return std::nullopt; }

 private:
  const registers::EngineRow &engine_;
};

/// Refers to formats that live as long as the program.
using ProgramFormats = std::span<const ProgramFormat *const>;

}  // namespace cox::tools
