// SPDX-License-Identifier: MIT
#include "tools/mx/registration.h"

#include <algorithm>

#include "coxswain/isa/mx/operation.h"
#include "coxswain/isa/mx/table.h"
#include "tools/mx/page.h"
#include "tools/mx/text.h"
#include "tools/registry/stream_format.h"
#include "tools/registry/stream_operations.h"

namespace cox::tools::mx {
namespace {

isa::mx::State state_of(const StreamBindings &bindings) {
  isa::mx::State state;
  for (const PlacedAddress &base : bindings.bases) {
    state.bases.address[base.place] = base.address;
    state.bases.written |= 1U << base.place;
  }
  return state;
}

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

  [[nodiscard]] std::uint64_t multiply_accumulates(const Placed &program) const override {
    std::uint64_t sum = 0;
    for_each_operation<isa::mx::Set>(program.stream, state_of(program.bindings),
                                     [&](const isa::mx::Operation &operation) { sum += isa::mx::multiply_accumulates(operation); });
    return sum;
  }
  [[nodiscard]] bool restartable(const Placed &program) const override {
    InputWatch watch;
    for_each_operation<isa::mx::Set>(program.stream, state_of(program.bindings), [&](const isa::mx::Operation &operation) {
      const isa::mx::Footprint footprint = isa::mx::footprint(operation);
      for (const isa::mx::Access &access : std::span(footprint.accesses).first(footprint.count)) {
        for (std::uint64_t i = 0; i < access.count; ++i) watch.add(access.write, access.start + i * access.stride, access.run);
      }
    });
    return !watch.changes_inputs();
  }

 protected:
  [[nodiscard]] bool is_instruction(std::string_view name) const override { return isa::mx::find_instruction(name) != nullptr; }
  [[nodiscard]] Report check_stream(std::span<const std::uint8_t> stream) const override { return Text::check(stream); }
  [[nodiscard]] std::size_t count(std::span<const std::uint8_t> stream) const override { return Text::count(stream); }
  [[nodiscard]] unsigned base_registers() const override { return isa::mx::kBaseRegisters; }
};

}  // namespace

const ProgramFormat &program_format() {
  static const Format format;
  return format;
}

}  // namespace cox::tools::mx
