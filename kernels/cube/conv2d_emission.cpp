// SPDX-License-Identifier: MIT
#include "coxswain/kernels/cube/conv2d_emission.h"

#include "coxswain/isa/cube/build.h"
#include "coxswain/kernels/cube/conv2d_loader.h"
#include "coxswain/kernels/cube/multiply_stage.h"

namespace cox::kernels::cube {
namespace {

using isa::cube::encode;
using isa::cube::Flags;
using isa::cube::fractal_width;
using isa::cube::fractals;
using isa::cube::kFractalBytes;
using isa::cube::kFractalRows;
using isa::cube::Opcode;

/// Writes one convolution into a stream.
class Emission {
 public:
  Emission(Stream *stream, const Conv2dArguments &arguments, const Conv2dShape &shape, const Conv2dTiles &tiles)
      : stream_(stream),
        slots_(stream),
        arguments_(arguments),
        shape_(shape),
        tiles_(tiles),
        grid_(shape, tiles),
        places_(places_in_l1(shape, tiles)),
        loader_(arguments, shape, tiles, grid_) {}

  Status run() {
    Conv2dWalk walk(shape_, tiles_, grid_);
    const std::uint64_t tiles = grid_.tiles_of_image() * shape_.batch * tiles_.blocks(shape_);
    all_tiles_ = tiles;
    stage_.begin({.type = shape_.type,
                  .step_units = tiles_.step / k_unit(shape_.type),
                  .steps = static_cast<std::uint32_t>(tiles * tiles_.steps(shape_)),
                  .tiles = static_cast<std::uint32_t>(tiles),
                  .kept = tiles_.weights_in_l0 ? Kept::right : Kept::none,
                  .kept_step_bytes = step_bytes_of_weights(shape_, tiles_)});
    slots_.write(encode(configuration()));
    loader_.run(slots_, 0);
    for (; !walk.done() && ok(); walk.next()) {
      if (walk.chunk == 0) begin_tile(walk);
      write_chunk(walk);
      loader_.run(slots_, walk.time() + 1);
    }
    slots_.write(isa::cube::kEverythingEnds);
    return status_.ok() ? slots_.status() : status_;
  }

  [[nodiscard]] std::uint64_t slots() const { return slots_.count() + stage_slots_; }

 private:
  [[nodiscard]] bool ok() const { return status_.ok() && slots_.status().ok(); }

  [[nodiscard]] isa::cube::OutputConfiguration configuration() const {
    isa::cube::OutputConfiguration configuration;
    configuration.scale_mode = arguments_.scale_mode;
    configuration.scale = arguments_.scale;
    configuration.beta = arguments_.beta;
    configuration.scale_address = places_.factors;
    configuration.bias = arguments_.bias != 0;
    configuration.bias_address = places_.biases;
    configuration.residual = shape_.residual;
    configuration.residual_pitch = shape_.residual ? tiles_.block * shape_.output_bytes : 0;
    configuration.activation = arguments_.activation;
    configuration.activation_parameter = arguments_.activation_parameter;
    configuration.zero_point = arguments_.zero_point;
    return configuration;
  }

  void begin_tile(const Conv2dWalk &walk) {
    block_ = loader_.block_of(walk.block);
    if (walk.tile == 0) {
      strip_ = grid_.strip(walk.strip);
      if (tiles_.map != MapIn::taps) piece_ = grid_.piece(walk.strip);
    }
    moves_weights_ = !tiles_.weights_in_l0 || walk.tiles_made == 0;
    stage_.begin_tile({.m = grid_.places_of(strip_, walk.tile), .n = block_.count, .moves_right = moves_weights_});
    stage_.right.code = encode(isa::cube::L1ToL0{.right = true, .type = shape_.type, .source_pitch = fractals(block_.count, kFractalRows)});
    stage_.right.along = isa::cube::word_of<Opcode::L1_TO_L0B, "Source">();
    stage_.right.stride = k_unit(shape_.type) / fractal_width(shape_.type) * fractals(block_.count, kFractalRows) * kFractalBytes;
    stage_.left.along = isa::cube::whole_word_of<Opcode::IM2COL_TO_L0A, "FirstColumn">();
    stage_.left.stride = k_unit(shape_.type);
  }

  void write_chunk(const Conv2dWalk &walk) {
    const bool tap = tiles_.map == MapIn::taps;
    const Conv2dLoader::Chunk chunk = loader_.chunk_of(walk.chunk);
    if (tap) piece_ = grid_.piece_of_tap(walk.strip, chunk.kernel_row, chunk.kernel_column);
    const std::uint32_t event = loader_.take_flag(walk.time());
    write_map_configuration(walk, chunk, event);

    isa::cube::Im2colToL0A move;
    move.source = loader_.map_address(walk, piece_) +
                  (tap ? 0 : static_cast<std::uint32_t>(shape_.bytes_of(std::uint64_t{block_.group} * shape_.group_channels())));
    move.first_place = piece_.first_place + (tap ? 0 : static_cast<std::uint32_t>(walk.tile * step_of_places()));
    stage_.left.code = encode(move);
    if (stream_ == nullptr) {
      const std::uint32_t slots_of_step = moves_weights_ ? 3 : 2;
      stage_slots_ += std::uint64_t{slots_of_step} * ((chunk.count + tiles_.step - 1) / tiles_.step);
    } else if (!stage_.run(*stream_, {.k = chunk.count,
                                      .left = tap ? 0 : static_cast<std::uint32_t>(chunk.first),
                                      .right = loader_.weights_address(walk),
                                      .frees = loader_.is_blocked_by(walk.time()),
                                      .last = walk.chunk + 1 == walk.chunks()})) {
      status_ = stream_->status();
      return;
    }
    if (walk.chunk + 1 == walk.chunks()) write_output(walk);
  }

