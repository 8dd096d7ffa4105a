// SPDX-License-Identifier: MIT
#include "coxswain/kernels/cube/output_stage.h"

#include "coxswain/isa/cube/build.h"

namespace cox::kernels::cube {
namespace {

using isa::cube::DramToL1;
using isa::cube::encode;
using isa::cube::MachineCode;
using isa::cube::Opcode;
using isa::cube::put;

DramToL1 channels_to_l1(std::uint64_t source, std::uint32_t count, std::uint32_t destination) {
  const std::uint32_t bytes = count * isa::cube::kChannelBytes;
  return {.source = source, .row_bytes = bytes, .source_pitch = bytes, .destination = destination, .destination_pitch = bytes};
}

}  // namespace

void OutputStage::begin(const Configuration &configuration) {
  configuration_ = configuration;
  configured_ = false;
  tile_ = Ring(kBanks, configuration.tiles);
  residual_ = encode(DramToL1{.source_pitch = configuration.residual_pitch, .destination_pitch = configuration.output.residual_pitch},
                     {.set = kResidualReady.set()});
  isa::cube::Output result;
  result.destination_pitch = configuration.pitch;
  result.integer = configuration.integer;
  result.to = configuration.to;
  output_ = encode(result);
}

bool OutputStage::configure(Stream &stream) {
  const isa::cube::OutputConfiguration &output = configuration_.output;
  const bool scales = output.scale_mode == isa::cube::ScaleMode::channel;
  // The last load sets the flag that tells FIX that all loads have arrived. If there is a residual (C), load_residual() writes the last
  // load, so the loads here set no flag.
  const std::uint32_t set = output.residual ? 0 : kResidualReady.set();
  if (scales && !stream.write(encode(channels_to_l1(configuration_.factors, configuration_.channels, output.scale_address),
                                     {.set = output.bias ? 0 : set})))
    return false;
  if (output.bias &&
      !stream.write(encode(channels_to_l1(configuration_.biases, configuration_.channels, output.bias_address), {.set = set})))
    return false;
  return stream.write(encode(output));
}

bool OutputStage::load_residual(Stream &stream, const Tile &tile) {
  MachineCode *const slot = stream.reserve(1);
  if (slot == nullptr) return false;
  *slot = residual_;
  if (tile_.waits() && configuration_.residual_flags) (*slot)[isa::cube::kWaitWord] |= kResidualFree.wait();
  put<Opcode::DRAM_TO_L1, "Source">(*slot, static_cast<std::uint32_t>(tile.residual));
  put<Opcode::DRAM_TO_L1, "SourceHigh">(*slot, static_cast<std::uint32_t>(tile.residual >> 32));
  put<Opcode::DRAM_TO_L1, "Rows">(*slot, tile.rows);
  put<Opcode::DRAM_TO_L1, "RowBytes">(*slot, tile.columns * isa::cube::element_bytes(configuration_.to));
  put<Opcode::DRAM_TO_L1, "Destination">(*slot, configuration_.residual_l1 + tile_.buffer() * configuration_.residual_bytes);
  return true;
}

bool OutputStage::finish(Stream &stream, const Tile &tile) {
  const isa::cube::OutputConfiguration &output = configuration_.output;
  std::uint32_t wait = kTileReady.wait();
  if (output.residual) wait |= kResidualReady.wait();
  if (!configured_) {
    if (!configure(stream)) return false;
    if (output.bias || output.scale_mode == isa::cube::ScaleMode::channel) wait |= kResidualReady.wait();
    configured_ = true;
  }
  if (output.residual && !load_residual(stream, tile)) return false;

  MachineCode *const slot = stream.reserve(1);
  if (slot == nullptr) return false;
  *slot = output_;
  (*slot)[isa::cube::kWaitWord] |= wait;
  if (tile_.is_awaited()) {
    const bool both = output.residual && configuration_.residual_flags;
    (*slot)[isa::cube::kSetWord] = both ? kTileFree.set() | kResidualFree.set() : kTileFree.set();
  }
  put<Opcode::L0C_TO_DRAM, "Destination">(*slot, static_cast<std::uint32_t>(tile.destination));
  put<Opcode::L0C_TO_DRAM, "DestinationHigh">(*slot, static_cast<std::uint32_t>(tile.destination >> 32));
  put<Opcode::L0C_TO_DRAM, "Channel">(*slot, tile.channel);
  put<Opcode::L0C_TO_DRAM, "Source">(*slot, tile.accumulators);
  put<Opcode::L0C_TO_DRAM, "Rows">(*slot, tile.rows);
  put<Opcode::L0C_TO_DRAM, "Columns">(*slot, tile.columns);
  put<Opcode::L0C_TO_DRAM, "SourcePitch">(*slot, tile.column_fractals);
  if (output.residual)
    put<Opcode::L0C_TO_DRAM, "ResidualAddress">(*slot, configuration_.residual_l1 + tile_.buffer() * configuration_.residual_bytes);
  tile_.next();
  return true;
}

}  // namespace cox::kernels::cube
