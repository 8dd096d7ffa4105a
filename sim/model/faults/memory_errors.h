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

/// A memory with ECC: L2 or WL0 of a core, or what the bus reaches.
struct Place {
  enum class Memory : std::uint8_t { l2, wl0, bus };
  Memory memory = Memory::bus;
  unsigned core = 0;  ///< of L2 and WL0

  [[nodiscard]] bool operator==(const Place &) const = default;
};

/// Bits that have flipped. Data stays as it is until the device has reported that it cannot be corrected: who reads past the ECC, as the
/// control core does, reads what was there.
class MemoryErrors {
 public:
  static constexpr std::uint64_t kWordBytes = 8;
  /// How to reach a word; false where there is no memory.
  using Transfer = std::function<bool(Place place, std::uint64_t address, bool write, std::array<std::byte, kWordBytes> &word)>;

  explicit MemoryErrors(Transfer transfer) : transfer_(std::move(transfer)) {}

  /// `fault` is a flip, and its time has come. A second one in the same word makes two bits of one.
  void flip(const Planned &fault);
  [[nodiscard]] bool empty() const { return errors_.empty(); }
  [[nodiscard]] std::uint32_t corrected() const { return corrected_; }

  /// The device reads bytes [first, first + bytes): errors of one bit are corrected and gone. The address of the first word of two, if
  /// there is one.
  [[nodiscard]] std::optional<std::uint64_t> read(Place place, std::uint64_t first, std::uint64_t bytes);
  /// The device writes them. Words of which all bytes have been written since begin_write() are whole again.
  void begin_write();
  void write(Place place, std::uint64_t first, std::uint64_t bytes);

  /// Words that are set to zero are whole, and so is what they hold.
  void clear(Place place, std::uint64_t first, std::uint64_t bytes);
  /// A reset of a core: so are its L2 and WL0, whatever they hold.
  void make_whole(unsigned core);
  /// Power-on: L2 and WL0 are new, and the count begins anew.
  void reset();

 private:
  struct Error {
    Place place;
    std::uint64_t word = 0;  ///< address
    std::uint32_t bits = 1;
    std::uint32_t byte = 0;     ///< in the word
    std::uint32_t written = 0;  ///< a bit a byte
    bool reported = false;
    std::array<std::byte, kWordBytes> damaged{};  ///< what the word holds since it was reported
  };

  void report(Error &error);
  /// Somebody else has written the word since it was reported.
  [[nodiscard]] bool renewed(const Error &error) const;

  Transfer transfer_;
  std::vector<Error> errors_;
  std::uint32_t corrected_ = 0;
};

}  // namespace cox::model::faults
