// SPDX-License-Identifier: MIT
#include "coxswain/isa/mx/operation.h"

namespace cox::isa::mx {
namespace {

/// Adds offsets to base registers, and keeps the first error.
class Resolver {
 public:
  Resolver(const MachineCode &code, const BaseRegisters &bases, const Selection &selection)
      : code_(code), bases_(bases), selection_(selection) {}

  [[nodiscard]] Status status() const { return status_; }
  void refuse(const Status &status) {
    if (status_.ok()) status_ = status;
  }

  /// Returns the address in the selected base register plus the offset in the instruction's `field`.
  std::uint64_t address(const Field &field, std::uint8_t Selection::*base, std::uint64_t alignment = kTensorAlignment) {
    const unsigned number = selection_.*base;
    if ((bases_.written >> number & 1U) == 0) refuse(Status(ErrorCode::base_not_written, field.name, -1, number));
    const std::uint64_t offset = extract_bits(code_, field.bit, field.width);
    const std::uint64_t result = bases_.address[number] + offset;
    const auto value = static_cast<std::int64_t>(result);
    if (result < offset) refuse(Status(ErrorCode::address_outside_window, field.name, -1, value));
    if (result % alignment != 0) refuse(Status(ErrorCode::misaligned_address, field.name, -1, value, static_cast<std::int64_t>(alignment)));
    return result;
  }

  void require(bool holds, const char *field, std::int64_t value, std::int64_t limit) {
    if (!holds) refuse(Status(ErrorCode::shape_mismatch, field, -1, value, limit));
  }

