// SPDX-License-Identifier: MIT
#include "kernels/mx/stream.h"

#include <algorithm>
#include <cstring>

#include "hal/device/engine_descriptor.h"
#include "isa/mx/get.h"

namespace cox::kernels::mx {
namespace {

using isa::Field;
using isa::mx::Elementwise;
using isa::mx::ElementwiseFunction;
using isa::mx::MachineCode;
using isa::mx::Opcode;
using isa::mx::Operation;
using isa::mx::Selection;

constexpr std::uint64_t kOffsetMask = isa::mx::kMostOffset;  // of the address: the rest is the base register's
constexpr std::size_t kSelectionBytes = isa::mx::instruction_of(Opcode::CONFBADDR).bytes;

/// Builds one instruction. Fields are known when this is compiled, so that a range check is one comparison and needs no table.
template <Opcode Op>
class Encoder {
 public:
  template <isa::FixedString Name>
  void put(std::uint32_t value) {
    constexpr const Field &kField = isa::mx::field<Op, Name>();
    constexpr auto kMinimum = static_cast<std::uint32_t>(kField.minimum);
    constexpr auto kMaximum = static_cast<std::uint32_t>(kField.maximum);
    static_assert(kField.bit % 32 + kField.width <= 32 && kField.count == 1 && kField.minimum >= 0);
    if (value - kMinimum > kMaximum - kMinimum) [[unlikely]]
      refuse(kField, value);
    code_[kField.bit / 32] |= value << kField.bit % 32;
  }
  template <isa::FixedString Name>
  void put_offset(std::uint64_t address) {
    put<Name>(static_cast<std::uint32_t>(address & kOffsetMask));
  }
  /// What the field cannot express, `value` in the instruction's own units.
  void refuse(const Field &field, std::uint32_t value) {
    if (refused_ == nullptr) refused_ = &field, value_ = value;
  }

  [[nodiscard]] Status status() const {
    if (refused_ == nullptr) [[likely]]
      return {};
    // A count of 0 was stored as -1.
    const auto value = static_cast<std::int32_t>(value_);
    return Status(ErrorCode::field_out_of_range, refused_->name, -1, value,
                  value < refused_->minimum ? refused_->minimum : refused_->maximum);
  }
  [[nodiscard]] const MachineCode &code() const { return code_; }

 private:
  static constexpr MachineCode first_words() {
    const isa::mx::Instruction &instruction = isa::mx::instruction_of(Op);
    MachineCode code{};
    isa::insert_bits(code, isa::mx::kOpcodeBit, isa::mx::kOpcodeWidth, instruction.code);
    isa::insert_bits(code, isa::mx::kFunctBit, isa::mx::kFunctWidth, instruction.funct);
    return code;
  }
  static constexpr MachineCode kFirstWords = first_words();

  MachineCode code_ = kFirstWords;
  const Field *refused_ = nullptr;
  std::uint32_t value_ = 0;
};

/// An output has the sides that its instruction will give it.
Status check_output(const isa::mx::Map &input, const isa::mx::Map &output, std::uint32_t kernel, std::uint32_t stride,
                    std::uint32_t padding) {
  const std::uint32_t height = isa::mx::output_side(input.height, kernel, stride, padding);
  if (output.height != height) return Status(ErrorCode::shape_mismatch, "InHeight", -1, output.height, height);
  const std::uint32_t width = isa::mx::output_side(input.width, kernel, stride, padding);
  if (output.width != width) return Status(ErrorCode::shape_mismatch, "InWidth", -1, output.width, width);
  return {};
}

bool is_same(const Selection &a, const Selection &b) {
  return a.chosen == b.chosen && a.input1 == b.input1 && a.input2 == b.input2 && a.output1 == b.output1 && a.output2 == b.output2 &&
         a.weight == b.weight;
}

MachineCode encode(const Selection &selection) {
  Encoder<Opcode::CONFBADDR> encoder;
  encoder.put<"InputBase1">(selection.input1);
  encoder.put<"InputBase2">(selection.input2);
  encoder.put<"OutputBase1">(selection.output1);
  encoder.put<"OutputBase2">(selection.output2);
  encoder.put<"WeightBase">(selection.weight);
  return encoder.code();
}

template <Opcode Op>
void put_length(Encoder<Op> &encoder, std::uint32_t blocks) {
  if (blocks - 1 >= isa::mx::kMostBlocks) encoder.refuse(isa::mx::field<Op, "Length2">(), blocks);
  encoder.template put<"Length1">(blocks & 0x3FF);
  encoder.template put<"Length2">(blocks >> 10 & 0xFF);
}

}  // namespace

/// In the order of Selection.
struct Stream::Addresses {
  static constexpr unsigned kOperands = 5;
  std::uint64_t of[kOperands] = {};
  std::uint8_t used = 0;  ///< a bit an operand

