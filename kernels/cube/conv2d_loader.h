// SPDX-License-Identifier: MIT
// Loads a convolution's operands to L1 ahead of the moves that read them (docs/kernels/cube.md, conv2d). Internal to the kernels.
//
// The time of a chunk is the number of chunks computed before it (Conv2dWalk::time()). A load has the time of the chunk that needs it.
//
// Loads are written in the order in which moves need them. A load overwrites a buffer, so it is written only after all moves that read the
// buffer's previous contents. The last of these moves sets a flag for the load (is_blocked_by()). No flag is set if no slot waits for it,
// or if another flag already guarantees the same order.
#pragma once

#include <array>
#include <cstdint>

#include "coxswain/kernels/cube/conv2d.h"
#include "coxswain/kernels/cube/conv2d_walk.h"
#include "coxswain/kernels/cube/pipeline.h"
#include "coxswain/kernels/cube/slot_writer.h"

namespace cox::kernels::cube {

class Conv2dLoader {
 public:
  Conv2dLoader(const Conv2dArguments &arguments, const Conv2dShape &shape, const Conv2dTiles &tiles, const Conv2dGrid &grid);

  /// Writes the next loads. Stops before a load whose buffer holds data that chunk number `time` or a later chunk reads.
  void run(SlotWriter &slots, std::uint64_t time);
  /// Returns true if the next load waits for the moves of chunk number `time`, counted from 0 over all tiles.
  [[nodiscard]] bool is_blocked_by(std::uint64_t time) const { return blocked_until_ == time + 1; }
  /// Returns the event of the flag for which the moves of chunk number `time` must wait, or kNone. The last load for the chunk sets the
  /// flag. Each call must have a greater `time` than the previous one.
  static constexpr std::uint32_t kNone = ~0U;
  std::uint32_t take_flag(std::uint64_t time);

  // These functions return the L1 addresses of the data at the walk's position.
  [[nodiscard]] std::uint32_t map_address(const Conv2dWalk &at, const MapPiece &piece) const;
  [[nodiscard]] std::uint32_t weights_address(const Conv2dWalk &at) const;
  [[nodiscard]] std::uint32_t residual_address(const Conv2dWalk &at) const;
  /// A chunk of k: `count` elements of a row of the weights, from element `first` on.
  struct Chunk {
    std::uint32_t kernel_row = 0, kernel_column = 0, channel = 0;  ///< only for MapIn::taps; `channel` is the first one of the chunk
    std::uint64_t first = 0;
    std::uint32_t count = 0;
  };
  [[nodiscard]] Chunk chunk_of(std::uint32_t index) const;
  /// A block: a range of the output channels of one group.
  struct Block {
    std::uint32_t group = 0, first = 0, count = 0;
  };
  [[nodiscard]] Block block_of(std::uint32_t index) const;

 private:
  enum class Item : std::uint8_t { map, weights, residual, tables };

  [[nodiscard]] bool needs(Item item) const;
  [[nodiscard]] unsigned items() const;
  [[nodiscard]] std::uint64_t free_at(Item item) const;
  [[nodiscard]] MapPiece band() const;
  void settle();
  void write(SlotWriter &slots, Item item, isa::cube::Flags flags);
  void write_map(SlotWriter &slots, isa::cube::Flags flags);
  void write_weights(SlotWriter &slots, isa::cube::Flags flags);
  void write_residual(SlotWriter &slots, isa::cube::Flags flags);
  void write_tables(SlotWriter &slots, isa::cube::Flags flags);
  [[nodiscard]] std::uint32_t map_slot(const Conv2dWalk &at) const;
  [[nodiscard]] std::uint32_t weights_slot(const Conv2dWalk &at) const;
  [[nodiscard]] std::uint64_t map_free() const;
  [[nodiscard]] std::uint64_t image_free() const;
  [[nodiscard]] std::uint64_t weights_free() const;

  const Conv2dArguments &arguments_;
  const Conv2dShape &shape_;
  const Conv2dTiles &tiles_;
  const Conv2dGrid &grid_;
  Conv2dPlaces places_;
  /// Number of chunks from a tile's first chunk to a chunk whose moves start only after FIX has read that tile's residual.
  std::uint32_t residual_lag_ = 0;

  Conv2dWalk walk_;                               ///< the chunk that needs the next load
  unsigned rest_ = 0;                             ///< the Items that must still be loaded for walk_'s chunk, as a bit set
  std::uint64_t waited_ = 0, blocked_until_ = 0;  ///< times: when a load's last wait ended; when the next load's buffer is free

  // For each buffer, the time from which its contents are no longer read.
  std::array<std::uint64_t, kMostLoadsAhead> map_free_{}, weights_free_{};

  // times_[i % kFlags]: Conv2dWalk::time() of the chunk that waits for flag i.
  // given_: number of flags that loads have set so far; taken_: number of flags that take_flag() has returned so far.
  static constexpr std::uint32_t kFlags = isa::cube::kEvents * isa::cube::kMostFlags;
  static_assert(kFlags > kMostLoadsAhead + 8);
  std::array<std::uint64_t, kFlags> times_{};
  std::uint32_t given_ = 0, taken_ = 0;
};

}  // namespace cox::kernels::cube
