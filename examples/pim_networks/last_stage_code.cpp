// SPDX-License-Identifier: MIT
#include "examples/pim_networks/last_stage_code.h"

#include <algorithm>

#include "examples/pim_networks/routes.h"

namespace cox::pim_networks {

using kernels::pim::ResidentMap;

namespace {

constexpr unsigned kBlocks = Pipeline::kLastBlocks;

}  // namespace

void LastStageCode::emit() {
  block_ = builder_.begin_cores(band_ * kBlocks, kBlocks);
  builder_.add(block_, 0 - band_ * kBlocks);
  own_ = builder_.variable(block_);
  builder_.multiply(own_, map_.block_bytes());
  prepare();
  for (const LastBlock &block : pipeline_.last_blocks()) {
    if (block.layer > kLastSum) break;
    // The sums with shortcuts are made in the memory of the shortcuts.
    const bool is_sum = block.layer == kStageFour || layer_of(block.layer).has_shortcut();
    const std::uint32_t results = is_sum ? memory_.shortcuts() : memory_.last_outputs();
    compute(block, results);
    if (block.layer != kStageFour && block.layer != kLastSum) exchange_rows(block.layer, results);
  }
  if (gather()) classify();
  builder_.release(own_);
  builder_.release(block_);
}

void LastStageCode::prepare() {
  const ResidentMap input = pipeline_.map_of(kStageFour - 1);
  builder_.copy(memory_.last_input(), input.bytes(), memory_.inputs());
  for (std::uint32_t filled = 0; filled < map_.bytes(); filled += PipelineMemory::kPadBytes)
    builder_.copy(memory_.pad(), std::min(map_.bytes() - filled, PipelineMemory::kPadBytes), memory_.small_map() + filled);
}

void LastStageCode::compute(const LastBlock &block, std::uint32_t results) {
  const Layer &layer = layer_of(block.layer);
  const auto stride = std::int32_t{layer.stride}, padding = std::int32_t{layer.padding};
  const ResidentMap &from = block.convolution.input;
  const std::uint32_t input = block.layer <= kStageFour + 1 ? memory_.inputs() : memory_.small_map();
  const std::uint32_t constants = memory_.constants() + block.constants;
  code_.begin(block.convolution, constants);
  const Register in = builder_.variable(input + from.offset(0, rows_.first * stride - padding, -padding));
  const Register out = builder_.variable(Value(own_, results + map_.row(0, rows_.first)));
  builder_.repeat(rows_.count(), [&] {
    const Value first(out, map_.block);
    code_.row(in, layer.has_shortcut() ? Value(memory_.row()) : first, map_.width);
    if (layer.has_shortcut()) {
      const std::uint32_t numbers = resident_constants(block.convolution, builder_.configuration().array).add;
      code_.add(memory_.row(), first, constants + numbers, map_.width * map_.block, first);
    }
    builder_.copy(memory_.pad(), map_.block, out);
    builder_.copy(memory_.pad(), map_.block, Value(out, map_.row_bytes() - map_.block));
    builder_.add(in, layer.stride * from.row_bytes());
    builder_.add(out, map_.row_bytes());
  });
  builder_.release(in);
  builder_.release(out);
}

void LastStageCode::exchange_rows(unsigned layer, std::uint32_t results) {
  const auto part = [&](const Rows &rows) {
    const std::uint32_t row = map_.row(0, rows.first);
    return Part{results + row, memory_.small_map() + row, rows.count() * map_.row_bytes()};
  };
  Exchange exchange = {.layer = layer, .step = map_.block_bytes(), .is_moving = true};
  const auto add = [&](unsigned band, const Rows &sent, const Rows &received) {
    exchange.bands[exchange.count++] = {band, part(sent), part(received)};
  };
  add(band_, rows_, rows_);
  if (band_ != 0) add(band_ - 1, {rows_.first, rows_.first + 1}, {rows_.first - 1, rows_.first});
  if (band_ + 1 != pipeline_.last_bands()) add(band_ + 1, {rows_.end - 1, rows_.end}, {rows_.end, rows_.end + 1});
  run(exchange);
}

// In turn i, core c sends to core c + i of each band, and core c - i sends to it. All wait for the messages of a turn before the next one:
// a message that waits for a busy receiver would hold up all that its sender has for others.
void LastStageCode::run(const Exchange &exchange) {
  const std::uint32_t id = Routes::id_of(exchange.layer, 0, 0);
  const Register to = builder_.variable(block_), from = builder_.variable(block_), theirs = builder_.variable(block_);
  const Register mine = builder_.variable(block_);
  builder_.multiply(mine, exchange.step);
  const auto turn = [&](std::span<const Neighbour> bands) {
    builder_.add(to, 1);
    builder_.remainder(to, kBlocks);
    builder_.add(from, kBlocks - 1);
    builder_.remainder(from, kBlocks);
    builder_.assign(theirs, from);
    builder_.multiply(theirs, exchange.step);
    for (const auto &[band, sent, received] : bands) {
      const std::uint32_t first = band * kBlocks;
      builder_.send(false, source_of(exchange, mine, sent), Value(to, first), Value(mine, sent.destination), id, sent.bytes);
      builder_.receive(false, Value(from, first), source_of(exchange, theirs, received), Value(theirs, received.destination), id,
                       received.bytes);
    }
    for (const Neighbour &neighbour : bands) {
      builder_.wait(Value(to, neighbour.band * kBlocks), id);
      builder_.wait(Value(from, neighbour.band * kBlocks), id);
    }
  };
  const std::span<const Neighbour> bands = std::span(exchange.bands).first(exchange.count);
  builder_.repeat(kBlocks - 1, [&] { turn(bands); });
  if (bands.size() > 1) turn(bands.subspan(1));  // the same block of the other bands
  const Part &own = exchange.bands[0].sent;
  builder_.copy(source_of(exchange, mine, own), own.bytes, Value(mine, own.destination));
  for (const Register each : {to, from, theirs, mine}) builder_.release(each);
}

bool LastStageCode::gather() {
  const std::uint32_t id = Routes::id_of(kLastSum, 0, 0);
  const auto place = [&](const Rows &rows) { return Value(own_, memory_.shortcuts() + map_.row(0, rows.first)); };
  const auto bytes = [&](const Rows &rows) { return rows.count() * map_.row_bytes(); };
  if (band_ != 0) {
    builder_.send(false, place(rows_), block_, place(rows_), id, bytes(rows_));
    return false;
  }
  for (unsigned band = 1; band < pipeline_.last_bands(); ++band) {
    const Rows rows = pipeline_.last_rows(band);
    builder_.receive(false, Value(block_, band * kBlocks), place(rows), place(rows), id, bytes(rows));
  }
  for (unsigned band = 1; band < pipeline_.last_bands(); ++band) builder_.wait(Value(block_, band * kBlocks), id);
  return true;
}

void LastStageCode::classify() {
  const Register first = builder_.variable(Value(own_, memory_.shortcuts() + map_.offset(0, 0, 0)));
  code_.average(first, map_.height, map_.row_bytes(), map_.width, map_.block, map_.block, memory_.average());
  builder_.release(first);
  const Part average = {memory_.average(), memory_.small_map(), map_.block};
  run({.layer = kAverage, .step = map_.block, .is_moving = false, .bands = {{{0, average, average}}}, .count = 1});
  std::uint32_t done = 0;
  for (const LastBlock &block : pipeline_.last_blocks()) {
    if (block.layer != kClasses) continue;
    code_.begin(block.convolution, memory_.constants() + block.constants);
    code_.row(memory_.small_map(), memory_.classes() + done, 1);
    done += block.convolution.filters;
  }
  const Register place = builder_.variable(block_);
  builder_.multiply(place, Pipeline::kBlockClasses);
  builder_.copy(memory_.classes(), Pipeline::kBlockClasses, Value(place, addresses_.classes));
  builder_.release(place);
}

}  // namespace cox::pim_networks