  enum Operand : std::uint8_t { input1, input2, output1, output2, weight };
  void set(Operand operand, std::uint64_t address) {
    of[operand] = address;
    used = static_cast<std::uint8_t>(used | 1U << operand);
  }
};

Status Stream::init(std::span<std::byte> memory, std::span<const isa::mx::Window> windows) {
  constexpr std::size_t kLeast = kSelectionBytes + isa::mx::kLongestBytes;
  const auto address = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(memory.data()));
  if (address % static_cast<std::int64_t>(isa::mx::kStreamAlignment) != 0)
    return Status(ErrorCode::invalid_argument, "stream address", -1, address, isa::mx::kStreamAlignment);
  if (memory.size() < kLeast)
    return Status(ErrorCode::invalid_argument, "stream size", -1, static_cast<std::int64_t>(memory.size()), kLeast);
  if (windows.size() > kWindows)
    return Status(ErrorCode::invalid_argument, "windows", -1, static_cast<std::int64_t>(windows.size()), kWindows);
  memory_ = memory.first(std::min<std::size_t>(memory.size(), registers::kMostStreamBytes));
  window_count_ = static_cast<unsigned>(windows.size());
  std::copy(windows.begin(), windows.end(), windows_.begin());
  clear();
  return {};
}

void Stream::clear() {
  bytes_ = 0;
  instructions_ = 0;
  base_count_ = 0;
  selection_ = {};
}

unsigned Stream::select(const Addresses &addresses, Selection &selection) {
  constexpr std::uint8_t Selection::*kRegisters[Addresses::kOperands] = {&Selection::input1, &Selection::input2, &Selection::output1,
                                                                         &Selection::output2, &Selection::weight};
  unsigned count = base_count_;
  for (unsigned operand = 0; operand < Addresses::kOperands; ++operand) {
    if ((addresses.used >> operand & 1) == 0) continue;
    const std::uint64_t base = addresses.of[operand] & ~kOffsetMask;
    unsigned number = 0;
    while (number < count && bases_.address[number] != base) ++number;
    if (number == isa::mx::kBaseRegisters) return isa::mx::kBaseRegisters + 1;
    if (number == count) bases_.address[count++] = base;
    selection.*kRegisters[operand] = static_cast<std::uint8_t>(number);
  }
  selection.chosen = true;
  return count;
}

Status Stream::try_append(const MachineCode &code, std::size_t bytes, const Addresses &addresses) {
  Selection selection = selection_;
  const unsigned base_count = select(addresses, selection);
  if (base_count > isa::mx::kBaseRegisters) return Status(ErrorCode::no_room, "base registers", -1, base_count, isa::mx::kBaseRegisters);
  bases_.written = static_cast<std::uint32_t>((std::uint64_t{1} << base_count) - 1);
  const Result<Operation> operation = isa::mx::resolve(code, bases_, selection);
  if (!operation) return operation.status();
  if (const Status status = isa::mx::check_windows(isa::mx::footprint(operation.value()), windows()); !status) return status;

  const bool select_anew = !is_same(selection, selection_);
  const std::size_t wanted = bytes_ + bytes + (select_anew ? kSelectionBytes : 0);
  if (wanted > memory_.size())
    return Status(ErrorCode::no_room, "stream", -1, static_cast<std::int64_t>(wanted), static_cast<std::int64_t>(memory_.size()));
  if (select_anew) write(encode(selection), kSelectionBytes);
  write(code, bytes);
  selection_ = selection;
  base_count_ = base_count;
  return {};
}

