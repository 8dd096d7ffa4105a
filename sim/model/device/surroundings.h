// SPDX-License-Identifier: MIT
// The parts of the device that an engine uses. They outlive the engine.
#pragma once

#include <span>

#include "coxswain/device/engines.h"
#include "sim/model/device/context.h"
#include "sim/model/device/dram_channel.h"
#include "sim/model/device/fault_latch.h"
#include "sim/model/faults/injector.h"
#include "sim/model/host.h"
#include "sim/model/observer.h"

namespace cox::model {

class Engine;

/// The engines of the device, for one that submits to others.
class Peers {
 public:
  /// Returns nullptr if the device does not have the engine.
  [[nodiscard]] virtual Engine *find(registers::Engine engine) const = 0;

 protected:
  ~Peers() = default;
};

struct Surroundings {
  const Host &host;
  std::span<Context> contexts;
  FaultLatch &fault;
  const Observers &observers;
  faults::Injector &faults;
  DramChannel &channel;
  const Peers &peers;
};

}  // namespace cox::model
