// SPDX-License-Identifier: MIT
#include "coxswain/kernels/cube/conv2d_loader.h"

#include <algorithm>
#include <bit>

#include "coxswain/isa/cube/build.h"

namespace cox::kernels::cube {
namespace {

using isa::cube::DramToL1;
using isa::cube::encode;
using isa::cube::Flags;
using isa::cube::kFractalRows;

constexpr std::uint32_t kItems = 4;

Flag ready(std::uint32_t number) {
  Flag flag = kBlockReady;
  flag.event = number % isa::cube::kEvents;
  return flag;
}

constexpr std::uint32_t mask(Flag flag, bool wait) {
  return 1U << isa::cube::mask_bit(wait ? flag.to : flag.from, wait ? flag.from : flag.to, flag.event);
}

}  // namespace

Conv2dLoader::Conv2dLoader(const Conv2dArguments &arguments, const Conv2dShape &shape, const Conv2dTiles &tiles, const Conv2dGrid &grid)
    : arguments_(arguments), shape_(shape), tiles_(tiles), grid_(grid), places_(places_in_l1(shape, tiles)), walk_(shape, tiles, grid) {
  const std::uint32_t steps = tiles.steps(shape);
  residual_lag_ = residual_lag(steps) * walk_.chunks();
  for (std::uint32_t step = 2 % steps, chunk = 0;; ++chunk) {
    const std::uint32_t in_chunk = (chunk_of(chunk).count + tiles.step - 1) / tiles.step;
    if (step < in_chunk) {
      residual_lag_ += chunk;
      break;
    }
    step -= in_chunk;
  }
  rest_ = items();
  settle();
}

Conv2dLoader::Chunk Conv2dLoader::chunk_of(std::uint32_t index) const {
  Chunk chunk;
  if (tiles_.map != MapIn::taps) {
    chunk.first = std::uint64_t{index} * tiles_.chunk;
    chunk.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(tiles_.chunk, shape_.depth() - chunk.first));
    return chunk;
  }
  const std::uint32_t channels = shape_.group_channels();
  const std::uint32_t of_tap = (channels + tiles_.chunk - 1) / tiles_.chunk;
  const std::uint32_t tap = index / of_tap;
  chunk.kernel_row = tap / shape_.kernel_width;
  chunk.kernel_column = tap % shape_.kernel_width;
  chunk.channel = index % of_tap * tiles_.chunk;
  chunk.first = std::uint64_t{tap} * channels + chunk.channel;
  chunk.count = std::min(tiles_.chunk, channels - chunk.channel);
  return chunk;
}

Conv2dLoader::Block Conv2dLoader::block_of(std::uint32_t index) const {
  const std::uint32_t in_group = tiles_.blocks_of_group(shape_);
  const std::uint32_t first = index % in_group * tiles_.block;
  Block block;
  block.group = index / in_group;
  block.first = block.group * shape_.group_outputs() + first;
  block.count = std::min(tiles_.block, shape_.group_outputs() - first);
  return block;
}

// The next functions return the numbers and addresses of buffers.

std::uint32_t Conv2dLoader::map_slot(const Conv2dWalk &at) const {
  if (tiles_.map == MapIn::images) return at.image % tiles_.map_slots;
  if (tiles_.map == MapIn::taps) return static_cast<std::uint32_t>(at.time() % tiles_.map_slots);
  const std::uint64_t image = (tiles_.weights_outside ? std::uint64_t{at.block} * at.images() : 0) + at.image;
  return static_cast<std::uint32_t>((image * grid_.strips() + at.strip) % tiles_.map_slots);
}

std::uint32_t Conv2dLoader::weights_slot(const Conv2dWalk &at) const {
  const std::uint64_t strip = tiles_.weights_outside || tiles_.weights_stay ? 0 : std::uint64_t{at.image} * grid_.strips() + at.strip;
  return static_cast<std::uint32_t>(((strip * at.blocks() + at.block) * at.chunks() + at.chunk) % tiles_.weight_slots);
}

std::uint32_t Conv2dLoader::map_address(const Conv2dWalk &at, const MapPiece &piece) const {
  const std::uint32_t slot = places_.map + map_slot(at) * tiles_.map_bytes;
  return tiles_.map == MapIn::images ? slot + piece.row * shape_.width * shape_.pixel_bytes() : slot;
}

std::uint32_t Conv2dLoader::weights_address(const Conv2dWalk &at) const { return places_.weights + weights_slot(at) * tiles_.weight_bytes; }

std::uint32_t Conv2dLoader::residual_address(const Conv2dWalk &at) const {
  return places_.residual + static_cast<std::uint32_t>(at.tiles_made % tiles_.residual_slots) * tiles_.residual_bytes;
}

// The next functions find the operands that must be loaded for the walk's position, and the times at which their buffers are free.

