// SPDX-License-Identifier: MIT
#include "examples/pim_networks/pipeline.h"

#include "examples/pim_networks/last_stage_code.h"
#include "examples/pim_networks/pipeline_memory.h"
#include "examples/pim_networks/row_code.h"

namespace cox::pim_networks {

using kernels::pim::ProgramBuilder;
using kernels::pim::ResidentConvolution;
using kernels::pim::ResidentMap;
using kernels::pim::ResidentPlace;

ResidentMap Pipeline::map_of(unsigned number) const {
  const Layer &layer = kResnet18.layers[number];
  const bool is_pixel = layer.side == 1;
  return {layer.side, layer.side, number == kClasses ? kClassesBytes : layer.channels, block_[number], is_pixel ? 0U : 1U};
}

ResidentMap Pipeline::image_map() {
  return {kResnet18.image_side, kResnet18.image_side, kResnet18.image_channels, kResnet18.image_channels, 3};
}

ResidentConvolution Pipeline::convolution(unsigned number, const ResidentPlace &place) const {
  const Layer &layer = kResnet18.layers[number == kPool ? 0 : number];
  ResidentConvolution made;
  made.input = layer.input == kImage ? image_map() : map_of(static_cast<unsigned>(layer.input));
  made.kernel = layer.kernel;
  made.stride = layer.stride;
  made.padding = layer.padding;
  made.column_step = number == kPool ? 2 : 1;
  made.filters = block_[number];
  made.place = place;
  return made;
}

Unit &Pipeline::add(unsigned layer, unsigned core, unsigned block, const Rows &rows, const ResidentPlace &place) {
  Unit &unit = units_[count_++];
  unit.layer = static_cast<std::uint8_t>(layer);
  unit.core = static_cast<std::uint8_t>(core);
  unit.block = static_cast<std::uint8_t>(block);
  unit.rows = rows;
  unit.convolution = convolution(layer, place);
  // All units of the stem have the same weights, and are added first.
  unit.constants = layer == kPool ? last_constants_ : constants_[core];
  constants_[core] = unit.constants + resident_constants(unit.convolution, configuration_->array).bytes;
  return unit;
}

void Pipeline::add_last(unsigned number, unsigned layer, unsigned half, const ResidentPlace &place) {
  LastBlock &last = last_[number];
  last.layer = static_cast<std::uint8_t>(layer);
  last.half = static_cast<std::uint8_t>(half);
  last.convolution = convolution(layer, place);
  last.constants = last_constants_;
  last_constants_ += resident_constants(last.convolution, configuration_->array).bytes;
}

Status Pipeline::append_load(ProgramBuilder &builder, const Addresses &addresses) const {
  if (Status status = builder.begin_kernel(); !status.ok()) return status;
  const PipelineMemory memory(builder.configuration());
  const auto bytes = static_cast<std::uint32_t>(configuration_->array.bytes());
  for (unsigned core = 0; core < cores_; ++core) {
    builder.begin_core(core);
    builder.copy(addresses.arrays + core * bytes, bytes, configuration_->array.first);
    builder.copy(addresses.constants + core * kConstantsBytes, kConstantsBytes, memory.constants());
  }
  return builder.end_kernel();
}

Status Pipeline::append_inference(ProgramBuilder &builder, const Addresses &addresses) const {
  if (Status status = builder.begin_kernel(); !status.ok()) return status;
  const Routes routes(*this, builder.configuration());
  for (unsigned core = 0; core < cores_; ++core) RowCode(builder, *this, routes, addresses, core).emit();
  for (unsigned band = 0; band < last_bands_; ++band) LastStageCode(builder, *this, addresses, band).emit();
  return builder.end_kernel();
}

}  // namespace cox::pim_networks