 private:
  const MachineCode &code_;
  const BaseRegisters &bases_;
  const Selection &selection_;
  Status status_;
};

Selection selection_of(const MachineCode &code) {
  constexpr Opcode kOp = Opcode::CONFBADDR;
  Selection selection;
  selection.chosen = true;
  selection.input1 = static_cast<std::uint8_t>(get<kOp, "InputBase1">(code));
  selection.input2 = static_cast<std::uint8_t>(get<kOp, "InputBase2">(code));
  selection.output1 = static_cast<std::uint8_t>(get<kOp, "OutputBase1">(code));
  selection.output2 = static_cast<std::uint8_t>(get<kOp, "OutputBase2">(code));
  selection.weight = static_cast<std::uint8_t>(get<kOp, "WeightBase">(code));
  return selection;
}

/// Returns the output's shape for an input of this shape. Each side of the output must be at least 1.
Map window_output(Resolver &resolver, const Map &input, std::uint32_t kernel, std::uint32_t stride, std::uint32_t padding) {
  Map output;
  output.height = output_side(input.height, kernel, stride, padding);
  output.width = output_side(input.width, kernel, stride, padding);
  resolver.require(output.height > 0, "InHeight", input.height + 2 * padding, kernel);
  resolver.require(output.width > 0, "InWidth", input.width + 2 * padding, kernel);
  return output;
}

ConvAct convact_of(const MachineCode &code, Resolver &resolver) {
  constexpr Opcode kOp = Opcode::CONVACT;
  ConvAct op;
  op.kernel = get<kOp, "Kernel">(code) == 0 ? 1 : 3;
  op.stride = get<kOp, "Stride">(code) + 1;
  op.padding = get<kOp, "Padding">(code);
  op.activation = static_cast<Activation>(get<kOp, "Activation">(code));
  op.input.blocks = get<kOp, "InChannels">(code) + 1;
  op.input.height = get<kOp, "InHeight">(code) + 1;
  op.input.width = get<kOp, "InWidth">(code) + 1;
  op.output1 = window_output(resolver, op.input, op.kernel, op.stride, op.padding);
  const std::uint32_t blocks = get<kOp, "OutChannels">(code) + 1;
  const bool split = get<kOp, "Split">(code) != 0;
  if (split) {
    resolver.require(blocks % 2 == 0, "OutChannels", blocks, 2);
    op.output2 = op.output1;
    op.output2.blocks = blocks / 2;
  }
  op.output1.blocks = blocks - op.output2.blocks;
  op.input.address = resolver.address(field<kOp, "InOffset">(), &Selection::input1);
  op.weights = resolver.address(field<kOp, "WeightOffset">(), &Selection::weight, kWeightAlignment);
  op.output1.address = resolver.address(field<kOp, "OutOffset1">(), &Selection::output1);
  if (split) op.output2.address = resolver.address(field<kOp, "OutOffset2">(), &Selection::output2);
  return op;
}

template <Opcode Op>
constexpr std::uint32_t length_of(const MachineCode &code) {
  const std::uint32_t length = get<Op, "Length2">(code) << field<Op, "Length1">().width | get<Op, "Length1">(code);
  return length == 0 ? kMostBlocks : length;
}

template <Opcode Op>
Elementwise two_tensors(const MachineCode &code, Resolver &resolver, ElementwiseFunction function) {
  Elementwise op;
  op.function = function;
  op.blocks = length_of<Op>(code);
  op.input1 = resolver.address(field<Op, "InOffset1">(), &Selection::input1);
  op.input2 = resolver.address(field<Op, "InOffset2">(), &Selection::input2);
  op.output = resolver.address(field<Op, "OutOffset">(), &Selection::output1);
  return op;
}

template <Opcode Op>
Elementwise one_tensor(const MachineCode &code, Resolver &resolver, ElementwiseFunction function) {
  Elementwise op;
  op.function = function;
  op.blocks = length_of<Op>(code);
  op.input1 = resolver.address(field<Op, "InOffset">(), &Selection::input1);
  op.output = resolver.address(field<Op, "OutOffset">(), &Selection::output1);
  return op;
}

Pool pool_of(const MachineCode &code, Resolver &resolver) {
  constexpr Opcode kOp = Opcode::POOL;
  Pool op;
  op.kernel = get<kOp, "Kernel">(code);
  op.stride = get<kOp, "Stride">(code);
  op.padding = get<kOp, "Padding">(code);
  op.average = static_cast<PoolMode>(get<kOp, "Mode">(code)) == PoolMode::Average;
  op.input.blocks = get<kOp, "Channels">(code) + 1;
  op.input.height = get<kOp, "InHeight">(code) + 1;
  op.input.width = get<kOp, "InWidth">(code) + 1;
  resolver.require(op.padding < op.kernel, "Padding", op.padding, op.kernel - 1);
  op.output = window_output(resolver, op.input, op.kernel, op.stride, op.padding);
  op.output.blocks = op.input.blocks;
  op.input.address = resolver.address(field<kOp, "InOffset">(), &Selection::input1);
  op.output.address = resolver.address(field<kOp, "OutOffset1">(), &Selection::output1);
  return op;
}

Move move_of(const MachineCode &code, Resolver &resolver) {
  constexpr Opcode kOp = Opcode::MOVE;
  Move op;
  op.run = get<kOp, "Run">(code) + 1;
  op.count = get<kOp, "Count">(code) + 1;
  op.repeat = get<kOp, "Repeat">(code) + 1;
  op.from_stride = get<kOp, "InStride">(code);
  op.to_stride = get<kOp, "OutStride">(code);
  const std::uint64_t copied = std::uint64_t{op.run} * op.repeat;
  resolver.require(op.count == 1 || op.to_stride >= copied, "OutStride", op.to_stride, static_cast<std::int64_t>(copied));
  op.from = resolver.address(field<kOp, "InOffset">(), &Selection::input1);
  op.to = resolver.address(field<kOp, "OutOffset">(), &Selection::output1);
  return op;
}

Operation operation_of(const MachineCode &code, Opcode opcode, Resolver &resolver) {
  switch (opcode) {
    case Opcode::CONFBADDR: return selection_of(code);
    case Opcode::CONVACT: return convact_of(code, resolver);
    case Opcode::ELADD: return two_tensors<Opcode::ELADD>(code, resolver, ElementwiseFunction::add);
    case Opcode::ELMUL: return two_tensors<Opcode::ELMUL>(code, resolver, ElementwiseFunction::multiply);
    case Opcode::SMULI: {
      Elementwise op = one_tensor<Opcode::SMULI>(code, resolver, ElementwiseFunction::scale);
      op.immediate = static_cast<std::uint16_t>(get<Opcode::SMULI, "Immediate">(code));
      return op;
    }
    case Opcode::SIGMOID: return one_tensor<Opcode::SIGMOID>(code, resolver, ElementwiseFunction::sigmoid);
    case Opcode::SOFTMAX: return one_tensor<Opcode::SOFTMAX>(code, resolver, ElementwiseFunction::softmax);
    case Opcode::POOL: return pool_of(code, resolver);
    case Opcode::MOVE: return move_of(code, resolver);
  }
  return Selection{};
}

}  // namespace

Result<Operation> resolve(const MachineCode &code, const BaseRegisters &bases, const Selection &selection) {
  const Instruction *instruction = Set::find(code);
  if (instruction == nullptr) return Status(ErrorCode::unknown_instruction, "opcode", -1, code[0] & kIdentityMask);
  if (instruction->opcode != Opcode::CONFBADDR && !selection.chosen) {
    return Status(ErrorCode::missing_configuration, "CONFBADDR");
  }
  Resolver resolver(code, bases, selection);
  const Operation operation = operation_of(code, instruction->opcode, resolver);
  if (!resolver.status().ok()) return resolver.status();
  if (const Status status = check_apart(footprint(operation), std::holds_alternative<Elementwise>(operation)); !status) return status;
  return operation;
}

}  // namespace cox::isa::mx
