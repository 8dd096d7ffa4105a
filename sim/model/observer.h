// SPDX-License-Identifier: MIT
// Who watches instructions as they run: the event log, and the hazard detector.
#pragma once

#include <cstdint>

#include "device/engine_descriptor.h"
#include "isa/cube/operation.h"
#include "isa/mx/operation.h"
#include "isa/tile/header.h"
#include "sim/model/device/fault.h"
#include "sim/model/geometry.h"

namespace cox::model {

/// One instruction at the moment of its start or end. Times that lie ahead are 0.
struct InstructionEvent {
  unsigned core = 0;
  unsigned context = 0;  ///< as fetched: may be none that exists, where `fault` is invalid_context or bus_error
  isa::tile::Class queue = isa::tile::Class::CT;
  std::uint32_t index = 0;    ///< running index in the submission queue
  std::uint32_t ordinal = 0;  ///< number of the instruction among those of its class in its context since the context's reset
  isa::tile::MachineCode code{};
  Fault fault;
  Cycle doorbell = 0;  ///< when its doorbell was rung
  Cycle start = 0;
  Cycle end = 0;             ///< last cycle of the execution; a wait for room in the completion queue comes after it
  Cycle stalled = 0;         ///< of the time between start and end, what competition for DRAM cost
  std::uint64_t bytes = 0;   ///< moved to or from DRAM
  std::uint64_t window = 0;  ///< bus address of the DRAM window that it uses, if it does
};

/// One instruction of an engine's stream, likewise.
struct StreamEvent {
  registers::Engine engine = registers::Engine::mx;
  unsigned context = 0;
  std::uint32_t stream = 0;    ///< running index of its descriptor in the submission queue
  bool joined = false;         ///< the next stream continues this one
  std::uint32_t offset = 0;    ///< of the instruction in the stream, bytes
  const char *name = nullptr;  ///< nullptr: none was fetched, the fault is the descriptor's or the fetch's
  unsigned opcode = 0;
  unsigned pipe = 0;  ///< isa::cube::Pipe; kPipes of BARRIER
  // Where it was admitted, that of its engine; of the matrix unit also where nothing but a flag was wrong.
  const isa::mx::Operation *mx = nullptr;
  const isa::cube::Operation *cube = nullptr;
  const isa::cube::MachineCode *cube_code = nullptr;
  Fault fault;
  bool last = false;  ///< on_stream_end: nothing of the stream runs any more
  Cycle doorbell = 0;
  Cycle start = 0;
  Cycle end = 0;
  Cycle stalled = 0;
  Cycle compute = 0;  ///< cycles of the lanes, or of the array
  std::uint64_t bytes = 0;
};

/// Called inside of calls into the model, in time order. What runs between on_start and on_end of an instruction is concurrent with it as
/// far as the device knows; order between queues is the firmware's doing.
class Observer {
 public:
  Observer() = default;
  Observer(const Observer &) = delete;
  Observer &operator=(const Observer &) = delete;
  virtual ~Observer() = default;

  /// Instructions that fault or are aborted before they start have no on_start.
  virtual void on_start(const InstructionEvent &event) = 0;
  virtual void on_end(const InstructionEvent &event) = 0;
  /// Its configuration is gone: a run begins.
  virtual void on_context_reset(unsigned context, Cycle now) = 0;
  /// The engines of a core were reset: what was in flight there will not end. All cores at a power-on reset.
  virtual void on_core_reset(unsigned core, Cycle now) = 0;
  /// The same of an engine's instructions. Those of the matrix unit are told of when they are given to their pipe, in program order; their
  /// `start` lies ahead. A stream whose descriptor is refused, or that is aborted, has an on_stream_end too.
  virtual void on_stream_start(const StreamEvent & /*event*/) {}
  virtual void on_stream_end(const StreamEvent & /*event*/) {}
  virtual void on_engine_reset(registers::Engine /*engine*/, Cycle /*now*/) {}
  virtual void on_interrupt(unsigned line, bool level, Cycle now) = 0;
};

}  // namespace cox::model
