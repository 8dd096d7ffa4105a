// SPDX-License-Identifier: MIT
// Programs of the MX engine. A relocation's place is a base register, so the engine runs the stream in the image itself.
#include "coxswain/firmware/stream/walk.h"
#include "coxswain/hal/mx/base.h"
#include "coxswain/isa/mx/operation.h"

namespace cox::firmware::stream::mx {
namespace {

class Kind final : public ProgramKind {
 public:
  constexpr Kind() : ProgramKind(registers::Engine::mx) {}

  Status begin_check(const image::StreamProgram &program, const CheckWindows &windows) override {
    isa::mx::State state;
    for (std::size_t i = 0; i < program.relocations.size(); ++i) {
      const image::Relocation &relocation = program.relocations[i];
      const std::uint32_t least = i == 0 ? 0 : program.relocations[i - 1].place + 1;
      if (relocation.place < least) return refused(i, relocation.place, least);
      if (relocation.place >= isa::mx::kBaseRegisters) return refused(i, relocation.place, isa::mx::kBaseRegisters - 1);
      if (Status status = check_target(relocation, i, windows); !status) return status;
      state.bases.address[relocation.place] = target(relocation, windows);
      state.bases.written |= 1U << relocation.place;
    }
    walk_.begin(program.code, windows, state);
    return {};
  }
  /// Base register n is the base of window n.
  Status begin_peer_check(std::span<const std::byte> stream, const CheckWindows &windows) override {
    isa::mx::State state;
    for (unsigned i = 0; i < windows.size(); ++i) {
      state.bases.address[i] = windows[i].base;
      state.bases.written |= 1U << i;
    }
    walk_.begin(stream, windows, state);
    return {};
  }
  Status prepare_peer(std::span<const hal::Window, hal::kWindows> windows, const hal::Geometry &geometry, unsigned context) const override {
    for (unsigned i = 0; i < windows.size(); ++i) {
      if (Status status = hal::mx::write_base(geometry, context, i, windows[i].base); !status) return status;
    }
    return {};
  }
  Status check(load::Budget &budget) override {
    return walk_.step(budget, [](std::uint32_t /*position*/, isa::mx::Fetched & /*fetched*/) { return Status(); });
  }
  [[nodiscard]] bool is_checked() const override { return walk_.done(); }
  [[nodiscard]] std::uint32_t instructions() const override { return walk_.instructions(); }

  [[nodiscard]] Result<std::span<const std::byte>> bind(const image::StreamProgram &program,
                                                        std::span<const hal::Window, hal::kWindows> windows, const hal::Geometry &geometry,
                                                        unsigned context) const override {
    for (const image::Relocation &relocation : program.relocations) {
      if (relocation.window >= windows.size()) return changed(program, relocation);
      const std::uint64_t address = target(relocation, windows);
      if (Status status = hal::mx::write_base(geometry, context, relocation.place, address); !status) return status;
    }
    return program.code;
  }
  [[nodiscard]] isa::Location locate(std::span<const std::byte> code, const registers::EngineFaultDetail &fault) const override {
    return isa::mx::Set::locate(code, fault.offset, fault.field_bit);
  }

 private:
  Walk<isa::mx::Set, isa::mx::State> walk_;
};

constinit Kind instance;

}  // namespace

ProgramKind &kind = instance;

}  // namespace cox::firmware::stream::mx
