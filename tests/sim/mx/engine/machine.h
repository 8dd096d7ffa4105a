// SPDX-License-Identifier: MIT
// The machine of tests/sim/device with the MX engine brought up: streams in memory, descriptors and completions. Context 0 has window 0.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "device/engine_descriptor.h"
#include "isa/mx/operation.h"
#include "isa/mx/table.h"
#include "isa/numbers/mx9_block.h"
#include "tests/sim/device/machine.h"

namespace cox::test {

namespace mx = isa::mx;

/// An instruction with the named fields.
inline mx::MachineCode make_mx(mx::Opcode opcode, std::initializer_list<std::pair<const char *, std::int64_t>> fields = {}) {
  mx::MachineCode code = mx::begin(opcode);
  for (const auto &[name, value] : fields) {
    const isa::Field *field = mx::find_field(mx::instruction_of(opcode), name);
    EXPECT_NE(field, nullptr) << name;
    EXPECT_TRUE(mx::set(code, *field, value).ok()) << name;
  }
  return code;
}

/// A CONFBADDR that selects base register 0 for all operands.
inline mx::MachineCode bases() { return make_mx(mx::Opcode::CONFBADDR); }

class MxMachine : public Machine {
 public:
  static constexpr std::uint64_t kMxRing = kMemoryBase + 0x20000;
  static constexpr std::uint64_t kMxCompletions = kMemoryBase + 0x30000;
  static constexpr std::uint64_t kStreams = kMemoryBase + 0x40000;
  static constexpr std::uint32_t kMxRingLog2 = 2;
  static constexpr std::uint32_t kMxQueue = 36;

  explicit MxMachine(const char *options = nullptr, bool mapped = true) : Machine(options, mapped) {}

  void bring_up_mx(std::uint32_t coalesce = 0, std::uint32_t completions_log2 = 4) {
    bring_up();
    mx_completions_log2 = completions_log2;
    enable_mx(coalesce);
    write(r::int_enable::kOffset, 0x111);
    write_base(0, 0, kWindow);
  }
  void enable_mx(std::uint32_t coalesce = 0) {
    write(r::engine::base_lo::offset(0), static_cast<std::uint32_t>(kMxRing));
    write(r::engine::control::offset(0), 1 | kMxRingLog2 << 4);
    write(r::cq::base_lo::offset(4), static_cast<std::uint32_t>(kMxCompletions));
    write(r::cq::coalesce::offset(4), coalesce);
    write(r::cq::control::offset(4), 1 | mx_completions_log2 << 4);
  }
  void write_base(unsigned context, unsigned index, std::uint64_t address) {
    write(r::mx::base::hi::offset(context, index), static_cast<std::uint32_t>(address >> 32));
    write(r::mx::base::lo::offset(context, index), static_cast<std::uint32_t>(address));
  }

  /// Writes a stream behind the previous ones and returns its address and length.
  struct Stream {
    std::uint64_t address;
    std::uint32_t bytes;
  };
  Stream stream(std::initializer_list<mx::MachineCode> codes) {
    const Stream result{next_stream, 0};
    for (const mx::MachineCode &code : codes) {
      const std::uint32_t bytes = mx::find_instruction(code[0]) == nullptr ? 8 : mx::find_instruction(code[0])->bytes;
      std::memcpy(find(next_stream, bytes), code.data(), bytes);
      next_stream += bytes;
    }
    return {result.address, static_cast<std::uint32_t>(next_stream - result.address)};
  }

  /// Puts a descriptor into the ring and rings the doorbell.
  void submit(const registers::EngineDescriptor &descriptor) {
    std::memcpy(find(kMxRing + (mx_tail++ & ((1U << kMxRingLog2) - 1)) * 32, 32), &descriptor, 32);
    write(r::engine::tail::offset(0), mx_tail);
  }
  void submit(std::initializer_list<mx::MachineCode> codes, unsigned context = 0, bool completion = true) {
    const Stream made = stream(codes);
    submit({made.address, made.bytes, registers::EngineDescriptor::control_of(context, completion), {}});
  }
  using Machine::submit;

  std::uint32_t mx_completions() { return read(r::cq::tail::offset(4)); }
  [[nodiscard]] Entry mx_entry(std::uint32_t index) {
    const Entry entry = decode(find(kMxCompletions + (index & ((1U << mx_completions_log2) - 1)) * 16, 16));
    EXPECT_TRUE(entry.intact) << "the check half-word (docs/design.md, Queues)";
    return entry;
  }
  std::uint64_t mx_counter(std::uint32_t offset_of_low) {
    const std::uint32_t offset = r::engine::base_lo::offset(0) + offset_of_low;
    const std::uint64_t low = read(offset);
    return low | std::uint64_t{read(offset + 4)} << 32;
  }

  [[nodiscard]] mx::Block block(std::uint64_t offset_in_window) {
    mx::Block block;
    std::memcpy(&block, find(kWindow + offset_in_window, sizeof block), sizeof block);
    return block;
  }
  void set_block(std::uint64_t offset_in_window, const mx::Block &block) {
    std::memcpy(find(kWindow + offset_in_window, sizeof block), &block, sizeof block);
  }
  /// A block of sixteen equal values.
  static mx::Block uniform(float value) {
    std::array<float, mx::kBlockElements> values;
    values.fill(value);
    return mx::quantise(values);
  }

  std::uint32_t mx_tail = 0;
  std::uint32_t mx_completions_log2 = 4;
  std::uint64_t next_stream = kStreams;
};

}  // namespace cox::test
