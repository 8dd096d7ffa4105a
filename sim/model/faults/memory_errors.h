// SPDX-License-Identifier: MIT
// ECC: words of memory with flipped bits (docs/model.md, ECC).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sim/model/faults/plan.h"

namespace cox::model::faults {

/// A memory with ECC: L2 or WL0 of a core, or memory on the bus.
struct Place {
  enum class Memory : std::uint8_t { l2, wl0, bus };
  Memory memory = Memory::bus;
  unsigned core = 0;  ///< for L2 and WL0

  [[nodiscard]] bool operator==(const Place &) const = default;
};

/// The words with flipped bits. A flip is only recorded here. The memory keeps the undamaged data until the device reports the word as
/// uncorrectable.
class MemoryErrors {
 public:
  static constexpr std::uint64_t kWordBytes = 8;
  /// Reads or writes a word; returns false if there is no memory at the address.
  using Transfer = std::function<bool(Place place, std::uint64_t address, bool write, std::array<std::byte, kWordBytes> &word)>;

  explicit MemoryErrors(Transfer transfer) : transfer_(std::move(transfer)) {}

  /// Applies `fault`, which flips one or two bits of a word. If the word already has an error, two of its bits are flipped afterwards.
  void flip(const Planned &fault);
  [[nodiscard]] bool empty() const { return errors_.empty(); }
  [[nodiscard]] std::uint32_t corrected() const { return corrected_; }

  /// The device reads bytes [first, first + bytes). Words with one flipped bit are corrected. Returns the address of the first word with
  /// two flipped bits, if there is one.
  [[nodiscard]] std::optional<std::uint64_t> read(Place place, std::uint64_t first, std::uint64_t bytes);
  /// The device writes bytes [first, first + bytes). A word has no flipped bits any more if all of its bytes have been written since
  /// begin_write().
  void begin_write();
  void write(Place place, std::uint64_t first, std::uint64_t bytes);

  /// The device sets these bytes to zero. Their words have no flipped bits any more.
  void clear(Place place, std::uint64_t first, std::uint64_t bytes);
  /// Called when a core is reset. From now on, the present content of each word in its L2 and WL0 counts as correct.
  void make_whole(unsigned core);
  /// Called at power-on: L2 and WL0 have no flipped bits, and the count of corrected errors restarts at 0.
  void reset();

 private:
  struct Error {
    Place place;
    std::uint64_t word = 0;  ///< address of the word
    std::uint32_t bits = 1;
    std::uint32_t byte = 0;     ///< number of the byte in the word
    std::uint32_t written = 0;  ///< bit i: byte i was written since begin_write()
    bool reported = false;
    std::array<std::byte, kWordBytes> damaged{};  ///< content of the word since it was reported
  };

  void report(Error &error);
  /// Returns whether the control core has written the word since the word was reported.
  [[nodiscard]] bool renewed(const Error &error) const;

  Transfer transfer_;
  std::vector<Error> errors_;
  std::uint32_t corrected_ = 0;
};

}  // namespace cox::model::faults
