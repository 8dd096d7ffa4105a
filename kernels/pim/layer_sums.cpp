// SPDX-License-Identifier: MIT
#include "coxswain/kernels/pim/layer_sums.h"

#include <algorithm>
#include <bit>

namespace cox::kernels::pim {

using isa::pim::SimdOpcode;
using isa::pim::Special;

namespace {

constexpr std::uint32_t kSumBits = 32, kResultBits = 8;
constexpr std::int32_t kLeastInt8 = -128;
constexpr std::uint32_t kSimdLanes = 32, kSimdStart = 2;
/// The partial sum that stands for the upper half of the sums so far.
constexpr std::uint32_t kFold = ~std::uint32_t{0};

/// An addition of partial sums. It adds partial sums `partial` to `partial` + `width` - 1 to the `width` sums so far, or the upper half of
/// 2 * `width` sums so far to the lower one.
struct Addition {
  std::uint32_t width = 1, partial = kFold;
  bool from_second = false;  ///< the sums so far are in the second memory of sums, unless they are partial sums as pim-output stores them
  bool to_second = false;
};

template <typename Visit>
void for_each_width(std::uint32_t partials, std::uint32_t width, Visit visit) {
  std::uint32_t next = width;
  for (;; width /= 2) {
    for (; partials - next >= width; next += width) visit(width, next);
    if (width == 1) return;
    visit(width / 2, kFold);
  }
}

/// Visits the additions of a unit in their order. They write to the two memories in turn, because an instruction should not write to a
/// memory that it reads. The last one writes to the first memory if a bias follows, which is there, too; then the bias's sum goes to the
/// second one.
template <typename Visit>
void for_each_addition(const SumsPlan &plan, bool has_bias, Visit visit) {
  std::uint32_t count = 0;
  for_each_width(plan.partials, plan.width, [&](std::uint32_t /*width*/, std::uint32_t /*partial*/) { ++count; });
  bool is_second = (count % 2 == 0) != has_bias;
  for_each_width(plan.partials, plan.width, [&](std::uint32_t width, std::uint32_t partial) {
    visit(Addition{.width = width, .partial = partial, .from_second = is_second, .to_second = !is_second});
    is_second = !is_second;
  });
}

constexpr std::uint64_t simd_cycles(std::uint64_t length) { return (length + kSimdLanes - 1) / kSimdLanes + kSimdStart; }

/// Completes a plan whose width and joins are chosen.
void complete(SumsPlan &plan, const Mapping &mapping, const Memories &memories) {
  const std::uint32_t elements = plan.elements(), places = elements + plan.second_columns;
  const std::uint32_t work = plan.width > 1 ? plan.width * plan.stride : 0;
  // Without additions of partial sums, the first memory has no sums: a bias is added to what pim-output stores.
  const std::uint32_t sums = plan.partials > 1 ? places : 0;
  plan.work = places * kSumBytes;
  plan.biases = (sums + work) * kSumBytes;
  plan.multipliers = plan.biases + (mapping.has_bias ? (plan.joins_biases ? elements : plan.length) : 0) * kSumBytes;
  const std::uint32_t factors = (plan.joins_factors ? mapping.tile_width : 1) * mapping.pass_outputs;
  plan.zero_point = plan.multipliers + factors * kSumBytes;
  plan.shifts = plan.zero_point + kSumBytes;
  plan.fits = plan.shifts + factors <= memories.sums.bytes && (places + work) * kSumBytes <= memories.sums_too.bytes / 2;

  plan.cycles = 0;
  for_each_addition(plan, mapping.has_bias, [&](const Addition &addition) {
    const std::uint64_t cycles = simd_cycles((addition.width - 1) * std::uint64_t{plan.stride} + plan.length + plan.second_columns);
    // The second memory is an SRAM, which gives both halves of the sums one after another.
    plan.cycles += plan.units * (addition.partial == kFold && addition.from_second ? 2 * cycles - kSimdStart : cycles);
  });
  // These additions write to the memory that they read.
  mapping.seconds.for_each(0, mapping.outputs, [&](std::uint32_t /*filter*/, std::uint32_t count, std::uint32_t /*column*/) {
    plan.cycles += std::uint64_t{plan.units} * (count + kSimdLanes - 1) / kSimdLanes * 3;
  });
  if (mapping.has_bias) plan.cycles += plan.joins_biases ? simd_cycles(elements) : plan.units * simd_cycles(plan.length);
  plan.cycles += plan.joins_factors ? mapping.tile_height * simd_cycles(elements / mapping.tile_height)
                                    : mapping.tile() * simd_cycles(mapping.pass_outputs);
}

}  // namespace

SumsPlan plan_sums(const Mapping &mapping, const isa::pim::Array &array, const Memories &memories) {
  SumsPlan plan;
  const std::uint32_t pixel = mapping.blocks * mapping.block_outputs;
  plan.units = mapping.is_masked() ? mapping.tile() : 1;
  plan.partials = mapping.splits() * mapping.slots;
  plan.length = mapping.is_masked() ? pixel : mapping.tile() * pixel;
  plan.second_columns = mapping.second_columns;
  plan.stride = mapping.is_masked() ? mapping.slot_results(array) : plan.length;
  plan.unit_stride = mapping.is_masked() ? mapping.group_results(array) : 0;
  const bool may_join_factors = mapping.pass_outputs == mapping.outputs;
  SumsPlan best;
  for (std::uint32_t width = plan.partials < 2 ? 1 : std::bit_floor(plan.partials / 2); width >= 1; width /= 2) {
    for (const bool joins_biases : {true, false}) {
      if (!joins_biases && (plan.units == 1 || !mapping.has_bias)) continue;
      if (joins_biases && mapping.has_bias && !plan.is_dense()) continue;
      for (const bool joins_factors : {true, false}) {
        if ((joins_factors && (!may_join_factors || !(plan.is_dense() || mapping.has_bias))) ||
            (!joins_factors && may_join_factors && mapping.tile_width == 1))
          continue;
        plan.width = width;
        plan.joins_biases = joins_biases;
        plan.joins_factors = joins_factors;
        complete(plan, mapping, memories);
        if (plan.fits && (!best.fits || plan.cycles < best.cycles)) best = plan;
      }
    }
  }
  return best.fits ? best : plan;
}

LayerSums::LayerSums(ProgramBuilder &builder, const Conv2dArguments &arguments, const Mapping &mapping, const Memories &memories)
    : builder_(builder),
      arguments_(arguments),
      mapping_(mapping),
      memories_(memories),
      plan_(plan_sums(mapping, builder.configuration().array, memories)) {}

void replicate(ProgramBuilder &builder, std::uint32_t source, std::uint32_t bytes, std::uint32_t destination, std::uint32_t times) {
  const Register to = builder.variable(destination);
  builder.repeat(times, [&] {
    builder.copy(source, bytes, to);
    builder.add(to, bytes);
  });
  builder.release(to);
}

void LayerSums::load(std::uint32_t tables) {
  const std::uint32_t outputs = mapping_.pass_outputs, copied = memories_.sums_too.first, first = memories_.sums.first;
  builder_.copy(tables, outputs * (2 * kSumBytes + 1), copied);
  if (mapping_.has_bias) replicate(builder_, copied, outputs * kSumBytes, first + plan_.biases, plan_.joins_biases ? mapping_.tile() : 1);
  if (arguments_.output_type != ResultType::int8) return;
  const std::uint32_t times = plan_.joins_factors ? mapping_.tile_width : 1;
  replicate(builder_, copied + outputs * kSumBytes, outputs * kSumBytes, first + plan_.multipliers, times);
  replicate(builder_, copied + outputs * 2 * kSumBytes, outputs, first + plan_.shifts, times);
  builder_.store_word(first + plan_.zero_point, static_cast<std::uint32_t>(arguments_.zero_point));
}

void LayerSums::add(Value left, Value right, std::uint32_t length, Value sum) {
  const Value inputs[] = {left, right};
  builder_.set(Special::simd_output_bit_width, kSumBits);
  builder_.simd(SimdOpcode::add, inputs, length, sum);
}

Value LayerSums::add_partials(Value partials, std::uint32_t place) {
  Value sums = partials;
  for_each_addition(plan_, mapping_.has_bias, [&](const Addition &addition) {
    const std::uint32_t step = plan_.stride * kSumBytes;
    const Value right = addition.partial == kFold ? sums.plus(addition.width * step) : partials.plus(addition.partial * step);
    const Value sum = memory(addition.to_second, addition.width == 1 ? place : plan_.work);
    add(sums, right, (addition.width - 1) * plan_.stride + plan_.length + plan_.second_columns, sum);
    sums = sum;
  });
  return sums;
}

void LayerSums::add_seconds(Value sums, std::uint32_t pass) {
  const std::uint32_t first = pass * mapping_.pass_outputs;
  mapping_.seconds.for_each(first, first + mapping_.pass_outputs, [&](std::uint32_t filter, std::uint32_t count, std::uint32_t column) {
    const Value firsts = sums.plus(filter * kSumBytes);
    add(firsts, sums.plus((plan_.length + column) * kSumBytes), count, firsts);
  });
}

bool LayerSums::clips() const {
  // A zero point of -128 makes negative results saturate at it.
  return arguments_.relu && (arguments_.output_type == ResultType::int32 || arguments_.zero_point != kLeastInt8);
}

void LayerSums::requantise(Value sums, std::uint32_t length, Value place) {
  if (arguments_.output_type == ResultType::int32) return builder_.copy(sums, length * kSumBytes, place);
  const std::uint32_t first = memories_.sums.first;
  const Value inputs[] = {sums, first + plan_.multipliers, first + plan_.shifts, first + plan_.zero_point};
  builder_.set(Special::simd_output_bit_width, kResultBits);
  builder_.simd(SimdOpcode::quantify, std::span(inputs).first(arguments_.zero_point == 0 ? 3 : 4), length, place);
}

Value LayerSums::clip(Value sums, std::uint32_t length, std::uint32_t place) {
  // The first memory has room for sums if partial sums are added.
  const Value clipped = memory(plan_.partials == 1, place), inputs[] = {sums};
  builder_.set(Special::simd_output_bit_width, kSumBits);
  builder_.simd(SimdOpcode::relu, inputs, length, clipped);
  return clipped;
}

void LayerSums::finish(Value buffer, Value place, const Results &results) {
  const std::uint32_t unit_bytes = plan_.length * kSumBytes;
  const Value biases = memory(false, plan_.biases);
  Value sums = buffer;
  for (std::uint32_t unit = 0; unit < plan_.units; ++unit) {
    const std::uint32_t at = unit * unit_bytes;
    Value sum = add_partials(buffer.plus(unit * plan_.unit_stride * kSumBytes), at);
    add_seconds(sum, results.pass);
    if (mapping_.has_bias && !plan_.joins_biases) {
      add(sum, biases, plan_.length, memory(true, at));
      sum = memory(true, at);
    }
    if (unit == 0) sums = sum;
  }
  if (mapping_.has_bias && plan_.joins_biases) {
    add(sums, biases, plan_.elements(), memory(true));
    sums = memory(true);
  }
  // Without additions, the sums lie as pim-output has stored them.
  std::uint32_t pitch = plan_.is_dense() || mapping_.has_bias ? plan_.length : plan_.unit_stride;
  if (clips()) {
    Value clipped = sums;
    for (std::uint32_t unit = 0; pitch != plan_.length && unit < plan_.units; ++unit) {
      const Value to = clip(sums.plus(unit * pitch * kSumBytes), plan_.length, unit * unit_bytes);
      if (unit == 0) clipped = to;
    }
    sums = pitch == plan_.length ? clip(sums, plan_.elements(), 0) : clipped;
    pitch = plan_.length;
  }
  // A unit of dense weights is a tile.
  if (plan_.units == 1) pitch = mapping_.pass_outputs;
  for (std::uint32_t y = 0; y < mapping_.tile_height; ++y) {
    const Value row_sums = sums.plus(y * mapping_.tile_width * pitch * kSumBytes), row_place = place.plus(y * results.row_pitch);
    if (plan_.joins_factors) {
      requantise(row_sums, mapping_.tile_width * mapping_.pass_outputs, row_place);
      continue;
    }
    for (std::uint32_t x = 0; x < mapping_.tile_width; ++x)
      requantise(row_sums.plus(x * pitch * kSumBytes), mapping_.outputs_of(results.pass), row_place.plus(x * results.pixel_pitch));
  }
}

}  // namespace cox::kernels::pim
