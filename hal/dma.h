// SPDX-License-Identifier: MIT
// Copies in DRAM by the board's DMA engine (docs/dma.md). A program submits a list of copies and goes on; the engine interrupts at the
// end. The core copies what is smaller than a descriptor costs, and everything on a board without a DMA engine.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/device/dma.h"
#include "coxswain/device/dma_descriptor.h"

namespace cox::hal {

/// A copy of `rows` rows. Source and destination lie in DRAM and do not overlap. They are addresses of the core, which cleans and
/// invalidates there; the driver gives the engine their bus addresses.
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
  // The core copies a list with fewer bytes than kLeastListBytes, and a copy with fewer than kLeastBytes. Then it executes fewer
  // instructions than for descriptors (docs/dma.md, When the core copies).
  static constexpr std::uint32_t kLeastListBytes = 4096;
  static constexpr std::uint32_t kLeastBytes = 1024;
  static constexpr std::uint32_t kDefaultTimeLimit = 1'000'000;  ///< microseconds
  /// Microseconds that an aborted channel may take to stop. A list ends at its time limit and this time at the latest.
  static constexpr std::uint32_t kStopLimit = 20'000;

  /// Names a list from submit() to take().
  enum class Handle : std::uint32_t {};

  /// True if the board has a DMA engine.
  [[nodiscard]] static bool is_present();

  /// Ends what the engine may still do for an earlier boot, and connects its interrupt. On a board without a DMA engine, it only makes
  /// submit() copy by the core. Errors: invalid_argument ("queue memory"), with nothing touched; unknown_device ("DMA.ID", "DMA.VERSION",
  /// "DMA.GEOMETRY"); timeout ("DMA channel", `index` the channel) if a channel does not stop.
  Status open(std::span<std::byte> queue_memory);
  /// Ends all lists and disconnects the interrupt. Handles become invalid. Error: timeout ("DMA channel", `index` the channel) if a channel
  /// does not stop. It may still write the destinations of its list. open() fails until it has stopped.
  Status close();
  [[nodiscard]] bool is_open() const { return slots_ != nullptr; }

  /// Begins the copies of a list, or lets the list wait for a channel. The copies may be done in any order and at once, so no destination
  /// may overlap another copy, in this list or in another one. submit() does not check this (check_apart() does, for a list).
  /// `time_limit_us` counts from when a channel begins the list; 0: kDefaultTimeLimit. Errors, with nothing touched (`index` is the copy):
  /// - not_ready ("DMA") before open();
  /// - invalid_argument: "copies" for none or more than kMostCopies; "bytes", "rows", "stride";
  /// - window_outside_dram, misaligned_address: "source", "destination". If there are several rows, the source and its stride must be
  ///   multiples of registers::dma::kWordBytes; the destination, its stride and `bytes` must be multiples of kLine;
  /// - window_overlap ("destination") if source and destination of a copy overlap;
  /// - window_overlap ("DMA channel"): check_memory() refuses the source or the destination;
  /// - no_room ("DMA") if kLists lists were not taken. The list of a channel that does not stop counts.
  Result<Handle> submit(std::span<const DmaCopy> copies, std::uint32_t time_limit_us = 0);

  /// An outcome without words.
  struct Ended {
    ErrorCode code = ErrorCode::ok;
    std::uint8_t copy = 0;     ///< for device_fault: index of the copy
    std::uint8_t error = 0;    ///< for device_fault: a registers::dma::Error; none: the channel does not stop
    std::uint8_t channel = 0;  ///< that had the list
  };
  class List {
    friend class Dma;
    enum class State : std::uint8_t {
      free,
      waiting,   ///< for a channel
      moving,    ///< a channel has the list
      stopping,  ///< a channel has the list and was told to abort it
      ended,     ///< take() returns the outcome. If a channel still has the list, that channel does not stop
      held,      ///< take() has returned the outcome, and the channel does not stop
    };
    State state = State::free;
    bool by_core = false;                                    ///< the core copies all
    Ended end;                                               ///< from state stopping on; its channel also in state moving
    std::uint32_t serial = 0;                                ///< Handle
    registers::dma::Slot *first = nullptr, *last = nullptr;  ///< the copies that the engine does; null: none
    std::uint32_t time_limit = 0;
    std::uint64_t deadline = 0;  ///< microseconds; in state stopping: the end of kStopLimit
  };
  // The steps of submit(), without its checks: a program that calls only these has no code for the checks.
  /// Returns a list without copies; nullptr if none is free. A list with which begin() was not called is free again at the next call.
  List *new_list(std::uint32_t time_limit_us = 0);
  /// Adds copy `index` (under kMostCopies, once each, in ascending order). It has one row and meets the conditions of submit(). The list's
  /// copies should have kLeastListBytes together.
  void add(List &list, std::size_t index, const DmaCopy &copy);
  /// Begins the list as submit() does.
  Handle begin(List &list);