Status Stream::append(const MachineCode &code, std::size_t bytes, const Addresses &addresses) {
  const Status status = try_append(code, bytes, addresses);
  if (status.code() != ErrorCode::no_room || flush_ == nullptr || bytes_ == 0) [[likely]]
    return status;
  if (const Status flushed = flush_(owner_, *this); !flushed) return flushed;
  clear();
  ++flushes_;
  return try_append(code, bytes, addresses);
}

void Stream::write(const MachineCode &code, std::size_t bytes) {
  std::memcpy(memory_.data() + bytes_, code.data(), bytes);
  bytes_ += bytes;
  ++instructions_;
}

Status Stream::append(const isa::mx::ConvAct &operation) {
  constexpr Opcode kOp = Opcode::CONVACT;
  const std::uint32_t blocks = operation.output_blocks();
  const bool split = operation.output2.blocks != 0;
  Encoder<kOp> encoder;
  encoder.put<"InChannels">(operation.input.blocks - 1);
  encoder.put<"OutChannels">(blocks - 1);
  encoder.put<"Kernel">(operation.kernel / 2);
  encoder.put<"Stride">(operation.stride - 1);
  encoder.put<"Padding">(operation.padding);
  encoder.put<"Activation">(static_cast<std::uint32_t>(operation.activation));
  encoder.put<"Split">(split ? 1 : 0);
  encoder.put<"InHeight">(operation.input.height - 1);
  encoder.put<"InWidth">(operation.input.width - 1);
  encoder.put_offset<"InOffset">(operation.input.address);
  encoder.put_offset<"WeightOffset">(operation.weights);
  encoder.put_offset<"OutOffset1">(operation.output1.address);
  Addresses addresses;
  addresses.set(Addresses::input1, operation.input.address);
  addresses.set(Addresses::weight, operation.weights);
  addresses.set(Addresses::output1, operation.output1.address);
  if (split) {
    encoder.put_offset<"OutOffset2">(operation.output2.address);
    addresses.set(Addresses::output2, operation.output2.address);
  }
  // What has no field of its own follows from the others, and must be what the caller thinks it is.
  if (operation.kernel % 2 == 0) encoder.refuse(isa::mx::field<kOp, "Kernel">(), operation.kernel);
  if (Status status = encoder.status(); !status) return status;
  if (split && operation.output1.blocks != operation.output2.blocks)
    return Status(ErrorCode::shape_mismatch, "OutChannels", -1, operation.output2.blocks, operation.output1.blocks);
  if (Status status = check_output(operation.input, operation.output1, operation.kernel, operation.stride, operation.padding); !status)
    return status;
  return append(encoder.code(), isa::mx::instruction_of(kOp).bytes, addresses);
}

Status Stream::append(const isa::mx::Pool &operation) {
  constexpr Opcode kOp = Opcode::POOL;
  Encoder<kOp> encoder;
  encoder.put<"Channels">(operation.input.blocks - 1);
  encoder.put<"Padding">(operation.padding);
  encoder.put<"Mode">(static_cast<std::uint32_t>(operation.average ? isa::mx::PoolMode::Average : isa::mx::PoolMode::Maximum));
  encoder.put<"Kernel">(operation.kernel);
  encoder.put<"Stride">(operation.stride);
  encoder.put<"InHeight">(operation.input.height - 1);
  encoder.put<"InWidth">(operation.input.width - 1);
  encoder.put_offset<"InOffset">(operation.input.address);
  encoder.put_offset<"OutOffset1">(operation.output.address);
  Addresses addresses;
  addresses.set(Addresses::input1, operation.input.address);
  addresses.set(Addresses::output1, operation.output.address);
  if (Status status = encoder.status(); !status) return status;
  if (operation.output.blocks != operation.input.blocks)
    return Status(ErrorCode::shape_mismatch, "Channels", -1, operation.output.blocks, operation.input.blocks);
  if (Status status = check_output(operation.input, operation.output, operation.kernel, operation.stride, operation.padding); !status)
    return status;
  return append(encoder.code(), isa::mx::instruction_of(kOp).bytes, addresses);
}

