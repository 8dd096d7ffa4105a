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

bool is_same(const Selection &a, const Selection &b) {
  return a.chosen == b.chosen && a.input1 == b.input1 && a.input2 == b.input2 && a.output1 == b.output1 && a.output2 == b.output2 &&
         a.weight == b.weight;
}

/// All of CONFBADDR's fields are in its first word.
std::uint32_t encode(const Selection &selection) {
  Encoder<Opcode::CONFBADDR> encoder;
  encoder.put<"InputBase1">(selection.input1);
  encoder.put<"InputBase2">(selection.input2);
  encoder.put<"OutputBase1">(selection.output1);
  encoder.put<"OutputBase2">(selection.output2);
  encoder.put<"WeightBase">(selection.weight);
  return encoder.code()[0];
}

template <Opcode Op>
void put_length(Encoder<Op> &encoder, std::uint32_t blocks) {
  if (blocks - 1 >= isa::mx::kMostBlocks) encoder.refuse(isa::mx::field<Op, "Length2">(), blocks);
  encoder.template put<"Length1">(blocks & 0x3FF);
  encoder.template put<"Length2">(blocks >> 10 & 0xFF);
}

}  // namespace

/// What an instruction addresses, as first and last byte. Left uninitialised where it has fewer operands than there can be: this is on the
/// way of every kernel call.
struct Stream::Operands {
  struct Operand {
    std::uint64_t start;
    std::uint32_t last;  ///< low half
    std::uint8_t Selection::*base;
    bool write;
  };
  static constexpr unsigned kMost = 4;
  Operand of[kMost];
  unsigned count = 0;
  std::uint32_t unaligned = 0;                            ///< address bits that should be zero and are not
  std::uint32_t high = 0;                                 ///< what addresses have above 32 bits
  std::uint32_t lowest = ~std::uint32_t{0}, highest = 0;  ///< bytes of all of them
  bool in_place = false;                                  ///< an output may be the very bytes of an input
  bool simple = true;                                     ///< each operand is all that lies between first and last byte

  void add(std::uint8_t Selection::*base, std::uint64_t start, std::uint32_t bytes, bool write, std::uint32_t alignment = 2) {
    const auto low = static_cast<std::uint32_t>(start);
    of[count++] = {start, low + bytes - 1, base, write};
    unaligned |= low & (alignment - 1);
    high |= static_cast<std::uint32_t>(start >> 32);
    lowest = std::min(lowest, low);
    highest = std::max(highest, low + bytes - 1);
    if (low + bytes - 1 < low) simple = false;  // past 4 GiB
  }
};

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
  selection_ = {};
}

unsigned Stream::select(const Operands &operands, Selection &selection) {
  unsigned count = base_count_;
  for (unsigned i = 0; i < operands.count; ++i) {
    const std::uint64_t base = operands.of[i].start & ~kOffsetMask;
    unsigned number = 0;
    while (number < count && bases_.address[number] != base) ++number;
    if (number == isa::mx::kBaseRegisters) return isa::mx::kBaseRegisters + 1;
    if (number == count) bases_.address[count++] = base;
    selection.*operands.of[i].base = static_cast<std::uint8_t>(number);
  }
  selection.chosen = true;
  return count;
}

/// Whether the operands are aligned, apart and in windows, for those that are simple and below 4 GiB, where a control core has its memory.
/// Where it says no, resolve() and the checks behind it have the last word, as on the device, and words for it: this is for the many calls
/// that are good, at a twentieth of the cost.
[[gnu::always_inline]] inline bool Stream::is_plain(const Operands &operands) const {
  if ((operands.unaligned | operands.high) != 0 || !operands.simple) return false;
  // One window for all is what most applications have.
  const LowWindow &first = low_windows_[0];
  const bool one = operands.lowest >= first.first && operands.highest <= first.last && first.access == (kRead | kWritten);
  if (!one && !are_held(operands)) return false;
  const Operands::Operand *const end = operands.of + operands.count;
  for (const Operands::Operand *output = operands.of; output != end; ++output) {
    if (!output->write) continue;
    const auto start = static_cast<std::uint32_t>(output->start);
    for (const Operands::Operand *other = operands.of; other != end; ++other) {
      const auto other_start = static_cast<std::uint32_t>(other->start);
      if (start > other->last || other_start > output->last || output == other) continue;
      if (!operands.in_place || start != other_start) return false;
    }
  }
  return true;
}

