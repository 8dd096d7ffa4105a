// SPDX-License-Identifier: MIT
// A format whose programs are streams. Their text form has lines of Field=value (tools/assembly), their binary form is the engine's bytes.
// A program is a single file.
#pragma once

#include <cstddef>

#include "tools/check/report.h"
#include "tools/registry/program_format.h"

namespace cox::tools {

class StreamFormat : public ProgramFormat {
 public:
  using ProgramFormat::ProgramFormat;

  [[nodiscard]] std::string text_name() const override;
  [[nodiscard]] std::string binary_name() const override;
  [[nodiscard]] bool is_text(std::string_view text) const final;
  /// Returns true if `bytes` can be printed as instructions of the engine.
  [[nodiscard]] bool is_binary(std::span<const std::uint8_t> bytes) const final;
  void assemble(const std::string &path, const std::string &bindings, const model::Options &device, const std::string &output) const final;
  void disassemble(const std::string &path, const std::string &output) const final;
  [[nodiscard]] Verdict check(const std::string &path, const model::Options &device, bool json, const Print &print) const final;

 protected:
  [[nodiscard]] virtual bool is_instruction(std::string_view name) const = 0;
  [[nodiscard]] virtual Report check_stream(std::span<const std::uint8_t> stream) const = 0;
  /// Returns the number of instructions in a stream, including those that the engine would refuse.
  [[nodiscard]] virtual std::size_t count(std::span<const std::uint8_t> stream) const = 0;
};

}  // namespace cox::tools
