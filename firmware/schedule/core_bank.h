// SPDX-License-Identifier: MIT
// The tile cores of the device: their queues, clocks and resets. Any number of runs share a core (docs/scheduler.md, The parts).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/firmware/schedule/run_memory.h"
#include "coxswain/hal/completion_queue.h"
#include "coxswain/hal/device.h"
#include "coxswain/hal/tile/core.h"
#include "coxswain/hal/tile/submission_queue.h"

namespace cox::firmware::schedule {

inline constexpr unsigned kCompletionSizeLog2 = 8;
using CompletionQueue = hal::SizedCompletionQueue<kCompletionSizeLog2>;

/// Memory for the queues of one tile core, in bytes; aligned to 64.
inline constexpr std::size_t kCoreQueueBytes = isa::tile::kClasses * (hal::tile::SubmissionQueue::kSlotBytes << kSubmissionSizeLog2) +
                                               (sizeof(hal::Completion) << kCompletionSizeLog2);

/// Bits of `count` neighbouring cores.
constexpr std::uint32_t cores_from(unsigned first, unsigned count) { return ((1U << count) - 1) << first; }

/// State of a tile core; its submission queues are in CoreBank. Its size is a power of two, so that a shift turns a core's number into an
/// offset.
struct alignas(32) TileCore {
  CompletionQueue completions;
  std::uint8_t number = 0;
  std::uint8_t runs = 0;   ///< bit k: run k may have instructions in the core's queues
  bool ready = false;      ///< the core has reset, and its queues work
  bool broken = false;     ///< the core must be reset: it wrote a completion that is damaged or unexpected, or `damaged` is true
  bool was_reset = false;  ///< the core was reset, but not by the scheduler
  bool suspect = false;    ///< an instruction on the core did not end, and no run on the core has succeeded since
  bool lost = false;       ///< the core was suspect, and again an instruction on it did not end
  bool damaged = false;    ///< ECC has found two flipped bits in the core's L2 or WL0; a reset of the core repairs them
};

class CoreBank {
 public:
  /// Resets all cores of the device and initialises their queues in `memory`, which has kCoreQueueBytes for each core. Then no core has a
  /// clock. Error: timeout.
  Status initialise(const hal::Geometry &geometry, std::span<std::byte> memory);

  /// Resets all cores; no run may be on one. Error: timeout.
  Status close();

  [[nodiscard]] const hal::Geometry &geometry() const { return geometry_; }
  [[nodiscard]] const TileCore &core(unsigned number) const { return cores_[number]; }
  [[nodiscard]] TileCore &core(unsigned number) { return cores_[number]; }
  /// Returns the queue with this number, core * kClasses + class.
  [[nodiscard]] ClassQueue &queue(unsigned number) { return queues_[number]; }
  [[nodiscard]] const ClassQueue &queue(unsigned number) const { return queues_[number]; }

  /// Adds run `context` to `cores` (bit c is core c), and gives them their clocks.
  void enter(std::uint32_t cores, unsigned context);
  /// Removes the run from `cores`, which keep their clocks until stop_clocks(). The device must have no instruction of the run left, except
  /// on cores whose reset failed.
  void leave(std::uint32_t cores, unsigned context);
  /// Lends `count` neighbouring cores that are_idle(), suspect ones only if there are no others, and gives them their clocks. Lends none
  /// that is lent already or `reserved` (bit c: core c) for a run that will begin. No task starts there until take_back(). Returns the
  /// first. Errors: no_room ("cores", `value` the count) if there are too few.
  Result<unsigned> lend(unsigned count, std::uint32_t reserved);
  void take_back(unsigned first, unsigned count);
  [[nodiscard]] std::uint8_t lent() const { return lent_; }  ///< bit c: core c

  /// Takes the clock from cores without runs, if leave() has left them theirs.
  void stop_clocks();
  /// Gives a clock to each core that a run is on, and takes the clock from all others.
  void update_clocks();
  [[nodiscard]] std::uint8_t in_use() const { return in_use_; }  ///< bit c: some run is on core c

  /// Reads the counters of each class and of the clocked cycles, summed over `cores`.
  void read_counters(std::uint32_t cores, std::array<hal::tile::QueueCounters, isa::tile::kClasses> &counters,
                     std::uint64_t &clocked) const;
  /// Looks for two reasons why a core delivers no completion: other code has reset the core, or the core's next completion entry has a
  /// wrong phase bit. The completion loops never take such an entry, and it keeps the interrupt line high, so this function drops it.
  /// Returns true if the core must be reset.
  bool find_blocked(unsigned core);
  /// Marks the core for a reset because it wrote a completion that is damaged or unexpected.
  void refuse_completion(unsigned core);
  /// Marks the core for a reset because its L2 or WL0 has a damaged word.
  void mark_damaged(unsigned core);
  /// True if the core is marked for a reset, or other code has reset it.
  [[nodiscard]] bool must_reset(unsigned core) const { return cores_[core].broken || cores_[core].was_reset; }
  /// Resets the core, which empties its queues. The core must have its clock. A core that does not reset is not `ready` any more.
  void reset(unsigned core);

  /// An instruction on the core did not end.
  void mark_stuck(unsigned core);
  /// A run on `cores` has ended well.
  void mark_working(std::uint32_t cores);
  /// True if all of `cores` are ready and reliable, and no run is on them. `suspect`: they may be suspect.
  [[nodiscard]] bool are_idle(std::uint32_t cores, bool suspect = false) const;
  /// True if all of `cores` are ready.
  [[nodiscard]] bool are_ready(std::uint32_t cores) const;

  [[nodiscard]] std::uint32_t resets() const { return resets_; }
  [[nodiscard]] std::uint32_t bad_completions() const { return bad_completions_; }

  struct Offsets;  ///< offsets of members, for the loops in assembly (token_loop.cpp)

 private:
  Status bring_up(unsigned core);

  // The inner loop indexes the arrays, so they come first: short offsets reach them.
  std::array<TileCore, isa::tile::kMostCores> cores_;
  std::array<ClassQueue, isa::tile::kMostLanes> queues_;
  std::uint8_t in_use_ = 0;
  std::uint8_t lent_ = 0;
  std::uint8_t clocked_ = 0;  ///< the cores to which update_clocks() has given a clock
  hal::Geometry geometry_;
  std::span<std::byte> memory_;
  std::uint32_t resets_ = 0;
  std::uint32_t bad_completions_ = 0;
};

struct CoreBank::Offsets {
  static constexpr std::size_t kQueues = offsetof(CoreBank, queues_);
};

}  // namespace cox::firmware::schedule
