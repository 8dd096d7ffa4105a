// SPDX-License-Identifier: MIT
// Programs of the matrix unit. A relocation's place is the byte offset of a slot that names an address in DRAM. Each such slot has one.
// The unit runs a copy of the stream, in the workspace, in which the firmware has written the addresses.
#include <cstring>

#include "coxswain/firmware/stream/walk.h"
#include "coxswain/hal/cache.h"
#include "coxswain/isa/cube/dram_address.h"
#include "coxswain/isa/cube/operation.h"

namespace cox::firmware::stream::cube {
namespace {

class Kind final : public ProgramKind {
 public:
  constexpr Kind() : ProgramKind(registers::Engine::cube) {}

  Status begin_check(const image::StreamProgram &program, const CheckWindows &windows) override {
    program_ = program;
    next_ = 0;
    is_peer_ = false;
    walk_.begin(program.code, windows, {});
    return {};
  }
  Status begin_peer_check(std::span<const std::byte> stream, const CheckWindows &windows) override {
    is_peer_ = true;
    walk_.begin(stream, windows, {});
    return {};
  }
  /// Also copies each slot that was checked to the workspace.
  Status check(load::Budget &budget) override {
    if (is_peer_) return walk_.step(budget, [](std::uint32_t /*position*/, isa::cube::Set::Fetched & /*fetched*/) { return Status(); });
    const Status status = walk_.step(budget, [this](std::uint32_t position, isa::cube::Set::Fetched &fetched) {
      std::memcpy(&program_.workspace[position], &fetched.code, sizeof(fetched.code));
      if (!isa::cube::has_dram_address(fetched.instruction->opcode)) return Status();
      if (next_ == program_.relocations.size()) return refused(next_, position, 0);
      const image::Relocation &relocation = program_.relocations[next_];
      if (relocation.place != position) return refused(next_, relocation.place, position);
      if (Status good = check_target(relocation, next_, walk_.windows()); !good) return good;
      isa::cube::write_dram_address(fetched.code.data(), target(relocation, walk_.windows()));
      ++next_;
      return Status();
    });
    if (!status || !walk_.done()) return status;
    if (next_ != program_.relocations.size()) return refused(next_, program_.relocations[next_].place, program_.code.size());
    return {};
  }
  [[nodiscard]] bool is_checked() const override { return walk_.done(); }
  [[nodiscard]] std::uint32_t instructions() const override { return walk_.instructions(); }

  [[nodiscard]] Result<std::span<const std::byte>> bind(const image::StreamProgram &program,
                                                        std::span<const hal::Window, hal::kWindows> windows,
                                                        const hal::Geometry & /*geometry*/, unsigned /*context*/) const override {
    const std::span<std::byte> copy = program.workspace.first(program.code.size());
    for (const image::Relocation &relocation : program.relocations) {
      if (relocation.window >= windows.size() || relocation.place > copy.size() - isa::cube::kSlotBytes)
        return changed(program, relocation);
      isa::cube::write_dram_address(reinterpret_cast<std::uint32_t *>(&copy[relocation.place]), target(relocation, windows));
    }
    hal::clean_cache(copy.data(), copy.size());
    return std::span<const std::byte>(copy);
  }
  [[nodiscard]] isa::Location locate(std::span<const std::byte> code, const registers::EngineFaultDetail &fault) const override {
    return isa::cube::Set::locate(code, fault.offset, fault.field_bit);
  }

 private:
  image::StreamProgram program_;
  bool is_peer_ = false;
  std::size_t next_ = 0;  ///< the relocation of the next slot that has an address
  Walk<isa::cube::Set, isa::cube::State> walk_;
};

constinit Kind instance;

}  // namespace

ProgramKind &kind = instance;

}  // namespace cox::firmware::stream::cube
