// SPDX-License-Identifier: MIT
// Windows of a run, made from the memory that a caller hands over (docs/jobs.md, Windows).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "coxswain/base/memory_range.h"
#include "coxswain/base/result.h"
#include "coxswain/firmware/image/loaded_task.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/context.h"

namespace cox::firmware::schedule {

using cox::MemoryRange;

inline constexpr std::uint64_t kWindowAlignment = 8;

/// What a run does with its windows, bit i for window i.
struct WindowUse {
  std::uint32_t written = 0;    ///< the result of written_windows()
  std::uint32_t constants = 0;  ///< windows with constants that ConstantCopy writes
};

/// Sets `windows` to the windows of a run and, if it is given, `use` to their use, each with the size and the access that the task needs.
/// Each given window that the task needs must lie in `dram`, be aligned to kWindowAlignment, be large enough, and overlap none
/// of `reserved`. If a window is not given, but LoadedTask::constant_in_place() returns a constant for it, the window is the bytes of this
/// constant in the image. Errors (`index` is the window):
/// - window_missing, window_too_small, window_outside_dram, misaligned_address;
/// - window_overlap: the window overlaps `reserved`, or it overlaps another window and is_written() is true for at least one of the two.
[[nodiscard]] Status bind_windows(const image::LoadedTask &task, std::span<const MemoryRange, hal::kWindows> given, const MemoryRange &dram,
                                  std::span<const MemoryRange> reserved, std::array<hal::Window, hal::kWindows> &windows,
                                  WindowUse *use = nullptr);

/// True if the run writes to the window: the task does, or ConstantCopy does before the task starts.
[[nodiscard]] bool is_written(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows, unsigned window);

/// Bit i of the result is is_written() of window i.
[[nodiscard]] std::uint32_t written_windows(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows);

/// Returns the place of a tensor's bytes.
inline std::byte *tensor_bytes(const image::TensorView &tensor, std::span<const hal::Window, hal::kWindows> windows) {
  return hal::core_pointer<std::byte>(windows[tensor.window].base + tensor.offset);
}

/// A constant, and where a run needs it.
struct ConstantPlace {
  std::span<const std::byte> data;  ///< empty if the run does not need the constant
  std::byte *target = nullptr;
};
/// `index` < LoadedTask::constants(). Checks the constant's window and range again, because the submitter may have changed the image since
/// the load.
[[nodiscard]] ConstantPlace place_of(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows, std::size_t index);

/// True if ConstantCopy has bytes to write.
[[nodiscard]] bool copies_constants(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows);

/// Writes a task's constants to their places in `windows`, except those that are used in place. It writes them piece by piece, because
/// constants may have many bytes.
class ConstantCopy {
 public:
  /// The task and the windows must outlive this object.
  ConstantCopy(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows) : task_(task), windows_(windows) {}

  /// Feeds the watchdog, and writes at most kPiece bytes of constants. Returns false if no bytes are left to write.
  bool step();

 private:
  static constexpr std::size_t kPiece = 64 << 10;   ///< bytes that a step writes at most
  static constexpr std::size_t kConstantCost = 64;  ///< checking a constant takes as long as copying this many bytes

  const image::LoadedTask &task_;
  std::span<const hal::Window, hal::kWindows> windows_;
  std::size_t next_ = 0;  ///< index of the constant that step() writes next
  std::size_t done_ = 0;  ///< number of bytes of that constant that are already written
};

}  // namespace cox::firmware::schedule
