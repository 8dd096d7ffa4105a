// SPDX-License-Identifier: MIT
// The Unity engine for application firmware.
#pragma once

#include <cstddef>
#include <span>

#include "coxswain/kernels/engine/engine.h"
#include "coxswain/kernels/unity/program_builder.h"

namespace cox::kernels::unity {

/// The position of a container's fault; `name` is for example "CONV2D" and `field` "K_NUM". `instruction` is its number in its program. Of
/// a deadlock, it is the first instruction that waits.
using kernels::StreamFault;

/// Describes the Unity engine for kernels::Engine.
struct Set {
  static constexpr registers::Engine kEngine = registers::Engine::unity;
  static constexpr unsigned kQueueSizeLog2 = 4;
  /// A container that fails leaves its keys.
  static constexpr bool kResetAfterFault = true;
  using Stream = unity::Stream;
  using ContextState = NoContextState;
  static void explain(std::span<const std::byte> stream, const registers::EngineFaultDetail &detail, StreamFault &fault);
  static void read_waiting(std::span<const std::byte> stream, StreamFault &fault);
};

using Engine = kernels::Engine<Set>;

}  // namespace cox::kernels::unity

// Instantiated in engine.cpp.
extern template class cox::kernels::Engine<cox::kernels::unity::Set>;
