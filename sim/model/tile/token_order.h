// SPDX-License-Identifier: MIT
// The tile cores' source of order: tokens between the queues of a task (docs/hazards.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/geometry.h"
#include "sim/model/hazard/order.h"
#include "sim/model/host.h"
#include "sim/model/tile/hazard/detector.h"

namespace cox::model {

/// Forgets a context's past at its reset.
class TokenOrder final : public hazard::Order {
 public:
  explicit TokenOrder(const Host &host) : host_(host) {}

  [[nodiscard]] std::string name(const InstructionEvent &event) const override;
  void on_start(const InstructionEvent &event) override;
  void on_end(const InstructionEvent &event) override;
  void on_context_reset(unsigned context) override;
  void on_engine_reset(unsigned core) override;

 private:
  /// An instruction by its place in the task: the ordinal-th of its lane.
  struct Name {
    isa::tile::Lane lane;
    std::uint32_t ordinal;
  };
  /// What a context has run since its reset.
  struct Run {
    hazard::Detector detector;
    std::array<isa::tile::Configuration, isa::tile::kMostCores> configurations;  // of its cores
    std::vector<Name> started;                                                   // in this order; the detector's number is the index
    std::array<std::optional<isa::tile::Lane>, hazard::kLanes> running;          // of each queue of the device
    unsigned cores = 0;  ///< of the device in which something has started, a bit each
    std::size_t reported_hazards = 0, reported_stale = 0;
  };

  void report(const InstructionEvent &event, Run &run);
  [[nodiscard]] static std::string text(const Run &run, std::int32_t instruction);

  const Host &host_;
  std::array<Run, kMostContexts> runs_;
};

}  // namespace cox::model
