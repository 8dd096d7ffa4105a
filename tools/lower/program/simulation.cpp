// SPDX-License-Identifier: MIT
#include "tools/lower/program/simulation.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "sim/model/device/dram_channel.h"

namespace cox::lower {
namespace {

using isa::tile::Class;
using isa::tile::kClasses;
using isa::tile::kMostLanes;
using model::Cycle;
using model::kNever;

/// Returns the number by which the model of the DRAM channel knows the instruction's queue: LD, LW or ST of a core.
unsigned mover_of(const Instruction &instruction) {
  const unsigned among = instruction.queue == Class::LD ? 0 : instruction.queue == Class::LW ? 1 : 2;
  return instruction.core * model::kMoversOfCore + among;
}

class Simulation {
 public:
  Simulation(const Program &program, const model::TileGeometry &geometry)
      : program_(program),
        wake_(geometry.doorbell_latency + geometry.interrupt_latency),
        channel_(geometry.dram_bytes_per_1024_cycles),
        ends_(program.size(), kNever) {
    for (std::size_t i = 0; i < program.size(); ++i) lanes_[program[i].lane()].instructions.push_back(i);
  }

  Cycle run() {
    Cycle now = 0;
    for (;;) {
      while (start_all(now)) {
      }
      const Cycle next = next_event();
      if (next == kNever) break;
      now = next;
      finish(now);
    }
    if (done_ != program_.size()) throw std::logic_error("a program that is ordered cannot get stuck");
    return now;
  }

 private:
  enum class State : std::uint8_t { idle, waiting, running, moving };
  struct Lane {
    std::vector<std::size_t> instructions;
    std::size_t next = 0;
    State state = State::idle;
    /// If running: the end of the fixed part of the instruction's duration (Duration::fixed). The transfer of bytes, if any, begins then.
    Cycle until = kNever;
  };

  /// Starts the next instruction of each idle lane if the ends of all instructions that it waits for are known. Returns true if any
  /// instruction started.
  bool start_all(Cycle now) {
    bool any = false;
    for (Lane &lane : lanes_) {
      if (lane.state != State::idle || lane.next == lane.instructions.size()) continue;
      const Instruction &instruction = program_[lane.instructions[lane.next]];
      Cycle start = now;
      bool ready = true;
      for (const std::int32_t earlier : instruction.waits_for) {
        const Cycle end = ends_[static_cast<std::size_t>(earlier)];
        ready &= end != kNever;
        if (end != kNever) start = std::max(start, end + wake_);
      }
      if (!ready) continue;
      lane.state = State::running;
      lane.until = start + instruction.duration.fixed;
      any = true;
      if (lane.until <= now) end_fixed_part(lane, now);
    }
    return any;
  }

  void end_fixed_part(Lane &lane, Cycle now) {
    const Instruction &instruction = program_[lane.instructions[lane.next]];
    if (instruction.duration.transfer_bytes == 0) {
      end(lane, now);
      return;
    }
    lane.state = State::moving;
    lane.until = kNever;
    channel_.begin(mover_of(instruction), now, instruction.duration.transfer_bytes);
  }

  void end(Lane &lane, Cycle now) {
    ends_[lane.instructions[lane.next]] = now;
    ++lane.next;
    ++done_;
    lane.state = State::idle;
    lane.until = kNever;
  }

  [[nodiscard]] Cycle event_of(const Lane &lane) const {
    if (lane.state == State::running) return lane.until;
    if (lane.state == State::moving) return channel_.finish(mover_of(program_[lane.instructions[lane.next]]));
    return kNever;
  }

  [[nodiscard]] Cycle next_event() const {
    Cycle next = kNever;
    for (const Lane &lane : lanes_) next = std::min(next, event_of(lane));
    return next;
  }

  void finish(Cycle now) {
    for (Lane &lane : lanes_) {
      if (event_of(lane) > now) continue;
      if (lane.state == State::moving) {
        channel_.end(mover_of(program_[lane.instructions[lane.next]]), now);
        end(lane, now);
      } else if (lane.state == State::running) {
        end_fixed_part(lane, now);
      }
    }
  }

  const Program &program_;
  Cycle wake_;  ///< latency of interrupt and doorbell: from an instruction's end to the start of one that waited for it
  model::DramChannel channel_;
  std::vector<Cycle> ends_;
  std::array<Lane, kMostLanes> lanes_;
  std::size_t done_ = 0;
};

}  // namespace

Cycle duration_of(const Program &program, const model::TileGeometry &geometry) { return Simulation(program, geometry).run(); }

}  // namespace cox::lower
