// SPDX-License-Identifier: MIT
// What a convolution loads to L1, ahead of the moves that it is for (docs/kernels/cube.md, conv2d). Of the kernels' inside.
//
// Loads are written in the order in which they are needed, each as soon as the moves that read its buffer before are written: so a move
// knows, when it is written, whether a load waits for it, and no flag is given that nobody takes or that another one implies.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/cube/conv2d.h"
#include "kernels/cube/conv2d_walk.h"
#include "kernels/cube/pipeline.h"
#include "kernels/cube/slot_writer.h"

namespace cox::kernels::cube {

class Conv2dLoader {
 public:
  Conv2dLoader(const Conv2dArguments &arguments, const Conv2dShape &shape, const Conv2dTiles &tiles, const Conv2dGrid &grid);

  /// Writes the loads whose buffers are free when the moves before `time` have been made.
  void run(SlotWriter &slots, std::uint64_t time);
  /// The next load waits for the moves of that time.
  [[nodiscard]] bool is_blocked_by(std::uint64_t time) const { return blocked_until_ == time + 1; }
  /// The flag (its event) by which the loads for the moves of that time are known to be there, or kNone. Times ascend.
  static constexpr std::uint32_t kNone = ~0U;
  std::uint32_t take_flag(std::uint64_t time);

  // Where what the walk is at lies in L1.
  [[nodiscard]] std::uint32_t map_address(const Conv2dWalk &at, const MapPiece &piece) const;
  [[nodiscard]] std::uint32_t weights_address(const Conv2dWalk &at) const;
  [[nodiscard]] std::uint32_t residual_address(const Conv2dWalk &at) const;
  /// Where channels of the chunk begin in a pixel, and elements of k in a row of the weights.
  struct Chunk {
    std::uint32_t kernel_row = 0, kernel_column = 0, channel = 0;  ///< with taps
    std::uint64_t first = 0;
    std::uint32_t count = 0;
  };
  [[nodiscard]] Chunk chunk_of(std::uint32_t index) const;
  /// Output channels of a block.
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
  std::uint32_t residual_lag_ = 0;  ///< chunks from the first of a tile to that whose moves know its residual read

  Conv2dWalk walk_;                               ///< at the step that the next load is for
  unsigned rest_ = 0;                             ///< items of it that are not loaded yet
  std::uint64_t waited_ = 0, blocked_until_ = 0;  ///< times, as run()'s

  // Times after which what lies in a buffer is not read any more.
  std::array<std::uint64_t, kMostLoadsAhead> map_free_{}, weights_free_{};

  // Loads that nobody waited for yet.
  static constexpr std::uint32_t kFlags = isa::cube::kEvents * isa::cube::kMostFlags;
  static_assert(kFlags > kMostLoadsAhead + 8);
  std::array<std::uint64_t, kFlags> times_{};
  std::uint32_t given_ = 0, taken_ = 0;
};

}  // namespace cox::kernels::cube