  [[nodiscard]] std::uint32_t step_of_places() const { return tiles_.columns == 0 ? tiles_.tile : piece_.out_width; }

  /// Writes the configuration of the map that the next moves read, unless that map is already configured. The moves must also wait for the
  /// loads of their operands: `event` is the flag that these loads set, or kNone if there is no need to wait. If a configuration is
  /// written, its slot waits for the flag. Otherwise a WAIT_FLAG does.
  void write_map_configuration(const Conv2dWalk &walk, const Conv2dLoader::Chunk &chunk, std::uint32_t event) {
    Flag flag = kBlockReady;
    flag.event = event;
    const std::uint32_t wait = event == Conv2dLoader::kNone ? 0 : 1U << isa::cube::mask_bit(flag.to, flag.from, event);
    const bool tap = tiles_.map == MapIn::taps;
    if (!tap && configured_strip_ == walk.strip) {
      if (wait != 0) slots_.write(isa::cube::encode_wait_flag(flag.to, flag.from, event));
      return;
    }
    configured_strip_ = walk.strip;
    isa::cube::Im2col map;
    map.type = shape_.type;
    map.pad_value = arguments_.pad_value;
    map.height = piece_.rows;
    map.width = piece_.columns;
    map.channels = tap ? chunk.count : shape_.group_channels();
    map.pixel_pitch = tap ? static_cast<std::uint32_t>(shape_.bytes_of(chunk.count)) : shape_.pixel_bytes();
    map.row_pitch = piece_.columns * map.pixel_pitch;
    map.pad_top = piece_.pad_top;
    map.pad_left = piece_.pad_left;
    map.out_width = piece_.out_width;
    if (!tap) {
      map.kernel_height = shape_.kernel_height;
      map.kernel_width = shape_.kernel_width;
      map.stride_y = shape_.stride_y;
      map.stride_x = shape_.stride_x;
      map.dilation_y = shape_.dilation_y;
      map.dilation_x = shape_.dilation_x;
    }
    slots_.write(encode(map, {.wait = wait}));
  }

  void write_output(const Conv2dWalk &walk) {
    const std::uint32_t m = grid_.places_of(strip_, walk.tile);
    const std::uint64_t place = walk.image * shape_.places() + grid_.first_place_of(strip_, walk.tile);
    isa::cube::Output output;
    output.destination = arguments_.output + (place * shape_.outputs + block_.first) * shape_.output_bytes;
    output.destination_pitch = shape_.outputs * shape_.output_bytes;
    output.integer = isa::cube::is_integer(shape_.type);
    output.to = arguments_.output_type;
    output.source = stage_.accumulators();
    output.source_pitch = stage_.column_fractals();
    output.rows = m;
    output.columns = block_.count;
    output.channel = block_.first;
    if (shape_.residual) output.residual_address = loader_.residual_address(walk);
    Flags flags;
    flags.wait = 1U << isa::cube::mask_bit(kTileReady.to, kTileReady.from, kTileReady.event);
    if (walk.tiles_made + kBanks < all_tiles_) flags.set = 1U << isa::cube::mask_bit(kTileFree.from, kTileFree.to, kTileFree.event);
    slots_.write(encode(output, flags));
  }

  static constexpr std::uint32_t kNoStrip = ~0U;

  Stream *stream_;
  SlotWriter slots_;
  const Conv2dArguments &arguments_;
  const Conv2dShape &shape_;
  const Conv2dTiles &tiles_;
  Conv2dGrid grid_;
  Conv2dPlaces places_;
  Conv2dLoader loader_;
  MultiplyStage stage_;
  Conv2dLoader::Block block_;
  Strip strip_;
  MapPiece piece_;
  bool moves_weights_ = true;
  std::uint32_t configured_strip_ = kNoStrip;
  std::uint64_t all_tiles_ = 0, stage_slots_ = 0;
  Status status_;
};

}  // namespace

Result<std::uint64_t> write_conv2d(Stream *stream, const Conv2dArguments &arguments, const Conv2dShape &shape, const Conv2dTiles &tiles) {
  Emission emission(stream, arguments, shape, tiles);
  if (const Status status = emission.run(); !status) return status;
  return emission.slots();
}

}  // namespace cox::kernels::cube
