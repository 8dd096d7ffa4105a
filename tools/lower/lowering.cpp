// SPDX-License-Identifier: MIT
#include "tools/lower/lowering.h"

#include "coxswain/isa/tile/layout.h"
#include "tools/lower/emit/strip_steps.h"
#include "tools/lower/plan/rows.h"
#include "tools/lower/program/dependencies.h"
#include "tools/lower/program/links.h"
#include "tools/lower/program/simulation.h"
#include "tools/lower/weights/weight_supply.h"

namespace cox::lower {
namespace {

void emit_layer(const Work &work, WeightSupply &supply, const Step &step, std::uint32_t first_channel = 0) {
  switch (work.network.layers[step.layer].operation) {
    case Operation::convolution:
    case Operation::transposed_convolution:
    case Operation::fully_connected: return emit_convolution(work, supply, step);
    case Operation::maximum_pool:
    case Operation::average_pool: return emit_pool(work, step);
    case Operation::global_average_pool: return emit_global_average_pool(work, step, first_channel);
    case Operation::resize: return emit_resize(work, step);
    case Operation::concatenation: return emit_concatenation(work, step);
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::maximum:
    case Operation::minimum: return emit_two_tensors(work, step);
    case Operation::quantise:
    case Operation::softmax:
    case Operation::layer_norm:
    case Operation::sigmoid:
    case Operation::tanh:
    case Operation::gelu:
    case Operation::silu: return emit_function(work, step);
  }
}

void emit_work(const Work &work, WeightSupply &supply, const Step &step) {
  if (step.kind == Step::Kind::layer && work.network.layers[step.layer].has_weights()) return emit_layer(work, supply, step);
  for (unsigned core = 0; core < work.plan.cores; ++core) {
    const Step share = share_of(work, step, core);
    if (share.images == 0) continue;
    work.emitter.select(core);
    switch (step.kind) {
      case Step::Kind::load: emit_load(work, share); break;
      case Step::Kind::store: emit_store(work, share); break;
      case Step::Kind::layer: emit_layer(work, supply, share); break;
    }
  }
}

void emit_step(const Work &work, WeightSupply &supply, RowExchange &rows, const Step &step, std::size_t number) {
  const Origin origin{static_cast<std::int32_t>(step.layer)};
  std::optional<StripLayout> strips;
  if (step.kind == Step::Kind::layer) strips = strips_of(work.network, work.plan, step.layer);
  work.links.release_deferred(origin);
  supply.begin_step(origin);
  if (work.plan.division == Division::rows) rows.before(step);
  if (strips) {
    emit_strips(work, step, *strips, work.placement.strips(number),
                [&](const Step &part, std::uint32_t first_channel) { emit_layer(work, supply, part, first_channel); });
  } else {
    emit_work(work, supply, step);
  }
  if (work.plan.division == Division::rows) rows.behind(step);
}

}  // namespace

Lowering lower_by(const Plan &plan, const Network &network, const WeightImage &weights, const model::TileGeometry &geometry) {
  Lowering result;
  result.plan = plan;
  const DramPlaces dram(network, plan);
  result.output_offset = static_cast<std::uint64_t>(dram.output());
  result.tensor_window_bytes = static_cast<std::uint64_t>(dram.bytes());

  const Placement placement(network, plan, plan.l2_bytes - plan.staging_bytes);
  Emitter emitter(geometry);
  GridCuts cuts(geometry);
  Links links(emitter);
  const std::int64_t staging = isa::tile::align_up(placement.bytes(), isa::tile::kWeightUnitBytes) + plan.staging_bytes;
  const std::int64_t blocks = isa::tile::align_up(staging, isa::tile::kBlockBytes) / isa::tile::kBlockBytes;
  Strips strips;
  const Work work{network, plan, placement, dram, static_cast<std::uint32_t>(blocks), emitter, cuts, links, strips};
  WeightSupply supply(work, weights);
  RowExchange rows(work);
  begin_task(work);
  emit_constants(work, weights.constants_offset);
  const std::vector<Step> steps = steps_of(network, plan);
  for (std::size_t i = 0; i < steps.size(); ++i) emit_step(work, supply, rows, steps[i], i);
  Links::place_releases(emitter.program());
  end_task(work);
  result.program = emitter.take();
  order(result.program);
  result.cycles = duration_of(result.program, geometry);
  return result;
}

}  // namespace cox::lower
