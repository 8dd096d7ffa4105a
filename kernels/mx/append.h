// SPDX-License-Identifier: MIT
// Inline functions that append an instruction to a stream (docs/kernels/mx.md, Streams). Internal to the kernels. In a kernel that includes
// this header, the compiler computes the fields of the instruction that are constant in that kernel.
#pragma once

#include <array>
#include <cstring>

#include "coxswain/isa/mx/table.h"
#include "coxswain/kernels/mx/stream.h"

namespace cox::kernels::mx {
namespace detail {

using isa::Field;
using isa::mx::MachineCode;
using isa::mx::Opcode;

constexpr std::uint64_t kOffsetMask = isa::mx::kMostOffset;  // address bits that the instruction holds; the base register holds the rest
// The status of success. Returning a copy of it costs half as much as constructing a new one.
inline const Status kGood;
constexpr std::uint32_t kBiasBytes = isa::mx::kBlockElements * sizeof(float);
constexpr std::size_t kSelectionBytes = isa::mx::instruction_of(Opcode::CONFBADDR).bytes;

/// Returns the error that `field` cannot hold `stored`. Some fields hold a count minus 1; for a count of 0, `stored` is then -1.
Status out_of_range(const Field &field, std::uint32_t stored);

/// Builds one instruction. The fields are known at compile time, so a range check is one comparison and needs no table.
template <Opcode Op>
class Encoder {
 public:
  template <isa::FixedString Name>
  [[gnu::always_inline]] void put(std::uint32_t value) {
    constexpr const Field &kField = isa::mx::field<Op, Name>();
    constexpr auto kMinimum = static_cast<std::uint32_t>(kField.minimum);
    constexpr auto kMaximum = static_cast<std::uint32_t>(kField.maximum);
    static_assert(kField.bit % 32 + kField.width <= 32 && kField.count == 1 && kField.minimum >= 0);
    if (value - kMinimum > kMaximum - kMinimum) [[unlikely]]
      refuse(kField, value);
    code_[kField.bit / 32] |= value << kField.bit % 32;
  }
  template <isa::FixedString Name>
  [[gnu::always_inline]] void put_offset(std::uint64_t address) {
    put<Name>(static_cast<std::uint32_t>(address & kOffsetMask));
  }
  /// Records that the field cannot express `value`. `value` is in the unit of the instruction's field.
  [[gnu::always_inline]] void refuse(const Field &field, std::uint32_t value) {
    if (refused_ == nullptr) refused_ = &field, value_ = value;
  }

  [[nodiscard]] bool ok() const { return refused_ == nullptr; }
  /// Call only if ok() is false.
  [[nodiscard, gnu::always_inline]] Status status() const { return out_of_range(*refused_, value_); }
  [[nodiscard]] const MachineCode &code() const { return code_; }

 private:
  static constexpr MachineCode kFirstWords = isa::begin<Op>();

