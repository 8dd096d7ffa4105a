// SPDX-License-Identifier: MIT
// Opcodes, classes and the header that every tile instruction has (docs/isa/tile.md, Machine code).
#pragma once

#include <cstdint>

#include "coxswain/isa/machine_code.h"

namespace cox::isa::tile {

/// An instruction: 32 bytes.
using MachineCode = Words32<8>;

/// The nine classes, in the order of their bits in Prev_Insts and Next_Insts. Each is a queue.
enum class Class : std::uint8_t { CT = 0, LD = 1, LW = 2, PE = 3, VP = 4, DT = 5, ST = 6, SI = 7, SO = 8 };
inline constexpr unsigned kClasses = 9;
inline constexpr unsigned kMostCores = 4;  ///< largest number of cores of one task
inline constexpr unsigned kMostLanes = kMostCores * kClasses;
inline constexpr const char *kClassNames[kClasses] = {"CT", "LD", "LW", "PE", "VP", "DT", "ST", "SI", "SO"};

enum class Opcode : std::uint8_t {
  ct_st = 0x10,
  ct_bc = 0x11,
  ct_ed = 0x12,
  lda_cfg = 0x20,
  lda_mov = 0x21,
  ldw_cfg = 0x22,
  ldw_mov = 0x23,
  lw_cfg = 0x30,
  lw_mov = 0x31,
  pe_cfg_fm = 0x40,
  pe_cfg_pm = 0x41,
  pe_cfg_dq = 0x42,
  pe_cfg_tp = 0x43,
  pe_conv = 0x44,
  pe_cfg_lut = 0x45,
  vp_cfg_gcs = 0x50,
  vp_cfg_gms = 0x51,
  vp_cfg_sms = 0x52,
  vp_cfg_qp = 0x53,
  vp_cfg_iq = 0x54,
  vp_cfg_iq1 = 0x55,
  vp_cfg_fm = 0x56,
  vp_cfg_tp = 0x57,
  vp_self = 0x58,
  vp_pool = 0x59,
  vp_cfg_lut = 0x5a,
  vp_cfg_rs = 0x5b,
  dt_cfg = 0x70,
  dt_cal = 0x71,
  sta_cfg = 0x80,
  sta_mov = 0x81,
  si_cfg = 0x90,
  si_mov = 0x91,
  si_sync = 0x92,
  so_cfg = 0xa0,
  so_mov = 0xa1,
  so_sync = 0xa2,
};

// The header: the first 64 bits.
inline constexpr unsigned kHeaderBits = 64;
inline constexpr unsigned kOpcodeBit = 0, kOpcodeWidth = 8;
inline constexpr unsigned kContextBit = 8, kContextWidth = 8;
inline constexpr unsigned kCompletionBit = 16;
inline constexpr unsigned kCoreBit = 17, kCoreWidth = 2;  ///< the core that runs the instruction, counted from the task's first
inline constexpr unsigned kBatchBit = 24, kBatchWidth = 8;
inline constexpr unsigned kPreviousBit = 32, kNextBit = 41;   ///< kClasses bits each
inline constexpr unsigned kImagesBit = 50, kImagesWidth = 8;  ///< number of images in the batch, minus 1
inline constexpr std::int64_t kMaxImages = 1 << kImagesWidth;

constexpr Opcode opcode_of(const MachineCode &code) { return static_cast<Opcode>(extract_bits(code, kOpcodeBit, kOpcodeWidth)); }
constexpr unsigned context_of(const MachineCode &code) { return extract_bits(code, kContextBit, kContextWidth); }
constexpr bool completion_of(const MachineCode &code) { return extract_bits(code, kCompletionBit, 1) != 0; }
/// The core that runs the instruction, counted from the task's first.
constexpr unsigned core_of(const MachineCode &code) { return extract_bits(code, kCoreBit, kCoreWidth); }
/// Returns true if the instruction's machine code has an index within a batch and the number of images of the batch.
constexpr bool takes_batch(Opcode opcode) { return opcode == Opcode::vp_self || opcode == Opcode::vp_pool; }
/// Index, within its batch, of the image that a `vp_*` instruction computes (docs/isa/tile.md, Batches in VP).
constexpr unsigned batch_of(const MachineCode &code) { return extract_bits(code, kBatchBit, kBatchWidth); }
/// Number of images in the batch of a `vp_*` instruction. In other instructions the field is 0, so the result is 1.
constexpr unsigned images_of(const MachineCode &code) { return extract_bits(code, kImagesBit, kImagesWidth) + 1; }
/// Classes from which the instruction takes a token before it starts: bit c is class c.
constexpr std::uint32_t previous_of(const MachineCode &code) { return extract_bits(code, kPreviousBit, kClasses); }
/// Classes for which the instruction puts a token when it ends: bit c is class c.
constexpr std::uint32_t next_of(const MachineCode &code) { return extract_bits(code, kNextBit, kClasses); }

}  // namespace cox::isa::tile