  /// True from submit() until take() has returned the outcome.
  [[nodiscard]] bool is_valid(Handle handle) const { return const_cast<Dma *>(this)->find(handle) != nullptr; }
  /// True if take() would return the outcome. False for a handle that names no list.
  [[nodiscard]] bool has_ended(Handle handle) const;
  /// Takes the outcome of a list that has ended, and frees the list. Outcomes other than ok (destinations then have unspecified bytes):
  /// - device_fault: `what` is the name of a registers::dma::Error, `index` the copy, `value` the error, `limit` the channel;
  /// - device_fault ("DMA channel", `value` 0, `limit` the channel): the list was aborted, and the channel has not stopped. It may still
  ///   write the destinations, which check_memory() refuses from now on;
  /// - not_ready ("DMA channel"): the list has not begun, because all channels are in this state;
  /// - timeout ("DMA"): the list took longer than its time limit; cancelled ("DMA") after abort().
  /// Errors: invalid_argument ("handle") if the handle names no list, for example because its outcome was taken; not_ready ("DMA") if the
  /// list has not ended.
  Status take(Handle handle);
  /// As take(), for a valid handle. Returns nullptr if the list has not ended. The outcome stays in place until the next list is submitted.
  const Ended *take_ended(Handle handle);
  /// Sleeps until the list has ended, at most `limit_us` microseconds, then takes its outcome. The time limits of this list and of those
  /// before it also bound the wait. Error: timeout ("wait"); the list goes on, and its handle stays valid.
  Status wait(Handle handle, std::uint64_t limit_us = UINT64_MAX);
  /// Ends a list that has not ended: at once, or when its channel has stopped, after kStopLimit at the latest. Error: invalid_argument
  /// ("handle").
  Status abort(Handle handle);

  /// Looks for what the engine does not report: lists that take too long, lost interrupts, lost starts. A program that does not call
  /// wait() calls this at each turn of its loop, or at each tick.
  void supervise();
  /// True if supervise() has something to look at.
  [[nodiscard]] bool is_busy() const {
    return std::ranges::any_of(on_, [](const List *list) { return list != nullptr; });
  }

  /// Returns window_overlap ("DMA channel", `value` the address, `limit` the channel) if a channel that does not stop may write to the
  /// memory. The memory is free again when supervise() has seen that the channel is idle.
  [[nodiscard]] Status check_memory(std::uintptr_t address, std::size_t bytes) const;
  /// Returns the errors of submit() for the copies of a list, and window_overlap ("copies", `index` the copy) if the destination of a copy
  /// overlaps a source or destination of another one.
  [[nodiscard]] static Status check_apart(std::span<const DmaCopy> copies);

 private:
  using State = List::State;
  static constexpr unsigned kChannels = registers::dma::channel::kCount;

  [[nodiscard]] static Status check(const DmaCopy &copy);
  [[nodiscard]] static Status check_all(std::span<const DmaCopy> copies);
  [[nodiscard]] Status identify() const;
  [[nodiscard]] List *find(Handle handle);
  /// The list of a channel that does not stop; nullptr if the channel works.
  [[nodiscard]] const List *held_by(unsigned channel) const {
    const List *const list = on_[channel];
    return list != nullptr && list->state >= State::ended ? list : nullptr;
  }
  [[nodiscard]] bool has_channel() const;
  [[nodiscard]] bool stop(unsigned channel) const;
  [[nodiscard]] static const registers::dma::Slot *behind(const List &list, const registers::dma::Slot &slot);
  void append(List &list, std::size_t index, const DmaCopy &copy);
  void start_waiting();
  void start(const List &list);
  void look_at(unsigned channel);
  static void end(List &list, ErrorCode outcome);
  void give_up(List &list, ErrorCode outcome);
  static void on_interrupt();

  static Dma *active_;  ///< the object that the interrupt serves

  COX_DMA_Type *registers_ = nullptr;  ///< null: the board has no DMA engine
  registers::dma::Slot *slots_ = nullptr;
  std::uint32_t serial_ = 0;
  std::array<List, kLists> lists_;
  std::array<List *, kChannels> on_{};  ///< the list that the channel has; nullptr if it is idle
};

}  // namespace cox::hal
