// SPDX-License-Identifier: MIT
// What an engine that runs streams shares with the rest of the device, and does not outlive.
#pragma once

#include <span>
#include <vector>

#include "sim/model/device/context.h"
#include "sim/model/device/fault_latch.h"
#include "sim/model/faults/injector.h"
#include "sim/model/geometry.h"
#include "sim/model/host.h"
#include "sim/model/observer.h"

namespace cox::model {

struct Surroundings {
  const Host &host;
  const Geometry &geometry;
  std::span<Context> contexts;
  FaultLatch &fault;
  const std::vector<Observer *> &observers;
  faults::Injector &faults;
};

}  // namespace cox::model
