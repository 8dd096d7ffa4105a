// SPDX-License-Identifier: MIT
#include "examples/pim_networks/row_code.h"

#include <algorithm>

namespace cox::pim_networks {

using kernels::pim::ResidentMap;
using kernels::pim::ResidentMemories;

void RowCode::emit() {
  builder_.begin_core(core_);
  std::array<const Unit *, kMostStemUnits> stem{};
  unsigned stem_units = 0;
  Group layers;
  for (const Unit &unit : pipeline_.units()) {
    if (unit.core != core_) continue;
    if (unit.layer == kPool) {
      stem[stem_units++] = &unit;
    } else {
      layers.add(unit);
    }
  }
  // The image comes while the core prepares the rest.
  if (stem_units != 0) fetch_image(*stem[0]);
  fill_pad();
  post_receives();
  for (unsigned i = 0; i < stem_units; ++i) {
    if (i != 0) fetch_image(*stem[i]);
    Group group;
    group.add(*stem[i]);
    emit_rows(group);
  }
  if (layers.count != 0) emit_rows(layers);
  wait_for_projections();
  wait_for_last_input();
}

const Unit *RowCode::stem_of(std::int32_t first_row) const {
  const std::span<const Unit> units = pipeline_.units();
  const auto found = std::ranges::find_if(units, [&](const Unit &unit) { return unit.layer == kPool && unit.rows.first == first_row; });
  return found == units.end() ? nullptr : &*found;
}

// The bus brings each row of the image once. A unit gets the rows that it shares with the unit above from that one.
void RowCode::fetch_image(const Unit &unit) {
  const ResidentMap image = Pipeline::image_map();
  const std::uint32_t row_bytes = image.row_bytes(), halo = kHalo * row_bytes;
  const auto place_of = [&](const Unit &owner, std::int32_t row) {
    return memory_.image_rows(owner.slot) + static_cast<std::uint32_t>(row - image_rows(owner).first) * row_bytes;
  };
  Rows rows = image_rows(unit);
  if (unit.rows.first != 0) rows.first += kHalo;
  builder_.copy(addresses_.image + image.row(0, rows.first), rows.count() * row_bytes, place_of(unit, rows.first));
  const Unit *const above = stem_of(unit.rows.first - Pipeline::kStemRows), *const below = stem_of(unit.rows.end);
  const std::int32_t first = image_rows(unit).first;
  if (above != nullptr && above->core != core_)
    builder_.receive(false, above->core, place_of(*above, first), place_of(unit, first), Routes::id_of(0, 0, unit.rows.first), halo);
  if (below != nullptr) {
    const std::int32_t shared = image_rows(*below).first;
    if (below->core == core_) {
      builder_.copy(place_of(unit, shared), halo, place_of(*below, shared));
    } else {
      builder_.send(false, place_of(unit, shared), below->core, place_of(*below, shared), Routes::id_of(0, 0, below->rows.first), halo);
    }
  }
}

void RowCode::fill_pad() {
  constexpr std::uint32_t kFirst = 16, kWord = 0x80808080;
  for (std::uint32_t i = 0; i < kFirst; i += 4) builder_.store_word(memory_.pad() + i, kWord);
  // A SRAM memory serves one access at a time, so the copies need not wait for each other.
  for (std::uint32_t bytes = kFirst; bytes < PipelineMemory::kPadBytes; bytes *= 2)
    builder_.copy(memory_.pad(), bytes, memory_.pad() + bytes);
}

void RowCode::fill_border_rows(const ResidentMap &map, std::uint32_t address) {
  for (std::uint32_t block = 0; block < map.channels / map.block; ++block) {
    builder_.copy(memory_.pad(), map.row_bytes(), address + map.row(block, -1));
    builder_.copy(memory_.pad(), map.row_bytes(), address + map.row(block, static_cast<std::int32_t>(map.height)));
  }
}

void RowCode::post_receives() {
  for (const Unit &unit : pipeline_.units()) {
    if (unit.core != core_ || unit.layer == kPool) continue;
    fill_border_rows(unit.convolution.input, memory_.inputs());
    break;
  }
  fill_border_rows(pipeline_.map_of(kStageFour - 1), memory_.last_input());
  for (const Unit &maker : pipeline_.units()) {
    if (maker.core == core_) continue;
    const std::uint32_t bytes = pipeline_.map_of(maker.layer).row_bytes();
    for (const Use use : kUses) {
      const Rows rows = routes_.needed(core_, use, maker);
      if (rows.count() == 0) continue;
      const Register source = builder_.variable(routes_.result_of(maker, rows.first));
      const Register destination = builder_.variable(routes_.place_of(use, maker, rows.first));
      const Register id = builder_.variable(Routes::id_of(maker.layer, maker.block, rows.first));
      builder_.repeat(rows.count(), [&] {
        builder_.receive(false, maker.core, source, destination, id, bytes);
        builder_.add(source, bytes);
        builder_.add(destination, bytes);
        builder_.add(id, 1);
      });
      for (const Register each : {source, destination, id}) builder_.release(each);
    }
  }
}

void RowCode::emit_rows(const Group &group) {
  const Unit &last = group.last();
  const std::int32_t begin = last.is_descending ? last.rows.end - 1 : last.rows.first, step = last.is_descending ? -1 : 1;
  Places places;
  places.row = builder_.variable(static_cast<std::uint32_t>(begin));
  if (!group.is_stem()) places.input_row = builder_.variable(static_cast<std::uint32_t>(begin) * last.convolution.stride);
  for (unsigned i = 0; i < group.count; ++i) {
    const Unit &unit = *group.units[i];
    const auto stride = static_cast<std::int32_t>(unit.convolution.stride), padding = static_cast<std::int32_t>(unit.convolution.padding);
    const std::uint32_t first = unit.convolution.input.offset(0, begin * stride - padding, -padding);
    places.in[i] = builder_.variable(group.is_stem() ? memory_.image_rows(unit.slot) : memory_.inputs() + first);
    places.out[i] = builder_.variable(routes_.result_of(unit, begin));
  }
  if (group.is_stem()) {
    places.even = builder_.variable(memory_.even_columns());
    places.odd = builder_.variable(memory_.odd_columns());
    if (const Unit *const above = stem_of(last.rows.first - Pipeline::kStemRows); above != nullptr && above->core != core_)
      builder_.wait(above->core, Routes::id_of(0, 0, last.rows.first));
    code_.begin(last.convolution, memory_.constants() + last.constants);
    if (last.rows.first != 0) convolve_stem_row(places);
  } else if (group.count == 1) {
    code_.begin(last.convolution, memory_.constants() + last.constants);
  }
  for (std::int32_t row = begin; last.rows.has(row);) {
    const Steps steps = steps_of(group, row);
    std::uint32_t count = 0;
    for (; last.rows.has(row) && (count == 0 || steps_of(group, row) == steps); row += step) ++count;
    builder_.repeat(count, [&] { emit_row(group, steps, places); });
  }
  for (unsigned i = 0; i < group.count; ++i) {
    builder_.release(places.in[i]);
    builder_.release(places.out[i]);
  }
  builder_.release(places.row);
  if (!group.is_stem()) return builder_.release(places.input_row);
  builder_.release(places.even);
  builder_.release(places.odd);
}

// Lists of steps.

void RowCode::add(Steps &steps, const Step &step) {
  if (steps.count == steps.steps.size())
    return builder_.fail(Status(ErrorCode::no_room, "steps", -1, steps.count, static_cast<std::int64_t>(steps.steps.size())));
  steps.steps[steps.count++] = step;
}

RowCode::Steps RowCode::steps_of(const Group &group, std::int32_t row) {
  Steps steps;
  if (!group.is_stem()) add_waits(steps, group, row);
  for (std::uint8_t i = 0; i < group.count; ++i) {
    add(steps, {.kind = Step::Kind::compute, .unit = i, .has_row_above = group.is_stem() && row != 0});
    add_sends(steps, *group.units[i], i, row);
  }
  return steps;
}

void RowCode::add_waits(Steps &steps, const Group &group, std::int32_t row) {
  const Unit &unit = group.last();
  const Layer &layer = layer_of(unit.layer);
  // Rows that no row before it has waited for.
  Rows news = input_rows(unit.layer, {row, row + 1});
  if (unit.is_descending && row + 1 != unit.rows.end) news.end = std::min(news.end, input_rows(unit.layer, {row + 1, row + 2}).first);
  if (!unit.is_descending && row != unit.rows.first) news.first = std::max(news.first, input_rows(unit.layer, {row - 1, row}).end);
  for (const Unit &maker : pipeline_.units()) {
    if (maker.core == core_) continue;
    const Rows rows = routes_.needed(core_, Use::input, maker).common(news);
    for (std::int32_t input = rows.first; input < rows.end; ++input) {
      add(steps, {.kind = Step::Kind::wait_input,
                  .core = maker.core,
                  .layer = maker.layer,
                  .block = maker.block,
                  .row = static_cast<std::int8_t>(input - row * layer.stride)});
    }
    if (routes_.needed(core_, Use::shortcut, maker).has(row))
      add(steps, {.kind = Step::Kind::wait_shortcut, .core = maker.core, .layer = maker.layer, .block = maker.block});
  }
}

void RowCode::add_sends(Steps &steps, const Unit &unit, std::uint8_t number, std::int32_t row) {
  for (unsigned i = 0; i < pipeline_.cores(); ++i) {
    const auto other = static_cast<std::uint8_t>((core_ + i) % pipeline_.cores());
    for (const Use use : kUses) {
      if (!routes_.needed(other, use, unit).has(row)) continue;
      add(steps, {.kind = other == core_ ? Step::Kind::keep : Step::Kind::send, .unit = number, .use = use, .core = other});
    }
  }
}

// Code of a row.

void RowCode::emit_row(const Group &group, const Steps &steps, const Places &places) {
  for (const Step &step : steps.all()) emit_step(group, step, places);
  const auto advance = [&](Register place, std::uint32_t by) { builder_.add(place, group.last().is_descending ? 0 - by : by); };
  advance(places.row, 1);
  for (unsigned i = 0; i < group.count; ++i) advance(places.out[i], pipeline_.map_of(group.units[i]->layer).row_bytes());
  if (group.is_stem()) return;
  advance(places.input_row, group.last().convolution.stride);
  for (unsigned i = 0; i < group.count; ++i) {
    const auto &convolution = group.units[i]->convolution;
    advance(places.in[i], convolution.stride * convolution.input.row_bytes());
  }
}

void RowCode::emit_step(const Group &group, const Step &step, const Places &places) {
  const Unit &unit = *group.units[step.unit];
  const Register out = places.out[step.unit];
  const auto wait = [&](Register row) { builder_.wait(step.core, Value(row, Routes::id_of(step.layer, step.block, step.row))); };
  switch (step.kind) {
    case Step::Kind::wait_input: return wait(places.input_row);
    case Step::Kind::wait_shortcut: return wait(places.row);
    case Step::Kind::compute: {
      if (group.is_stem()) {
        convolve_stem_row(places);
        convolve_stem_row(places);
        pool(places, step.has_row_above);
      } else {
        if (group.count > 1) code_.begin(unit.convolution, memory_.constants() + unit.constants);
        compute(unit, places.in[step.unit], out);
      }
      const ResidentMap map = pipeline_.map_of(unit.layer);
      builder_.copy(memory_.pad(), map.block, out);
      return builder_.copy(memory_.pad(), map.block, Value(out, map.row_bytes() - map.block));
    }
    case Step::Kind::keep:
    case Step::Kind::send: break;
  }
  const std::uint32_t bytes = pipeline_.map_of(unit.layer).row_bytes();
  const std::int32_t first = unit.rows.first;
  const Value destination(out, routes_.place_of(step.use, unit, first) - routes_.result_of(unit, first));
  if (step.kind == Step::Kind::keep) return builder_.copy(out, bytes, destination);
  builder_.send(false, out, step.core, destination, Value(places.row, Routes::id_of(unit.layer, unit.block, 0)), bytes);
}

void RowCode::compute(const Unit &unit, Register in, Register out) {
  const ResidentMap map = pipeline_.map_of(unit.layer);
  if (!layer_of(unit.layer).has_shortcut()) return code_.row(in, Value(out, map.block), map.width);
  code_.row(in, memory_.row(), map.width);
  const std::uint32_t numbers = resident_constants(unit.convolution, builder_.configuration().array).add;
  const Value shortcut(out, memory_.shortcuts() - memory_.outputs() + map.block);
  code_.add(memory_.row(), shortcut, memory_.constants() + unit.constants + numbers, map.width * map.block, Value(out, map.block));
}

// The stem: a convolution whose even and odd columns are maps of their own, and the maximum of both.

void RowCode::convolve_stem_row(const Places &places) {
  const ResidentMap image = Pipeline::image_map(), map = pipeline_.map_of(kPool);
  const std::uint32_t columns = map.width, block = map.block;
  code_.row(places.in[0], places.even, columns);
  code_.row(Value(places.in[0], 2 * image.block), Value(places.odd, block), columns);
  builder_.copy(memory_.pad(), block, places.odd);
  builder_.add(places.in[0], 2 * image.row_bytes());
  builder_.add(places.even, columns * block);
  builder_.add(places.odd, (columns + 1) * block);
}

void RowCode::pool(const Places &places, bool has_row_above) {
  const ResidentMap map = pipeline_.map_of(kPool);
  const std::uint32_t even = map.width * map.block, odd = even + map.block;
  const std::uint32_t evens = vertical_maximum(places.even, even, has_row_above, 0);
  const std::uint32_t odds = vertical_maximum(places.odd, odd, has_row_above, 1);
  code_.maximum(evens, odds, even, memory_.row());
  code_.maximum(memory_.row(), odds + map.block, even, memory_.maxima(0));
  builder_.copy(memory_.maxima(0), even, Value(places.out[0], map.block));
}

/// The maximum of the last two or three rows before `next`.
std::uint32_t RowCode::vertical_maximum(Register next, std::uint32_t pitch, bool has_row_above, std::uint32_t odd) {
  const std::uint32_t place = odd * ResidentMemories::kRegionBytes;
  const auto before = [&](std::uint32_t rows) { return Value(next, 0 - rows * pitch); };
  code_.maximum(before(2), before(1), pitch, memory_.maxima(0) + place);
  if (!has_row_above) return memory_.maxima(0) + place;
  code_.maximum(memory_.maxima(0) + place, before(3), pitch, memory_.maxima(1) + place);
  return memory_.maxima(1) + place;
}

// Before the last stage.

void RowCode::wait_for_projections() {
  for (const Unit &unit : pipeline_.units()) {
    if (unit.core != core_ || !is_projection(unit.layer)) continue;
    for (unsigned other = 0; other < pipeline_.cores(); ++other) {
      const Rows rows = routes_.needed(other, Use::shortcut, unit);
      if (other == core_ || rows.count() == 0) continue;
      const Register id = builder_.variable(Routes::id_of(unit.layer, unit.block, rows.first));
      builder_.repeat(rows.count(), [&] {
        builder_.wait(other, id);
        builder_.add(id, 1);
      });
      builder_.release(id);
    }
  }
}

void RowCode::wait_for_last_input() {
  for (const Unit &maker : pipeline_.units()) {
    const Rows rows = routes_.needed(core_, Use::last_stage, maker);
    if (maker.core == core_ || rows.count() == 0) continue;
    const Register id = builder_.variable(Routes::id_of(maker.layer, maker.block, rows.first));
    builder_.repeat(rows.count(), [&] {
      builder_.wait(maker.core, id);
      builder_.add(id, 1);
    });
    builder_.release(id);
  }
}

}  // namespace cox::pim_networks
