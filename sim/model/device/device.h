// SPDX-License-Identifier: MIT
// The accelerator: registers, queues, contexts, engines and time (docs/model.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/model/cube/engine.h"
#include "sim/model/device/clock.h"
#include "sim/model/device/completion_queue.h"
#include "sim/model/device/context.h"
#include "sim/model/device/dram_channel.h"
#include "sim/model/device/fault_latch.h"
#include "sim/model/faults/injector.h"
#include "sim/model/host.h"
#include "sim/model/mx/engine.h"
#include "sim/model/observer.h"
#include "sim/model/options.h"
#include "sim/model/tile/arithmetic/execute.h"
#include "sim/model/tile/scrubber.h"
#include "sim/model/tile/submission_queue.h"

namespace cox::model {

/// Functions and conditions are those of sim/model/cox_model.h.
class Device {
 public:
  Device(const Host &host, const Options &options);
  // The engines point into it.
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  /// Watches from now on. The observer outlives the device.
  void attach(Observer &observer) { observers_.push_back(&observer); }

  void reset(Cycle now);
  /// False for a bus fault.
  [[nodiscard]] bool read(Cycle now, std::uint32_t offset, std::uint32_t size, std::uint32_t &value);
  [[nodiscard]] bool write(Cycle now, std::uint32_t offset, std::uint32_t size, std::uint32_t value);
  void advance(Cycle now);
  [[nodiscard]] Cycle next_event() const;

  [[nodiscard]] unsigned tile_cores() const { return geometry_.tile_cores; }
  [[nodiscard]] std::byte *l2(unsigned core) { return cores_[core].l2.data(); }
  [[nodiscard]] std::uint64_t l2_bytes() const { return geometry_.l2_bytes(); }

 private:
  static constexpr unsigned kEngines = faults::kEngines;

  struct Core {
    Core(unsigned index, const Geometry &geometry);

    Clock clock;
    std::uint64_t latched_cycles = 0;     // CORE_CLOCK: as they were when the low half was read
    std::vector<SubmissionQueue> queues;  // a class each
    CompletionQueue completions;
    bool completion_level = false;
    std::vector<std::byte> l2, wl0;
    Scrubber scrubber;
  };

  // Registers (register_file.cpp). nullptr, or the reason for a bus fault.
  [[nodiscard]] const registers::Register *find_register(std::uint32_t offset, std::uint32_t size, std::array<std::uint32_t, 2> &index,
                                                         const char *verb) const;
  [[nodiscard]] std::uint32_t read_register(registers::Name name, std::array<std::uint32_t, 2> index);
  [[nodiscard]] const char *write_register(registers::Name name, std::array<std::uint32_t, 2> index, std::uint32_t value);
  /// Of the engine with that number, which exists.
  [[nodiscard]] StreamPort &engine_port(unsigned engine) { return engine == 0 ? mx_.port() : cube_.port(); }
  [[nodiscard]] const StreamPort &engine_port(unsigned engine) const { return engine == 0 ? mx_.port() : cube_.port(); }
  /// As in completions.
  [[nodiscard]] static unsigned queue_number(registers::Name name, std::array<std::uint32_t, 2> index);
  [[nodiscard]] SubmissionRing &ring(registers::Name name, std::array<std::uint32_t, 2> index);
  [[nodiscard]] CompletionQueue &completion_queue(unsigned index);
  void complete_waiting(unsigned completion_queue_index);
  [[nodiscard]] std::uint32_t interrupt_status() const;

  // Contexts (contexts.cpp).
  [[nodiscard]] const char *write_context_control(unsigned index, std::uint32_t value);
  /// A context that becomes valid takes its blocks and units.
  void take_buffers(unsigned index);
  /// Holds the queue where the instruction at its head has to wait for its context's blocks and units to be cleared; false where it has
  /// not.
  [[nodiscard]] bool hold(SubmissionQueue &queue);

  // Time.
  [[nodiscard]] Cycle queue_event(const Core &core, unsigned core_index, unsigned queue_index) const;
  /// The earliest start of anything, CONTROL.ENABLE and this clock considered.
  [[nodiscard]] Cycle enabled_at(const Clock &clock) const;
  void step(Cycle now);
  void update_interrupts();
  void set_line(unsigned line, bool level);

  // One instruction, in the order of its life.
  void start(unsigned core_index, unsigned queue_index);
  [[nodiscard]] Fault begin(SubmissionQueue &queue, unsigned core_index, unsigned queue_index);
  /// Reads a slot; a fault has its address.
  [[nodiscard]] Fault fetch(std::uint64_t address, unsigned queue, isa::tile::MachineCode &code);
  void leave_phase(unsigned core_index, unsigned queue_index);
  void finish(unsigned core_index, unsigned queue_index);
  [[nodiscard]] Fault take_effect(SubmissionQueue &queue, unsigned core_index);
  [[nodiscard]] Fault execute(const SubmissionQueue &queue, unsigned core_index);
  void complete(unsigned core_index, unsigned queue_index);
  void complete_waiting_of_core(unsigned core_index);
  void reset_core(unsigned core_index);
  void reset_engine(unsigned engine);

  // Clocks (clocks.cpp).
  void write_clock_enable(std::uint32_t value);
  void reset_clocks();
  /// The clock of a core, or an engine, has stopped, or runs again; `since`: when it last did the other.
  void follow_core_clock(unsigned core_index, Cycle since);
  void follow_engine_clock(unsigned engine, Cycle since);

  // Faults of a plan (timed_faults.cpp).
  void inject(const faults::Injector::Timed &due);
  [[nodiscard]] bool transfer_word(faults::Place place, std::uint64_t address, bool write,
                                   std::array<std::byte, faults::MemoryErrors::kWordBytes> &word);

  [[nodiscard]] static unsigned mover(unsigned core_index, unsigned queue_index);

  Host host_;
  Geometry geometry_;
  arithmetic::Path path_;
  std::optional<Durations> durations_;
  std::vector<Observer *> observers_;

  Cycle now_ = 0;
  std::vector<Core> cores_;
  std::array<Context, kMostContexts> contexts_{};
  Cycle all_clear_at_ = 0;  // when no scrubber has anything to do
  DramChannel channel_;
  Cycle enabled_at_ = kNever;  // CONTROL.ENABLE; kNever: not set
  std::uint32_t interrupt_enable_ = 0;
  std::array<bool, 2> line_{};
  FaultLatch fault_;
  faults::Injector faults_;
  std::uint64_t slow_down_ = 1;  // of DRAM
  mx::Engine mx_;
  cube::Engine cube_;
  std::array<bool, kEngines> engine_completion_level_{};
  std::array<Clock, kEngines> engine_clock_;
  std::uint32_t clock_enable_ = registers::clock_enable::kResetValue;
  std::uint32_t cycle_high_ = 0;
};

}  // namespace cox::model
