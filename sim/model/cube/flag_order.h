// SPDX-License-Identifier: MIT
// The matrix unit's hazard::Order: flags between its pipes (docs/hazards.md, The matrix unit).
#pragma once

#include <vector>

#include "coxswain/isa/cube/encode.h"
#include "coxswain/isa/cube/operation.h"
#include "sim/model/cube/hazard/detector.h"
#include "sim/model/geometry.h"
#include "sim/model/hazard/order.h"
#include "sim/model/host.h"

namespace cox::model::cube {

class FlagOrder final : public hazard::StreamOrder {
 public:
  explicit FlagOrder(const Host &host) : host_(host) {}

  void on_start(const InstructionEvent &event) override;
  void on_end(const InstructionEvent &event) override;
  void on_context_reset(unsigned context) override;
  void on_engine_reset(unsigned core) override;

 private:
  void add(const InstructionEvent &event);
  void report(unsigned context);
  /// Forgets all slots. Called before a stream that does not continue the one before it.
  void forget();

  const Host &host_;
  Detector detector_;
  isa::cube::Configuration configuration_;  ///< the configuration that the slots so far have set
  unsigned context_ = kMostContexts;        ///< context of the streams so far
  std::vector<Finding> findings_;
};

}  // namespace cox::model::cube
