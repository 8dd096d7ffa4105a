// SPDX-License-Identifier: MIT
#include "tests/echo/tools/registration.h"

#include "tests/echo/isa/echo.h"
#include "tools/assembly/plain_stream.h"
#include "tools/registry/stream_format.h"

namespace cox::tools::echo {
namespace {

using Set = isa::echo::Set;
using Text = assembly::PlainStream<Set>;

class Format final : public StreamFormat {
 public:
  Format() : StreamFormat(registers::Engine::echo) {}

  [[nodiscard]] std::string_view text_ending() const override { return ".echo"; }
  [[nodiscard]] std::string_view binary_ending() const override { return ".echos"; }
  [[nodiscard]] std::string page(const std::string &prose) const override { return prose; }
  [[nodiscard]] std::span<const Lane> lanes() const override {
    static constexpr Lane kLanes[] = {{"ECHO", "echo engine"}};
    return kLanes;
  }
  [[nodiscard]] std::optional<Drawn> drawn(std::uint8_t opcode) const override {
    for (const isa::echo::Instruction &row : Set::instructions()) {
      if (static_cast<unsigned>(row.opcode) == opcode) return Drawn{row.name, false};
    }
    return std::nullopt;
  }
  [[nodiscard]] std::vector<std::uint8_t> assemble_text(std::string_view text, const std::string &file) const override {
    return Text::assemble(text, file);
  }
  [[nodiscard]] std::string print(std::span<const std::uint8_t> stream, const std::string &file) const override {
    return Text::print(stream, file);
  }

 protected:
  [[nodiscard]] bool is_instruction(std::string_view name) const override { return Set::find(name) != nullptr; }
  [[nodiscard]] Report check_stream(std::span<const std::uint8_t> stream) const override {
    return Text::check(stream, [](const isa::echo::MachineCode &code) { return isa::echo::resolve(code).status(); });
  }
  [[nodiscard]] std::size_t count(std::span<const std::uint8_t> stream) const override { return Text::count(stream); }
};

}  // namespace

const ProgramFormat &program_format() {
  static const Format format;
  return format;
}

}  // namespace cox::tools::echo
