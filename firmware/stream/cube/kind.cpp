// SPDX-License-Identifier: MIT
// Programs of the matrix unit. A relocation's place is the byte offset of a slot that names an address in DRAM. Each such slot has one.
// The unit runs a copy of the stream, in the workspace, in which the firmware has written the addresses.
#include <cstring>

#include "firmware/stream/walk.h"
#include "hal/cache.h"
#include "isa/cube/operation.h"

namespace cox::firmware::stream::cube {
namespace {

using isa::cube::field;
using isa::cube::MachineCode;
using isa::cube::Opcode;

// Both instructions have their DRAM address in the same bits.
constexpr const isa::Field &kLow = field<Opcode::DRAM_TO_L1, "Source">();
constexpr const isa::Field &kHigh = field<Opcode::DRAM_TO_L1, "SourceHigh">();
constexpr bool same_bits(const isa::Field &a, const isa::Field &b) { return a.bit == b.bit && a.width == b.width; }
static_assert(same_bits(kLow, field<Opcode::L0C_TO_DRAM, "Destination">()) &&
              same_bits(kHigh, field<Opcode::L0C_TO_DRAM, "DestinationHigh">()));
static_assert(kLow.bit % 32 == 0 && kLow.width == 32 && kHigh.bit == kLow.bit + 32 && kHigh.width == 16);
constexpr std::size_t kLowWord = kLow.bit / 32, kHighWord = kHigh.bit / 32;

constexpr bool has_address(Opcode opcode) { return opcode == Opcode::DRAM_TO_L1 || opcode == Opcode::L0C_TO_DRAM; }

/// Writes the DRAM address of a slot whose words begin at `words`.
void write_address(std::uint32_t *words, std::uint64_t address) {
  words[kLowWord] = static_cast<std::uint32_t>(address);
  words[kHighWord] = (words[kHighWord] & ~0xFFFFU) | (static_cast<std::uint32_t>(address >> 32) & 0xFFFFU);
}

class Kind final : public ProgramKind {
 public:
  constexpr Kind() : ProgramKind(registers::Engine::cube) {}

  Status begin_check(const image::StreamProgram &program, const CheckWindows &windows) override {
    program_ = program;
    next_ = 0;
    walk_.begin(program.code, windows, {});
    return {};
  }
  /// Also copies each slot that was checked to the workspace.
  Status check(load::Budget &budget) override {
    const Status status = walk_.step(budget, [this](std::uint32_t position, isa::cube::Set::Fetched &fetched) {
      std::memcpy(&program_.workspace[position], &fetched.code, sizeof(fetched.code));
      if (!has_address(fetched.instruction->opcode)) return Status();
      if (next_ == program_.relocations.size()) return refused(next_, position, 0);
      const image::Relocation &relocation = program_.relocations[next_];
      if (relocation.place != position) return refused(next_, relocation.place, position);
      if (Status good = check_target(relocation, next_, walk_.windows()); !good) return good;
      write_address(fetched.code.data(), target(relocation, walk_.windows()));
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
      write_address(reinterpret_cast<std::uint32_t *>(&copy[relocation.place]), target(relocation, windows));
    }
    hal::clean_cache(copy.data(), copy.size());
    return std::span<const std::byte>(copy);
  }
  [[nodiscard]] isa::Location locate(std::span<const std::byte> code, const registers::EngineFaultDetail &fault) const override {
    return isa::cube::Set::locate(code, fault.offset, fault.field_bit);
  }

 private:
  image::StreamProgram program_;
  std::size_t next_ = 0;  ///< the relocation of the next slot that has an address
  Walk<isa::cube::Set, isa::cube::State> walk_;
};

constinit Kind instance;

}  // namespace

ProgramKind &kind = instance;

}  // namespace cox::firmware::stream::cube
