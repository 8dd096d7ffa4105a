// SPDX-License-Identifier: MIT
// The MX engine for application firmware (docs/kernels/mx.md, "Your first kernel call").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/kernels/engine/engine.h"
#include "coxswain/kernels/mx/stream.h"

namespace cox::kernels::mx {

/// The position of a stream's fault; `name` is for example "CONVACT" and `field` "InOffset".
using kernels::StreamFault;

/// The base registers of a context. They are written if a stream needs other values than the last stream.
class BaseRegisters {
 public:
  /// Error: not_ready ("base registers") if an earlier stream that needs other base registers has not ended.
  Status prepare(const StreamRunner &runner, const Stream &stream);
  void restore(const StreamRunner &runner) const;
  void forget() { count_ = 0; }

 private:
  std::array<std::uint64_t, isa::mx::kBaseRegisters> bases_{};
  unsigned count_ = 0;
};

/// Describes the MX engine for kernels::Engine.
struct Set {
  static constexpr registers::Engine kEngine = registers::Engine::mx;
  static constexpr unsigned kQueueSizeLog2 = 3;
  using Stream = mx::Stream;
  using ContextState = BaseRegisters;
  static void explain(std::span<const std::byte> stream, const registers::EngineFaultDetail &detail, StreamFault &fault);
};

using Engine = kernels::Engine<Set>;

}  // namespace cox::kernels::mx

// Instantiated in engine.cpp.
extern template class cox::kernels::Engine<cox::kernels::mx::Set>;
