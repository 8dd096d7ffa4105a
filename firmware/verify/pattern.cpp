// SPDX-License-Identifier: MIT
#include "coxswain/firmware/verify/pattern.h"

#include "coxswain/isa/tile/table.h"

namespace cox::firmware::verify {

using isa::tile::MachineCode;
using isa::tile::Opcode;
using isa::tile::Reach;
using isa::tile::Space;

namespace {

// The bits of a word that may differ. The lowest three bits of an address stay as they are, so its alignment does. The highest bit does,
// too, so that signed and unsigned addresses move by the same distance. Addresses in WL0 have half a word.
constexpr std::uint32_t kTokenBits = (1U << 2 * isa::tile::kClasses) - 1;
constexpr std::uint32_t kAddressBits = 0x7FFFFFF8;
constexpr std::uint32_t kWeightAddressBits = 0xFFFF;
static_assert(isa::tile::kPreviousBit == 32 && isa::tile::kNextBit == isa::tile::kPreviousBit + isa::tile::kClasses);
static_assert(isa::field<Opcode::lw_mov, "DTaddr">().width == 16 && isa::field<Opcode::pe_conv, "SWaddr">().width == 16);

std::uint32_t free_bits(Space space) { return space == Space::wl0 ? kWeightAddressBits : kAddressBits; }

}  // namespace

void Pattern::keep(const MachineCode &code, const isa::tile::Footprint &footprint) {
  known_ = true;
  code_ = code;
  fixed_.fill(~std::uint32_t{0});
  fixed_[1] = ~kTokenBits;
  count_ = static_cast<std::uint8_t>(footprint.count);
  for (unsigned i = 0; i < footprint.count; ++i) {
    const Reach reach = footprint.accesses[i].reach();
    reaches_[i] = reach;
    if (reach.word != 0) fixed_[reach.word] &= ~free_bits(reach.space);
  }
}

void Pattern::move_to(const MachineCode &code) {
  for (unsigned i = 0; i < count_; ++i) {
    Reach &reach = reaches_[i];
    if (reach.word == 0) continue;
    const std::uint32_t bits = free_bits(reach.space);
    auto distance = static_cast<std::int32_t>((code[reach.word] & bits) - (code_[reach.word] & bits));
    if (reach.space == Space::wl0) distance *= static_cast<std::int32_t>(isa::tile::kWeightUnitBytes);
    reach.start += distance;
    reach.origin += distance;
  }
  code_ = code;
}

}  // namespace cox::firmware::verify
