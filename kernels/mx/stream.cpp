// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/stream.h"

#include <algorithm>

#include "coxswain/device/engine_descriptor.h"
#include "coxswain/isa/mx/table.h"
#include "coxswain/kernels/mx/append.h"

namespace cox::kernels::mx {

namespace detail {

[[gnu::cold, gnu::noinline]] Status out_of_range(const Field &field, std::uint32_t stored) {
  const auto value = static_cast<std::int32_t>(stored);
  return Status(ErrorCode::field_out_of_range, field.name, -1, value, value < field.minimum ? field.minimum : field.maximum);
}

[[gnu::noinline]] Status sides_mismatch(isa::mx::Map output, isa::mx::Map input, std::uint32_t kernel, std::uint32_t stride,
                                        std::uint32_t padding) {
  const auto check = [&](const char *field, std::uint32_t side, std::uint32_t output_side) {
    const std::uint32_t expected = isa::mx::output_side(side, kernel, stride, padding);
    if (expected == 0) return Status(ErrorCode::shape_mismatch, field, -1, side + 2 * padding, kernel);
    return output_side == expected ? Status() : Status(ErrorCode::shape_mismatch, field, -1, output_side, expected);
  };
  const Status status = check("InHeight", input.height, output.height);
  return status ? check("InWidth", input.width, output.width) : status;
}

}  // namespace detail

namespace {

using namespace detail;
using isa::mx::Elementwise;
using isa::mx::ElementwiseFunction;
using isa::mx::Operation;
using isa::mx::Selection;

Selection selection_of(std::uint32_t word) {
  const MachineCode code{word};
  const auto number = [&]<isa::FixedString Name>() { return static_cast<std::uint8_t>(isa::mx::get<Opcode::CONFBADDR, Name>(code)); };
  return {.chosen = true,
          .input1 = number.operator()<"InputBase1">(),
          .input2 = number.operator()<"InputBase2">(),
          .output1 = number.operator()<"OutputBase1">(),
          .output2 = number.operator()<"OutputBase2">(),
          .weight = number.operator()<"WeightBase">()};
}

template <Opcode Op>
void put_length(Encoder<Op> &encoder, std::uint32_t blocks) {
  if (blocks - 1 >= isa::mx::kMostBlocks) encoder.refuse(isa::mx::field<Op, "Length2">(), blocks);
  constexpr const isa::Field &kLow = isa::mx::field<Op, "Length1">();
  constexpr const isa::Field &kHigh = isa::mx::field<Op, "Length2">();
  encoder.template put<"Length1">(blocks & static_cast<std::uint32_t>(kLow.maximum));
  encoder.template put<"Length2">(blocks >> kLow.width & static_cast<std::uint32_t>(kHigh.maximum));
}

}  // namespace

Stream::LowWindow Stream::low_window(const isa::mx::Window &window) {
  constexpr std::uint64_t kEnd = std::uint64_t{1} << 32;
  if (window.base >= kEnd || window.bytes == 0) return {.first = 1, .last = 0, .access = 0};
  const std::uint64_t last = std::min(window.bytes, kEnd - window.base) - 1 + window.base;
  return {.first = static_cast<std::uint32_t>(window.base),
          .last = static_cast<std::uint32_t>(last),
          .access = (window.read ? kRead : 0) | (window.write ? kWritten : 0)};
}

Status Stream::init(std::span<std::byte> memory, std::span<const isa::Window> windows) {
  constexpr StreamBuffer::Shape kShape = {.unit = isa::mx::kStreamAlignment, .least = kSelectionBytes + isa::mx::kLongestBytes};
  if (const Status status = StreamBuffer::init(memory, windows, kShape); !status) return status;
  low_windows_ = {};
  for (unsigned i = 0; i < windows.size(); ++i) low_windows_[i] = low_window(windows[i]);
  clear();
  return {};
}

void Stream::set_flush(Flush flush, void *owner) {
  flush_ = flush;
  set_hand_over(flush == nullptr ? nullptr : call_flush, owner);
}

Result<std::span<std::byte>> Stream::call_flush(void *owner, StreamBuffer &buffer) {
  auto &stream = static_cast<Stream &>(buffer);
  if (const Status status = stream.flush_(owner, stream); !status) return status;
  return stream.segment(0);
}

void Stream::clear() {
  forget();
  StreamBuffer::clear();
}

void Stream::forget() {
  instructions_ = 0;
  base_count_ = 0;
  selected_ = kNothingSelected;
}

[[gnu::noinline]] bool Stream::is_held(std::uint32_t first, std::uint32_t last, unsigned access) const {
  for (unsigned i = 0; i < windows().size(); ++i) {
    const LowWindow &window = low_windows_[i];
    if (first >= window.first && first <= last && last <= window.last && (window.access & access) != 0) return true;
  }
  return false;
}

[[gnu::cold, gnu::noinline]] Status Stream::check(const MachineCode &code, std::uint32_t selected, unsigned base_count) {
  bases_.written = static_cast<std::uint32_t>((std::uint64_t{1} << base_count) - 1);
  return check(code, selected, bases_);
}

[[gnu::cold, gnu::noinline]] Status Stream::check(const MachineCode &code, std::uint32_t selected,
                                                  const isa::mx::BaseRegisters &bases) const {
  const Result<Operation> operation = isa::mx::resolve(code, bases, selection_of(selected));
  if (!operation) return operation.status();
  return isa::mx::check_windows(isa::mx::footprint(operation.value()), windows());
}

[[gnu::cold, gnu::noinline]] Status Stream::check_alone(const MachineCode &code, std::span<const Address> addresses) const {
  isa::mx::BaseRegisters own;
  std::uint32_t selected = 0;
  for (std::uint32_t i = 0; i < addresses.size(); ++i) {
    own.address[i] = addresses[i].start & ~kOffsetMask;
    own.written |= 1U << i;
    selected = with_base(selected, addresses[i].base_bit, i);
  }
  return check(code, selected, own);
}

Status Stream::try_append(const MachineCode &code, std::size_t bytes, std::span<const Address> addresses) {
  std::uint32_t selected = selected_ & ~kNothingSelected;
  unsigned count = base_count_;
  for (const Address &address : addresses) {
    const std::uint64_t base = address.start & ~kOffsetMask;
    std::uint32_t number = 0;
    while (number < count && bases_.address[number] != base) ++number;
    if (number == isa::mx::kBaseRegisters) {
      // After no_room, the caller flushes the stream. That does not help an instruction that even an empty stream refuses.
      if (const Status status = check_alone(code, addresses); !status) return status;
      return Status(ErrorCode::no_room, "base registers", -1, isa::mx::kBaseRegisters + 1, isa::mx::kBaseRegisters);
    }
    if (number == count) bases_.address[count++] = base;
    selected = with_base(selected, address.base_bit, number);
  }
  if (const Status status = check(code, selected, count); !status) return status;
  const std::size_t wanted = bytes_with(bytes, selected);
  if (wanted > room())
    return Status(ErrorCode::no_room, "stream", -1, static_cast<std::int64_t>(this->code().size() + wanted),
                  static_cast<std::int64_t>(capacity()));
  write(code, bytes, selected, count);
  return kGood;
}

[[gnu::noinline]] Status Stream::append_checked(const MachineCode &code, std::size_t bytes, std::span<const Address> addresses) {
  if (begin() == nullptr) return Status(ErrorCode::not_ready, "stream");
  Status status = try_append(code, bytes, addresses);
  if (status.code() != ErrorCode::no_room || !has_hand_over() || is_empty()) return status;
  if (status = hand_over(); !status) return status;
  forget();
  return try_append(code, bytes, addresses);
}

Status Stream::append(const isa::mx::ConvAct &operation) { return append_conv_act(operation); }

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
  if (!encoder.ok()) [[unlikely]]
    return encoder.status();
  if (operation.output.blocks != operation.input.blocks)
    return Status(ErrorCode::shape_mismatch, "Channels", -1, operation.output.blocks, operation.input.blocks);
  if (!has_sides(operation.output, operation.input, operation.kernel, operation.stride, operation.padding)) [[unlikely]]
    return sides_mismatch(operation.output, operation.input, operation.kernel, operation.stride, operation.padding);
  if (operation.padding >= operation.kernel)
    return Status(ErrorCode::shape_mismatch, "Padding", -1, operation.padding, std::int64_t{operation.kernel} - 1);
  return append(encoder.code(), isa::mx::instruction_of(kOp).bytes, false, Input1(operation.input.address, bytes_of(operation.input)),
                Output1(operation.output.address, bytes_of(operation.output)));
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
  if (!encoder.ok()) [[unlikely]]
    return encoder.status();
  // This calls append_checked(), because an Operand (first and last byte) cannot describe runs with gaps between them.
  const Address addresses[] = {{operation.from, Input1::kBaseBit}, {operation.to, Output1::kBaseBit}};
  return append_checked(encoder.code(), isa::mx::instruction_of(kOp).bytes, addresses);
}

