// SPDX-License-Identifier: MIT
// The code of the last stage of a Pipeline: layers of 512 channels, of which a core has 32. The 16 cores of a band share their code, and a
// register tells which block a core has. Cores send each other their results after each layer.
#pragma once

#include <array>
#include <cstdint>

#include "coxswain/kernels/pim/program_builder.h"
#include "coxswain/kernels/pim/resident_convolution.h"
#include "examples/pim_networks/pipeline.h"
#include "examples/pim_networks/pipeline_memory.h"

namespace cox::pim_networks {

class LastStageCode {
 public:
  LastStageCode(kernels::pim::ProgramBuilder &builder, const Pipeline &pipeline, const Pipeline::Addresses &addresses, unsigned band)
      : builder_(builder),
        pipeline_(pipeline),
        addresses_(addresses),
        band_(band),
        rows_(pipeline.last_rows(band)),
        map_(pipeline.map_of(kLastSum)),
        memory_(builder.configuration()),
        code_(builder, memory_.for_rows()) {}

  void emit();

 private:
  using Register = kernels::pim::Register;
  using Value = kernels::pim::Value;

  /// Bytes of a message. The addresses are those of block 0.
  struct Part {
    std::uint32_t source = 0, destination = 0, bytes = 0;
  };
  /// What each core of this band sends to those of a band, and gets from them.
  struct Neighbour {
    unsigned band = 0;
    Part sent, received;
  };
  struct Exchange {
    unsigned layer = 0;
    std::uint32_t step = 0;            ///< from a block's address to the next one's
    bool is_moving = true;             ///< false: the source is at the same address for all blocks
    std::array<Neighbour, 3> bands{};  ///< this band, then its neighbours
    unsigned count = 0;
  };

  void prepare();
  void compute(const LastBlock &block, std::uint32_t results);
  /// Sends the rows of a layer that other cores need for the next one, and waits for theirs.
  void exchange_rows(unsigned layer, std::uint32_t results);
  void run(const Exchange &exchange);
  [[nodiscard]] static Value source_of(const Exchange &exchange, Register offset, const Part &part) {
    return exchange.is_moving ? Value(offset, part.source) : Value(part.source);
  }
  /// Collects the rows of all bands in the first one. Returns false in the other ones.
  [[nodiscard]] bool gather();
  void classify();

  kernels::pim::ProgramBuilder &builder_;
  const Pipeline &pipeline_;
  const Pipeline::Addresses &addresses_;
  unsigned band_;
  Rows rows_;
  kernels::pim::ResidentMap map_;
  PipelineMemory memory_;
  kernels::pim::ResidentCode code_;
  Register block_, own_;  ///< the core's block, and the offset of its results in map_
};

}  // namespace cox::pim_networks