[[gnu::noinline]] bool Stream::are_held(const Operands &operands) const {
  for (unsigned i = 0; i < operands.count; ++i) {
    const Operands::Operand &operand = operands.of[i];
    const unsigned access = operand.write ? kWritten : kRead;
    bool held = false;
    for (unsigned j = 0; j < window_count_; ++j) {
      const LowWindow &window = low_windows_[j];
      held = held ||
             (static_cast<std::uint32_t>(operand.start) >= window.first && operand.last <= window.last && (window.access & access) != 0);
    }
    if (!held) return false;
  }
  return true;
}

[[gnu::cold, gnu::noinline]] Status Stream::check(const MachineCode &code, const Selection &selection, unsigned base_count) {
  bases_.written = static_cast<std::uint32_t>((std::uint64_t{1} << base_count) - 1);
  const Result<Operation> operation = isa::mx::resolve(code, bases_, selection);
  if (!operation) return operation.status();
  return isa::mx::check_windows(isa::mx::footprint(operation.value()), windows());
}

Status Stream::try_append(const MachineCode &code, std::size_t bytes, const Operands &operands) {
  Selection selection = selection_;
  const unsigned base_count = select(operands, selection);
  if (base_count > isa::mx::kBaseRegisters) [[unlikely]]
    return Status(ErrorCode::no_room, "base registers", -1, base_count, isa::mx::kBaseRegisters);
  if (!is_plain(operands)) [[unlikely]] {
    if (const Status status = check(code, selection, base_count); !status) return status;
  }
  const bool select_anew = !is_same(selection, selection_);
  const std::size_t wanted = bytes_ + bytes + (select_anew ? kSelectionBytes : 0);
  if (wanted > memory_.size()) [[unlikely]]
    return Status(ErrorCode::no_room, "stream", -1, static_cast<std::int64_t>(wanted), static_cast<std::int64_t>(memory_.size()));
  std::byte *to = memory_.data() + bytes_;
  if (select_anew) {
    const std::uint64_t word = encode(selection);
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
  bytes_ = wanted;
  selection_ = selection;
  base_count_ = base_count;
  return kGood;
}

Status Stream::append(const MachineCode &code, std::size_t bytes, const Operands &operands) {
  Status status = try_append(code, bytes, operands);
  if (status.code() != ErrorCode::no_room || flush_ == nullptr || bytes_ == 0) [[likely]]
    return status;
  if (status = flush_(owner_, *this); !status) return status;
  clear();
  ++flushes_;
  return try_append(code, bytes, operands);
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
  Operands operands;
  operands.add(&Selection::input1, operation.input.address, bytes_of(operation.input), false);
  operands.add(&Selection::output1, operation.output1.address, bytes_of(operation.output1), true);
  if (split) operands.add(&Selection::output2, operation.output2.address, bytes_of(operation.output2), true);
  constexpr std::uint32_t kWeightAlignment = 4;
  operands.add(&Selection::weight, operation.weights, weight_bytes(operation.kernel, operation.input.blocks, blocks), false,
               kWeightAlignment);
  return append(encoder.code(), isa::mx::instruction_of(kOp).bytes, operands);
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
  Operands operands;
  operands.add(&Selection::input1, operation.input.address, bytes_of(operation.input), false);
  operands.add(&Selection::output1, operation.output.address, bytes_of(operation.output), true);
  return append(encoder.code(), isa::mx::instruction_of(kOp).bytes, operands);
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
  Operands operands;
  operands.simple = false;
  operands.add(&Selection::input1, operation.from, 0, false);
  operands.add(&Selection::output1, operation.to, 0, true);
  return append(encoder.code(), isa::mx::instruction_of(kOp).bytes, operands);
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
  Operands operands;
  operands.in_place = true;
  operands.add(&Selection::input1, operation.input1, bytes, false);
  operands.add(&Selection::output1, operation.output, bytes, true);
  return append(encoder.code(), isa::mx::instruction_of(Op).bytes, operands);
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
  Operands operands;
  operands.in_place = true;
  operands.add(&Selection::input1, operation.input1, bytes, false);
  operands.add(&Selection::input2, operation.input2, bytes, false);
  operands.add(&Selection::output1, operation.output, bytes, true);
  return append(encoder.code(), isa::mx::instruction_of(Op).bytes, operands);
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
