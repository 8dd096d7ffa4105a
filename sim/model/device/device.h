// SPDX-License-Identifier: MIT
// The accelerator: registers, contexts, clocks, interrupts and time (docs/model.md). Engines (sim/model/engine.h) run the instructions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sim/model/device/context.h"
#include "sim/model/device/dma_engine.h"
#include "sim/model/device/dram_channel.h"
#include "sim/model/device/fault_latch.h"
#include "sim/model/device/surroundings.h"
#include "sim/model/device/unit.h"
#include "sim/model/engine.h"
#include "sim/model/faults/injector.h"
#include "sim/model/host.h"
#include "sim/model/observer.h"
#include "sim/model/options.h"

namespace cox::model {

/// Implements the functions of sim/model/cox_model.h, with the preconditions that are stated there.
class Device {
 public:
  Device(const Host &host, const Options &options);
  // Not copyable, because engines keep pointers into the device.
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  /// Reports events to `observer` from now on. The observer must outlive the device.
  void attach(Observer &observer) { observers_.add(observer); }

  void reset(Cycle now);
  // read() and write() return false for a bus fault.
  [[nodiscard]] bool read(Cycle now, std::uint32_t offset, std::uint32_t size, std::uint32_t &value);
  [[nodiscard]] bool write(Cycle now, std::uint32_t offset, std::uint32_t size, std::uint32_t value);
  void advance(Cycle now);
  [[nodiscard]] Cycle next_event() const;

  /// The engines, for a tool that submits to them as a peer does.
  [[nodiscard]] const Peers &engines() const { return peers_; }

  [[nodiscard]] unsigned cores() const;
  /// The L2 buffer of a core; empty if there is no such core.
  [[nodiscard]] std::span<std::byte> l2(unsigned core);

 private:
  using Index = Engine::Index;

  // Registers (register_file.cpp). find_register() tells the host why it refuses an access, and then returns nullptr. The write functions
  // return nullptr if they accept the value, else the reason for a bus fault.
  [[nodiscard]] const registers::Register *find_register(std::uint32_t offset, std::uint32_t size, Index &index, const char *verb) const;
  [[nodiscard]] std::uint32_t read_register(registers::Name name, Index index);
  [[nodiscard]] std::uint32_t read_own_register(registers::Name name, Index index) const;
  [[nodiscard]] const char *write_register(registers::Name name, Index index, std::uint32_t value);
  [[nodiscard]] const char *write_own_register(registers::Name name, Index index, std::uint32_t value);
  /// The bits of register `name` that engines provide.
  [[nodiscard]] std::uint32_t report(registers::Name name) const;
  [[nodiscard]] std::uint32_t capabilities() const;
  /// Returns the number by which completions name the submission queue to which this register belongs.
  [[nodiscard]] static unsigned queue_number(registers::Name name, Index index);
  [[nodiscard]] SubmissionRing &ring(registers::Name name, Index index);
  [[nodiscard]] std::uint32_t interrupt_status() const;

  /// The unit with completion queue `number`; nullptr if the device does not have it.
  [[nodiscard]] const Unit *find_unit(unsigned number) const;
  [[nodiscard]] Unit *find_unit(unsigned number);

  // Contexts (contexts.cpp).
  [[nodiscard]] const char *write_context_control(unsigned index, std::uint32_t value);
  /// Takes the cores, blocks and units that the context's registers name. Called when the context becomes valid.
  void take(unsigned index);

  // Time.
  /// The earliest start that CONTROL.ENABLE and this clock permit.
  [[nodiscard]] Cycle enabled_at(const Clock &clock) const;
  void step(Cycle now);
  void update_interrupts();
  void set_line(unsigned line, bool level);

  // Clocks (clocks.cpp).
  void write_clock_enable(std::uint32_t value);
  void reset_clocks();
  /// Called when the unit's clock has stopped or runs again. `since`: the time of the change before this one.
  void follow_clock(const Unit &unit, Cycle since);

  // Faults of a plan (timed_faults.cpp).
  void inject(const faults::Injector::Timed &due);
  [[nodiscard]] bool transfer_word(faults::Place place, std::uint64_t address, bool write,
                                   std::array<std::byte, faults::MemoryErrors::kWordBytes> &word);

  /// The engines by their rows.
  class Directory final : public Peers {
   public:
    void add(registers::Engine id, Engine &engine) { engines_.emplace_back(id, &engine); }
    [[nodiscard]] Engine *find(registers::Engine id) const override {
      for (const auto &[engine, object] : engines_) {
        if (engine == id) return object;
      }
      return nullptr;
    }

   private:
    std::vector<std::pair<registers::Engine, Engine *>> engines_;
  };

  Host host_;
  Geometry geometry_;
  Observers observers_;

  Cycle now_ = 0;
  std::array<Context, kMostContexts> contexts_{};
  DramChannel channel_;
  Cycle enabled_at_ = kNever;  // when CONTROL.ENABLE was set; kNever: it is not set
  std::uint32_t interrupt_enable_ = 0;
  std::array<bool, 3> line_{};
  FaultLatch fault_;
  faults::Injector faults_;
  DmaEngine dma_;
  Directory peers_;
  std::uint64_t slow_down_ = 1;  // divides the bandwidth to DRAM
  std::vector<std::unique_ptr<Engine>> engines_;
  std::vector<Unit> units_;  // the units of all engines, sorted by number
  std::uint32_t clock_enable_ = registers::clock_enable::kResetValue;
  std::uint32_t cycle_high_ = 0;
};

}  // namespace cox::model