  MachineCode code_ = kFirstWords;
  const Field *refused_ = nullptr;
  std::uint32_t value_ = 0;
};

// The most blocks of an operand whose fields are in range. The operand then has less than 2^32 bytes.
constexpr std::uint32_t kMostBlocksOfMap =
    isa::mx::kMostChannels / isa::mx::kBlockElements * (isa::mx::kMostSide + 2) * (isa::mx::kMostSide + 2);
static_assert(std::uint64_t{kMostBlocksOfMap} * isa::mx::kBlockBytes <= UINT32_MAX);

/// Returns the bytes of an instruction's input or output. The 32-bit arithmetic here costs the core a fraction of the 64-bit arithmetic of
/// Map::bytes().
inline std::uint32_t bytes_of(const isa::mx::Map &map) { return map.blocks * map.height * map.width * isa::mx::kBlockBytes; }

inline std::uint32_t weight_bytes(std::uint32_t kernel, std::uint32_t input_blocks, std::uint32_t output_blocks) {
  static_assert(isa::mx::weight_bytes(3, isa::mx::kMostChannels / isa::mx::kBlockElements,
                                      isa::mx::kMostChannels / isa::mx::kBlockElements) <= UINT32_MAX);
  const auto group = static_cast<std::uint32_t>(isa::mx::weight_bytes(1, 1, 1)) - kBiasBytes;
  return output_blocks * (kernel * kernel * input_blocks * group + kBiasBytes);
}

/// Returns true if the output has the sides that the instruction will produce.
[[gnu::always_inline]] inline bool has_sides(const isa::mx::Map &output, const isa::mx::Map &input, std::uint32_t kernel,
                                             std::uint32_t stride, std::uint32_t padding) {
  const std::uint32_t height = isa::mx::output_side(input.height, kernel, stride, padding);
  const std::uint32_t width = isa::mx::output_side(input.width, kernel, stride, padding);
  return output.height == height && output.width == width && height != 0 && width != 0;
}

/// Returns the error if has_sides() is false. It takes the maps by value so that callers can keep them in registers.
Status sides_mismatch(isa::mx::Map output, isa::mx::Map input, std::uint32_t kernel, std::uint32_t stride, std::uint32_t padding);

constexpr std::uint32_t kBaseNumber = isa::mx::kBaseRegisters - 1;
static_assert(isa::mx::instruction_of(Opcode::CONFBADDR).code == 0 && isa::mx::instruction_of(Opcode::CONFBADDR).funct == 0);

constexpr std::uint32_t with_base(std::uint32_t selected, unsigned base_bit, std::uint32_t number) {
  return (selected & ~(kBaseNumber << base_bit)) | number << base_bit;
}

/// The memory that one operand of an instruction covers. It lies below 4 GiB if `high` is 0. `Base` is the operand's field in CONFBADDR.
template <isa::FixedString Base, bool Written, std::uint64_t Alignment = isa::mx::kTensorAlignment>
struct Operand {
  static constexpr unsigned kBaseBit = isa::mx::field<Opcode::CONFBADDR, Base>().bit;
  static constexpr bool kWritten = Written;

  /// `bytes` is at least 1.
  [[gnu::always_inline]] Operand(std::uint64_t start, std::uint32_t bytes)
      : high(static_cast<std::uint32_t>(start >> 32)), first(static_cast<std::uint32_t>(start)), last(first + (bytes - 1)) {}

