// SPDX-License-Identifier: MIT
// The device's other engines, as the Unity units submit to them (docs/design.md, Peers).
#pragma once

#include <cstdint>
#include <map>

#include "sim/model/device/peer.h"
#include "sim/model/device/surroundings.h"
#include "sim/model/unity/machine/machine.h"

namespace cox::model::unity {

class PeerGate final : public EngineGate, public PeerClient {
 public:
  /// The arguments outlive this object.
  PeerGate(const Peers &peers, Machine &machine) : peers_(peers), machine_(machine) {}

  /// A container of this context begins. The gate has drained.
  void begin(unsigned context) {
    context_ = context;
    has_failed_ = false;
  }
  /// True if a slot has failed since begin(), and the machine knows it.
  [[nodiscard]] bool has_failed() const { return has_failed_; }
  /// False while slots have not ended.
  [[nodiscard]] bool has_drained() const { return in_flight_.empty(); }
  /// The engine was reset: forgets what is in flight. The engines go on with it.
  void forget() { in_flight_.clear(); }

  [[nodiscard]] Status check(const isa::unity::EngineSubmission &submission, std::span<const std::byte> slots) override;
  void submit(std::uint32_t ticket, const isa::unity::EngineSubmission &submission, std::span<const std::byte> slots, std::uint64_t origin,
              Cycle now) override;
  void withdraw(Cycle now) override;
  void on_peer_end(std::uint32_t ticket, const Fault &fault, Cycle now) override;

 private:
  /// The slots of one instruction.
  struct Slots {
    std::uint32_t left = 0;  ///< that have not ended
    Status fault;            ///< the first by time
    bool withdrawn = false;
  };
  [[nodiscard]] model::Engine *engine_of(isa::unity::Domain domain) const;

  const Peers &peers_;
  Machine &machine_;
  unsigned context_ = 0;
  bool has_failed_ = false;
  std::map<std::uint32_t, Slots> in_flight_;  ///< by the machine's ticket
};

}  // namespace cox::model::unity
