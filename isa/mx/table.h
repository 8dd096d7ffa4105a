// SPDX-License-Identifier: MIT
// The MX instruction set: every instruction with its fields, their bits, ranges and meaning. docs/isa/mx.md is generated from it. The
// values of fields are those in the machine code: a channel field of 3 stands for 16 * (3 + 1) channels.
#pragma once

#include <span>
#include <string_view>

#include "coxswain/isa/field.h"
#include "coxswain/isa/instruction_set.h"
#include "coxswain/isa/mx/instruction.h"
#include "coxswain/isa/mx/published_form.h"
#include "coxswain/isa/named_field.h"

namespace cox::isa::mx {

struct Instruction {
  const char *name;
  Opcode opcode;
  std::uint8_t code;   ///< bits [3:0]
  std::uint8_t funct;  ///< bits [5:4]
  std::uint8_t bytes;  ///< 8, 16 or 24
  std::span<const Field> fields;
  Meaning meaning;
};

enum class Kernel : std::uint8_t { k1x1 = 0, k3x3 = 1 };
enum class Activation : std::uint8_t { None = 0, SiLU = 1, ReLU = 2 };
enum class PoolMode : std::uint8_t { Maximum = 0, Average = 1 };

namespace detail {

inline constexpr EnumValue kKernelValues[] = {{"1x1", 0}, {"3x3", 1}};
inline constexpr EnumType kKernel{"Kernel", kKernelValues};
inline constexpr EnumValue kActivationValues[] = {{"None", 0}, {"SiLU", 1}, {"ReLU", 2}};
inline constexpr EnumType kActivation{"Activation", kActivationValues};
inline constexpr EnumValue kPoolModeValues[] = {{"Maximum", 0}, {"Average", 1}};
inline constexpr EnumType kPoolMode{"PoolMode", kPoolModeValues};

inline constexpr std::int64_t kOffsetMaximum = kMostOffset;

// clang-format off
inline constexpr Field kOpcodeFields[] = {
    {"opcode", kOpcodeBit, kOpcodeWidth, 1, Kind::integer, 0, 15, {}, "the instruction, or a group of them"},
    {"funct", kFunctBit, kFunctWidth, 1, Kind::integer, 0, 3, {}, "the instruction within its group"},
};
inline constexpr Field k_CONFBADDR[] = {
    {"InputBase1", 6, 5, 1, Kind::integer, 0, 31, {}, "base register of InOffset, InOffset1"},
    {"InputBase2", 11, 5, 1, Kind::integer, 0, 31, {}, "base register of InOffset2"},
    {"OutputBase1", 16, 5, 1, Kind::integer, 0, 31, {}, "base register of OutOffset, OutOffset1"},
    {"OutputBase2", 21, 5, 1, Kind::integer, 0, 31, {}, "base register of OutOffset2"},
    {"WeightBase", 26, 5, 1, Kind::integer, 0, 31, {}, "base register of WeightOffset"},
};
inline constexpr Field k_CONVACT[] = {
    {"InChannels", 6, 7, 1, Kind::integer, 0, 63, {}, "input channels: 16 * (value + 1)"},
    {"OutChannels", 13, 7, 1, Kind::integer, 0, 63, {}, "output channels: 16 * (value + 1)"},
    {"Kernel", 20, 1, 1, Kind::enumeration, 0, 1, {&kKernel}, "kernel"},
    {"Stride", 21, 1, 1, Kind::integer, 0, 1, {}, "stride: value + 1"},
    {"Padding", 22, 1, 1, Kind::integer, 0, 1, {}, "rows and columns of padding on each side"},
    {"Activation", 23, 2, 1, Kind::enumeration, 0, 2, {&kActivation}, "activation"},
    {"Split", 25, 1, 1, Kind::boolean, 0, 1, {}, "the first half of the output channels goes to output 1, the rest to output 2"},
    {"InHeight", 32, 10, 1, Kind::integer, 0, 1023, {}, "height of the input map: value + 1"},
    {"InWidth", 42, 10, 1, Kind::integer, 0, 1023, {}, "width of the input map: value + 1"},
    {"InOffset", 72, 24, 1, Kind::integer, 0, kOffsetMaximum, {}, "input map, bytes from InputBase1"},
    {"WeightOffset", 96, 24, 1, Kind::integer, 0, kOffsetMaximum, {}, "weights and biases, bytes from WeightBase"},
    {"OutOffset1", 136, 24, 1, Kind::integer, 0, kOffsetMaximum, {}, "output map 1, bytes from OutputBase1"},
    {"OutOffset2", 160, 24, 1, Kind::integer, 0, kOffsetMaximum, {}, "output map 2, bytes from OutputBase2; only with Split"},
};
inline constexpr Field k_two_tensors[] = {
    {"InOffset1", 8, 24, 1, Kind::integer, 0, kOffsetMaximum, {}, "tensor 1, bytes from InputBase1"},
    {"InOffset2", 32, 24, 1, Kind::integer, 0, kOffsetMaximum, {}, "tensor 2, bytes from InputBase2"},
    {"Length2", 56, 8, 1, Kind::integer, 0, 255, {}, "length in blocks, bits 17 to 10; a length of 0 is 2^18"},
    {"OutOffset", 72, 24, 1, Kind::integer, 0, kOffsetMaximum, {}, "output, bytes from OutputBase1"},
    {"Length1", 96, 10, 1, Kind::integer, 0, 1023, {}, "length in blocks, bits 9 to 0"},
};
inline constexpr Field k_SMULI[] = {
    {"Immediate", 6, 16, 1, Kind::bfloat16, 0, 65535, {}, "factor"},
    {"Length1", 22, 10, 1, Kind::integer, 0, 1023, {}, "length in blocks, bits 9 to 0; a length of 0 is 2^18"},
    {"InOffset", 32, 24, 1, Kind::integer, 0, kOffsetMaximum, {}, "tensor, bytes from InputBase1"},
    {"Length2", 56, 8, 1, Kind::integer, 0, 255, {}, "length in blocks, bits 17 to 10"},
    {"OutOffset", 72, 24, 1, Kind::integer, 0, kOffsetMaximum, {}, "output, bytes from OutputBase1"},
};
inline constexpr Field k_one_tensor[] = {
    {"Length1", 22, 10, 1, Kind::integer, 0, 1023, {}, "length in blocks, bits 9 to 0; a length of 0 is 2^18"},
    {"InOffset", 32, 24, 1, Kind::integer, 0, kOffsetMaximum, {}, "tensor, bytes from InputBase1"},
    {"Length2", 56, 8, 1, Kind::integer, 0, 255, {}, "length in blocks, bits 17 to 10"},
    {"OutOffset", 72, 24, 1, Kind::integer, 0, kOffsetMaximum, {}, "output, bytes from OutputBase1"},
};
inline constexpr Field k_POOL[] = {
    {"Channels", 6, 7, 1, Kind::integer, 0, 63, {}, "channels: 16 * (value + 1)"},
    {"Padding", 20, 3, 1, Kind::integer, 0, 7, {}, "rows and columns of padding on each side; less than the kernel's side"},
    {"Mode", 23, 2, 1, Kind::enumeration, 0, 1, {&kPoolMode}, "maximum or average"},
    {"Kernel", 26, 4, 1, Kind::integer, 1, 15, {}, "side of the kernel"},
    {"Stride", 30, 2, 1, Kind::integer, 1, 3, {}, "stride"},
    {"InHeight", 32, 10, 1, Kind::integer, 0, 1023, {}, "height of the input map: value + 1"},
    {"InWidth", 42, 10, 1, Kind::integer, 0, 1023, {}, "width of the input map: value + 1"},
    {"InOffset", 72, 24, 1, Kind::integer, 0, kOffsetMaximum, {}, "input map, bytes from InputBase1"},
    {"OutOffset1", 136, 24, 1, Kind::integer, 0, kOffsetMaximum, {}, "output map, bytes from OutputBase1"},
};
inline constexpr Field k_MOVE[] = {
    {"InOffset", 8, 24, 1, Kind::integer, 0, kOffsetMaximum, {}, "source, bytes from InputBase1"},
    {"OutOffset", 32, 24, 1, Kind::integer, 0, kOffsetMaximum, {}, "destination, bytes from OutputBase1"},
    {"Repeat", 56, 8, 1, Kind::integer, 0, 255, {}, "copies of each run, one after another: value + 1"},
    {"InStride", 64, 24, 1, Kind::integer, 0, kOffsetMaximum, {}, "blocks from the start of one run to the start of the next in the source; 0 reads one run again and again"},
    {"OutStride", 96, 24, 1, Kind::integer, 0, kOffsetMaximum, {}, "blocks from the first copy of one run to the first copy of the next in the destination"},
    {"Run", 128, 18, 1, Kind::integer, 0, 262143, {}, "blocks in a run: value + 1"},
    {"Count", 160, 18, 1, Kind::integer, 0, 262143, {}, "number of runs: value + 1"},
};
// clang-format on

}  // namespace detail

// clang-format off
inline constexpr Instruction kInstructions[] = {
    {"CONFBADDR", Opcode::CONFBADDR, 0b0000, 0, 8, detail::k_CONFBADDR, "chooses the base registers that later instructions use"},
    {"CONVACT", Opcode::CONVACT, 0b1001, 0, 24, detail::k_CONVACT, "convolution, bias and activation"},
    {"ELADD", Opcode::ELADD, 0b1011, 0, 16, detail::k_two_tensors, "sum of two tensors, element by element"},
    {"ELMUL", Opcode::ELMUL, 0b1011, 1, 16, detail::k_two_tensors, "product of two tensors, element by element"},
    {"SMULI", Opcode::SMULI, 0b1010, 1, 16, detail::k_SMULI, "product of a tensor and a BF16 immediate"},
    {"SIGMOID", Opcode::SIGMOID, 0b1010, 2, 16, detail::k_one_tensor, "1 / (1 + exp(-x)) of each element"},
    {"SOFTMAX", Opcode::SOFTMAX, 0b1010, 3, 16, detail::k_one_tensor, "softmax over the 16 elements of each block"},
    {"POOL", Opcode::POOL, 0b1100, 0, 24, detail::k_POOL, "maximum or average over a window"},
    {"MOVE", Opcode::MOVE, 0b1101, 0, 24, detail::k_MOVE, "copies runs of blocks"},
};
// clang-format on

struct Traits {
  using Opcode = mx::Opcode;
  using Instruction = mx::Instruction;
  using MachineCode = mx::MachineCode;
  static constexpr const auto &kInstructions = mx::kInstructions;
  static constexpr bool kFiniteFloats = false;
  static constexpr std::span<const Field> opcode_fields(const Instruction & /*row*/) { return detail::kOpcodeFields; }
  static constexpr std::uint32_t first_word(const Instruction &row) {
    return static_cast<std::uint32_t>(row.code) << kOpcodeBit | static_cast<std::uint32_t>(row.funct) << kFunctBit;
  }
  static constexpr std::span<const Field> header(const Instruction & /*row*/) { return {}; }
  static constexpr std::size_t bytes(const Instruction &row) { return row.bytes; }
  /// Error: unknown_instruction if `rest`, the rest of a program, begins with an 8-byte ELADD or ELMUL (isa/mx/published_form.h).
  static Status check_front(std::span<const std::byte> rest);
};
using Set = InstructionSet<Traits>;
Traits traits_of(Opcode);

}  // namespace cox::isa::mx

