// SPDX-License-Identifier: MIT
// The other engines, for a container that `cox check` runs: a device that has the container's memory as DRAM. Its context 0 has the windows
// of the container and all tile cores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/model/device/device.h"
#include "sim/model/unity/machine/engine_gate.h"
#include "sim/model/unity/peers.h"
#include "tools/image/stream_image.h"
#include "tools/unity/access_order.h"
#include "tools/unity/container_memory.h"

namespace cox::tools::unity {

class EngineRun final : public model::unity::EngineGate, private model::Observer {
 public:
  /// The arguments outlive this object. `machine` runs the container; `order` hears what instructions of the other engines touch.
  EngineRun(const model::Options &options, const StreamBindings &bindings, ContainerMemory &memory, model::unity::Machine &machine,
            AccessOrder &order);

  /// True if the device has the engine.
  [[nodiscard]] bool has(isa::unity::Domain domain) const;
  [[nodiscard]] model::Cycle next_event() const { return device_.next_event(); }
  void advance(model::Cycle now) { device_.advance(now); }
  /// The first instruction that failed, with the reason; empty if none did. For example `slot 1: byte 8 (SIGMOID): window`.
  [[nodiscard]] const std::string &fault_text() const { return fault_; }
  /// Name of a memory that AccessOrder::add_touch() got; empty for DRAM.
  [[nodiscard]] static std::string memory_text(unsigned memory);

  [[nodiscard]] Status check(const isa::unity::EngineSubmission &submission, std::span<const std::byte> slots) override {
    return gate_.check(submission, slots);
  }
  void submit(std::uint32_t ticket, const isa::unity::EngineSubmission &submission, std::span<const std::byte> slots, std::uint64_t origin,
              model::Cycle now) override;
  void withdraw(model::Cycle now) override { gate_.withdraw(now); }

 private:
  struct Slot {
    std::uint32_t ticket = 0, number = 0;
  };
  /// Slots that an engine with streams has got, or a queue of a tile core, in the order in which they start.
  struct Queue {
    std::vector<Slot> slots;
    std::size_t started = 0;  ///< instructions of a tile core
  };
  using QueueId = std::pair<registers::Engine, unsigned>;

  void write(std::uint32_t offset, std::uint64_t value);
  void open_context(const model::Options &options, const StreamBindings &bindings);
  [[nodiscard]] const Slot *slot_of(const model::InstructionEvent &event, bool starts);

  void on_start(const model::InstructionEvent &event) override;
  void on_end(const model::InstructionEvent &event) override;
  [[nodiscard]] bool wants_touches() const override { return true; }
  void on_context_reset(unsigned /*context*/, model::Cycle /*now*/) override {}
  void on_engine_reset(registers::Engine /*engine*/, unsigned /*core*/, model::Cycle /*now*/) override {}
  void on_interrupt(unsigned /*line*/, bool /*level*/, model::Cycle /*now*/) override {}

  AccessOrder &order_;
  model::Device device_;
  model::unity::PeerGate gate_;
  std::map<QueueId, Queue> queues_;
  std::string fault_;
};

}  // namespace cox::tools::unity