Status Stream::append(const isa::mx::Move &operation) {
  constexpr Opcode kOp = Opcode::MOVE;
  Encoder<kOp> encoder;
  encoder.put_offset<"InOffset">(operation.from);
  encoder.put_offset<"OutOffset">(operation.to);
  encoder.put<"Repeat">(operation.repeat - 1);
  encoder.put<"InStride">(operation.from_stride);
  encoder.put<"OutStride">(operation.to_stride);
  encoder.put<"Run">(operation.run - 1);
  encoder.put<"Count">(operation.count - 1);
  Addresses addresses;
  addresses.set(Addresses::input1, operation.from);
  addresses.set(Addresses::output1, operation.to);
  if (Status status = encoder.status(); !status) return status;
  return append(encoder.code(), isa::mx::instruction_of(kOp).bytes, addresses);
}

template <isa::mx::Opcode Op>
Status Stream::append_one_tensor(const Elementwise &operation) {
  Encoder<Op> encoder;
  put_length(encoder, operation.blocks);
  if constexpr (Op == Opcode::SMULI) encoder.template put<"Immediate">(operation.immediate);
  encoder.template put_offset<"InOffset">(operation.input1);
  encoder.template put_offset<"OutOffset">(operation.output);
  Addresses addresses;
  addresses.set(Addresses::input1, operation.input1);
  addresses.set(Addresses::output1, operation.output);
  if (Status status = encoder.status(); !status) return status;
  return append(encoder.code(), isa::mx::instruction_of(Op).bytes, addresses);
}

template <isa::mx::Opcode Op>
Status Stream::append_two_tensors(const Elementwise &operation) {
  Encoder<Op> encoder;
  put_length(encoder, operation.blocks);
  encoder.template put_offset<"InOffset1">(operation.input1);
  encoder.template put_offset<"InOffset2">(operation.input2);
  encoder.template put_offset<"OutOffset">(operation.output);
  Addresses addresses;
  addresses.set(Addresses::input1, operation.input1);
  addresses.set(Addresses::input2, operation.input2);
  addresses.set(Addresses::output1, operation.output);
  if (Status status = encoder.status(); !status) return status;
  return append(encoder.code(), isa::mx::instruction_of(Op).bytes, addresses);
}

Status Stream::append(const Elementwise &operation) {
  switch (operation.function) {
    case ElementwiseFunction::add: return append_two_tensors<Opcode::ELADD>(operation);
    case ElementwiseFunction::multiply: return append_two_tensors<Opcode::ELMUL>(operation);
    case ElementwiseFunction::scale: return append_one_tensor<Opcode::SMULI>(operation);
    case ElementwiseFunction::sigmoid: return append_one_tensor<Opcode::SIGMOID>(operation);
    case ElementwiseFunction::softmax: return append_one_tensor<Opcode::SOFTMAX>(operation);
  }
  return Status(ErrorCode::invalid_argument, "function", -1, static_cast<std::int64_t>(operation.function));
}

void Stream::roll_back(const Mark &mark) {
  // After a flush all that is in here came after the mark.
  if (mark.flushes != flushes_) return clear();
  bytes_ = mark.bytes;
  instructions_ = mark.instructions;
  base_count_ = mark.base_count;
  selection_ = mark.selection;
}

}  // namespace cox::kernels::mx