extern template class cox::isa::InstructionSet<cox::isa::mx::Traits>;

namespace cox::isa::mx {

// Short names for the set's functions (isa/instruction_set.h) and fields (isa/named_field.h).
using Fetched = Set::Fetched;
constexpr const Instruction &instruction_of(Opcode opcode) { return Set::row(opcode); }
constexpr const Instruction *find_instruction(std::string_view name) { return Set::find(name); }
constexpr const Instruction *find_instruction(std::uint32_t first_word) { return Set::find(first_word); }
constexpr const Field *find_field(const Instruction &instruction, std::string_view name) { return Set::find_field(instruction, name); }
inline MachineCode begin(Opcode opcode) { return Set::begin(opcode); }
inline Status set(MachineCode &code, const Field &field, std::int64_t value) { return Set::set(code, field, value); }
inline Status check(const MachineCode &code) { return Set::check(code); }
inline Result<Fetched> fetch(std::span<const std::byte> stream) { return Set::fetch(stream); }
inline unsigned field_bit(const Instruction &instruction, std::string_view name) { return Set::field_bit(instruction, name); }
inline const char *field_name(const Instruction &instruction, unsigned bit) { return Set::field_name(instruction, bit); }
using isa::field, isa::get, isa::kNoField;

}  // namespace cox::isa::mx
