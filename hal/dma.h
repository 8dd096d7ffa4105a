// SPDX-License-Identifier: MIT
// Copies in DRAM by the board's DMA engine (docs/dma.md). A program submits a list of copies and goes on; the engine interrupts at the
// end. The core copies what is smaller than a descriptor costs, and everything on a board without a DMA engine.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "device/dma.h"
#include "device/dma_descriptor.h"

namespace cox::hal {

/// A copy of `rows` rows. Source and destination lie in DRAM and do not overlap.
struct DmaCopy {
  std::uintptr_t source = 0;
  std::uintptr_t destination = 0;
  std::uint32_t bytes = 0;               ///< of a row, at least 1, at most registers::dma::kMostRowBytes
  std::uint32_t rows = 1;                ///< at most registers::dma::kMostRows
  std::uint32_t source_stride = 0;       ///< from a row to the next, at least `bytes`; unused if there is one row
  std::uint32_t destination_stride = 0;  ///< the same
};

/// The DMA engine. Only the main program calls these functions, never an interrupt handler. One object may be open at a time.
///
/// Caches: submit() cleans the sources. It invalidates the destinations, and take() does so again. Until take(), the core must not
/// write sources, and must not touch destinations. The engine writes only whole lines of kLine bytes; the core writes the rest. So memory
/// beside a destination keeps what the core or a host has written there before.
class Dma {
 public:
  static constexpr unsigned kMostCopies = 16;  ///< in a list
  static constexpr unsigned kLists = 4;        ///< lists that were submitted and not taken
  static constexpr std::size_t kLine = 64;     ///< a multiple of the core's cache line
  /// Bytes of queue memory, aligned to registers::dma::kDescriptorAlignment.
  static constexpr std::size_t kQueueBytes = sizeof(registers::dma::Slot) * kMostCopies * kLists;
  /// The core copies a row that is shorter than this (docs/dma.md, When the core copies).
  static constexpr std::uint32_t kLeastBytes = 1024;
  static constexpr std::uint32_t kDefaultTimeLimit = 1'000'000;  ///< microseconds

  /// Names a list from submit() to take().
  enum class Handle : std::uint32_t {};

  /// True if the board has a DMA engine.
  [[nodiscard]] static bool is_present();

  /// Ends what the engine may still do for an earlier boot, and connects its interrupt. On a board without a DMA engine, it only makes
  /// submit() copy by the core. Errors: invalid_argument ("queue memory"), with nothing touched; unknown_device ("DMA.ID", "DMA.VERSION",
  /// "DMA.GEOMETRY"); timeout ("DMA channel", `index` the channel) if a channel does not stop.
  Status open(std::span<std::byte> queue_memory);
  /// Ends all lists and disconnects the interrupt. Handles become invalid.
  void close();
  [[nodiscard]] bool is_open() const { return slots_ != nullptr; }

  /// Begins the copies of a list, or lets the list wait for a channel. The copies may be done in any order and at once, so no destination
  /// may overlap another copy. `time_limit_us` counts from when a channel begins the list; 0: kDefaultTimeLimit. Errors, with nothing
  /// touched (`index` is the copy):
  /// - not_ready ("DMA") before open();
  /// - invalid_argument: "copies" for none or more than kMostCopies; "bytes", "rows", "stride";
  /// - window_outside_dram, misaligned_address: "source", "destination". If there are several rows, the source and its stride must be
  ///   multiples of registers::dma::kWordBytes; the destination, its stride and `bytes` must be multiples of kLine;
  /// - window_overlap ("destination") if source and destination of a copy overlap;
  /// - no_room ("DMA") if kLists lists were not taken.
  Result<Handle> submit(std::span<const DmaCopy> copies, std::uint32_t time_limit_us = 0);

  /// True if take() would return the outcome. False for a handle that names no list.
  [[nodiscard]] bool has_ended(Handle handle) const;
  /// Takes the outcome of a list that has ended, and frees the list. Outcomes other than ok (destinations then have unspecified bytes):
  /// - device_fault: `what` is the name of a registers::dma::Error, `index` the copy, `value` the error, `limit` the channel. "DMA
  /// channel": no channel works any more;
  /// - timeout ("DMA"): the list took longer than its time limit; cancelled ("DMA") after abort().
  /// Errors: invalid_argument ("handle") if the handle names no list, for example because its outcome was taken; not_ready ("DMA") if the
  /// list has not ended.
  Status take(Handle handle);
  /// Sleeps until the list has ended, then takes its outcome. The time limits of this list and of those before it bound the wait.
  Status wait(Handle handle);
  /// Ends a list that has not ended. Error: invalid_argument ("handle").
  Status abort(Handle handle);

  /// Looks for what the engine does not report: lists that take too long, lost interrupts, lost starts. A program that does not call
  /// wait() calls this at each turn of its loop, or at each tick.
  void supervise();

 private:
  enum class State : std::uint8_t { free, waiting, moving, ended };

  struct List {
    State state = State::free;
    std::uint8_t channel = 0;                                ///< in state moving
    std::uint32_t serial = 0;                                ///< Handle
    registers::dma::Slot *first = nullptr, *last = nullptr;  ///< the copies that the engine does; null: none
    std::uint32_t time_limit = 0;
    std::uint64_t deadline = 0;
    // In state ended:
    ErrorCode outcome = ErrorCode::ok;
    std::uint8_t copy = 0;       ///< index of the copy with the error
    std::uint8_t error = 0;      ///< a registers::dma::Error
    const char *what = nullptr;  ///< of the status, if the outcome is device_fault
  };
  static constexpr unsigned kChannels = registers::dma::channel::kCount;
  static constexpr unsigned kNone = kLists;

  [[nodiscard]] static Status check(const DmaCopy &copy);
  [[nodiscard]] Status identify() const;
  [[nodiscard]] List *find(Handle handle);
  [[nodiscard]] bool has_channel() const { return registers_ != nullptr && broken_ != (1U << kChannels) - 1; }
  [[nodiscard]] bool is_busy() const {
    return is_open() && std::ranges::any_of(lists_, [](const List &list) { return list.state == State::moving; });
  }
  [[nodiscard]] bool stop(unsigned channel) const;
  bool prepare(const DmaCopy &copy, registers::dma::Slot &slot);
  void start_waiting();
  void start(List &list, unsigned channel);
  void look_at(unsigned channel);
  static void set_ended(List &list, ErrorCode outcome);
  void end(List &list, ErrorCode outcome);
  void give_up(List &list, ErrorCode outcome);
  static void on_interrupt();

  static Dma *active_;  ///< the object that the interrupt serves

  DMA_Type *registers_ = nullptr;  ///< null: the board has no DMA engine
  registers::dma::Slot *slots_ = nullptr;
  std::uint32_t serial_ = 0;
  std::uint32_t broken_ = 0;  ///< bit c: channel c does not stop, so it is never used again
  std::array<List, kLists> lists_;
  std::array<std::uint8_t, kChannels> moving_{};  ///< the channel's list; kNone if it is idle
};

}  // namespace cox::hal