bool Conv2dLoader::needs(Item item) const {
  const bool strip_begins = walk_.tile == 0 && walk_.chunk == 0;
  switch (item) {
    case Item::map:
      if (tiles_.map == MapIn::taps) return true;
      if (tiles_.map == MapIn::strips) return strip_begins && (tiles_.weights_outside || walk_.block == 0);
      return strip_begins && walk_.block == 0 && band().rows != 0;
    case Item::weights:
      if (walk_.tile != 0) return false;
      return (!tiles_.weights_outside && !tiles_.weights_stay) || (walk_.image == 0 && walk_.strip == 0);
    case Item::residual: return shape_.residual && walk_.chunk == 0;
    case Item::tables: return shape_.tables != 0 && walk_.tiles_made == 0 && walk_.chunk == std::min<std::uint32_t>(1, walk_.chunks() - 1);
  }
  return false;
}

unsigned Conv2dLoader::items() const {
  unsigned items = 0;
  for (unsigned i = 0; i < kItems; ++i) {
    if (needs(static_cast<Item>(i))) items |= 1U << i;
  }
  return items;
}

/// Returns the rows of the current strip that no earlier strip of the image has loaded.
MapPiece Conv2dLoader::band() const {
  MapPiece piece = grid_.piece(walk_.strip);
  if (walk_.strip == 0) return piece;
  const MapPiece before = grid_.piece(walk_.strip - 1);
  const std::uint32_t first = std::max(piece.row, before.row + before.rows), end = piece.row + piece.rows;
  piece.row = first;
  piece.rows = end > first ? end - first : 0;
  return piece;
}

/// Returns the time from which the buffer for the rows of band() is free. It holds these rows of an earlier image until the last strip that
/// reads them ends.
std::uint64_t Conv2dLoader::image_free() const {
  if (walk_.image < tiles_.map_slots) return 0;
  const MapPiece own = band();
  std::uint32_t strip = walk_.strip;
  while (strip + 1 < grid_.strips() && grid_.piece(strip + 1).row < own.row + own.rows) ++strip;
  const std::uint64_t tiles = (walk_.image - tiles_.map_slots) * grid_.tiles_of_image() + grid_.tiles_before(strip) + grid_.tiles_of(strip);
  return tiles * walk_.blocks() * walk_.chunks();
}

std::uint64_t Conv2dLoader::free_at(Item item) const {
  switch (item) {
    case Item::map: return tiles_.map == MapIn::images ? image_free() : map_free_[map_slot(walk_)];
    case Item::weights: return weights_free_[weights_slot(walk_)];
    case Item::residual:
      if (walk_.tiles_made < tiles_.residual_slots) return 0;
      return (walk_.tiles_made - tiles_.residual_slots) * walk_.chunks() + residual_lag_ + 1;
    case Item::tables: break;
  }
  return 0;
}

/// Returns the time (Conv2dWalk::time()) from which the map that is being loaded is no longer needed.
std::uint64_t Conv2dLoader::map_free() const {
  if (tiles_.map == MapIn::taps) return walk_.time() + 1;
  const std::uint32_t blocks = tiles_.weights_outside ? 1 : walk_.blocks();
  return walk_.time() + std::uint64_t{blocks} * walk_.tiles_of_strip() * walk_.chunks();
}

std::uint64_t Conv2dLoader::weights_free() const {
  const std::uint64_t tiles = tiles_.weights_outside ? walk_.images() * grid_.tiles_of_image() : walk_.tiles_of_strip();
  return walk_.time() + (tiles - 1) * walk_.chunks() + 1;
}

/// Goes to the next load and sets `blocked_until_` to the time from which its buffer is free.
void Conv2dLoader::settle() {
  while (rest_ == 0) {
    walk_.next();
    if (walk_.done()) {
      blocked_until_ = 0;
      return;
    }
    rest_ = items();
  }
  blocked_until_ = free_at(static_cast<Item>(std::countr_zero(rest_)));
}

void Conv2dLoader::run(SlotWriter &slots, std::uint64_t time) {
  while (!walk_.done() && blocked_until_ <= time) {
    const auto item = static_cast<Item>(std::countr_zero(rest_));
    Flags flags;
    if (blocked_until_ > waited_) {
      waited_ = blocked_until_;
      flags.wait = mask(kBlockFree, true);
    }
    rest_ &= rest_ - 1;
    if (rest_ == 0) {
      flags.set = mask(ready(given_), false);
      times_[given_ % kFlags] = walk_.time();
      ++given_;
    }
    write(slots, item, flags);
    settle();
  }
}

std::uint32_t Conv2dLoader::take_flag(std::uint64_t time) {
  if (taken_ == given_ || times_[taken_ % kFlags] != time) return kNone;
  return ready(taken_++).event;
}

