// SPDX-License-Identifier: MIT
// The tile cores' hazard::Order: tokens between the queues of a task (docs/hazards.md).
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

/// Keeps the instructions of each context until the context is reset.
class TokenOrder final : public hazard::Order {
 public:
  explicit TokenOrder(const Host &host) : host_(host) {}

  [[nodiscard]] std::string name(const InstructionEvent &event) const override;
  void on_start(const InstructionEvent &event) override;
  void on_end(const InstructionEvent &event) override;
  void on_context_reset(unsigned context) override;
  void on_engine_reset(unsigned core) override;

 private:
  /// Names an instruction in messages: its lane and its number in this lane.
  struct Name {
    isa::tile::Lane lane;
    std::uint32_t ordinal;
  };
  /// The instructions that a context has run since its reset.
  struct Run {
    hazard::Detector detector;
    std::array<isa::tile::Configuration, isa::tile::kMostCores> configurations;  // one for each core of the task
    std::vector<Name> started;  // in the order of their starts; the index is the number that the detector has for the instruction
    std::array<std::optional<isa::tile::Lane>, hazard::kLanes> running;  // for each queue of the device: the lane that runs there
    unsigned cores = 0;  ///< cores of the device in which an instruction has started, one bit each
    std::size_t reported_hazards = 0, reported_stale = 0;
  };

  void report(const InstructionEvent &event, Run &run);
  [[nodiscard]] static std::string text(const Run &run, std::int32_t instruction);

  const Host &host_;
  std::array<Run, kMostContexts> runs_;
};

}  // namespace cox::model
