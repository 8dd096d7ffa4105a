// SPDX-License-Identifier: MIT
// One boot of the native board with jobs in its DRAM.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "boards/native/native_board.h"
#include "coxswain/firmware/job/job_queue.h"

namespace cox::fuzz {

inline constexpr std::size_t kDramBytes = std::size_t{16} << 20;

class MachineRun {
 public:
  /// `model_options`: see docs/model.md, Options. The firmware's output is appended to `console` if it is not null.
  explicit MachineRun(const std::string &model_options, std::string *console = nullptr);

  /// Reserves room in DRAM. Returns its bus address, or 0 if there is no room.
  std::uint64_t reserve(std::uint64_t bytes, std::uint64_t remainder = 0);
  [[nodiscard]] std::span<std::byte> at(std::uint64_t address, std::uint64_t bytes) const;

  /// Copies the image into DRAM and reserves a workspace. Returns false if there is no room, or if no workspace fits the image.
  bool place_load(std::span<const std::byte> image, std::uint32_t slot, firmware::job::Request &job);

  void submit(const firmware::job::Request &job);
  [[nodiscard]] board::NativeBoard &board() { return *board_; }
  /// Makes the ring of jobs visible to the firmware. boot() does this itself.
  void open_ring();
  /// Boots the firmware, which serves all jobs and ends. Returns false if the firmware stopped early.
  bool boot();
  [[nodiscard]] const firmware::job::Outcome &outcome(std::size_t job) const;

 private:
  static constexpr std::size_t kCapacity = 64;

  std::unique_ptr<board::NativeBoard> board_;
  std::uint64_t top_ = 0;
  std::uint32_t jobs_ = 0;
};

}  // namespace cox::fuzz
