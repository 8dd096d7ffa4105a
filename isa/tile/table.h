// SPDX-License-Identifier: MIT
// The tile instruction set: every instruction with its fields, their bits, ranges and meaning. The encoder, the decoder, the printer, the
// assembler, the checks and docs/isa/tile.md are made from this table.
#pragma once

#include <span>
#include <string_view>

#include "coxswain/isa/field.h"
#include "coxswain/isa/instruction_set.h"
#include "coxswain/isa/named_field.h"
#include "coxswain/isa/tile/enumerations.h"
#include "coxswain/isa/tile/header.h"

namespace cox::isa::tile {

struct Instruction {
  const char *name;
  Opcode opcode;
  Class queue;
  bool configuration;  ///< true for a `*_cfg`, which has no Prev_Insts, no Next_Insts and no completion
  std::span<const Field> fields;
  Meaning meaning;
};

namespace detail {

// clang-format off
inline constexpr Field kOpcodeFields[] = {{"opcode", kOpcodeBit, kOpcodeWidth, 1, Kind::integer, 1, 255, {}, "the instruction"}};
/// The first kConfigurationHeader fields are in all instructions, and the first kPlainHeader fields in all that are not configurations.
/// Only vp_self and vp_pool have the rest.
inline constexpr Field kHeader[] = {
    {"context", kContextBit, kContextWidth, 1, Kind::integer, 0, 255, {}, "written by the firmware"},
    {"completion", kCompletionBit, 1, 1, Kind::boolean, 0, 1, {}, "written by the firmware: a completion is wanted"},
    {"core", kCoreBit, kCoreWidth, 1, Kind::integer, 0, kMostCores - 1, {}, "which of the task's cores runs the instruction, counted from its first"},
    {"Prev_Insts", kPreviousBit, kClasses, 1, Kind::integer, 0, 511, {}, "bit c: takes a token of class c before the start"},
    {"Next_Insts", kNextBit, kClasses, 1, Kind::integer, 0, 511, {}, "bit c: gives class c a token at the end"},
    {"tile", kBatchBit, kBatchWidth, 1, Kind::integer, 0, 255, {}, "index within a batch"},
    {"tiles", kImagesBit, kImagesWidth, 1, Kind::integer, 0, 255, {}, "images of the batch, less one"},
};
inline constexpr std::size_t kConfigurationHeader = 3, kPlainHeader = 5;
inline constexpr Field k_ct_bc[] = {
    {"BCS", 64, 2, 1, Kind::integer, 0, 3, {}, "regions 4*BCS to 4*BCS+3 are written"},
    {"BufCut", 66, 13, 8, Kind::integer, 0, 8191, {}, "(length, last block) of four regions, in blocks of 1 KiB; (0, 0) is no region; length is modulo 8,192"},
};
inline constexpr Field k_lda_cfg[] = {
    {"SME", 160, 1, 1, Kind::integer, 0, 1, {}, "source in DRAM dense (1) or with pixels padded to 8 bytes as in L2 (0)"},
    {"RS", 161, 2, 1, Kind::integer, 0, 3, {}, "parameter register set that the configuration is written to, or that the instruction uses"},
    {"BAS", 163, 2, 1, Kind::integer, 0, 3, {}, "base address register: the DRAM window"},
    {"DF", 165, 4, 1, Kind::enumeration, 0, 0, {&kDataFmt}, "data format"},
    {"STile", 64, 16, 3, Kind::integer, 1, 65535, {}, "source map C, H, W: strides in DRAM"},
    {"DTile", 112, 16, 3, Kind::integer, 1, 65535, {}, "destination map C, H, W: strides in L2"},
    {"CVT", 169, 4, 1, Kind::enumeration, 0, 0, {&kConversion}, "format at the destination, where it is not DF", true},
};
inline constexpr Field k_lda_mov[] = {
    {"RS", 192, 2, 1, Kind::integer, 0, 3, {}, "parameter register set that the configuration is written to, or that the instruction uses"},
    {"DBSG", 194, 4, 1, Kind::integer, 0, 15, {}, "L2 region of the destination"},
    {"STaddr", 64, 32, 1, Kind::integer, 0, 4294967295, {}, "source, bytes from the window's base"},
    {"DTaddr", 96, 32, 1, Kind::integer, 0, 4294967295, {}, "destination, L2 byte address"},
    {"Tile", 128, 16, 4, Kind::integer, 1, 65535, {}, "extent moved: N, C, H, W"},
};
inline constexpr Field k_ldw_cfg[] = {
    {"RS", 160, 2, 1, Kind::integer, 0, 3, {}, "parameter register set that the configuration is written to, or that the instruction uses"},
    {"BAS", 162, 2, 1, Kind::integer, 0, 3, {}, "base address register: the DRAM window"},
    {"DF", 164, 4, 1, Kind::enumeration, 0, 0, {&kDataFmt}, "data format"},
    {"MKC", 168, 8, 1, Kind::integer, 0, 255, {}, "mask channel: with MKEN 1 weights of this input channel and of those after it become 0"},
    {"MKEN", 176, 1, 1, Kind::integer, 0, 1, {}, "mask enable: some weights become 0 (MKC)"},
    {"SWsize", 64, 16, 3, Kind::integer, 1, 65535, {}, "source record C, R, S"},
    {"DWsize", 112, 16, 3, Kind::integer, 1, 65535, {}, "destination record C, R, S"},
    {"C0", 192, 16, 1, Kind::integer, 0, 65535, {}, "first input channel of the source records that is loaded", true},
};
inline constexpr Field k_ldw_mov[] = {
    {"RS", 192, 2, 1, Kind::integer, 0, 3, {}, "parameter register set that the configuration is written to, or that the instruction uses"},
    {"DBSG", 194, 4, 1, Kind::integer, 0, 15, {}, "L2 region of the destination"},
    {"STaddr", 64, 32, 1, Kind::integer, 0, 4294967295, {}, "source, bytes from the window's base"},
    {"DTaddr", 96, 32, 1, Kind::integer, 0, 4294967295, {}, "destination, L2 byte address"},
    {"Wsize", 128, 16, 4, Kind::integer, 1, 65535, {}, "weights moved: K, C, R, S"},
};
inline constexpr Field k_lw_cfg[] = {
    {"BAS", 160, 2, 1, Kind::integer, 0, 3, {}, "base address register: the DRAM window"},
    {"DF", 162, 4, 1, Kind::enumeration, 0, 0, {&kDataFmt}, "data format"},
    {"MKC", 166, 8, 1, Kind::integer, 0, 255, {}, "mask channel: with MKEN 1 weights of this input channel and of those after it become 0"},
    {"MKEN", 174, 1, 1, Kind::integer, 0, 1, {}, "mask enable: some weights become 0 (MKC)"},
    {"SWsize", 64, 16, 3, Kind::integer, 1, 65535, {}, "source record C, R, S"},
    {"DWsize", 112, 16, 3, Kind::integer, 1, 65535, {}, "destination record C, R, S"},
    {"C0", 192, 16, 1, Kind::integer, 0, 65535, {}, "first input channel of the source records that is loaded", true},
    {"MAP", 208, 1, 1, Kind::integer, 0, 1, {}, "the source is a feature map: record k is made of its pixel k, with scale 1 and bias 0", true},
};
inline constexpr Field k_lw_mov[] = {
    {"SS", 176, 1, 1, Kind::integer, 0, 1, {}, "source: L2 (0) or DRAM (1)"},
    {"XYmode", 177, 3, 2, Kind::enumeration, 0, 0, {&kXCutMode, &kYCutMode}, "how the tile is spread over the 8 x 8 grid of processing elements: no effect on results"},
    {"SBSG", 183, 4, 1, Kind::integer, 0, 15, {}, "L2 region of the source, where SS is 0"},
    {"STaddr", 64, 32, 1, Kind::integer, 0, 4294967295, {}, "source: bytes from the window's base, or L2 byte address"},
    {"DTaddr", 96, 16, 1, Kind::integer, 0, 65535, {}, "destination in WL0, in units of 64 bytes"},
    {"Wsize", 112, 16, 4, Kind::integer, 1, 65535, {}, "weights moved: K, C, R, S"},
};
inline constexpr Field k_pe_cfg_fm[] = {
    {"IF", 192, 1, 1, Kind::enumeration, 0, 0, {&kDataSign}, "signedness of the input"},
    {"OF", 193, 1, 1, Kind::enumeration, 0, 0, {&kDataSign}, "signedness of the output"},
    {"SF", 194, 4, 1, Kind::enumeration, 0, 0, {&kDataFmt}, "format of the source"},
    {"WF", 198, 4, 1, Kind::enumeration, 0, 0, {&kDataFmt}, "format of the weights"},
    {"DF", 202, 4, 1, Kind::enumeration, 0, 0, {&kDataFmt}, "format of the destination"},
    {"PADV", 64, 32, 1, Kind::floating_point, 0, 0, {}, "padding value, in quantised units of the source"},
    {"STile", 96, 16, 3, Kind::integer, 1, 65535, {}, "source map C, H, W"},
    {"DTile", 144, 16, 3, Kind::integer, 1, 65535, {}, "destination map C, H, W"},
};
inline constexpr Field k_pe_cfg_pm[] = {
    {"ACTMD", 160, 4, 1, Kind::enumeration, 0, 0, {&kActMode}, "activation"},
    {"ACTPM", 64, 32, 1, Kind::floating_point, 0, 0, {}, "activation parameter"},
    {"QC", 164, 2, 1, Kind::enumeration, 0, 0, {&kFloat2Fixed}, "rounding of the requantisation"},
    {"QB", 96, 32, 1, Kind::floating_point, 0, 0, {}, "zero point of the output"},
    {"QK", 128, 32, 1, Kind::floating_point, 0, 0, {}, "scale of the output"},
    {"ADDEN", 166, 1, 1, Kind::integer, 0, 1, {}, "accumulators begin with the partial sums at PTaddr"},
    {"STRIDE", 167, 8, 2, Kind::integer, 1, 255, {}, "stride in height and width"},
    {"XYmode", 183, 3, 2, Kind::enumeration, 0, 0, {&kXCutMode, &kYCutMode}, "how the tile is spread over the 8 x 8 grid of processing elements: no effect on results"},
    {"PSUM", 189, 1, 1, Kind::integer, 0, 1, {}, "the accumulators are stored as they are: no scale, bias, activation or requantisation", true},
};
inline constexpr Field k_pe_cfg_dq[] = {
    {"DQC", 128, 2, 1, Kind::integer, 0, 3, {}, "clipping behind DQK and DQB: 0 none, 1 to -128 ... 127, 2 to -32768 ... 32767, 3 to -65504 ... 65504"},
    {"DQB", 64, 32, 1, Kind::floating_point, 0, 0, {}, "added to the accumulator in FP32 behind DQK"},
    {"DQK", 96, 32, 1, Kind::floating_point, 0, 0, {}, "multiplies the accumulator in FP32, before the record's scale; 0: there is no dequantisation"},
};
inline constexpr Field k_pe_cfg_tp[] = {
    {"KERNEL", 144, 8, 2, Kind::integer, 1, 255, {}, "kernel height and width"},
    {"Tile", 64, 16, 5, Kind::integer, 1, 65535, {}, "extent computed: N, K, C, H, W of the output"},
    {"MTK0", 160, 8, 1, Kind::integer, 0, 255, {}, "mini tile in K: no effect on results"},
    {"MTC0", 168, 8, 1, Kind::integer, 0, 255, {}, "mini tile in C: no effect on results"},
    {"MTI", 176, 8, 2, Kind::integer, 0, 255, {}, "mini tile in H and W: no effect on results"},
    {"GROUPS", 192, 16, 1, Kind::integer, 0, 65535, {}, "groups of kernels and channels; 0 is 1. Tile's C is the channels of one group", true},
    {"DILATION", 208, 8, 2, Kind::integer, 0, 255, {}, "distance of the kernel's taps in height and width; 0 is 1", true},
    {"UPSAMPLE", 224, 8, 2, Kind::integer, 0, 255, {}, "transposed convolution: between two source pixels stand so many steps, less one, of padding, in height and width; 0 is 1", true},
};
inline constexpr Field k_pe_conv[] = {
    {"PS", 176, 8, 1, Kind::integer, 0, 255, {}, "phase shift of the channels in RAM: no effect on results"},
    {"SPHI", 128, 16, 1, Kind::integer, -32768, 32767, {}, "first row in the source map; negative is padding"},
    {"SPWI", 144, 16, 1, Kind::integer, -32768, 32767, {}, "first column in the source map; negative is padding"},
    {"SBSG", 184, 4, 1, Kind::integer, 0, 15, {}, "L2 region of the source"},
    {"DBSG", 188, 4, 1, Kind::integer, 0, 15, {}, "L2 region of the destination"},
    {"STaddr", 64, 32, 1, Kind::integer, -2147483648, 2147483647, {}, "source, L2 byte address of the pixel at SPHI, SPWI"},
    {"SWaddr", 160, 16, 1, Kind::integer, 0, 65535, {}, "weights in WL0, in units of 64 bytes"},
    {"DTaddr", 96, 32, 1, Kind::integer, 0, 4294967295, {}, "destination, L2 byte address"},
    {"PTaddr", 192, 32, 1, Kind::integer, 0, 4294967295, {}, "partial sums, L2 byte address (ADDEN)", true},
    {"PBSG", 224, 4, 1, Kind::integer, 0, 15, {}, "L2 region of the partial sums", true},
};
inline constexpr Field k_pe_cfg_lut[] = {
    {"LO", 64, 32, 1, Kind::floating_point, 0, 0, {}, "argument at the table's first entry"},
    {"STEP", 96, 32, 1, Kind::floating_point, 0, 0, {}, "segments of the table for each unit of the argument"},
    {"TBSG", 128, 4, 1, Kind::integer, 0, 15, {}, "L2 region of the table"},
    {"Taddr", 160, 32, 1, Kind::integer, 0, 4294967295, {}, "table of FP32 entries, L2 byte address"},
    {"SEGN", 132, 8, 1, Kind::integer, 0, 255, {}, "segments of the table, less one"},
    {"SEGE", 140, 1, 1, Kind::integer, 0, 1, {}, "beyond the table: 0 its outermost entries, 1 its outermost segments go on"},
};
inline constexpr Field k_vp_cfg_gcs[] = {
    {"CMPS", 128, 4, 1, Kind::enumeration, 0, 0, {&kCmps}, "compare mode: LUT 17 and 19"},
    {"SG0M", 132, 4, 1, Kind::enumeration, 0, 0, {&kSg0m}, "group 0 mode: LUT 18"},
    {"CMPVS", 136, 1, 1, Kind::integer, 0, 1, {}, "the compare scalar: CMPV (0), or the scalar register of that number (1)"},
    {"SG0VS", 137, 1, 1, Kind::integer, 0, 1, {}, "the group 0 scalar: SG0V (0), or the scalar register of that number (1)"},
    {"SG0V", 64, 32, 1, Kind::floating_point, 0, 0, {}, "group 0 scalar"},
    {"CMPV", 96, 32, 1, Kind::floating_point, 0, 0, {}, "compare scalar"},
};
inline constexpr Field k_vp_cfg_gms[] = {
    {"USED", 128, 1, 1, Kind::boolean, 0, 1, {}, "written by the compiler, no effect"},
    {"SEGE", 129, 8, 1, Kind::integer, 0, 1, {}, "of a look-up table: 0 beyond it hold its outermost entries, 1 its outermost segments go on"},
    {"SEGN", 137, 8, 1, Kind::integer, 0, 255, {}, "segments of a look-up table, less one"},
    {"MG0S", 145, 4, 1, Kind::enumeration, 0, 0, {&kMg0s}, "MG0V multiplies elements of an average pool (DEFAULT), or the elements of tensor 0 in every function"},
    {"SG1M", 149, 4, 1, Kind::enumeration, 0, 0, {&kSg1m}, "group 1 mode: behind the function"},
    {"MG0VS", 153, 1, 1, Kind::integer, 0, 1, {}, "the multiplier: MG0V (0), or the scalar register of that number (1)"},
    {"SG1VS", 154, 1, 1, Kind::integer, 0, 1, {}, "the group 1 scalar: SG1V (0), or the scalar register of that number (1)"},
    {"SG1V", 64, 32, 1, Kind::floating_point, 0, 0, {}, "group 1 scalar"},
    {"MG0V", 96, 32, 1, Kind::floating_point, 0, 0, {}, "multiplier: of each element of an average pool"},
};
inline constexpr Field k_vp_cfg_sms[] = {
    {"SUMM", 128, 4, 1, Kind::enumeration, 0, 0, {&kSumm}, "behind group 1: nothing (DEFAULT), or times MULV, plus SUMV"},
    {"MULVS", 132, 1, 1, Kind::integer, 0, 1, {}, "the multiplier: MULV (0), or the scalar register of that number (1)"},
    {"SUMVS", 133, 1, 1, Kind::integer, 0, 1, {}, "the summand: SUMV (0), or the scalar register of that number (1)"},
    {"SUMV", 64, 32, 1, Kind::floating_point, 0, 0, {}, "summand"},
    {"MULV", 96, 32, 1, Kind::floating_point, 0, 0, {}, "multiplier"},
};
inline constexpr Field k_vp_cfg_qp[] = {
    {"QCS", 128, 2, 1, Kind::enumeration, 0, 0, {&kFloat2Fixed}, "rounding of the quantisation"},
    {"QSMD", 130, 4, 1, Kind::enumeration, 0, 0, {&kQsmd}, "quantisation mode: QB is added (DEFAULT) or subtracted"},
    {"QB", 64, 32, 1, Kind::floating_point, 0, 0, {}, "zero point"},
    {"QK", 96, 32, 1, Kind::floating_point, 0, 0, {}, "scale"},
};
inline constexpr Field k_vp_cfg_iq[] = {
    {"IQCS", 128, 2, 1, Kind::integer, 0, 3, {}, "rounding of what was dequantised to a whole number: 0 none, 1 floor, 2 half to even, 3 truncate"},
    {"IQB0", 64, 32, 1, Kind::floating_point, 0, 0, {}, "zero point"},
    {"IQK0", 96, 32, 1, Kind::floating_point, 0, 0, {}, "scale"},
};
inline constexpr Field k_vp_cfg_iq1[] = {
    {"IQB1", 64, 32, 1, Kind::floating_point, 0, 0, {}, "zero point"},
    {"IQK1", 96, 32, 1, Kind::floating_point, 0, 0, {}, "scale"},
};
inline constexpr Field k_vp_cfg_fm[] = {
    {"IF", 160, 1, 1, Kind::enumeration, 0, 0, {&kDataSign}, "signedness of the input"},
    {"OF", 161, 1, 1, Kind::enumeration, 0, 0, {&kDataSign}, "signedness of the output"},
    {"IDF", 162, 4, 1, Kind::enumeration, 0, 0, {&kDataFmt}, "format of the source"},
    {"ODF", 166, 4, 1, Kind::enumeration, 0, 0, {&kDataFmt}, "format of the destination"},
    {"VF32", 170, 1, 1, Kind::integer, 0, 1, {}, "all tensors are FP32, whatever IDF and ODF say"},
    {"STile", 64, 16, 3, Kind::integer, 1, 65535, {}, "source map C, H, W"},
    {"DTile", 112, 16, 3, Kind::integer, 1, 65535, {}, "destination map C, H, W"},
};
inline constexpr Field k_vp_cfg_tp[] = {
    {"STRIDE", 144, 8, 2, Kind::integer, 1, 255, {}, "stride in height and width"},
    {"KERNEL", 160, 8, 2, Kind::integer, 1, 255, {}, "window height and width"},
    {"Tile", 96, 16, 3, Kind::integer, 1, 65535, {}, "extent computed: C, H, W of the output"},
    {"T1F", 176, 3, 1, Kind::integer, 0, 7, {}, "dimensions that tensor 1 has: bit 0 C, bit 1 W, bit 2 H; the others have extent 1 and are repeated"},
    {"T0F", 179, 3, 1, Kind::integer, 0, 7, {}, "dimensions that tensor 0 has, likewise; a vp_pool's has all three"},
    {"PADV_AREA", 64, 32, 1, Kind::floating_point, 0, 0, {}, "value outside of the map, after dequantisation"},
};
inline constexpr Field k_vp_cfg_lut[] = {
    {"LO", 64, 32, 1, Kind::floating_point, 0, 0, {}, "argument at the table's first entry"},
    {"STEP", 96, 32, 1, Kind::floating_point, 0, 0, {}, "segments of the table for each unit of the argument"},
    {"TBSG", 128, 4, 1, Kind::integer, 0, 15, {}, "L2 region of the table"},
    {"Taddr", 160, 32, 1, Kind::integer, 0, 4294967295, {}, "table of FP32 entries, L2 byte address"},
};
inline constexpr Field k_vp_cfg_rs[] = {
    {"NUM", 64, 16, 2, Kind::integer, 0, 65535, {}, "resize: numerator of the source's step for each output row, and column"},
    {"DEN", 96, 16, 2, Kind::integer, 1, 65535, {}, "its denominator"},
    {"OFFSET", 128, 32, 2, Kind::integer, -2147483648, 2147483647, {}, "source of output row, and column, 0, in units of 1 / (2 DEN)"},
};
inline constexpr Field k_vp_self[] = {
    {"IQEN", 160, 1, 1, Kind::integer, 0, 1, {}, "dequantise the input"},
    {"QEN", 161, 2, 1, Kind::integer, 0, 3, {}, "quantise the output: bit 0 with QK, bit 1 with QB"},
    {"SHMD", 163, 4, 1, Kind::integer, 0, 15, {}, "the output times 2 to the power of -SHMD"},
    {"GPMD", 167, 8, 1, Kind::integer, 0, 255, {}, "group path: 4 one tensor, 5 a tensor and a scalar, 69 two tensors"},
    {"CMPD", 175, 4, 1, Kind::enumeration, 0, 0, {&kCmpd}, "dimensions of a maximum or minimum"},
    {"TREED", 179, 4, 1, Kind::enumeration, 0, 0, {&kTreed}, "order of a sum: one after another, or in eight lanes"},
    {"ACCD", 183, 4, 1, Kind::enumeration, 0, 0, {&kAccd}, "dimensions of a sum or mean"},
    {"TM", 187, 4, 1, Kind::integer, 0, 0, {}, "tensor mode: NHWC"},
    {"SWRS", 192, 4, 1, Kind::enumeration, 0, 0, {&kSwrs}, "scalar register that gets the result of a reduction over all dimensions"},
    {"LUT", 196, 8, 1, Kind::integer, 0, 255, {}, "function: docs/isa/tile.md, Vector functions"},
    {"SBSG", 204, 4, 1, Kind::integer, 0, 15, {}, "L2 region of tensor 0"},
    {"SBSG1", 208, 4, 1, Kind::integer, 0, 15, {}, "L2 region of tensor 1"},
    {"DBSG", 212, 4, 1, Kind::integer, 0, 15, {}, "L2 region of the destination"},
    {"STaddr", 64, 32, 1, Kind::integer, 0, 4294967295, {}, "tensor at STaddr, L2 byte address"},
    {"STaddr1", 96, 32, 1, Kind::integer, 0, 4294967295, {}, "tensor at STaddr1, L2 byte address"},
    {"DTaddr", 128, 32, 1, Kind::integer, 0, 4294967295, {}, "destination, L2 byte address"},
};
inline constexpr Field k_vp_pool[] = {
    {"IQEN", 160, 1, 1, Kind::integer, 0, 1, {}, "dequantise the input"},
    {"QEN", 161, 2, 1, Kind::integer, 0, 3, {}, "quantise the output: bit 0 with QK, bit 1 with QB"},
    {"SHMD", 163, 4, 1, Kind::integer, 0, 15, {}, "the output times 2 to the power of -SHMD"},
    {"GPMD", 167, 8, 1, Kind::integer, 0, 255, {}, "group path: 4, one tensor"},
    {"CMPD", 175, 4, 1, Kind::enumeration, 0, 0, {&kCmpd}, "DEFAULT: a pool compares over its window"},
    {"TREED", 179, 4, 1, Kind::enumeration, 0, 0, {&kTreed}, "DEFAULT: the window's elements one after another"},
    {"ACCD", 183, 4, 1, Kind::enumeration, 0, 0, {&kAccd}, "DEFAULT: a pool adds over its window"},
    {"SWRS", 187, 4, 1, Kind::enumeration, 0, 0, {&kSwrs}, "DEFAULT: a pool writes no scalar register"},
    {"LUT", 192, 8, 1, Kind::integer, 0, 255, {}, "function: 17 maximum or minimum pool, 56 average pool, 48 nearest, 49 bilinear resize"},
    {"IPH", 128, 16, 1, Kind::integer, -32768, 32767, {}, "first row in the source map; negative is outside. Of a resize: number of the first output row"},
    {"IPW", 144, 16, 1, Kind::integer, -32768, 32767, {}, "first column in the source map; negative is outside. Of a resize: number of the first output column"},
    {"SBSG", 200, 4, 1, Kind::integer, 0, 15, {}, "L2 region of the source"},
    {"DBSG", 204, 4, 1, Kind::integer, 0, 15, {}, "L2 region of the destination"},
    {"STaddr", 64, 32, 1, Kind::integer, -2147483648, 2147483647, {}, "source, L2 byte address of the pixel at IPH, IPW"},
    {"DTaddr", 96, 32, 1, Kind::integer, 0, 4294967295, {}, "destination, L2 byte address"},
};
inline constexpr Field k_dt_cfg[] = {
    {"DF", 160, 4, 1, Kind::enumeration, 0, 0, {&kDataFmt}, "data format"},
    {"STile", 64, 16, 3, Kind::integer, 1, 65535, {}, "source map C, H, W"},
    {"DTile", 112, 16, 3, Kind::integer, 1, 65535, {}, "destination map C, H, W"},
};
inline constexpr Field k_dt_cal[] = {
    {"Order", 192, 4, 1, Kind::integer, 0, 13, {}, "from which order of dimensions to which: docs/isa/tile.md, Transforms"},
    {"SBSG", 196, 4, 1, Kind::integer, 0, 15, {}, "L2 region of the source"},
    {"DBSG", 200, 4, 1, Kind::integer, 0, 15, {}, "L2 region of the destination"},
    {"STaddr", 64, 32, 1, Kind::integer, 0, 4294967295, {}, "source, L2 byte address"},
    {"DTaddr", 96, 32, 1, Kind::integer, 0, 4294967295, {}, "destination, L2 byte address"},
    {"Tile", 128, 16, 4, Kind::integer, 1, 65535, {}, "extent copied: N, C, H, W"},
};
inline constexpr Field k_sta_cfg[] = {
    {"SME", 160, 1, 1, Kind::integer, 0, 1, {}, "destination in DRAM dense (1) or with pixels padded to 8 bytes as in L2 (0)"},
    {"RS", 161, 2, 1, Kind::integer, 0, 3, {}, "parameter register set that the configuration is written to, or that the instruction uses"},
    {"BAS", 163, 2, 1, Kind::integer, 0, 3, {}, "base address register: the DRAM window"},
    {"DF", 165, 4, 1, Kind::enumeration, 0, 0, {&kDataFmt}, "data format"},
    {"STile", 64, 16, 3, Kind::integer, 1, 65535, {}, "source map C, H, W: strides in L2"},
    {"DTile", 112, 16, 3, Kind::integer, 1, 65535, {}, "destination map C, H, W: strides in DRAM"},
    {"CVT", 169, 4, 1, Kind::enumeration, 0, 0, {&kConversion}, "format at the destination, where it is not DF", true},
};
inline constexpr Field k_sta_mov[] = {
    {"RS", 192, 2, 1, Kind::integer, 0, 3, {}, "parameter register set that the configuration is written to, or that the instruction uses"},
    {"SBSG", 194, 4, 1, Kind::integer, 0, 15, {}, "L2 region of the source"},
    {"STaddr", 64, 32, 1, Kind::integer, 0, 4294967295, {}, "source, L2 byte address"},
    {"DTaddr", 96, 32, 1, Kind::integer, 0, 4294967295, {}, "destination, bytes from the window's base"},
    {"Tile", 128, 16, 4, Kind::integer, 1, 65535, {}, "extent moved: N, C, H, W"},
};
inline constexpr Field k_si_cfg[] = {
    {"DF", 160, 4, 1, Kind::enumeration, 0, 0, {&kDataFmt}, "data format"},
    {"STile", 64, 16, 3, Kind::integer, 1, 65535, {}, "source map C, H, W: strides in L2"},
    {"DTile", 112, 16, 3, Kind::integer, 1, 65535, {}, "destination map C, H, W: strides in L2"},
};
inline constexpr Field k_si_mov[] = {
    {"CORE", 192, 2, 1, Kind::integer, 0, 3, {}, "the other core, counted from the task's first"},
    {"DBSG", 194, 4, 1, Kind::integer, 0, 15, {}, "L2 region of the destination, in this core"},
    {"STaddr", 64, 32, 1, Kind::integer, 0, 4294967295, {}, "source, L2 byte address in the other core"},
    {"DTaddr", 96, 32, 1, Kind::integer, 0, 4294967295, {}, "destination, L2 byte address in this core"},
    {"Tile", 128, 16, 4, Kind::integer, 1, 65535, {}, "extent moved: N, C, H, W"},
    {"Prev_Cores", 200, 4, 1, Kind::integer, 0, 15, {}, "bit i: takes a token that core i has put for this core and class"},
    {"Next_Cores", 204, 4, 1, Kind::integer, 0, 15, {}, "bit i: puts a token for core i"},
};
inline constexpr Field k_si_sync[] = {
    {"Prev_Cores", 200, 4, 1, Kind::integer, 0, 15, {}, "bit i: takes a token that core i has put for this core and class"},
    {"Next_Cores", 204, 4, 1, Kind::integer, 0, 15, {}, "bit i: puts a token for core i"},
};
inline constexpr Field k_so_cfg[] = {
    {"DF", 160, 4, 1, Kind::enumeration, 0, 0, {&kDataFmt}, "data format"},
    {"STile", 64, 16, 3, Kind::integer, 1, 65535, {}, "source map C, H, W: strides in L2"},
    {"DTile", 112, 16, 3, Kind::integer, 1, 65535, {}, "destination map C, H, W: strides in L2"},
};
inline constexpr Field k_so_mov[] = {
    {"CORE", 192, 2, 1, Kind::integer, 0, 3, {}, "the other core, counted from the task's first"},
    {"SBSG", 194, 4, 1, Kind::integer, 0, 15, {}, "L2 region of the source, in this core"},
    {"STaddr", 64, 32, 1, Kind::integer, 0, 4294967295, {}, "source, L2 byte address in this core"},
    {"DTaddr", 96, 32, 1, Kind::integer, 0, 4294967295, {}, "destination, L2 byte address in the other core"},
    {"Tile", 128, 16, 4, Kind::integer, 1, 65535, {}, "extent moved: N, C, H, W"},
    {"Prev_Cores", 200, 4, 1, Kind::integer, 0, 15, {}, "bit i: takes a token that core i has put for this core and class"},
    {"Next_Cores", 204, 4, 1, Kind::integer, 0, 15, {}, "bit i: puts a token for core i"},
};
inline constexpr Field k_so_sync[] = {
    {"Prev_Cores", 200, 4, 1, Kind::integer, 0, 15, {}, "bit i: takes a token that core i has put for this core and class"},
    {"Next_Cores", 204, 4, 1, Kind::integer, 0, 15, {}, "bit i: puts a token for core i"},
};  // clang-format on

}  // namespace detail

// clang-format off
inline constexpr Instruction kInstructions[] = {
    {"ct_st", Opcode::ct_st, Class::CT, false, {}, "start of the task"},
    {"ct_bc", Opcode::ct_bc, Class::CT, false, detail::k_ct_bc, "buffer cut: divides the L2 buffer into loop regions"},
    {"ct_ed", Opcode::ct_ed, Class::CT, false, {}, "end of the task"},
    {"lda_cfg", Opcode::lda_cfg, Class::LD, true, detail::k_lda_cfg, "activation load: formats and strides"},
    {"lda_mov", Opcode::lda_mov, Class::LD, false, detail::k_lda_mov, "activation load, DRAM to L2"},
    {"ldw_cfg", Opcode::ldw_cfg, Class::LD, true, detail::k_ldw_cfg, "weight load into L2: format and record shape"},
    {"ldw_mov", Opcode::ldw_mov, Class::LD, false, detail::k_ldw_mov, "weight load, DRAM to L2"},
    {"lw_cfg", Opcode::lw_cfg, Class::LW, true, detail::k_lw_cfg, "weight load into WL0: format and record shape"},
    {"lw_mov", Opcode::lw_mov, Class::LW, false, detail::k_lw_mov, "weight load into WL0, from DRAM or L2"},
    {"pe_cfg_fm", Opcode::pe_cfg_fm, Class::PE, true, detail::k_pe_cfg_fm, "convolution: formats and feature maps"},
    {"pe_cfg_pm", Opcode::pe_cfg_pm, Class::PE, true, detail::k_pe_cfg_pm, "convolution: activation, requantisation, stride"},
    {"pe_cfg_dq", Opcode::pe_cfg_dq, Class::PE, true, detail::k_pe_cfg_dq, "convolution: dequantisation"},
    {"pe_cfg_tp", Opcode::pe_cfg_tp, Class::PE, true, detail::k_pe_cfg_tp, "convolution: kernel and tile"},
    {"pe_cfg_lut", Opcode::pe_cfg_lut, Class::PE, true, detail::k_pe_cfg_lut, "convolution: table of the activation SILU"},
    {"pe_conv", Opcode::pe_conv, Class::PE, false, detail::k_pe_conv, "convolution or fully connected layer, L2 to L2"},
    {"vp_cfg_gcs", Opcode::vp_cfg_gcs, Class::VP, true, detail::k_vp_cfg_gcs, "vector: compare and group 0"},
    {"vp_cfg_gms", Opcode::vp_cfg_gms, Class::VP, true, detail::k_vp_cfg_gms, "vector: multiply group"},
    {"vp_cfg_sms", Opcode::vp_cfg_sms, Class::VP, true, detail::k_vp_cfg_sms, "vector: sum and multiply"},
    {"vp_cfg_qp", Opcode::vp_cfg_qp, Class::VP, true, detail::k_vp_cfg_qp, "vector: quantisation"},
    {"vp_cfg_iq", Opcode::vp_cfg_iq, Class::VP, true, detail::k_vp_cfg_iq, "vector: dequantisation of tensor 0"},
    {"vp_cfg_iq1", Opcode::vp_cfg_iq1, Class::VP, true, detail::k_vp_cfg_iq1, "vector: dequantisation of tensor 1"},
    {"vp_cfg_fm", Opcode::vp_cfg_fm, Class::VP, true, detail::k_vp_cfg_fm, "vector: formats and feature maps"},
    {"vp_cfg_tp", Opcode::vp_cfg_tp, Class::VP, true, detail::k_vp_cfg_tp, "vector: stride, kernel, tile"},
    {"vp_cfg_lut", Opcode::vp_cfg_lut, Class::VP, true, detail::k_vp_cfg_lut, "vector: look-up table"},
    {"vp_cfg_rs", Opcode::vp_cfg_rs, Class::VP, true, detail::k_vp_cfg_rs, "vector: resize"},
    {"vp_self", Opcode::vp_self, Class::VP, false, detail::k_vp_self, "vector: element-wise on one or two tensors, L2 to L2"},
    {"vp_pool", Opcode::vp_pool, Class::VP, false, detail::k_vp_pool, "vector: pooling, L2 to L2"},
    {"dt_cfg", Opcode::dt_cfg, Class::DT, true, detail::k_dt_cfg, "data transform: format and maps"},
    {"dt_cal", Opcode::dt_cal, Class::DT, false, detail::k_dt_cal, "data transform, L2 to L2"},
    {"sta_cfg", Opcode::sta_cfg, Class::ST, true, detail::k_sta_cfg, "store: formats and strides"},
    {"sta_mov", Opcode::sta_mov, Class::ST, false, detail::k_sta_mov, "store, L2 to DRAM"},
    {"si_cfg", Opcode::si_cfg, Class::SI, true, detail::k_si_cfg, "load from another core: format and strides"},
    {"si_mov", Opcode::si_mov, Class::SI, false, detail::k_si_mov, "load from another core's L2 into this one's"},
    {"si_sync", Opcode::si_sync, Class::SI, false, detail::k_si_sync, "takes and puts tokens, and moves nothing"},
    {"so_cfg", Opcode::so_cfg, Class::SO, true, detail::k_so_cfg, "store to another core: format and strides"},
    {"so_mov", Opcode::so_mov, Class::SO, false, detail::k_so_mov, "store from this core's L2 into another one's"},
    {"so_sync", Opcode::so_sync, Class::SO, false, detail::k_so_sync, "takes and puts tokens, and moves nothing"},
};
// clang-format on

struct Traits {
  using Opcode = tile::Opcode;
  using Instruction = tile::Instruction;
  using MachineCode = tile::MachineCode;
  using Integer = std::int64_t;
  static constexpr const auto &kInstructions = tile::kInstructions;
  static constexpr bool kFiniteFloats = true;
  static constexpr std::span<const Field> opcode_fields(const Instruction & /*row*/) { return detail::kOpcodeFields; }
  static constexpr std::uint32_t first_word(const Instruction &row) { return static_cast<std::uint32_t>(row.opcode) << kOpcodeBit; }
  static constexpr std::span<const Field> header(const Instruction &row) {
    const std::span<const Field> all = detail::kHeader;
    if (row.configuration) return all.first(detail::kConfigurationHeader);
    return takes_batch(row.opcode) ? all : all.first(detail::kPlainHeader);
  }
};
using Set = InstructionSet<Traits>;
Traits traits_of(Opcode);

}  // namespace cox::isa::tile

extern template class cox::isa::InstructionSet<cox::isa::tile::Traits>;

namespace cox::isa::tile {

// Short names for the set's functions (isa/instruction_set.h) and fields (isa/named_field.h).
constexpr const Instruction *find_instruction(Opcode opcode) { return Set::find(static_cast<std::uint32_t>(opcode)); }
constexpr const Instruction *find_instruction(std::string_view name) { return Set::find(name); }
inline Status check(const MachineCode &code) { return Set::check(code); }
/// A field of the instruction itself. The fields of the header have functions in isa/tile/encode.h.
constexpr const Field *find_field(const Instruction &instruction, std::string_view name) {
  for (const Field &field : instruction.fields) {
    if (name == field.name) return &field;
  }
  return nullptr;
}
using isa::get, isa::same_bits;
/// The field's entry in the table, or nullptr.
template <Opcode Op, FixedString Name>
consteval const Field *field_named() {
  return isa::detail::kFound<Op, Name>;
}

}  // namespace cox::isa::tile
