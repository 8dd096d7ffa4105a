// SPDX-License-Identifier: MIT
#include "tools/mx/registration.h"

#include <algorithm>

#include "isa/mx/operation.h"
#include "isa/mx/table.h"
#include "tools/mx/page.h"
#include "tools/mx/text.h"
#include "tools/registry/stream_format.h"
#include "tools/registry/stream_windows.h"

namespace cox::tools::mx {
namespace {

class Format final : public StreamFormat {
 public:
  Format() : StreamFormat(registers::Engine::mx) {}

  [[nodiscard]] std::string_view text_ending() const override { return ".mx"; }
  [[nodiscard]] std::string_view binary_ending() const override { return ".mxs"; }
  [[nodiscard]] std::string page(const std::string &prose) const override { return mx_page(prose); }

  [[nodiscard]] std::span<const Lane> lanes() const override {
    static constexpr Lane kLanes[] = {{"MX", "MX engine"}};
    return kLanes;
  }

  [[nodiscard]] std::optional<Drawn> drawn(std::uint8_t opcode) const override {
    const auto has_opcode = [&](const auto &instruction) { return static_cast<unsigned>(instruction.opcode) == opcode; };
    const auto found = std::ranges::find_if(isa::mx::kInstructions, has_opcode);
    if (found == std::end(isa::mx::kInstructions)) return std::nullopt;
    return Drawn{found->name, found->opcode == isa::mx::Opcode::CONFBADDR};
  }

  [[nodiscard]] std::vector<std::uint8_t> assemble_text(std::string_view text, const std::string &file) const override {
    return Text::assemble(text, file);
  }
  [[nodiscard]] std::string print(std::span<const std::uint8_t> stream, const std::string &file) const override {
    return Text::print(stream, file);
  }

 protected:
  [[nodiscard]] bool is_instruction(std::string_view name) const override { return isa::mx::find_instruction(name) != nullptr; }
  [[nodiscard]] Report check_stream(std::span<const std::uint8_t> stream) const override { return Text::check(stream); }
  [[nodiscard]] std::size_t count(std::span<const std::uint8_t> stream) const override { return Text::count(stream); }
  [[nodiscard]] unsigned base_registers() const override { return isa::mx::kBaseRegisters; }
  [[nodiscard]] Status check_windows(std::span<const std::uint8_t> stream, const StreamBindings &bindings) const override {
    isa::mx::State state;
    for (const PlacedAddress &base : bindings.bases) {
      state.bases.address[base.place] = base.address;
      state.bases.written |= 1U << base.place;
    }
    return check_stream_windows<isa::mx::Set>(stream, bindings, state);
  }
};

}  // namespace

const ProgramFormat &program_format() {
  static const Format format;
  return format;
}

}  // namespace cox::tools::mx
