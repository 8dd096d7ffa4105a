// SPDX-License-Identifier: MIT
// From the memory that a caller hands over to the windows that a task runs on (docs/jobs.md, Windows).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "firmware/image/loaded_task.h"
#include "hal/context.h"

namespace cox::firmware::schedule {

/// Bytes of memory by bus address. Size 0: none.
struct MemoryRange {
  std::uint64_t address = 0;
  std::uint64_t size = 0;

  [[nodiscard]] constexpr bool overlaps(const MemoryRange &other) const {
    return size != 0 && other.size != 0 && address < other.address + other.size && other.address < address + size;
  }
  /// Without overflow, whatever `other` claims to be.
  [[nodiscard]] constexpr bool contains(const MemoryRange &other) const {
    return other.address >= address && other.address - address <= size && other.size <= size - (other.address - address);
  }
};

inline constexpr std::uint64_t kWindowAlignment = 8;

/// The windows of a run: those given, of which every one that the task needs must lie in `dram`, be aligned to kWindowAlignment, be large
/// enough, and touch none of `reserved`; where none is given and a constant is the whole of a window that is not written, the image's own
/// bytes. window_missing, window_too_small, window_outside_dram, misaligned_address, window_overlap (with `reserved`, or of a window that
/// the task writes with another one); `index` is the window.
[[nodiscard]] Result<std::array<hal::Window, hal::kWindows>> bind_windows(const image::LoadedTask &task,
                                                                          std::span<const MemoryRange, hal::kWindows> given,
                                                                          const MemoryRange &dram, std::span<const MemoryRange> reserved);

/// Whether a run writes the window: the task does, or ConstantCopy does before.
[[nodiscard]] bool is_written(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows, unsigned window);

/// Writes a task's constants to where they stand in `windows`, but for those that are used in place. They may be many, and are written
/// piece by piece.
class ConstantCopy {
 public:
  /// Both must outlive this object.
  ConstantCopy(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows) : task_(task), windows_(windows) {}

  /// Feeds the watchdog and writes one piece. False: it was the last.
  bool step();

 private:
  static constexpr std::size_t kPiece = 64 << 10;   ///< bytes
  static constexpr std::size_t kConstantCost = 64;  ///< what it takes to look at one, in bytes that are copied

  const image::LoadedTask &task_;
  std::span<const hal::Window, hal::kWindows> windows_;
  std::size_t next_ = 0;  ///< constant
  std::size_t done_ = 0;  ///< bytes of it
};

/// The same at once.
inline void place_constants(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows) {
  ConstantCopy copy(task, windows);
  while (copy.step()) {
  }
}

}  // namespace cox::firmware::schedule
