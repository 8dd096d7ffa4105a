// SPDX-License-Identifier: MIT
// Programs of the PIM engine (docs/isa/pim.md, Programs). They have no relocations: the addresses of DRAM in a program name windows.
#include "firmware/stream/program_kind.h"
#include "isa/pim/table.h"

namespace cox::firmware::stream::pim {
namespace {

class Kind final : public ProgramKind {
 public:
  constexpr Kind() : ProgramKind(registers::Engine::pim) {}

  Status begin_check(const image::StreamProgram & /*program*/, const CheckWindows & /*windows*/) override {
    return {ErrorCode::unsupported, "jobs of the engine"};
  }
  Status check(load::Budget & /*budget*/) override { return {}; }
  [[nodiscard]] bool is_checked() const override { return false; }
  [[nodiscard]] std::uint32_t instructions() const override { return 0; }

  [[nodiscard]] Result<std::span<const std::byte>> bind(const image::StreamProgram &program,
                                                        std::span<const hal::Window, hal::kWindows> /*windows*/,
                                                        const hal::Geometry & /*geometry*/, unsigned /*context*/) const override {
    return program.code;
  }
  [[nodiscard]] isa::Location locate(std::span<const std::byte> /*code*/, const registers::EngineFaultDetail & /*fault*/) const override {
    return {};
  }
};

constinit Kind instance;

}  // namespace

ProgramKind &kind = instance;

}  // namespace cox::firmware::stream::pim
