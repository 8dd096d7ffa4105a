// SPDX-License-Identifier: MIT
// The completion loop of the scheduler: from completions to doorbells (docs/scheduler.md, The loop). The completion interrupt and the main
// program run it, with interrupts masked.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "coxswain/firmware/schedule/core_bank.h"
#include "coxswain/firmware/schedule/run_memory.h"
#include "coxswain/firmware/schedule/task_run.h"
#include "coxswain/hal/completion_queue.h"

namespace cox::firmware::schedule {

/// Shortest time, in microseconds, between two looks at the device (watch.h) while each wake-up finds a completion. Such a look needs an
/// extra turn of the main program, which costs about 10,000 instructions of the control core.
inline constexpr std::uint32_t kBusyLookInterval = 4000;
/// After kMostInInterrupts completions in a row, interrupts leave the control core to the main program for kMainProgramCycles device
/// cycles.
inline constexpr std::uint32_t kMostInInterrupts = 256;
inline constexpr std::uint32_t kMainProgramCycles = 32'768;

/// What the dispatcher reports of runs. Called from the completion loop, so the handler may run in an interrupt.
class RunEvents {
 public:
  /// All instructions of the run have ended, the last at the device time `end_cycle`.
  virtual void on_end(unsigned context, std::uint64_t end_cycle) = 0;
  /// `entry` reports the fault of an instruction. The instruction's slot is the last that its queue has reclaimed.
  virtual void on_fault(const hal::Completion &entry) = 0;

 protected:
  ~RunEvents() = default;
};

class Dispatcher {
 public:
  Dispatcher() = default;
  Dispatcher(const Dispatcher &) = delete;
  Dispatcher &operator=(const Dispatcher &) = delete;

  /// Makes this the dispatcher that active() returns. There is one, because the board has one accelerator.
  void connect(RunEvents &events);
  [[nodiscard]] static Dispatcher &active() { return *active_; }

  [[nodiscard]] CoreBank &cores() { return cores_; }
  [[nodiscard]] const CoreBank &cores() const { return cores_; }

  /// Prepares the lanes of a run, whose plan was rewound.
  [[gnu::cold]] void prepare(const TaskRun &run);
  /// Does what prepare() has done for this run, which has ended.
  static void prepare_again(const TaskRun &run) { run.memory().restore_lanes(run.lane_count() + 1U); }
  /// Dispatches the first group of each lane.
  [[gnu::cold]] void launch(const TaskRun &run);
  /// Dispatches no more instructions of the run. The tokens of its late completions have no effect.
  [[gnu::cold]] void abandon(const TaskRun &run);

  /// Handles the completion interrupt. After kMostInInterrupts completions, the next interrupt waits, so that the main program makes
  /// progress even if completions come fast (docs/scheduler.md, The loop).
  void service();
  /// Takes completions and sleeps in turns. Returns after a wake-up without completions, or when the main program must run
  /// Scheduler::supervise(), for example because a run has ended.
  void serve();
  /// Takes all completions of `cores` without sleeping.
  [[gnu::cold]] void take_from(std::uint32_t cores);
  /// Called when the main program begins a turn. During the turn, the main program takes completions itself.
  void begin_turn();

  /// As CoreBank::find_blocked(). If the core must be reset, the main program gets a turn.
  [[gnu::cold]] void find_blocked(unsigned core);

  /// Makes serve() return, so that the main program runs Scheduler::supervise().
  void raise_attention() { flags_ |= kAttention; }
  [[nodiscard]] bool has_attention() const { return (flags_ & kAttention) != 0; }
  /// The main program has checked the time limits. `attention`: it must do so again at once.
  void settle_attention(bool attention);
  /// The main program looks at the device, at the time `now` in microseconds.
  void note_look(std::uint64_t now) { last_look_ = now; }

  struct Offsets;  ///< offsets of members, for the loops in assembly (token_loop.cpp)

 private:
  [[gnu::cold]] void set_interrupts_aside(bool aside);
  void begin_count();
  /// Takes completions and sleeps in turns, if only `core` has tasks. Returns after a wake-up without completions, or when a flag is
  /// raised.
  void serve_one(TileCore &core);
  /// Takes completions of `cores` and sleeps in turns, until a wake-up without completions, or until a flag is raised. The interrupt status
  /// names the cores with completions. Mostly, each has one. So this takes one of each and reads the status again, which costs less than to
  /// look whether a core has another.
  void serve_many(std::uint32_t cores);
  void take_pending(std::uint32_t pending);
  [[gnu::cold]] void end_rare_case(Lane &giver, const Wake *wakes, Wake wake, Lane &ready);
  static void sleep_for_completion();
  void take_one(const hal::Completion &entry, TileCore &core);
  void give_tokens_of(const hal::Completion &entry, unsigned from);
  [[gnu::cold]] void take_failed(const hal::Completion &entry, TileCore &core);
  bool heed_flags();
  [[gnu::cold]] bool heed_raised_flags();
  friend void go_on(Lane &lane);
  friend class TokenLoopTest;  // tests/target/token_loop
  [[gnu::cold]] void starve(Lane &lane);
  [[gnu::cold]] void resume_starved();

  static Dispatcher *active_;

  // The arrays that the inner loop indexes come first, so that short offsets reach them.
  std::array<LanesByQueue, kMaximumRuns> lanes_{};  ///< [context]
  CoreBank cores_;
  /// For each set of cores, bit c is core c, the lowest of them.
  std::array<TileCore *, std::size_t{1} << isa::tile::kMostCores> by_pending_{};

  // What the completion loop must handle before it sleeps, one bit each.
  static constexpr std::uint32_t kAllCores = (std::uint32_t{1} << isa::tile::kMostCores) - 1;
  static constexpr std::uint8_t kAttention = 1;  ///< a run has ended or failed, or a core must be reset
  static constexpr std::uint8_t kStarved = 2;    ///< a lane has a ready group and found no room in its ring
  static constexpr std::uint8_t kClock = 4;      ///< a submission ring has wrapped: check the time limits, unless that was done recently
  std::uint8_t flags_ = 0;
  bool interrupts_aside_ = false;
  bool main_program_was_here_ = false;  ///< the main program has had a turn since begin_count()
  std::uint32_t taken_ = 0;             ///< completions since begin_count(), without those that serve() took
  const hal::Completion *last_taken_ = nullptr;
  std::uint64_t last_look_ = 0;  ///< time of the last note_look(), in microseconds
  RunEvents *events_ = nullptr;
  /// Queue of the end lane of each run (Plan::groups). The queue is always full. For a full queue the inner loop calls go_on(), which
  /// ends the run if the queue is this one.
  ClassQueue end_{hal::tile::SubmissionQueue::full()};
};

struct Dispatcher::Offsets {
  static constexpr std::size_t kLanes = offsetof(Dispatcher, lanes_);
  static constexpr std::size_t kQueues = offsetof(Dispatcher, cores_) + CoreBank::Offsets::kQueues;
  static constexpr std::size_t kByPending = offsetof(Dispatcher, by_pending_);
};

}  // namespace cox::firmware::schedule
