// SPDX-License-Identifier: MIT
// The machine of tests/sim/device with the matrix unit brought up: streams of slots in memory, descriptors and completions. Context 0 has
// window 0.
#pragma once

#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "device/engine_descriptor.h"
#include "isa/cube/build.h"
#include "tests/sim/device/machine.h"

namespace cox::test {

namespace cube = isa::cube;
using cube::Pipe;

/// Flags of a slot. `wait` names a flag by the pipe that sets it, `set` by the pipe that waits for it.
struct FlagNames {
  std::vector<std::pair<Pipe, unsigned>> wait, set;
};
inline cube::Flags flags(Pipe own, const FlagNames &names) {
  cube::Flags result;
  for (const auto &[origin, event] : names.wait) result.wait |= 1U << cube::mask_bit(own, origin, event);
  for (const auto &[target, event] : names.set) result.set |= 1U << cube::mask_bit(own, target, event);
  return result;
}

/// Encodes an operation as a slot with the named flags.
template <typename Operation>
cube::MachineCode slot(const Operation &operation, const FlagNames &names = {}) {
  return cube::encode(operation, flags(cube::pipe_of(cube::encode(operation)), names));
}
inline cube::MachineCode set_flag(Pipe pipe, Pipe target, unsigned event) { return cube::encode_set_flag(pipe, target, event); }
inline cube::MachineCode wait_flag(Pipe pipe, Pipe origin, unsigned event) { return cube::encode_wait_flag(pipe, origin, event); }

class CubeMachine : public Machine {
 public:
  static constexpr std::uint64_t kCubeRing = kMemoryBase + 0x20000;
  static constexpr std::uint64_t kCubeCompletions = kMemoryBase + 0x30000;
  static constexpr std::uint64_t kStreams = kMemoryBase + 0x40000;
  static constexpr std::uint32_t kCubeRingLog2 = 3;
  static constexpr std::uint32_t kCubeQueue = 37;
  static constexpr unsigned kEngine = 1, kCompletionQueue = 5;

  explicit CubeMachine(const char *options = nullptr, bool mapped = true) : Machine(options, mapped) { bring_up_cube(); }

  void bring_up_cube(std::uint32_t completions_log2 = 4) {
    bring_up();
    enable_cube(completions_log2);
    write(r::int_enable::kOffset, 0x121);
  }
  void enable_cube(std::uint32_t completions_log2 = 4) {
    cube_tail = 0;
    cube_completions_log2_ = completions_log2;
    write(r::engine::base_lo::offset(kEngine), static_cast<std::uint32_t>(kCubeRing));
    write(r::engine::control::offset(kEngine), 1 | kCubeRingLog2 << 4);
    write(r::cq::base_lo::offset(kCompletionQueue), static_cast<std::uint32_t>(kCubeCompletions));
    write(r::cq::control::offset(kCompletionQueue), 1 | completions_log2 << 4);
  }

  /// Writes a stream behind the previous ones and returns its descriptor.
  registers::EngineDescriptor stream(std::span<const cube::MachineCode> slots, unsigned context = 0, bool joined = false) {
    const std::uint64_t address = next_stream;
    const auto bytes = static_cast<std::uint32_t>(slots.size_bytes());
    std::memcpy(find(address, bytes), slots.data(), bytes);
    next_stream += bytes;
    return {address, bytes, registers::EngineDescriptor::control_of(context, true, joined), {}};
  }
  /// Puts a descriptor into the ring without ringing the doorbell.
  void put(const registers::EngineDescriptor &descriptor) {
    std::memcpy(find(kCubeRing + (cube_tail++ & ((1U << kCubeRingLog2) - 1)) * 32, 32), &descriptor, 32);
  }
  void ring() { write(r::engine::tail::offset(kEngine), cube_tail); }
  // Hides Machine::submit(), which submits to the tile core and would also accept slots: instructions of both have the same type.
  void submit(const registers::EngineDescriptor &descriptor) {
    put(descriptor);
    ring();
  }
  void submit(std::initializer_list<cube::MachineCode> slots, unsigned context = 0, bool joined = false) {
    submit(stream(std::span(slots.begin(), slots.size()), context, joined));
  }
  void submit(const std::vector<cube::MachineCode> &slots, unsigned context = 0, bool joined = false) {
    submit(stream(slots, context, joined));
  }

  std::uint32_t cube_completions() { return read(r::cq::tail::offset(kCompletionQueue)); }
  /// An entry of the completion ring, by its running index.
  [[nodiscard]] Entry cube_entry(std::uint32_t index) {
    const Entry entry = decode(find(kCubeCompletions + (index & ((1U << cube_completions_log2_) - 1)) * 16, 16));
    EXPECT_TRUE(entry.intact) << "the check half-word (docs/design.md, Queues)";
    return entry;
  }
  [[nodiscard]] unsigned warnings(std::uint32_t index) {
    std::uint32_t word = 0;
    std::memcpy(&word, find(kCubeCompletions + (index & ((1U << cube_completions_log2_) - 1)) * 16 + 4, 4), 4);
    return word >> 24 & 0x7F;
  }
  std::uint64_t cube_counter(std::uint32_t offset_of_low) {
    const std::uint32_t offset = r::engine::base_lo::offset(kEngine) + offset_of_low;
    const std::uint64_t low = read(offset);
    return low | std::uint64_t{read(offset + 4)} << 32;
  }

  template <typename T>
  [[nodiscard]] T value(std::uint64_t address) {
    T result;
    std::memcpy(&result, find(address, sizeof result), sizeof result);
    return result;
  }
  template <typename T>
  void set_value(std::uint64_t address, T value) {
    std::memcpy(find(address, sizeof value), &value, sizeof value);
  }

  std::uint32_t cube_tail = 0;
  std::uint64_t next_stream = kStreams;

 private:
  std::uint32_t cube_completions_log2_ = 4;
};

}  // namespace cox::test
