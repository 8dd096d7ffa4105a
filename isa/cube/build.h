// SPDX-License-Identifier: MIT
// Makes slots from operations, the inverse of resolve() (isa/cube/operation.h). Nothing is checked, and values are truncated to their
// fields. A caller that is not sure of an operation passes the slot to check(), resolve() and check_windows().
#pragma once

#include <bit>
#include <type_traits>

#include "coxswain/isa/cube/encode.h"
#include "coxswain/isa/cube/operation.h"
#include "coxswain/isa/cube/table.h"

namespace cox::isa::cube {

/// The first word of a slot has its opcode and the flags that it waits for. The second word has the flags that it sets.
inline constexpr unsigned kWaitWord = kWaitBit / 32, kSetWord = kSetBit / 32;
static_assert(kOpcodeBit == 0 && kWaitWord == 0 && kSetBit % 32 == 0);
constexpr std::uint32_t wait_word(Opcode opcode, std::uint32_t wait) { return static_cast<std::uint32_t>(opcode) | wait << kWaitBit; }

/// Returns an instruction with these flags and all other fields zero.
constexpr MachineCode with_flags(Opcode opcode, Flags flags) { return {wait_word(opcode, flags.wait), flags.set}; }

/// SET_FLAG: `pipe` sets a flag for `target`. WAIT_FLAG: `pipe` waits for a flag that `origin` sets.
constexpr MachineCode encode_set_flag(Pipe pipe, Pipe target, unsigned event, Flags flags = {}) {
  constexpr Opcode kOp = Opcode::SET_FLAG;
  MachineCode code = with_flags(kOp, flags);
  put<kOp, "Pipe">(code, pipe);
  put<kOp, "Target">(code, target);
  put<kOp, "Event">(code, static_cast<std::uint32_t>(event));
  return code;
}
constexpr MachineCode encode_wait_flag(Pipe pipe, Pipe origin, unsigned event, Flags flags = {}) {
  constexpr Opcode kOp = Opcode::WAIT_FLAG;
  MachineCode code = with_flags(kOp, flags);
  put<kOp, "Pipe">(code, pipe);
  put<kOp, "Origin">(code, origin);
  put<kOp, "Event">(code, static_cast<std::uint32_t>(event));
  return code;
}

/// No pipe runs a BARRIER, so it has no flags.
constexpr MachineCode encode(const Barrier &operation) {
  MachineCode code = with_flags(Opcode::BARRIER, {});
  put<Opcode::BARRIER, "Pipes">(code, operation.pipes);
  return code;
}
/// A BARRIER of all pipes, with which a kernel ends.
inline constexpr MachineCode kEverythingEnds = encode(Barrier{.pipes = (1U << kPipes) - 1});

constexpr MachineCode encode(const DramToL1 &operation, Flags flags = {}) {
  constexpr Opcode kOp = Opcode::DRAM_TO_L1;
  MachineCode code = with_flags(kOp, flags);
  put<kOp, "Source">(code, static_cast<std::uint32_t>(operation.source));
  put<kOp, "SourceHigh">(code, static_cast<std::uint32_t>(operation.source >> 32));
  put<kOp, "Rows">(code, operation.rows);
  put<kOp, "SourcePitch">(code, operation.source_pitch);
  put<kOp, "RowBytes">(code, operation.row_bytes);
  put<kOp, "Format">(code, operation.format);
  put<kOp, "Destination">(code, operation.destination);
  put<kOp, "DestinationPitch">(code, operation.destination_pitch);
  return code;
}

namespace detail {

template <Opcode Op>
constexpr MachineCode encode_move(const L1ToL0 &operation, Flags flags) {
  MachineCode code = with_flags(Op, flags);
  put<Op, "Source">(code, operation.source);
  put<Op, "Type">(code, operation.type);
  put<Op, "Transpose">(code, operation.transpose);
  put<Op, "KDirectionAlign">(code, operation.k_align);
  put<Op, "Destination">(code, operation.destination);
  put<Op, "SourcePitch">(code, operation.source_pitch);
  put<Op, "Rows">(code, operation.rows);
  put<Op, "Columns">(code, operation.columns);
  return code;
}

template <Opcode Op>
constexpr void put_accumulators(MachineCode &code, const Output &operation) {
  put<Op, "Channel">(code, operation.channel);
  put<Op, "DestinationPitch">(code, operation.destination_pitch);
  put<Op, "Source">(code, operation.source);
  put<Op, "Integer">(code, operation.integer);
  put<Op, "To">(code, operation.to);
  put<Op, "Rows">(code, operation.rows);
  put<Op, "Columns">(code, operation.columns);
  put<Op, "ResidualAddress">(code, operation.residual_address);
  put<Op, "SourcePitch">(code, operation.source_pitch);
}

}  // namespace detail

constexpr MachineCode encode(const L1ToL0 &operation, Flags flags = {}) {
  return operation.right ? detail::encode_move<Opcode::L1_TO_L0B>(operation, flags)
                         : detail::encode_move<Opcode::L1_TO_L0A>(operation, flags);
}

constexpr MachineCode encode(const Im2col &operation, Flags flags = {}) {
  constexpr Opcode kOp = Opcode::IM2COL_CFG;
  MachineCode code = with_flags(kOp, flags);
  put<kOp, "Height">(code, operation.height);
  put<kOp, "Width">(code, operation.width);
  put<kOp, "Channels">(code, operation.channels);
  put<kOp, "Type">(code, operation.type);
  put<kOp, "PadValue">(code, operation.pad_value);
  put<kOp, "PixelPitch">(code, operation.pixel_pitch);
  put<kOp, "KernelHeight">(code, operation.kernel_height);
  put<kOp, "KernelWidth">(code, operation.kernel_width);
  put<kOp, "RowPitch">(code, operation.row_pitch);
  put<kOp, "StrideY">(code, operation.stride_y);
  put<kOp, "StrideX">(code, operation.stride_x);
  put<kOp, "DilationY">(code, operation.dilation_y);
  put<kOp, "DilationX">(code, operation.dilation_x);
  put<kOp, "PadTop">(code, operation.pad_top);
  put<kOp, "PadLeft">(code, operation.pad_left);
  put<kOp, "OutWidth">(code, operation.out_width);
  return code;
}

/// Does not encode the operation's map, which an earlier IM2COL_CFG sets.
constexpr MachineCode encode(const Im2colToL0A &operation, Flags flags = {}) {
  constexpr Opcode kOp = Opcode::IM2COL_TO_L0A;
  MachineCode code = with_flags(kOp, flags);
  put<kOp, "Source">(code, operation.source);
  put<kOp, "KDirectionAlign">(code, operation.k_align);
  put<kOp, "Destination">(code, operation.destination);
  put<kOp, "FirstPlace">(code, operation.first_place);
  put<kOp, "Rows">(code, operation.rows);
  put<kOp, "Columns">(code, operation.columns);
  put<kOp, "FirstColumn">(code, operation.first_column);
  return code;
}

constexpr MachineCode encode(const L1ToBt &operation, Flags flags = {}) {
  constexpr Opcode kOp = Opcode::L1_TO_BT;
  MachineCode code = with_flags(kOp, flags);
  put<kOp, "Source">(code, operation.source);
  put<kOp, "Destination">(code, operation.destination);
  put<kOp, "Bytes">(code, operation.bytes);
  return code;
}

constexpr MachineCode encode(const Mad &operation, Flags flags = {}) {
  constexpr Opcode kOp = Opcode::MAD;
  MachineCode code = with_flags(kOp, flags);
  put<kOp, "Destination">(code, operation.destination);
  put<kOp, "BiasAddress">(code, operation.bias_address);
  put<kOp, "Left">(code, operation.left);
  put<kOp, "Right">(code, operation.right);
  put<kOp, "M">(code, operation.m);
  put<kOp, "K">(code, operation.k);
  put<kOp, "N">(code, operation.n);
  put<kOp, "Type">(code, operation.type);
  put<kOp, "KDirectionAlign">(code, operation.k_align);
  put<kOp, "CmatrixSource">(code, operation.start == Start::bias_table);
  put<kOp, "CmatrixInitVal">(code, operation.start == Start::zero);
  return code;
}

constexpr MachineCode encode(const OutputConfiguration &operation, Flags flags = {}) {
  constexpr Opcode kOp = Opcode::OUT_CFG;
  MachineCode code = with_flags(kOp, flags);
  put<kOp, "Scale">(code, operation.scale);
  put<kOp, "Beta">(code, operation.beta);
  put<kOp, "ScaleAddress">(code, operation.scale_address);
  put<kOp, "ScaleMode">(code, operation.scale_mode);
  put<kOp, "BiasAddress">(code, operation.bias_address);
  put<kOp, "Bias">(code, operation.bias);
  put<kOp, "ResidualPitch">(code, operation.residual_pitch);
  put<kOp, "Residual">(code, operation.residual);
  put<kOp, "Activation">(code, operation.activation);
  put<kOp, "ActivationParameter">(code, operation.activation_parameter);
  put<kOp, "ZeroPoint">(code, operation.zero_point);
  return code;
}

/// Does not encode the operation's configuration, which an earlier OUT_CFG sets. L0C_TO_DRAM has no field for `format`.
constexpr MachineCode encode(const Output &operation, Flags flags = {}) {
  if (operation.to_l1) {
    constexpr Opcode kOp = Opcode::L0C_TO_L1;
    MachineCode code = with_flags(kOp, flags);
    put<kOp, "Destination">(code, static_cast<std::uint32_t>(operation.destination));
    put<kOp, "Format">(code, operation.format);
    detail::put_accumulators<kOp>(code, operation);
    return code;
  }
  constexpr Opcode kOp = Opcode::L0C_TO_DRAM;
  MachineCode code = with_flags(kOp, flags);
  put<kOp, "Destination">(code, static_cast<std::uint32_t>(operation.destination));
  put<kOp, "DestinationHigh">(code, static_cast<std::uint32_t>(operation.destination >> 32));
  detail::put_accumulators<kOp>(code, operation);
  return code;
}

}  // namespace cox::isa::cube
