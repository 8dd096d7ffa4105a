// SPDX-License-Identifier: MIT
// The matrix unit's instruction set: every instruction with its pipe, its fields, their bits, ranges and meaning. docs/isa/cube.md is
// generated from it. MAD's fields are the parameters of the published function `mad` (docs/isa/cube.md, MAD); this project defines the
// other instructions.
#pragma once

#include <span>
#include <string_view>

#include "coxswain/isa/cube/instruction.h"
#include "coxswain/isa/cube/layout.h"
#include "coxswain/isa/field.h"
#include "coxswain/isa/instruction_set.h"
#include "coxswain/isa/named_field.h"

namespace cox::isa::cube {

struct Instruction {
  const char *name;
  Opcode opcode;
  Pipe pipe;  ///< the pipe that runs it; for SET_FLAG and WAIT_FLAG, the field Pipe says which; BARRIER has none
  std::span<const Field> fields;
  Meaning meaning;
};

enum class Format : std::uint8_t { linear = 0, fractal = 1 };
enum class ScaleMode : std::uint8_t { none = 0, tensor = 1, channel = 2 };
enum class Activation : std::uint8_t { None = 0, ReLU = 1, LeakyReLU = 2, Clip = 3 };
/// The type of results that leave L0C.
enum class OutputType : std::uint8_t { float32 = 0, half = 1, bfloat16 = 2, int32 = 3, int8 = 4 };

constexpr std::uint32_t element_bytes(OutputType type) {
  switch (type) {
    case OutputType::float32:
    case OutputType::int32: return 4;
    case OutputType::int8: return 1;
    default: return 2;
  }
}

namespace detail {

inline constexpr EnumValue kPipeValues[] = {{"MTE2", 0}, {"MTE1", 1}, {"M", 2}, {"FIX", 3}};
inline constexpr EnumType kPipe{"Pipe", kPipeValues};
inline constexpr EnumValue kTypeValues[] = {{"bfloat16", 0}, {"half", 1}, {"float", 2}, {"int8", 3}, {"int4", 4}};
inline constexpr EnumType kType{"Type", kTypeValues};
inline constexpr EnumValue kFormatValues[] = {{"Linear", 0}, {"Fractal", 1}};
inline constexpr EnumType kFormat{"Format", kFormatValues};
inline constexpr EnumValue kScaleModeValues[] = {{"None", 0}, {"Tensor", 1}, {"Channel", 2}};
inline constexpr EnumType kScaleMode{"ScaleMode", kScaleModeValues};
inline constexpr EnumValue kActivationValues[] = {{"None", 0}, {"ReLU", 1}, {"LeakyReLU", 2}, {"Clip", 3}};
inline constexpr EnumType kActivation{"Activation", kActivationValues};
inline constexpr EnumValue kOutputTypeValues[] = {{"float", 0}, {"half", 1}, {"bfloat16", 2}, {"int32", 3}, {"int8", 4}};
inline constexpr EnumType kOutputType{"OutputType", kOutputTypeValues};

inline constexpr std::int64_t kAllBits = 0xFFFFFFFF;
inline constexpr std::int64_t kMostL1 = kL1Bytes - 1, kMostL0C = kL0CBytes - 1, kMostL0 = kL0ABytes - 1;
static_assert(kL0ABytes == kL0BBytes);

// clang-format off
inline constexpr Field kOpcodeFields[] = {{"opcode", kOpcodeBit, kOpcodeWidth, 1, Kind::integer, 1, 255, {}, "the instruction"}};
/// The flags of every instruction except BARRIER. See mask_bit().
inline constexpr Field kHeader[] = {
    {"Wait", kWaitBit, kMaskWidth, 1, Kind::integer, 0, 0xFFFFFF, {}, "flags that it takes before it starts: 8 events of each other pipe"},
    {"Set", kSetBit, kMaskWidth, 1, Kind::integer, 0, 0xFFFFFF, {}, "flags that it sets when it has ended: 8 events of each other pipe"},
};
inline constexpr Field k_SET_FLAG[] = {
    {"Pipe", 64, 2, 1, Kind::enumeration, 0, 3, {&kPipe}, "the pipe that sets the flag"},
    {"Target", 66, 2, 1, Kind::enumeration, 0, 3, {&kPipe}, "the pipe that waits for it, another one"},
    {"Event", 68, 3, 1, Kind::integer, 0, 7, {}, "number of the flag between the two pipes"},
};
inline constexpr Field k_WAIT_FLAG[] = {
    {"Pipe", 64, 2, 1, Kind::enumeration, 0, 3, {&kPipe}, "the pipe that waits for the flag"},
    {"Origin", 66, 2, 1, Kind::enumeration, 0, 3, {&kPipe}, "the pipe that sets it, another one"},
    {"Event", 68, 3, 1, Kind::integer, 0, 7, {}, "number of the flag between the two pipes"},
};
inline constexpr Field k_BARRIER[] = {
    {"Pipes", 64, 4, 1, Kind::integer, 1, 15, {}, "one bit for each pipe, MTE2 in bit 0: these pipes end everything that they were given before any pipe gets the next instruction"},
};
inline constexpr Field k_DRAM_TO_L1[] = {
    {"Source", 64, 32, 1, Kind::integer, 0, kAllBits, {}, "bus address of the first row, low 32 bits"},
    {"SourceHigh", 96, 16, 1, Kind::integer, 0, 65535, {}, "bus address, upper bits"},
    {"Rows", 112, 16, 1, Kind::integer, 1, 65535, {}, "rows"},
    {"SourcePitch", 128, 32, 1, Kind::integer, 0, kAllBits, {}, "bytes from one row to the next in DRAM; 0 reads one row again and again"},
    {"RowBytes", 160, 20, 1, Kind::integer, 1, kMostL1, {}, "bytes of a row"},
    {"Format", 180, 1, 1, Kind::enumeration, 0, 1, {&kFormat}, "layout in L1: rows, or fractals that zeros complete"},
    {"Destination", 192, 20, 1, Kind::integer, 0, kMostL1, {}, "L1 address; Fractal: a multiple of 512"},
    {"DestinationPitch", 224, 20, 1, Kind::integer, 0, kMostL1, {}, "Linear: bytes from one row to the next; Fractal: number of fractals in a column, at least ceil(Rows / 16)"},
};
inline constexpr Field k_L1_TO_L0A[] = {
    {"Source", 64, 20, 1, Kind::integer, 0, kMostL1, {}, "L1 address of the first fractal, a multiple of 512"},
    {"Type", 84, 3, 1, Kind::enumeration, 0, 4, {&kType}, "type of the elements"},
    {"Transpose", 87, 1, 1, Kind::boolean, 0, 1, {}, "L1 holds the k x m matrix instead of the m x k matrix"},
    {"KDirectionAlign", 88, 1, 1, Kind::boolean, 0, 1, {}, "float: K is aligned to 16, as in MAD"},
    {"Destination", 96, 16, 1, Kind::integer, 0, kMostL0, {}, "L0A address, a multiple of 512"},
    {"SourcePitch", 128, 12, 1, Kind::integer, 1, kL1Bytes / kFractalBytes, {}, "number of fractals in a column in L1"},
    {"Rows", 160, 12, 1, Kind::integer, 1, 4095, {}, "m, elements"},
    {"Columns", 176, 12, 1, Kind::integer, 1, 4095, {}, "k, elements"},
};
inline constexpr Field k_L1_TO_L0B[] = {
    {"Source", 64, 20, 1, Kind::integer, 0, kMostL1, {}, "L1 address of the first fractal, a multiple of 512"},
    {"Type", 84, 3, 1, Kind::enumeration, 0, 4, {&kType}, "type of the elements"},
    {"Transpose", 87, 1, 1, Kind::boolean, 0, 1, {}, "L1 holds the k x n matrix instead of the n x k matrix"},
    {"KDirectionAlign", 88, 1, 1, Kind::boolean, 0, 1, {}, "float: K is aligned to 16, as in MAD"},
    {"Destination", 96, 16, 1, Kind::integer, 0, kMostL0, {}, "L0B address, a multiple of 512"},
    {"SourcePitch", 128, 12, 1, Kind::integer, 1, kL1Bytes / kFractalBytes, {}, "number of fractals in a column in L1"},
    {"Rows", 160, 12, 1, Kind::integer, 1, 4095, {}, "k, elements"},
    {"Columns", 176, 12, 1, Kind::integer, 1, 4095, {}, "n, elements"},
};
inline constexpr Field k_IM2COL_CFG[] = {
    {"Height", 64, 12, 1, Kind::integer, 1, 4095, {}, "rows of the map in L1"},
    {"Width", 80, 12, 1, Kind::integer, 1, 4095, {}, "its columns"},
    {"Channels", 96, 16, 1, Kind::integer, 1, 65535, {}, "elements of a pixel that are read; int4: even"},
    {"Type", 112, 3, 1, Kind::enumeration, 0, 4, {&kType}, "type of the elements"},
    {"PadValue", 120, 8, 1, Kind::integer, -128, 127, {}, "value of the padding around the map; 0 for types other than int8"},
    {"PixelPitch", 128, 16, 1, Kind::integer, 1, 65535, {}, "bytes from one pixel to the next"},
    {"KernelHeight", 144, 8, 1, Kind::integer, 1, 255, {}, "rows of the kernel"},
    {"KernelWidth", 152, 8, 1, Kind::integer, 1, 255, {}, "its columns"},
    {"RowPitch", 160, 20, 1, Kind::integer, 1, kMostL1, {}, "bytes from one row of the map to the next"},
    {"StrideY", 192, 6, 1, Kind::integer, 1, 63, {}, "rows from one place of the kernel to the next one below"},
    {"StrideX", 200, 6, 1, Kind::integer, 1, 63, {}, "columns from one place of the kernel to the next"},
    {"DilationY", 208, 6, 1, Kind::integer, 1, 63, {}, "rows from one row of the kernel to the next"},
    {"DilationX", 216, 6, 1, Kind::integer, 1, 63, {}, "columns from one column of the kernel to the next"},
    {"PadTop", 224, 8, 1, Kind::integer, 0, 255, {}, "rows of padding above the map"},
    {"PadLeft", 232, 8, 1, Kind::integer, 0, 255, {}, "columns of padding to the left of the map"},
    {"OutWidth", 240, 12, 1, Kind::integer, 1, 4095, {}, "number of places of the kernel in a row"},
};
inline constexpr Field k_IM2COL_TO_L0A[] = {
    {"Source", 64, 20, 1, Kind::integer, 0, kMostL1, {}, "L1 address of the map's first pixel"},
    {"KDirectionAlign", 88, 1, 1, Kind::boolean, 0, 1, {}, "float: K is aligned to 16, as in MAD"},
    {"Destination", 96, 16, 1, Kind::integer, 0, kMostL0, {}, "L0A address, a multiple of 512"},
    {"FirstPlace", 128, 24, 1, Kind::integer, 0, 0xFFFFFF, {}, "number of the kernel's place for row 0, counted row by row"},
    {"Rows", 160, 12, 1, Kind::integer, 1, 4095, {}, "m: places"},
    {"Columns", 176, 12, 1, Kind::integer, 1, 4095, {}, "k: number of elements (kernel row, kernel column, channel); the channel changes fastest"},
    {"FirstColumn", 192, 24, 1, Kind::integer, 0, 0xFFFFFF, {}, "the first of these elements; elements after the last one are zeros"},
};
inline constexpr Field k_L1_TO_BT[] = {
    {"Source", 64, 20, 1, Kind::integer, 0, kMostL1, {}, "L1 address, a multiple of 64"},
    {"Destination", 96, 10, 1, Kind::integer, 0, kBiasTableBytes - 1, {}, "bias table address, a multiple of 64"},
    {"Bytes", 112, 11, 1, Kind::integer, 64, kBiasTableBytes, {}, "a multiple of 64"},
};
inline constexpr Field k_MAD[] = {
    {"Destination", 64, 32, 1, Kind::integer, 0, kMostL0C, {}, "c[31:0]: L0C address, a multiple of 1,024"},
    {"BiasAddress", 96, 32, 1, Kind::integer, 0, kAllBits, {}, "c[63:32]: bias table address in bytes, a multiple of 64 if it is used; beyond 1,024 it wraps, with a warning"},
    {"Left", 128, 24, 1, Kind::integer, 0, kMostL0, {}, "a: L0A address, a multiple of 512"},
    {"FeatOffset", 152, 8, 1, Kind::integer, 0, 0, {}, "not enabled in this version: 0"},
    {"Right", 160, 24, 1, Kind::integer, 0, kMostL0, {}, "b: L0B address, a multiple of 512"},
    {"SmaskOffset", 184, 8, 1, Kind::integer, 0, 0, {}, "not enabled in this version: 0"},
    {"M", 192, 12, 1, Kind::integer, 0, 4095, {}, "height of a; 0: MAD does nothing and warns"},
    {"K", 204, 12, 1, Kind::integer, 0, 4095, {}, "width of a and height of b; 0: MAD does nothing and warns; int4: even"},
    {"UnitFlag", 216, 8, 1, Kind::integer, 0, 0, {}, "reserved: 0"},
    {"N", 224, 12, 1, Kind::integer, 0, 4095, {}, "width of b; 0: MAD does nothing and warns"},
    {"Type", 236, 3, 1, Kind::enumeration, 0, 4, {&kType}, "of a and b"},
    {"KDirectionAlign", 239, 1, 1, Kind::boolean, 0, 1, {}, "float: K is aligned to 16 in L0A and L0B instead of 8; other types ignore this field"},
    {"IsWeightOffset", 240, 1, 1, Kind::integer, 0, 0, {}, "not enabled in this version: 0"},
    {"CmatrixSource", 241, 1, 1, Kind::boolean, 0, 1, {}, "c starts from the bias table, the same for every row, instead of L0C; only without CmatrixInitVal"},
    {"CmatrixInitVal", 242, 1, 1, Kind::boolean, 0, 1, {}, "c starts from 0"},
};
inline constexpr Field k_OUT_CFG[] = {
    {"Scale", 64, 32, 1, Kind::floating_point, 0, 0, {}, "factor of all columns, with ScaleMode Tensor"},
    {"Beta", 96, 32, 1, Kind::floating_point, 0, 0, {}, "factor of the residual"},
    {"ScaleAddress", 128, 20, 1, Kind::integer, 0, kMostL1, {}, "L1 address of the FP32 factors, one for each channel, a multiple of 4, with ScaleMode Channel"},
    {"ScaleMode", 148, 2, 1, Kind::enumeration, 0, 2, {&kScaleMode}, "the factor that multiplies the accumulators"},
    {"BiasAddress", 160, 20, 1, Kind::integer, 0, kMostL1, {}, "L1 address of the biases, one for each channel (FP32; INT32 for INT32 accumulators), a multiple of 4"},
    {"Bias", 180, 1, 1, Kind::boolean, 0, 1, {}, "biases are added"},
    {"ResidualPitch", 192, 20, 1, Kind::integer, 0, kMostL1, {}, "bytes from one row of the residual to the next"},
    {"Residual", 212, 1, 1, Kind::boolean, 0, 1, {}, "Beta times the residual is added"},
    {"Activation", 213, 3, 1, Kind::enumeration, 0, 3, {&kActivation}, "activation"},
    {"ZeroPoint", 216, 8, 1, Kind::integer, -128, 127, {}, "added to INT8 results after rounding"},
    {"ActivationParameter", 224, 32, 1, Kind::floating_point, 0, 0, {}, "LeakyReLU: the slope below 0; Clip: the upper limit"},
};
inline constexpr Field k_L0C_TO_DRAM[] = {
    {"Destination", 64, 32, 1, Kind::integer, 0, kAllBits, {}, "bus address of element (0, 0), low 32 bits"},
    {"DestinationHigh", 96, 16, 1, Kind::integer, 0, 65535, {}, "bus address, upper bits"},
    {"Channel", 112, 16, 1, Kind::integer, 0, 65535, {}, "channel of column 0: index into factors and biases"},
    {"DestinationPitch", 128, 32, 1, Kind::integer, 0, kAllBits, {}, "bytes from one row to the next"},
    {"Source", 160, 18, 1, Kind::integer, 0, kMostL0C, {}, "L0C address, a multiple of 1,024"},
    {"Integer", 178, 1, 1, Kind::boolean, 0, 1, {}, "accumulators are INT32 instead of FP32"},
    {"To", 179, 3, 1, Kind::enumeration, 0, 4, {&kOutputType}, "type of the results"},
    {"Rows", 192, 12, 1, Kind::integer, 1, 4095, {}, "m"},
    {"Columns", 208, 12, 1, Kind::integer, 1, 4095, {}, "n"},
    {"ResidualAddress", 224, 20, 1, Kind::integer, 0, kMostL1, {}, "L1 address of the residual's element (0, 0); the residual has the type of the results"},
    {"SourcePitch", 244, 9, 1, Kind::integer, 1, kL0CBytes / kAccumulatorFractalBytes, {}, "number of fractals in a column in L0C"},
};
inline constexpr Field k_L0C_TO_L1[] = {
    {"Destination", 64, 20, 1, Kind::integer, 0, kMostL1, {}, "L1 address of element (0, 0); Fractal: a multiple of 512"},
    {"Channel", 112, 16, 1, Kind::integer, 0, 65535, {}, "channel of column 0: index into factors and biases"},
    {"DestinationPitch", 128, 20, 1, Kind::integer, 0, kMostL1, {}, "Linear: bytes from one row to the next; Fractal: number of fractals in a column, at least ceil(Rows / 16)"},
    {"Source", 160, 18, 1, Kind::integer, 0, kMostL0C, {}, "L0C address, a multiple of 1,024"},
    {"Integer", 178, 1, 1, Kind::boolean, 0, 1, {}, "accumulators are INT32 instead of FP32"},
    {"To", 179, 3, 1, Kind::enumeration, 0, 4, {&kOutputType}, "type of the results"},
    {"Format", 182, 1, 1, Kind::enumeration, 0, 1, {&kFormat}, "layout in L1: rows, or fractals that zeros complete"},
    {"Rows", 192, 12, 1, Kind::integer, 1, 4095, {}, "m"},
    {"Columns", 208, 12, 1, Kind::integer, 1, 4095, {}, "n"},
    {"ResidualAddress", 224, 20, 1, Kind::integer, 0, kMostL1, {}, "L1 address of the residual's element (0, 0); the residual has the type of the results"},
    {"SourcePitch", 244, 9, 1, Kind::integer, 1, kL0CBytes / kAccumulatorFractalBytes, {}, "number of fractals in a column in L0C"},
};
// clang-format on

}  // namespace detail

// clang-format off
inline constexpr Instruction kInstructions[] = {
    {"SET_FLAG", Opcode::SET_FLAG, Pipe::MTE2, detail::k_SET_FLAG, "sets a flag when its pipe has ended everything that it was given before"},
    {"WAIT_FLAG", Opcode::WAIT_FLAG, Pipe::MTE2, detail::k_WAIT_FLAG, "waits for a flag before its pipe starts anything that it is given later"},
    {"BARRIER", Opcode::BARRIER, Pipe::MTE2, detail::k_BARRIER, "delays all pipes until some have ended what they were given"},
    {"DRAM_TO_L1", Opcode::DRAM_TO_L1, Pipe::MTE2, detail::k_DRAM_TO_L1, "rows from DRAM to L1"},
    {"L1_TO_L0A", Opcode::L1_TO_L0A, Pipe::MTE1, detail::k_L1_TO_L0A, "a matrix from L1's fractals to L0A's"},
    {"L1_TO_L0B", Opcode::L1_TO_L0B, Pipe::MTE1, detail::k_L1_TO_L0B, "a matrix from L1's fractals to L0B's"},
    {"IM2COL_CFG", Opcode::IM2COL_CFG, Pipe::MTE1, detail::k_IM2COL_CFG, "sets the map and the kernel of later IM2COL_TO_L0A"},
    {"IM2COL_TO_L0A", Opcode::IM2COL_TO_L0A, Pipe::MTE1, detail::k_IM2COL_TO_L0A, "a part of the im2col matrix of a map in L1 to L0A's fractals"},
    {"L1_TO_BT", Opcode::L1_TO_BT, Pipe::MTE1, detail::k_L1_TO_BT, "biases from L1 to the bias table"},
    {"MAD", Opcode::MAD, Pipe::M, detail::k_MAD, "c = a * b + c"},
    {"OUT_CFG", Opcode::OUT_CFG, Pipe::FIX, detail::k_OUT_CFG, "sets the computation of later L0C_TO_DRAM and L0C_TO_L1 on accumulators"},
    {"L0C_TO_DRAM", Opcode::L0C_TO_DRAM, Pipe::FIX, detail::k_L0C_TO_DRAM, "a matrix of accumulators, scaled and converted, to DRAM"},
    {"L0C_TO_L1", Opcode::L0C_TO_L1, Pipe::FIX, detail::k_L0C_TO_L1, "a matrix of accumulators, scaled and converted, to L1"},
};
// clang-format on

/// Wait and Set, which every instruction except BARRIER has.
inline constexpr std::span<const Field> kHeaderFields = detail::kHeader;

struct Traits {
  using Opcode = cube::Opcode;
  using Instruction = cube::Instruction;
  using MachineCode = cube::MachineCode;
  static constexpr const auto &kInstructions = cube::kInstructions;
  static constexpr bool kFiniteFloats = false;
  static constexpr std::span<const Field> opcode_fields(const Instruction & /*row*/) { return detail::kOpcodeFields; }
  static constexpr std::uint32_t first_word(const Instruction &row) { return static_cast<std::uint32_t>(row.opcode) << kOpcodeBit; }
  /// A BARRIER has no header fields (flags), because no pipe runs it.
  static constexpr std::span<const Field> header(const Instruction &row) {
    return row.opcode == Opcode::BARRIER ? std::span<const Field>() : kHeaderFields;
  }
  /// Returns true if the instruction is a MAD whose M, K or N is 0, and the field is not Type.
  static bool is_ignored(const Instruction &row, const MachineCode &code, const Field &field);
};
using Set = InstructionSet<Traits>;
Traits traits_of(Opcode);

}  // namespace cox::isa::cube

extern template class cox::isa::InstructionSet<cox::isa::cube::Traits>;

namespace cox::isa::cube {

// Short names for the set's functions (isa/instruction_set.h) and fields (isa/named_field.h).
constexpr const Instruction &instruction_of(Opcode opcode) { return Set::row(opcode); }
constexpr const Instruction *find_instruction(std::string_view name) { return Set::find(name); }
constexpr const Instruction *find_instruction(std::uint32_t first_word) { return Set::find(first_word); }
constexpr const Field *find_field(const Instruction &instruction, std::string_view name) { return Set::find_field(instruction, name); }
inline MachineCode begin(Opcode opcode) { return Set::begin(opcode); }
inline Status set(MachineCode &code, const Field &field, std::int64_t value) { return Set::set(code, field, value); }
inline Status check(const MachineCode &code) { return Set::check(code); }
inline unsigned field_bit(const Instruction &instruction, std::string_view name) { return Set::field_bit(instruction, name); }
inline const char *field_name(const Instruction &instruction, unsigned bit) { return Set::field_name(instruction, bit); }
using isa::field, isa::get, isa::kNoField, isa::put, isa::shift_of, isa::whole_word_of, isa::word_of;

}  // namespace cox::isa::cube
