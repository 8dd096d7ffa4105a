// SPDX-License-Identifier: MIT
#include "tools/pim/registration.h"

#include "isa/pim/program.h"
#include "tools/file/error.h"
#include "tools/pim/assemble.h"
#include "tools/pim/disassemble.h"
#include "tools/pim/instruction_reader.h"
#include "tools/pim/instruction_text.h"
#include "tools/pim/open_program.h"
#include "tools/pim/page.h"
#include "tools/registry/stream_format.h"

namespace cox::tools::pim {
namespace {

class Format final : public StreamFormat {
 public:
  Format() : StreamFormat(registers::Engine::pim) {}

  [[nodiscard]] std::string_view text_ending() const override { return ".pim"; }
  [[nodiscard]] std::string_view binary_ending() const override { return ".pims"; }
  [[nodiscard]] std::string binary_name() const override { return "a PIM program"; }
  [[nodiscard]] bool is_text(std::string_view text) const override { return begins_like_program(text); }
  [[nodiscard]] std::string page(const std::string &prose) const override { return pim::page(prose); }
  [[nodiscard]] std::vector<std::uint8_t> assemble_text(std::string_view text, const std::string &file) const override {
    return build_program(assemble_program(text, file).parts);
  }
  [[nodiscard]] std::string print(std::span<const std::uint8_t> stream, const std::string &file) const override {
    return pim::disassemble(open_program(stream, file));
  }

 protected:
  [[nodiscard]] bool is_instruction(std::string_view name) const override { return is_instruction_name(name); }
  [[nodiscard]] Report check_stream(std::span<const std::uint8_t> stream) const override {
    Report report;
    try {
      const isa::pim::Program program = open_program(stream, "");
      static_cast<void>(program);
    } catch (const FileError &error) {
      report.errors.push_back({error_name(error.code()), {}, error.what(), ""});
    }
    return report;
  }
  [[nodiscard]] std::size_t count(std::span<const std::uint8_t> stream) const override {
    const auto program = isa::pim::Program::open(std::as_bytes(stream));
    if (!program) return 0;
    std::size_t count = 0;
    for (const Code &code : parts_of(program.value()).codes) count += code.size();
    return count;
  }
};

}  // namespace

const ProgramFormat &program_format() {
  static const Format format;
  return format;
}

}  // namespace cox::tools::pim
