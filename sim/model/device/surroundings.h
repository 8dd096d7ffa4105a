// SPDX-License-Identifier: MIT
// The parts of the device that an engine uses. They outlive the engine.
#pragma once

#include <span>

#include "sim/model/device/context.h"
#include "sim/model/device/dram_channel.h"
#include "sim/model/device/fault_latch.h"
#include "sim/model/faults/injector.h"
#include "sim/model/host.h"
#include "sim/model/observer.h"

namespace cox::model {

struct Surroundings {
  const Host &host;
  std::span<Context> contexts;
  FaultLatch &fault;
  const Observers &observers;
  faults::Injector &faults;
  DramChannel &channel;
};

}  // namespace cox::model
