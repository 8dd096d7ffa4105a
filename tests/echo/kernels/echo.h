// SPDX-License-Identifier: MIT
// The kernel of the echo engine: an application appends copies to a stream and
// runs it.
#pragma once

#include "coxswain/kernels/engine/engine.h"
#include "tests/echo/isa/echo.h"

namespace cox::kernels::echo {

/// The facts about the echo engine that kernels::Engine needs.
struct Set {
  static constexpr registers::Engine kEngine = registers::Engine::echo;
  static constexpr unsigned kQueueSizeLog2 = 2;
  using Stream = StreamBuffer;
  using ContextState = NoContextState;
  static void explain(std::span<const std::byte> stream, const registers::EngineFaultDetail &detail, StreamFault &fault);
};

using Stream = StreamBuffer;
using Engine = kernels::Engine<Set>;

/// Appends a copy of `bytes` bytes from `source` to `destination`, which are bus addresses below 4 GiB. Errors: invalid_argument ("bytes")
/// if `bytes` is not from 1 to isa::echo::kMostBytes; tensor_overlap; address_outside_window if source or destination is not in a window of
/// the stream that permits the access; no_room. An error leaves the stream unchanged.
Status copy(Stream &stream, std::uint64_t source, std::uint64_t destination, std::uint32_t bytes);

/// Appends an instruction that sets bytes to `value`: `bytes` of them, the first at `destination`. The errors are those of copy().
Status fill(Stream &stream, std::uint8_t value, std::uint64_t destination, std::uint32_t bytes);

}  // namespace cox::kernels::echo

extern template class cox::kernels::Engine<cox::kernels::echo::Set>;
