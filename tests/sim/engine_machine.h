// SPDX-License-Identifier: MIT
// The machine of tests/sim/device with one more engine brought up. It writes programs into memory, submits their descriptors and reads the
// completions. Context 0 has window 0.
#pragma once

#include <cstring>
#include <span>

#include "coxswain/device/engine_bits.h"
#include "coxswain/device/engine_descriptor.h"
#include "tests/sim/device/machine.h"

namespace cox::test {

/// Drives any engine that takes descriptors from a ring. The class does not look into programs.
class EngineMachine : public Machine {
 public:
  static constexpr std::uint64_t kRing = kMemoryBase + 0x20000;
  static constexpr std::uint64_t kEngineCompletions = kMemoryBase + 0x30000;
  static constexpr std::uint64_t kPrograms = kMemoryBase + 0x40000;

  explicit EngineMachine(const registers::EngineRow &row, const char *options = nullptr, bool mapped = true)
      : Machine(options, mapped), row_(row) {}

  /// Does what bring_up() does. Also enables the engine's rings and its interrupt.
  void bring_up_engine(std::uint32_t ring_log2 = 2, std::uint32_t completions_log2 = 4, std::uint32_t coalesce = 0) {
    bring_up();
    enable_engine(ring_log2, completions_log2, coalesce);
    write(r::int_enable::kOffset, read(r::int_enable::kOffset) | r::engine_completions::put(1U << number()));
  }
  /// Connects the rings. Their indices start at 0 again.
  void enable_engine(std::uint32_t ring_log2 = 2, std::uint32_t completions_log2 = 4, std::uint32_t coalesce = 0) {
    engine_tail_ = 0;
    ring_log2_ = ring_log2;
    engine_completions_log2_ = completions_log2;
    write(r::engine::base_lo::offset(number()), static_cast<std::uint32_t>(kRing));
    write(r::engine::control::offset(number()), 1 | ring_log2 << 4);
    write(r::cq::base_lo::offset(queue()), static_cast<std::uint32_t>(kEngineCompletions));
    write(r::cq::coalesce::offset(queue()), coalesce);
    write(r::cq::control::offset(queue()), 1 | completions_log2 << 4);
  }

  /// Writes a program behind the previous ones and returns its bus address.
  std::uint64_t place(std::span<const std::byte> program) {
    const std::uint64_t address = next_program_;
    std::memcpy(find(address, program.size()), program.data(), program.size());
    next_program_ += (program.size() + 63) / 64 * 64;
    return address;
  }
  /// Puts a descriptor into the ring without ringing the doorbell.
  void put(const registers::EngineDescriptor &descriptor) {
    std::memcpy(find(slot_address(engine_tail_++), sizeof descriptor), &descriptor, sizeof descriptor);
  }
  /// Puts a descriptor into the ring and rings the doorbell.
  void submit(const registers::EngineDescriptor &descriptor) {
    put(descriptor);
    ring_engine();
  }
  void ring_engine() { write(r::engine::tail::offset(number()), engine_tail_); }
  /// Writes the program into memory, puts its descriptor into the ring and rings the doorbell. The descriptor asks for a completion.
  void submit(std::span<const std::byte> program, unsigned context = 0) {
    const std::uint64_t address = place(program);
    submit({address, static_cast<std::uint32_t>(program.size()), registers::EngineDescriptor::control_of(context, true), {}});
  }
  [[nodiscard]] std::uint64_t slot_address(std::uint32_t index) const {
    return kRing + (index & ((1U << ring_log2_) - 1)) * sizeof(registers::EngineDescriptor);
  }

  /// Number of completions that the engine has written, as a running index.
  std::uint32_t engine_completions() { return read(r::cq::tail::offset(queue())); }
  /// Frees the entries of all completions whose running index is below `index`.
  void take_completions(std::uint32_t index) { write(r::cq::head::offset(queue()), index); }
  /// Entry `index` of the engine's completion ring, by its running index. The entry must be intact.
  [[nodiscard]] Entry engine_entry(std::uint32_t index) {
    const Entry entry = any_engine_entry(index);
    EXPECT_TRUE(entry.intact);
    return entry;
  }
  /// Entry `index` of the engine's completion ring, intact or not.
  [[nodiscard]] Entry any_engine_entry(std::uint32_t index) { return decode(entry_bytes(index)); }
  /// The warnings in completion `index`.
  [[nodiscard]] unsigned warnings(std::uint32_t index) {
    std::uint32_t word = 0;
    std::memcpy(&word, entry_bytes(index) + 4, sizeof word);
    return word >> 24 & 0x7F;
  }
  /// A counter of the engine. `offset_of_low` is the offset of its low half in ENGINE[].
  [[nodiscard]] std::uint64_t engine_counter(std::uint32_t offset_of_low) {
    const std::uint32_t offset = r::engine::base_lo::offset(number()) + offset_of_low;
    const std::uint64_t low = read(offset);
    return low | std::uint64_t{read(offset + 4)} << 32;
  }

  void reset_engine() { write(r::engine_reset::kOffset, r::engine_reset::kEngine.put(1U << number())); }
  void set_clock(bool runs) {
    const std::uint32_t own = r::clock_enable::kEngine.put(1U << number());
    const std::uint32_t others = read(r::clock_enable::kOffset) & ~own;
    write(r::clock_enable::kOffset, runs ? others | own : others);
  }
  [[nodiscard]] const registers::EngineRow &row() const { return row_; }
  [[nodiscard]] unsigned number() const { return row_.number(); }
  /// The running index of the next descriptor.
  [[nodiscard]] std::uint32_t engine_tail() const { return engine_tail_; }
  /// The next program overwrites the first one.
  void forget_programs() { next_program_ = kPrograms; }

 private:
  [[nodiscard]] unsigned queue() const { return row_.completion_queue(); }
  [[nodiscard]] std::byte *entry_bytes(std::uint32_t index) {
    return find(kEngineCompletions + (index & ((1U << engine_completions_log2_) - 1)) * 16, 16);
  }

  const registers::EngineRow &row_;
  std::uint32_t ring_log2_ = 2, engine_completions_log2_ = 4;
  std::uint32_t engine_tail_ = 0;
  std::uint64_t next_program_ = kPrograms;
};

}  // namespace cox::test
