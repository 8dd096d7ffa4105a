// SPDX-License-Identifier: MIT
// An engine whose streams are whole programs (docs/design.md, Engines). It fetches a program, then lets a machine of several cores or units
// run it. The derived class opens the program, starts the machine and reports what became of the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/model/device/serial_engine.h"
#include "sim/model/device/stream_fault.h"

namespace cox::model {

/// `Machine` has step(now), next_event(), done(), stop(), delay(cycles) and slow_down(factor). `Bus` is derived from ProgramBus.
template <class Machine, class Bus>
class ProgramEngine : public SerialEngine {
 public:
  [[nodiscard]] Cycle next_event(unsigned /*unit*/, Cycle enabled_at) const final {
    if (!executing()) return stream_start(enabled_at);
    if (phase_ == Phase::drain) return has_drained() ? stopped_at_ : kNever;
    if (aborted()) return context().quarantined_at;
    return phase_ == Phase::fetch ? fetched_at_ : machine_.next_event();
  }
  void step_ends(unsigned /*unit*/, Cycle now) final {
    if (!executing()) return;
    if (phase_ == Phase::drain) return end_if_drained(now);
    if (aborted() && !knows_fault()) {
      machine_.stop();
      event_.fault = stream_fault(FaultCode::aborted, 0);
      return drain(now);
    }
    if (phase_ == Phase::run) run_until(now);
  }
  void step_starts(unsigned /*unit*/, Cycle now, Cycle enabled_at) final {
    if (stream_start(enabled_at) <= now && begin_stream(now)) begin_program(now);
    if (executing() && phase_ == Phase::fetch && fetched_at_ <= now) start(now);
  }

  void pause(unsigned /*unit*/, Cycle /*now*/) final { paused_ = true; }
  void resume(unsigned /*unit*/, Cycle /*now*/, Cycle stood) final {
    paused_ = false;
    if (!executing()) return;
    if (phase_ == Phase::run) machine_.delay(stood);
    if (phase_ == Phase::fetch && fetched_at_ != kNever) fetched_at_ += stood;
    stood_ += stood;
  }
  void slow_down(Cycle /*now*/, std::uint64_t factor) final { machine_.slow_down(factor); }
  void reset(unsigned unit, Cycle now) override {
    machine_.stop();
    SerialEngine::reset(unit, now);
  }

 protected:
  /// `machine_arguments`: of the machine's constructor.
  template <class... Arguments>
  ProgramEngine(registers::Engine id, const Surroundings &surroundings, const Geometry &geometry, Arguments &&...machine_arguments)
      : SerialEngine(id, surroundings, geometry), machine_(std::forward<Arguments>(machine_arguments)...), bus_(surroundings.host, port_) {}

  /// Forgets the program before. Called before each program.
  virtual void forget_program() = 0;
  /// Checks where the program at the head of the ring is, before the engine fetches it.
  [[nodiscard]] virtual Fault check_address(std::uint64_t /*address*/) const { return {}; }
  /// Opens the program in `bytes_`.
  [[nodiscard]] virtual Fault open_program() = 0;
  /// Returns how long fetching the program takes, and whatever else comes before it runs.
  [[nodiscard]] virtual Cycle fetch_cycles() = 0;
  /// Starts the machine. `bus_` knows the context and the time.
  virtual void start_program(Cycle now) = 0;
  /// True if the machine will report the fault that has quarantined the context.
  [[nodiscard]] virtual bool knows_fault() const { return false; }
  /// False while other engines still run what the program has submitted to them. The stream ends only after that.
  [[nodiscard]] virtual bool has_drained() const { return true; }
  /// The run has ended: puts its fault and position into `event_`, and adds its instructions and bytes to the ring's counters.
  virtual void report_outcome() = 0;

  /// Lets the machine come to `now` before something outside acts on it. While all its units wait, nothing else tells it the time.
  void catch_up(Cycle now) {
    if (executing() && phase_ == Phase::run && !paused_) run_until(now);
  }

  Machine machine_;
  Bus bus_;
  std::vector<std::byte> bytes_;  ///< the program

 private:
  /// Phases of the program at the head of the ring.
  enum class Phase : std::uint8_t {
    fetch,  ///< the engine fetches the program until `fetched_at_`
    run,    ///< the machine runs
    drain,  ///< the machine has stopped at `stopped_at_`, and other engines still run slots of the program
  };

  [[nodiscard]] bool aborted() const { return executing() && context().quarantined; }

  void begin_program(Cycle now) {
    phase_ = Phase::fetch;
    started_at_ = now;
    forget_program();
    event_.fault = fetch_program(now);
    if (event_.fault) return refuse(now);
    stood_ = port_.stands_still(now);
    const bool for_ever = stood_ == kNever;
    if (for_ever) stood_ = 0;
    const Cycle cycles = fetch_cycles();
    fetched_at_ = for_ever ? kNever : now + cycles + stood_;
  }
  [[nodiscard]] Fault fetch_program(Cycle now) {
    const std::uint64_t address = stream_.descriptor.address;
    if (const Fault fault = check_address(address)) return fault;
    bytes_.resize(stream_.descriptor.bytes);
    if (const Fault fault = port_.read(address, bytes_.data(), bytes_.size(), 0, now)) return fault;
    if (const Fault fault = port_.check_ecc(address, bytes_.size())) return fault;
    return open_program();
  }
  void start(Cycle now) {
    phase_ = Phase::run;
    bus_.begin(context());
    bus_.set_time(now);
    start_program(now);
    if (machine_.done()) drain(now);
  }
  void run_until(Cycle now) {
    bus_.set_time(now);
    machine_.step(now);
    if (machine_.done()) drain(now);
  }
  void drain(Cycle now) {
    phase_ = Phase::drain;
    stopped_at_ = now;
    if (!has_drained()) context().quarantine(now);  // the program has failed, or its slots would have ended
    end_if_drained(now);
  }
  void end_if_drained(Cycle now) {
    if (!has_drained()) return;
    if (event_.fault) return end_stream(now);  // aborted
    end_program(now);
  }
  void end_program(Cycle now) {
    begin_event(now);
    event_.start = started_at_;
    report_outcome();
    port_.ring.counters.busy += now - started_at_ - stood_;
    port_.ring.counters.stalled += stood_;
    end_stream(now);
  }

  Phase phase_ = Phase::fetch;
  Cycle fetched_at_ = 0;
  Cycle stopped_at_ = 0;
  bool paused_ = false;   ///< the engine has no clock
  Cycle started_at_ = 0;  ///< when the engine took the program
  Cycle stood_ = 0;       ///< cycles in which a stopped clock or an injected fault held up the program
};

}  // namespace cox::model
