// SPDX-License-Identifier: MIT
#include "coxswain/isa/tile/configuration.h"

#include "coxswain/isa/tile/table.h"

namespace cox::isa::tile {

Status region_from_cut(std::int64_t length, std::int64_t last_block, Region &region) {
  if (length == 0 && last_block == 0) {
    region = Region{};
    return {};
  }
  // Thirteen bits cannot hold 8,192, so length 0 means 8,192 blocks (docs/isa/tile.md, L2).
  const std::int64_t blocks = length == 0 ? kMaxL2Blocks : length;
  const std::int64_t first = last_block - blocks + 1;
  if (first < 0 || last_block >= kMaxL2Blocks) return Status(ErrorCode::bad_buffer_cut, "BufCut", -1, last_block, blocks - 1);
  region = Region{static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(blocks)};
  return {};
}

int Configuration::bank_of(Opcode opcode, unsigned set) {
  switch (opcode) {
    case Opcode::lda_cfg: return static_cast<int>(set);
    case Opcode::ldw_cfg: return static_cast<int>(kRegisterSets + set);
    case Opcode::sta_cfg: return static_cast<int>(2 * kRegisterSets + set);
    case Opcode::lw_cfg: return 12;
    case Opcode::pe_cfg_fm: return 13;
    case Opcode::pe_cfg_pm: return 14;
    case Opcode::pe_cfg_dq: return 15;
    case Opcode::pe_cfg_tp: return 16;
    case Opcode::vp_cfg_gcs: return 17;
    case Opcode::vp_cfg_gms: return 18;
    case Opcode::vp_cfg_sms: return 19;
    case Opcode::vp_cfg_qp: return 20;
    case Opcode::vp_cfg_iq: return 21;
    case Opcode::vp_cfg_iq1: return 22;
    case Opcode::vp_cfg_fm: return 23;
    case Opcode::vp_cfg_tp: return 24;
    case Opcode::dt_cfg: return 25;
    case Opcode::pe_cfg_lut: return 26;
    case Opcode::vp_cfg_lut: return 27;
    case Opcode::vp_cfg_rs: return 28;
    case Opcode::si_cfg: return 29;
    case Opcode::so_cfg: return 30;
    default: return -1;
  }
}

Status Configuration::apply(const MachineCode &code) {
  const Opcode opcode = opcode_of(code);
  if (opcode == Opcode::ct_bc) {
    constexpr const Field &kCut = *field_named<Opcode::ct_bc, "BufCut">();
    Region cut[kRegionsACut];
    for (unsigned i = 0; i < kRegionsACut; ++i) {
      Status status = region_from_cut(read_integer(code, kCut, 2 * i), read_integer(code, kCut, 2 * i + 1), cut[i]);
      if (!status) return status;
    }
    const auto first = static_cast<unsigned>(get<Opcode::ct_bc, "BCS">(code)) * kRegionsACut;
    for (unsigned i = 0; i < kRegionsACut; ++i) regions_[first + i] = cut[i];
    return {};
  }
  unsigned set = 0;
  if (opcode == Opcode::lda_cfg) set = static_cast<unsigned>(get<Opcode::lda_cfg, "RS">(code));
  if (opcode == Opcode::ldw_cfg) set = static_cast<unsigned>(get<Opcode::ldw_cfg, "RS">(code));
  if (opcode == Opcode::sta_cfg) set = static_cast<unsigned>(get<Opcode::sta_cfg, "RS">(code));
  const int bank = bank_of(opcode, set);
  if (bank < 0) return {};
  banks_[bank] = code;
  // lda_cfg and ldw_cfg share the register sets of LD, so a write of one removes what the other has written.
  if (opcode == Opcode::lda_cfg) banks_[bank_of(Opcode::ldw_cfg, set)] = MachineCode{};
  if (opcode == Opcode::ldw_cfg) banks_[bank_of(Opcode::lda_cfg, set)] = MachineCode{};
  return {};
}

const MachineCode *Configuration::find(Opcode opcode, unsigned set) const {
  const int bank = bank_of(opcode, set);
  return bank < 0 || banks_[bank][0] == 0 ? nullptr : &banks_[bank];
}

}  // namespace cox::isa::tile
