// SPDX-License-Identifier: MIT
// Hazards between tile cores and the MX engine: both reach DRAM, and no token orders them (docs/hazards.md, Engines).
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "sim/model/hazard/detector.h"
#include "sim/model/hazard/touch.h"
#include "sim/model/host.h"
#include "sim/model/observer.h"

namespace cox::model {

/// What firmware can know is what orders: an instruction comes before one of the other kind where it had ended before the other's doorbell
/// was rung, an instruction of a stream where its stream had.
class EngineHazards {
 public:
  explicit EngineHazards(const Host &host) : host_(host) {}

  /// A tile instruction with what it touches; those that touch no DRAM are left out.
  void on_start(const InstructionEvent &event, const std::vector<hazard::Touch> &touches);
  void on_end(const InstructionEvent &event);
  void on_core_reset(unsigned core, Cycle now);

  void on_stream_start(const StreamEvent &event);
  void on_stream_end(const StreamEvent &event);
  void on_engine_reset(Cycle now);

 private:
  /// Instructions that start, and end, one after another: a class of a core, or the engine.
  struct Sequence {
    std::vector<std::string> names;
    std::vector<Cycle> ends;  ///< of the first that have ended

    [[nodiscard]] bool running() const { return ends.size() < names.size(); }
    /// How many had ended at `time`.
    [[nodiscard]] std::uint32_t ended(Cycle time) const;
    /// All that runs ends.
    void end(Cycle now) { ends.resize(names.size(), now); }
  };
  // Of a core and the engine. CT, which touches no memory, has no place of its own in a shadow: the engine has it.
  static constexpr auto kEngineClass = isa::tile::Class::CT;
  struct Core {
    hazard::Shadow shadow;
    std::array<Sequence, isa::tile::kClasses> sequences;
  };

  void touch(unsigned core, isa::tile::Class queue, const Sequence &own, const hazard::Clock &clock, bool write, std::uint64_t first,
             std::uint64_t bytes);
  [[nodiscard]] const Sequence &sequence(unsigned core, isa::tile::Class queue) const {
    return queue == kEngineClass ? engine_ : cores_[core].sequences[static_cast<std::size_t>(queue)];
  }

  const Host &host_;
  std::array<Core, kMostCores> cores_;
  Sequence engine_;
  std::set<std::tuple<std::string, std::string, bool, bool>> reported_;
};

}  // namespace cox::model