template <isa::mx::Opcode Op>
Status Stream::append_one_tensor(const Elementwise &operation) {
  Encoder<Op> encoder;
  put_length(encoder, operation.blocks);
  if constexpr (Op == Opcode::SMULI) encoder.template put<"Immediate">(operation.immediate);
  encoder.template put_offset<"InOffset">(operation.input1);
  encoder.template put_offset<"OutOffset">(operation.output);
  if (!encoder.ok()) [[unlikely]]
    return encoder.status();
  const std::uint32_t bytes = operation.blocks * isa::mx::kBlockBytes;
  return append(encoder.code(), isa::mx::instruction_of(Op).bytes, true, Input1(operation.input1, bytes), Output1(operation.output, bytes));
}

template <isa::mx::Opcode Op>
Status Stream::append_two_tensors(const Elementwise &operation) {
  Encoder<Op> encoder;
  put_length(encoder, operation.blocks);
  encoder.template put_offset<"InOffset1">(operation.input1);
  encoder.template put_offset<"InOffset2">(operation.input2);
  encoder.template put_offset<"OutOffset">(operation.output);
  if (!encoder.ok()) [[unlikely]]
    return encoder.status();
  const std::uint32_t bytes = operation.blocks * isa::mx::kBlockBytes;
  return append(encoder.code(), isa::mx::instruction_of(Op).bytes, true, Input1(operation.input1, bytes), Input2(operation.input2, bytes),
                Output1(operation.output, bytes));
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
  if (!StreamBuffer::roll_back(mark.place)) return forget();
  instructions_ = mark.instructions;
  base_count_ = mark.base_count;
  selected_ = mark.selected;
}

}  // namespace cox::kernels::mx
