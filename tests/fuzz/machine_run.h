// SPDX-License-Identifier: MIT
// One boot of the native board with jobs laid out in its DRAM.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "boards/native/native_board.h"
#include "firmware/job/job_queue.h"

namespace cox::fuzz {

inline constexpr std::size_t kDramBytes = std::size_t{16} << 20;

class MachineRun {
 public:
  /// `model_options` as docs/model.md, Options. What the firmware writes goes to `console`, if there is one.
  explicit MachineRun(const std::string &model_options, std::string *console = nullptr);

  /// Room in DRAM: its bus address, 0 where there is none left.
  std::uint64_t reserve(std::uint64_t bytes, std::uint64_t remainder = 0);
  [[nodiscard]] std::span<std::byte> at(std::uint64_t address, std::uint64_t bytes) const;

  /// A copy of the image in DRAM, with a workspace for it; false where there is no room, or the image has none that would do.
  bool place_load(std::span<const std::byte> image, std::uint32_t slot, firmware::job::Descriptor &job);

  void submit(const firmware::job::Descriptor &job);
  [[nodiscard]] board::NativeBoard &board() { return *board_; }
  /// Lays the jobs' ring open: boot() does so itself.
  void open_ring();
  /// Boots the firmware, which serves all jobs and leaves. False where it stopped.
  bool boot();
  [[nodiscard]] const firmware::job::Descriptor &outcome(std::size_t job) const;

 private:
  static constexpr std::size_t kCapacity = 64;

  std::unique_ptr<board::NativeBoard> board_;
  std::uint64_t top_ = 0;
  std::uint32_t jobs_ = 0;
};

}  // namespace cox::fuzz
