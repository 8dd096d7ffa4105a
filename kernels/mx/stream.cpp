// SPDX-License-Identifier: MIT
#include "kernels/mx/stream.h"

#include <algorithm>
#include <array>
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
// Copied; the compiler would have memset() make a new one, byte by byte.
const Status kGood;
constexpr std::uint32_t kBiasBytes = isa::mx::kBlockElements * sizeof(float);
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

  [[nodiscard]] bool ok() const { return refused_ == nullptr; }
  /// Where it is not ok().
  [[nodiscard]] Status status() const {
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

// Sizes of operands whose fields are in range: less than 2^32 bytes each.
constexpr std::uint32_t kMostBlocksOfMap =
    isa::mx::kMostChannels / isa::mx::kBlockElements * (isa::mx::kMostSide + 2) * (isa::mx::kMostSide + 2);
static_assert(std::uint64_t{kMostBlocksOfMap} * isa::mx::kBlockBytes <= UINT32_MAX);

/// Of an input or output of an instruction; in 32 bits, which costs the core a fraction of Map::bytes().
std::uint32_t bytes_of(const isa::mx::Map &map) { return map.blocks * map.height * map.width * isa::mx::kBlockBytes; }

std::uint32_t weight_bytes(std::uint32_t kernel, std::uint32_t input_blocks, std::uint32_t output_blocks) {
  static_assert(isa::mx::weight_bytes(3, isa::mx::kMostChannels / isa::mx::kBlockElements,
                                      isa::mx::kMostChannels / isa::mx::kBlockElements) <= UINT32_MAX);
  const auto group = static_cast<std::uint32_t>(isa::mx::weight_bytes(1, 1, 1)) - kBiasBytes;
  return output_blocks * (kernel * kernel * input_blocks * group + kBiasBytes);
}

/// An output has the sides that its instruction will give it.
[[gnu::always_inline]] inline bool has_sides(const isa::mx::Map &output, const isa::mx::Map &input, std::uint32_t kernel,
                                             std::uint32_t stride, std::uint32_t padding) {
  const std::uint32_t height = isa::mx::output_side(input.height, kernel, stride, padding);
  const std::uint32_t width = isa::mx::output_side(input.width, kernel, stride, padding);
  return output.height == height && output.width == width && height != 0 && width != 0;
}

/// Why it has not.
[[gnu::noinline]] Status sides_mismatch(const isa::mx::Map &output, const isa::mx::Map &input, std::uint32_t kernel, std::uint32_t stride,
                                        std::uint32_t padding) {
  const auto check = [&](const char *field, std::uint32_t side, std::uint32_t output_side) {
    const std::uint32_t expected = isa::mx::output_side(side, kernel, stride, padding);
    if (expected == 0) return Status(ErrorCode::shape_mismatch, field, -1, side + 2 * padding, kernel);
    return output_side == expected ? Status() : Status(ErrorCode::shape_mismatch, field, -1, output_side, expected);
  };
  const Status status = check("InHeight", input.height, output.height);
  return status ? check("InWidth", input.width, output.width) : status;
}

constexpr std::uint32_t kBaseNumber = isa::mx::kBaseRegisters - 1;
static_assert(isa::mx::instruction_of(Opcode::CONFBADDR).code == 0 && isa::mx::instruction_of(Opcode::CONFBADDR).funct == 0);

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

constexpr std::uint32_t with_base(std::uint32_t selected, unsigned base_bit, std::uint32_t number) {
  return (selected & ~(kBaseNumber << base_bit)) | number << base_bit;
}

/// What an instruction addresses, below 4 GiB unless `high` says otherwise. `Base` is CONFBADDR's field.
template <isa::FixedString Base, bool Written, std::uint64_t Alignment = isa::mx::kTensorAlignment>
struct Operand {
  static constexpr unsigned kBaseBit = isa::mx::field<Opcode::CONFBADDR, Base>().bit;
  static constexpr bool kWritten = Written;

  /// `bytes` is at least 1.
  [[gnu::always_inline]] Operand(std::uint64_t start, std::uint32_t bytes)
      : high(static_cast<std::uint32_t>(start >> 32)), first(static_cast<std::uint32_t>(start)), last(first + (bytes - 1)) {}

  [[nodiscard]] std::uint64_t start() const { return std::uint64_t{high} << 32 | first; }
  /// Address bits that a plain operand has not.
  [[nodiscard]] std::uint32_t odd_bits() const { return high | (first & static_cast<std::uint32_t>(Alignment - 1)); }
  [[nodiscard]] bool is_within(std::uint32_t window_first, std::uint32_t window_last) const {
    return first >= window_first && first <= last && last <= window_last;
  }
  [[nodiscard]] std::uint32_t base() const { return first & ~static_cast<std::uint32_t>(kOffsetMask); }

  std::uint32_t high, first, last;
};

using Input1 = Operand<"InputBase1", false>;
using Input2 = Operand<"InputBase2", false>;
using Output1 = Operand<"OutputBase1", true>;
using Output2 = Operand<"OutputBase2", true>;
using Weights = Operand<"WeightBase", false, isa::mx::kWeightAlignment>;

template <typename A, typename B>
[[gnu::always_inline]] inline bool are_apart(const A &a, const B &b, bool in_place) {
  if constexpr (!A::kWritten && !B::kWritten) return true;
  return a.first > b.last || b.first > a.last || (in_place && a.first == b.first);
}

template <typename First, typename... Rest>
[[gnu::always_inline]] inline bool all_apart(bool in_place, const First &first, const Rest &...rest) {
  if (!(are_apart(first, rest, in_place) && ...)) return false;
  if constexpr (sizeof...(rest) > 1) return all_apart(in_place, rest...);
  return true;
}

template <Opcode Op>
void put_length(Encoder<Op> &encoder, std::uint32_t blocks) {
  if (blocks - 1 >= isa::mx::kMostBlocks) encoder.refuse(isa::mx::field<Op, "Length2">(), blocks);
  encoder.template put<"Length1">(blocks & 0x3FF);
  encoder.template put<"Length2">(blocks >> 10 & 0xFF);
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
  low_windows_ = {};
  for (unsigned i = 0; i < window_count_; ++i) low_windows_[i] = low_window(windows_[i]);
  clear();
  return {};
}

void Stream::clear() {
  bytes_ = 0;
  instructions_ = 0;
  base_count_ = 0;
  selected_ = kNothingSelected;
}

[[gnu::noinline]] bool Stream::is_held(std::uint32_t first, std::uint32_t last, unsigned access) const {
  for (unsigned i = 0; i < window_count_; ++i) {
    const LowWindow &window = low_windows_[i];
    if (first >= window.first && first <= last && last <= window.last && (window.access & access) != 0) return true;
  }
  return false;
}

[[gnu::always_inline]] inline std::size_t Stream::bytes_with(std::size_t bytes, std::uint32_t selected) const {
  return bytes_ + bytes + (selected == selected_ ? 0 : kSelectionBytes);
}

[[gnu::always_inline]] inline void Stream::write(const MachineCode &code, std::size_t bytes, std::uint32_t selected, unsigned base_count) {
  std::byte *to = memory_.data() + bytes_;
  bytes_ = bytes_with(bytes, selected);
  if (selected != selected_) {
    selected_ = selected;
    const std::uint64_t word = selected;
    std::memcpy(to, &word, sizeof(word));
    to += kSelectionBytes;
    ++instructions_;
  }
  // Lengths that the compiler knows: calling memcpy() would cost more than the instruction's bytes.
  constexpr std::size_t kBlock = 8;
  static_assert(isa::mx::kLongestBytes == 3 * kBlock && kSelectionBytes == kBlock);
  std::memcpy(to, code.data(), kBlock);
  if (bytes > kBlock) std::memcpy(to + kBlock, code.data() + 2, kBlock);
  if (bytes > 2 * kBlock) std::memcpy(to + 2 * kBlock, code.data() + 4, kBlock);
  ++instructions_;
  base_count_ = base_count;
}

/// Appends an instruction whose operands are aligned, apart, in windows and below 4 GiB, where a control core has its memory, if it fits.
/// This is for the many calls that are good, at a twentieth of the cost of resolve() and the checks behind it.
template <typename... Operands>
[[gnu::always_inline]] inline bool Stream::append_plain(const MachineCode &code, std::size_t bytes, bool in_place,
                                                        const Operands &...operands) {
  if ((operands.odd_bits() | ...) != 0) return false;
  // One window for all is what most applications have.
  const LowWindow &window = low_windows_[0];
  const bool one = window.access == (kRead | kWritten) && (operands.is_within(window.first, window.last) && ...);
  if (!one && !(is_held(operands.first, operands.last, operands.kWritten ? kWritten : kRead) && ...)) return false;
  if (!all_apart(in_place, operands...)) return false;

  std::uint32_t selected = selected_ & ~kNothingSelected;
  unsigned count = base_count_;
  std::uint32_t number = isa::mx::kBaseRegisters;
  std::uint32_t base = 0;  // that `number` holds
  const auto select = [&](const auto &operand) {
    if (number == isa::mx::kBaseRegisters || base != operand.base()) {
      base = operand.base();
      for (number = 0; number < count && bases_.address[number] != base;) ++number;
      if (number == isa::mx::kBaseRegisters) return false;
      if (number == count) bases_.address[count++] = base;
    }
    selected = with_base(selected, operand.kBaseBit, number);
    return true;
  };
  if (!(select(operands) && ...)) return false;
  if (bytes_with(bytes, selected) > memory_.size()) return false;
  write(code, bytes, selected, count);
  return true;
}

template <typename... Operands>
[[gnu::always_inline]] inline Status Stream::append(const MachineCode &code, std::size_t bytes, bool in_place,
                                                    const Operands &...operands) {
  if (append_plain(code, bytes, in_place, operands...)) [[likely]]
    return kGood;
  // Copies, so that what is here can stay in registers.
  const MachineCode copy = code;
  const Address addresses[] = {{operands.start(), operands.kBaseBit}...};
  return append_checked(copy, bytes, addresses);
}

[[gnu::cold, gnu::noinline]] Status Stream::check(const MachineCode &code, std::uint32_t selected, unsigned base_count) {
  bases_.written = static_cast<std::uint32_t>((std::uint64_t{1} << base_count) - 1);
  const Result<Operation> operation = isa::mx::resolve(code, bases_, selection_of(selected));
  if (!operation) return operation.status();
  return isa::mx::check_windows(isa::mx::footprint(operation.value()), windows());
}

Status Stream::try_append(const MachineCode &code, std::size_t bytes, std::span<const Address> addresses) {
  std::uint32_t selected = selected_ & ~kNothingSelected;
  unsigned count = base_count_;
  for (const Address &address : addresses) {
    const std::uint64_t base = address.start & ~kOffsetMask;
    std::uint32_t number = 0;
    while (number < count && bases_.address[number] != base) ++number;
    if (number == isa::mx::kBaseRegisters)
      return Status(ErrorCode::no_room, "base registers", -1, isa::mx::kBaseRegisters + 1, isa::mx::kBaseRegisters);
    if (number == count) bases_.address[count++] = base;
    selected = with_base(selected, address.base_bit, number);
  }
  if (const Status status = check(code, selected, count); !status) return status;
  const std::size_t wanted = bytes_with(bytes, selected);
  if (wanted > memory_.size())
    return Status(ErrorCode::no_room, "stream", -1, static_cast<std::int64_t>(wanted), static_cast<std::int64_t>(memory_.size()));
  write(code, bytes, selected, count);
  return kGood;
}

[[gnu::noinline]] Status Stream::append_checked(const MachineCode &code, std::size_t bytes, std::span<const Address> addresses) {
  Status status = try_append(code, bytes, addresses);
  if (status.code() != ErrorCode::no_room || flush_ == nullptr || bytes_ == 0) return status;
  if (status = flush_(owner_, *this); !status) return status;
  clear();
  ++flushes_;
  return try_append(code, bytes, addresses);
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
  if (split) encoder.put_offset<"OutOffset2">(operation.output2.address);
  // What has no field of its own follows from the others, and must be what the caller thinks it is.
  if (operation.kernel % 2 == 0) encoder.refuse(isa::mx::field<kOp, "Kernel">(), operation.kernel);
  if (!encoder.ok()) [[unlikely]]
    return encoder.status();
  if (split && operation.output1.blocks != operation.output2.blocks)
    return Status(ErrorCode::shape_mismatch, "OutChannels", -1, operation.output2.blocks, operation.output1.blocks);
  if (!has_sides(operation.output1, operation.input, operation.kernel, operation.stride, operation.padding)) [[unlikely]]
    return sides_mismatch(operation.output1, operation.input, operation.kernel, operation.stride, operation.padding);
  const Input1 input(operation.input.address, bytes_of(operation.input));
  const Weights weights(operation.weights, weight_bytes(operation.kernel, operation.input.blocks, blocks));
  const Output1 output1(operation.output1.address, bytes_of(operation.output1));
  constexpr std::size_t kBytes = isa::mx::instruction_of(kOp).bytes;
  if (!split) return append(encoder.code(), kBytes, false, input, output1, weights);
  return append(encoder.code(), kBytes, false, input, output1, Output2(operation.output2.address, bytes_of(operation.output2)), weights);
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
  // Runs with gaps between them are more than a first and a last byte.
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
  // After a flush all that is in here came after the mark.
  if (mark.flushes != flushes_) return clear();
  bytes_ = mark.bytes;
  instructions_ = mark.instructions;
  base_count_ = mark.base_count;
  selected_ = mark.selected;
}

}  // namespace cox::kernels::mx