void Conv2dLoader::write(SlotWriter &slots, Item item, Flags flags) {
  switch (item) {
    case Item::map: return write_map(slots, flags);
    case Item::weights: return write_weights(slots, flags);
    case Item::residual: return write_residual(slots, flags);
    case Item::tables: return write_tables(slots, flags);
  }
}

void Conv2dLoader::write_map(SlotWriter &slots, Flags flags) {
  if (tiles_.map != MapIn::images) map_free_[map_slot(walk_)] = map_free();
  const bool tap = tiles_.map == MapIn::taps;
  const Chunk chunk = chunk_of(walk_.chunk);
  MapPiece piece;
  DramToL1 load;
  load.source = arguments_.input + walk_.image * shape_.image_pitch + shape_.first_byte;
  if (tap) {
    piece = grid_.piece_of_tap(walk_.strip, chunk.kernel_row, chunk.kernel_column);
    const std::uint64_t channel = std::uint64_t{block_of(walk_.block).group} * shape_.group_channels() + chunk.channel;
    load.source += shape_.bytes_of(channel);
  } else {
    piece = tiles_.map == MapIn::images ? band() : grid_.piece(walk_.strip);
  }
  load.source += piece.row * shape_.row_pitch + std::uint64_t{piece.column} * shape_.pixel_pitch;
  load.destination = map_address(walk_, piece);
  if (!tap && !shape_.is_gathered()) {
    load.rows = piece.rows;
    load.row_bytes = load.destination_pitch = piece.columns * shape_.pixel_bytes();
    load.source_pitch = piece.rows == 1 ? load.row_bytes : static_cast<std::uint32_t>(shape_.row_pitch);
    slots.write(encode(load, flags));
    return;
  }
  load.rows = piece.columns;
  load.row_bytes = load.destination_pitch = tap ? static_cast<std::uint32_t>(shape_.bytes_of(chunk.count)) : shape_.pixel_bytes();
  load.source_pitch = piece.columns == 1 ? load.row_bytes : shape_.pixel_pitch * (tap ? shape_.stride_x : 1);
  for (std::uint32_t row = 0; row < piece.rows; ++row) {
    slots.write(encode(load, {.wait = row == 0 ? flags.wait : 0, .set = row + 1 == piece.rows ? flags.set : 0}));
    load.source += shape_.row_pitch;
    load.destination += piece.columns * load.row_bytes;
  }
}

void Conv2dLoader::write_weights(SlotWriter &slots, Flags flags) {
  weights_free_[weights_slot(walk_)] = weights_free();
  const Chunk chunk = chunk_of(walk_.chunk);
  const Block block = block_of(walk_.block);
  const std::uint64_t pitch = shape_.bytes_of(shape_.depth());
  DramToL1 load;
  load.source = arguments_.weights + block.first * pitch + shape_.bytes_of(chunk.first);
  load.rows = block.count;
  load.row_bytes = static_cast<std::uint32_t>(shape_.bytes_of(chunk.count));
  load.source_pitch = block.count == 1 ? load.row_bytes : static_cast<std::uint32_t>(pitch);
  load.format = isa::cube::Format::fractal;
  load.destination = weights_address(walk_);
  load.destination_pitch = isa::cube::fractals(block.count, kFractalRows);
  slots.write(encode(load, flags));
}

void Conv2dLoader::write_residual(SlotWriter &slots, Flags flags) {
  const Block block = block_of(walk_.block);
  const Strip strip = grid_.strip(walk_.strip);
  const std::uint64_t place = walk_.image * shape_.places() + grid_.first_place_of(strip, walk_.tile);
  DramToL1 load;
  load.source = arguments_.residual + (place * shape_.outputs + block.first) * shape_.output_bytes;
  load.rows = grid_.places_of(strip, walk_.tile);
  load.row_bytes = block.count * shape_.output_bytes;
  load.source_pitch = shape_.outputs * shape_.output_bytes;
  load.destination = residual_address(walk_);
  load.destination_pitch = tiles_.block * shape_.output_bytes;
  slots.write(encode(load, flags));
}

void Conv2dLoader::write_tables(SlotWriter &slots, Flags flags) {
  constexpr std::uint32_t kChannelBytes = 4;
  const std::uint32_t bytes = shape_.outputs * kChannelBytes;
  const bool biases = arguments_.bias != 0, factors = arguments_.scale_mode == ScaleMode::channel;
  DramToL1 load{.row_bytes = bytes, .source_pitch = bytes, .destination_pitch = bytes};
  if (biases) {
    load.source = arguments_.bias;
    load.destination = places_.biases;
    slots.write(encode(load, {.wait = flags.wait, .set = factors ? 0 : flags.set}));
  }
  if (factors) {
    load.source = arguments_.scales;
    load.destination = places_.factors;
    slots.write(encode(load, {.wait = biases ? 0 : flags.wait, .set = flags.set}));
  }
}

}  // namespace cox::kernels::cube
