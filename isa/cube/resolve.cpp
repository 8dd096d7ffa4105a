// SPDX-License-Identifier: MIT
#include "coxswain/isa/cube/operation.h"
#include "coxswain/isa/cube/table.h"

namespace cox::isa::cube {
namespace {

/// Keeps the first error of an instruction. The order of the checks is that of docs/isa/cube.md, Faults and warnings: first alignment, in
/// the order of the fields, then shapes.
class Resolver {
 public:
  explicit Resolver(const MachineCode &code) : code_(code) {}

  [[nodiscard]] const MachineCode &code() const { return code_; }
  [[nodiscard]] Status status() const { return status_; }
  void refuse(const Status &status) {
    if (status_.ok()) status_ = status;
  }
  void require(bool holds, const char *field, std::int64_t value, std::int64_t limit) {
    if (!holds) refuse(Status(ErrorCode::shape_mismatch, field, -1, value, limit));
  }
  void require_aligned(const char *field, std::uint32_t value, std::uint32_t alignment) {
    if (value % alignment != 0) refuse(Status(ErrorCode::misaligned_address, field, -1, value, alignment));
  }
  void require_even(Type type, const char *field, std::uint32_t value) { require(type != Type::int4 || value % 2 == 0, field, value, 2); }

 private:
  const MachineCode &code_;
  Status status_;
};

template <Opcode Op, FixedString Name>
std::uint32_t aligned(Resolver &resolver, std::uint32_t alignment) {
  const std::uint32_t value = get<Op, Name>(resolver.code());
  resolver.require_aligned(field<Op, Name>().name, value, alignment);
  return value;
}

template <Opcode Op, FixedString Low, FixedString High>
std::uint64_t bus_address(const MachineCode &code) {
  return std::uint64_t{get<Op, High>(code)} << 32 | get<Op, Low>(code);
}

/// Requires a pitch with which no byte of the destination is written twice.
void require_pitch(Resolver &resolver, Format format, std::uint32_t pitch, std::uint32_t rows, std::uint32_t row_bytes) {
  if (format == Format::fractal) {
    resolver.require(pitch >= fractals(rows, kFractalRows), "DestinationPitch", pitch, fractals(rows, kFractalRows));
  } else {
    resolver.require(rows == 1 || pitch >= row_bytes, "DestinationPitch", pitch, row_bytes);
  }
}

template <Opcode Op, FixedString Other>
Nothing flag_of(Resolver &resolver) {
  const std::uint32_t own = get<Op, "Pipe">(resolver.code()), other = get<Op, Other>(resolver.code());
  resolver.require(own != other, field<Op, Other>().name, other, own);
  return {};
}

DramToL1 dram_to_l1(Resolver &resolver) {
  constexpr Opcode kOp = Opcode::DRAM_TO_L1;
  const MachineCode &code = resolver.code();
  DramToL1 op;
  op.source = bus_address<kOp, "Source", "SourceHigh">(code);
  op.rows = get<kOp, "Rows">(code);
  op.row_bytes = get<kOp, "RowBytes">(code);
  op.source_pitch = get<kOp, "SourcePitch">(code);
  op.format = static_cast<Format>(get<kOp, "Format">(code));
  op.destination = get<kOp, "Destination">(code);
  op.destination_pitch = get<kOp, "DestinationPitch">(code);
  if (op.format == Format::fractal) resolver.require_aligned("Destination", op.destination, kFractalBytes);
  require_pitch(resolver, op.format, op.destination_pitch, op.rows, op.row_bytes);
  return op;
}

void require_k_align(Resolver &resolver, Type type, bool k_align) {
  resolver.require(!k_align || type == Type::float32, "KDirectionAlign", 1, 0);
}

template <Opcode Op>
L1ToL0 l1_to_l0(Resolver &resolver) {
  const MachineCode &code = resolver.code();
  L1ToL0 op;
  op.right = Op == Opcode::L1_TO_L0B;
  op.type = static_cast<Type>(get<Op, "Type">(code));
  op.transpose = get<Op, "Transpose">(code) != 0;
  op.k_align = get<Op, "KDirectionAlign">(code) != 0;
  op.source = aligned<Op, "Source">(resolver, kFractalBytes);
  op.source_pitch = get<Op, "SourcePitch">(code);
  op.destination = aligned<Op, "Destination">(resolver, kFractalBytes);
  op.rows = get<Op, "Rows">(code);
  op.columns = get<Op, "Columns">(code);
  require_k_align(resolver, op.type, op.k_align);
  resolver.require_even(op.type, op.right ? "Rows" : "Columns", op.right ? op.rows : op.columns);
  return op;
}

Im2col im2col_of(Resolver &resolver) {
  constexpr Opcode kOp = Opcode::IM2COL_CFG;
  const MachineCode &code = resolver.code();
  Im2col map;
  map.height = get<kOp, "Height">(code);
  map.width = get<kOp, "Width">(code);
  map.channels = get<kOp, "Channels">(code);
  map.type = static_cast<Type>(get<kOp, "Type">(code));
  map.pad_value = static_cast<std::int32_t>(read_integer(code, field<kOp, "PadValue">()));
  map.pixel_pitch = get<kOp, "PixelPitch">(code);
  map.row_pitch = get<kOp, "RowPitch">(code);
  map.kernel_height = get<kOp, "KernelHeight">(code);
  map.kernel_width = get<kOp, "KernelWidth">(code);
  map.stride_y = get<kOp, "StrideY">(code);
  map.stride_x = get<kOp, "StrideX">(code);
  map.dilation_y = get<kOp, "DilationY">(code);
  map.dilation_x = get<kOp, "DilationX">(code);
  map.pad_top = get<kOp, "PadTop">(code);
  map.pad_left = get<kOp, "PadLeft">(code);
  map.out_width = get<kOp, "OutWidth">(code);
  resolver.require_even(map.type, "Channels", map.channels);
  resolver.require(map.pad_value == 0 || map.type == Type::int8, "PadValue", map.pad_value, 0);
  return map;
}

Im2colToL0A im2col_to_l0a(Resolver &resolver, const Im2col &map) {
  constexpr Opcode kOp = Opcode::IM2COL_TO_L0A;
  const MachineCode &code = resolver.code();
  Im2colToL0A op;
  op.map = map;
  op.k_align = get<kOp, "KDirectionAlign">(code) != 0;
  op.source = get<kOp, "Source">(code);
  op.destination = aligned<kOp, "Destination">(resolver, kFractalBytes);
  op.first_place = get<kOp, "FirstPlace">(code);
  op.rows = get<kOp, "Rows">(code);
  op.first_column = get<kOp, "FirstColumn">(code);
  op.columns = get<kOp, "Columns">(code);
  require_k_align(resolver, map.type, op.k_align);
  resolver.require_even(map.type, "Columns", op.columns);
  resolver.require(op.first_column % fractal_width(map.type) == 0, "FirstColumn", op.first_column, fractal_width(map.type));
  return op;
}

L1ToBt l1_to_bt(Resolver &resolver) {
  constexpr Opcode kOp = Opcode::L1_TO_BT;
  L1ToBt op;
  op.source = aligned<kOp, "Source">(resolver, kBiasAlignment);
  op.destination = aligned<kOp, "Destination">(resolver, kBiasAlignment);
  op.bytes = aligned<kOp, "Bytes">(resolver, kBiasAlignment);
  return op;
}

Mad mad_of(Resolver &resolver) {
  constexpr Opcode kOp = Opcode::MAD;
  const MachineCode &code = resolver.code();
  Mad op;
  op.type = static_cast<Type>(get<kOp, "Type">(code));
  op.m = get<kOp, "M">(code);
  op.k = get<kOp, "K">(code);
  op.n = get<kOp, "N">(code);
  if (op.empty()) return op;

  if (get<kOp, "CmatrixInitVal">(code) == 0) {
    op.start = get<kOp, "CmatrixSource">(code) != 0 ? Start::bias_table : Start::accumulator;
  }
  op.destination = aligned<kOp, "Destination">(resolver, kAccumulatorFractalBytes);
  if (op.start == Start::bias_table) op.bias_address = aligned<kOp, "BiasAddress">(resolver, kBiasAlignment);
  op.left = aligned<kOp, "Left">(resolver, kFractalBytes);
  op.right = aligned<kOp, "Right">(resolver, kFractalBytes);
  op.k_align = op.type == Type::float32 && get<kOp, "KDirectionAlign">(code) != 0;
  resolver.require_even(op.type, "K", op.k);
  return op;
}

OutputConfiguration output_configuration(Resolver &resolver) {
  constexpr Opcode kOp = Opcode::OUT_CFG;
  const MachineCode &code = resolver.code();
  OutputConfiguration set;
  set.scale_mode = static_cast<ScaleMode>(get<kOp, "ScaleMode">(code));
  set.scale = read_float(code, field<kOp, "Scale">());
  set.beta = read_float(code, field<kOp, "Beta">());
  set.scale_address = get<kOp, "ScaleAddress">(code);
  set.bias = get<kOp, "Bias">(code) != 0;
  set.bias_address = get<kOp, "BiasAddress">(code);
  set.residual = get<kOp, "Residual">(code) != 0;
  set.residual_pitch = get<kOp, "ResidualPitch">(code);
  set.activation = static_cast<Activation>(get<kOp, "Activation">(code));
  set.activation_parameter = read_float(code, field<kOp, "ActivationParameter">());
  set.zero_point = static_cast<std::int32_t>(read_integer(code, field<kOp, "ZeroPoint">()));
  if (set.scale_mode == ScaleMode::channel) resolver.require_aligned("ScaleAddress", set.scale_address, kChannelBytes);
  if (set.bias) resolver.require_aligned("BiasAddress", set.bias_address, kChannelBytes);
  return set;
}

/// The part that L0C_TO_DRAM and L0C_TO_L1 have in common.
template <Opcode Op>
Output output_of(Resolver &resolver, const OutputConfiguration &set) {
  const MachineCode &code = resolver.code();
  Output op;
  op.configuration = set;
  op.destination_pitch = get<Op, "DestinationPitch">(code);
  op.integer = get<Op, "Integer">(code) != 0;
  op.to = static_cast<OutputType>(get<Op, "To">(code));
  if constexpr (Op == Opcode::L0C_TO_L1) {
    op.to_l1 = true;
    op.format = static_cast<Format>(get<Op, "Format">(code));
    op.destination = get<Op, "Destination">(code);
    if (op.format == Format::fractal) (void)aligned<Op, "Destination">(resolver, kFractalBytes);
  } else {
    op.destination = bus_address<Op, "Destination", "DestinationHigh">(code);
  }
  op.source = aligned<Op, "Source">(resolver, kAccumulatorFractalBytes);
  op.source_pitch = get<Op, "SourcePitch">(code);
  op.rows = get<Op, "Rows">(code);
  op.columns = get<Op, "Columns">(code);
  op.channel = get<Op, "Channel">(code);
  op.residual_address = get<Op, "ResidualAddress">(code);
  if (op.to == OutputType::int32) {
    const bool plain = set.scale_mode == ScaleMode::none && !set.residual;
    const bool activated = set.activation == Activation::None || set.activation == Activation::ReLU;
    resolver.require(op.integer && plain && activated, "To", static_cast<std::int64_t>(op.to), 0);
  }
  require_pitch(resolver, op.format, op.destination_pitch, op.rows, op.columns * element_bytes(op.to));
  return op;
}

Operation operation_of(Opcode opcode, Resolver &resolver, const Configuration &configuration) {
  switch (opcode) {
    case Opcode::SET_FLAG: return flag_of<Opcode::SET_FLAG, "Target">(resolver);
    case Opcode::WAIT_FLAG: return flag_of<Opcode::WAIT_FLAG, "Origin">(resolver);
    case Opcode::BARRIER: return Barrier{get<Opcode::BARRIER, "Pipes">(resolver.code())};
    case Opcode::DRAM_TO_L1: return dram_to_l1(resolver);
    case Opcode::L1_TO_L0A: return l1_to_l0<Opcode::L1_TO_L0A>(resolver);
    case Opcode::L1_TO_L0B: return l1_to_l0<Opcode::L1_TO_L0B>(resolver);
    case Opcode::IM2COL_CFG: return im2col_of(resolver);
    case Opcode::IM2COL_TO_L0A:
      if (configuration.im2col) return im2col_to_l0a(resolver, *configuration.im2col);
      resolver.refuse(Status(ErrorCode::missing_configuration, "IM2COL_CFG"));
      break;
    case Opcode::L1_TO_BT: return l1_to_bt(resolver);
    case Opcode::MAD: return mad_of(resolver);
    case Opcode::OUT_CFG: return output_configuration(resolver);
    case Opcode::L0C_TO_DRAM:
      if (configuration.output) return output_of<Opcode::L0C_TO_DRAM>(resolver, *configuration.output);
      resolver.refuse(Status(ErrorCode::missing_configuration, "OUT_CFG"));
      break;
    case Opcode::L0C_TO_L1:
      if (configuration.output) return output_of<Opcode::L0C_TO_L1>(resolver, *configuration.output);
      resolver.refuse(Status(ErrorCode::missing_configuration, "OUT_CFG"));
      break;
  }
  return Nothing{};
}

}  // namespace

void Configuration::apply(const Operation &operation) {
  if (const auto *map = std::get_if<Im2col>(&operation)) im2col = *map;
  if (const auto *set = std::get_if<OutputConfiguration>(&operation)) output = *set;
}

Result<Operation> resolve(const MachineCode &code, const Configuration &configuration) {
  const Instruction *instruction = Set::find(code);
  if (instruction == nullptr) return Status(ErrorCode::unknown_instruction, "opcode", -1, extract_bits(code, kOpcodeBit, kOpcodeWidth));
  Resolver resolver(code);
  const Operation operation = operation_of(instruction->opcode, resolver, configuration);
  if (!resolver.status().ok()) return resolver.status();
  const Footprint touched = footprint(operation);
  if (const Status status = check_bounds(touched); !status) return status;
  if (const Status status = check_apart(touched); !status) return status;
  return operation;
}

}  // namespace cox::isa::cube
