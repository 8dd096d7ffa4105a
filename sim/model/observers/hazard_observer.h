// SPDX-License-Identifier: MIT
// The hazard detector on what the device runs (docs/hazards.md): every hazard is a line in the host's log, once.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/cube/hazard/detector.h"
#include "sim/model/host.h"
#include "sim/model/observer.h"
#include "sim/model/observers/engine_hazards.h"
#include "sim/model/tile/hazard/detector.h"

namespace cox::model {

/// Order is what tokens and queues say, not when instructions happened to run. Forgets a context's past at its reset.
class HazardObserver final : public Observer {
 public:
  explicit HazardObserver(const Host &host) : host_(host), engines_(host) {}

  void on_start(const InstructionEvent &event) override;
  void on_end(const InstructionEvent &event) override;
  void on_context_reset(unsigned context, Cycle now) override;
  void on_core_reset(unsigned core, Cycle now) override;
  void on_stream_start(const StreamEvent &event) override;
  void on_stream_end(const StreamEvent &event) override;
  void on_engine_reset(registers::Engine engine, Cycle now) override;
  void on_interrupt(unsigned line, bool level, Cycle now) override;

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
  /// What the matrix unit's detector has found.
  void report(unsigned context);
  [[nodiscard]] static std::string text(const Run &run, std::int32_t instruction);

  const Host &host_;
  std::array<Run, kMostContexts> runs_;
  EngineHazards engines_;
  cube::Detector cube_;
  unsigned cube_context_ = kMostContexts;  ///< whose streams it has seen
  std::vector<cube::Finding> cube_findings_;
};

}  // namespace cox::model
