// SPDX-License-Identifier: MIT
// The PIM engine for application firmware (docs/kernels/pim.md, "Your first kernel call").
#pragma once

#include <cstddef>
#include <span>

#include "coxswain/kernels/engine/engine.h"
#include "coxswain/kernels/pim/program_builder.h"

namespace cox::kernels::pim {

/// The position of a program's fault; `name` is for example "pim-compute" and `field` "rs1". `instruction` is isa::pim::Position::pack().
using kernels::StreamFault;

/// Describes the PIM engine for kernels::Engine.
struct Set {
  static constexpr registers::Engine kEngine = registers::Engine::pim;
  static constexpr unsigned kQueueSizeLog2 = 4;
  using Stream = pim::Stream;
  using ContextState = NoContextState;
  static void explain(std::span<const std::byte> stream, const registers::EngineFaultDetail &detail, StreamFault &fault);
};

using Engine = kernels::Engine<Set>;

}  // namespace cox::kernels::pim

// Instantiated in engine.cpp.
extern template class cox::kernels::Engine<cox::kernels::pim::Set>;
