// SPDX-License-Identifier: MIT
#include "tools/pim/registration.h"

#include "isa/pim/table.h"
#include "tools/file/error.h"
#include "tools/registry/stream_format.h"

namespace cox::tools::pim {
namespace {

class Format final : public StreamFormat {
 public:
  Format() : StreamFormat(registers::Engine::pim) {}

  [[nodiscard]] std::string_view text_ending() const override { return ".pim"; }
  [[nodiscard]] std::string_view binary_ending() const override { return ".pims"; }
  [[nodiscard]] std::string page(const std::string &prose) const override { return prose; }
  [[nodiscard]] std::vector<std::uint8_t> assemble_text(std::string_view /*text*/, const std::string &file) const override {
    throw FileError(file + ": programs of the PIM cores cannot be assembled yet");
  }
  [[nodiscard]] std::string print(std::span<const std::uint8_t> /*stream*/, const std::string &file) const override {
    throw FileError(file + ": programs of the PIM cores cannot be printed yet");
  }

 protected:
  [[nodiscard]] bool is_instruction(std::string_view /*name*/) const override { return false; }
  [[nodiscard]] Report check_stream(std::span<const std::uint8_t> /*stream*/) const override { return {}; }
  [[nodiscard]] std::size_t count(std::span<const std::uint8_t> /*stream*/) const override { return 0; }
};

}  // namespace

const ProgramFormat &program_format() {
  static const Format format;
  return format;
}

}  // namespace cox::tools::pim