  [[nodiscard]] std::uint64_t start() const { return std::uint64_t{high} << 32 | first; }
  /// Returns the address bits that must be 0 for append_plain().
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

}  // namespace detail

[[gnu::always_inline]] inline std::size_t Stream::bytes_with(std::size_t bytes, std::uint32_t selected) const {
  return bytes + (selected == selected_ ? 0 : detail::kSelectionBytes);
}

[[gnu::always_inline]] inline void Stream::write(const detail::MachineCode &code, std::size_t bytes, std::uint32_t selected,
                                                 unsigned base_count) {
  std::byte *to = take(bytes_with(bytes, selected));
  const bool selects = selected != selected_;
  instructions_ += selects ? 2 : 1;
  if (selects) {
    selected_ = selected;
    const std::uint64_t word = selected;
    std::memcpy(to, &word, sizeof(word));
    to += detail::kSelectionBytes;
  }
  // The copy goes word by word so that the code can stay in registers.
  constexpr std::size_t kWord = sizeof(code[0]);
#pragma GCC unroll 6
  for (std::size_t i = 0; i < isa::mx::kLongestBytes / kWord; ++i) {
    if (i * kWord < bytes) std::memcpy(to + i * kWord, &code[i], kWord);
  }
  base_count_ = base_count;
}

/// Appends an instruction if it fits and its operands are aligned, do not overlap, and lie in windows and below 4 GiB. A control core's
/// memory lies below 4 GiB, so most calls meet these conditions. This path costs a twentieth of the full checks, which begin with
/// resolve().
template <typename... Operands>
[[gnu::always_inline]] inline bool Stream::append_plain(const detail::MachineCode &code, std::size_t bytes, bool in_place,
                                                        const Operands &...operands) {
  if ((operands.odd_bits() | ...) != 0) return false;
  // Most applications have one window for all operands.
  const LowWindow &window = low_windows_[0];
  const bool one = window.access == (kRead | kWritten) && (operands.is_within(window.first, window.last) && ...);
  if (!one && !(is_held(operands.first, operands.last, operands.kWritten ? kWritten : kRead) && ...)) return false;
  if (!detail::all_apart(in_place, operands...)) return false;

  std::uint32_t selected = selected_ & ~kNothingSelected;
  unsigned count = base_count_;
  std::uint32_t number = isa::mx::kBaseRegisters;
  std::uint32_t base = 0;  // the base that register `number` holds
  const auto select = [&](const auto &operand) __attribute__((always_inline)) {
    if (number == isa::mx::kBaseRegisters || base != operand.base()) {
      base = operand.base();
      for (number = 0; number < count && bases_.address[number] != base;) ++number;
      if (number == isa::mx::kBaseRegisters) return false;
      if (number == count) bases_.address[count++] = base;
    }
    selected = detail::with_base(selected, operand.kBaseBit, number);
    return true;
  };
  if (!(select(operands) && ...)) return false;
  if (!has_room(bytes_with(bytes, selected))) return false;
  write(code, bytes, selected, count);
  return true;
}

template <typename... Operands>
[[gnu::always_inline]] inline Status Stream::append(const detail::MachineCode &code, std::size_t bytes, bool in_place,
                                                    const Operands &...operands) {
  if (append_plain(code, bytes, in_place, operands...)) [[likely]]
    return detail::kGood;
  // append_checked() needs an address. It gets that of a copy, so that the compiler can keep `code` in registers.
  const detail::MachineCode copy{code[0], code[1], code[2], code[3], code[4], code[5]};
  const Address addresses[] = {{operands.start(), operands.kBaseBit}...};
  return append_checked(copy, bytes, addresses);
}

[[gnu::always_inline]] inline Status Stream::append_conv_act(const isa::mx::ConvAct &operation) {
  constexpr detail::Opcode kOp = detail::Opcode::CONVACT;
  const std::uint32_t blocks = operation.output_blocks();
  const bool split = operation.output2.blocks != 0;
  detail::Encoder<kOp> encoder;
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
  // Only odd kernels exist. The field Kernel holds half of the size, rounded down, so it cannot tell an even size from the next odd one.
  if (operation.kernel % 2 == 0) encoder.refuse(isa::mx::field<kOp, "Kernel">(), operation.kernel);
  if (!encoder.ok()) [[unlikely]]
    return encoder.status();
  // The engine derives the shapes of the outputs from the other fields. The shapes that the caller passed must equal the derived ones.
  if (split && operation.output1.blocks != operation.output2.blocks)
    return Status(ErrorCode::shape_mismatch, "OutChannels", -1, operation.output2.blocks, operation.output1.blocks);
  if (!detail::has_sides(operation.output1, operation.input, operation.kernel, operation.stride, operation.padding)) [[unlikely]]
    return detail::sides_mismatch(operation.output1, operation.input, operation.kernel, operation.stride, operation.padding);
  const detail::Input1 input(operation.input.address, detail::bytes_of(operation.input));
  const detail::Weights weights(operation.weights, detail::weight_bytes(operation.kernel, operation.input.blocks, blocks));
  const detail::Output1 output1(operation.output1.address, detail::bytes_of(operation.output1));
  constexpr std::size_t kBytes = isa::mx::instruction_of(kOp).bytes;
  if (!split) return append(encoder.code(), kBytes, false, input, output1, weights);
  return append(encoder.code(), kBytes, false, input, output1,
                detail::Output2(operation.output2.address, detail::bytes_of(operation.output2)), weights);
}

}  // namespace cox::kernels::mx
