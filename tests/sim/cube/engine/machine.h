// SPDX-License-Identifier: MIT
// A machine with the matrix unit brought up. It submits streams of slots, and reads and writes values in memory.
#pragma once

#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "coxswain/isa/cube/build.h"
#include "tests/sim/engine_machine.h"

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

class CubeMachine : public EngineMachine {
 public:
  static constexpr std::uint32_t kRingLog2 = 3;

  explicit CubeMachine(const char *options = nullptr, bool mapped = true)
      : EngineMachine(registers::row_of(registers::Engine::cube), options, mapped) {
    bring_up_cube();
  }

  void bring_up_cube() { bring_up_engine(kRingLog2); }
  void enable_cube(std::uint32_t completions_log2 = 4) { enable_engine(kRingLog2, completions_log2); }

  /// Writes a stream behind the previous ones and returns its descriptor.
  registers::EngineDescriptor stream(std::span<const cube::MachineCode> slots, unsigned context = 0, bool joined = false) {
    const std::uint64_t address = place(std::as_bytes(slots));
    return {address, static_cast<std::uint32_t>(slots.size_bytes()), registers::EngineDescriptor::control_of(context, true, joined), {}};
  }
  // Machine::submit(), which submits to the tile core, stays hidden. It would accept slots too, because slots and tile instructions have
  // the same type.
  using EngineMachine::submit;
  void submit(std::initializer_list<cube::MachineCode> slots, unsigned context = 0, bool joined = false) {
    submit(stream(std::span(slots.begin(), slots.size()), context, joined));
  }
  void submit(const std::vector<cube::MachineCode> &slots, unsigned context = 0, bool joined = false) {
    submit(stream(slots, context, joined));
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
};

}  // namespace cox::test
