// SPDX-License-Identifier: MIT
// Finds accesses that nothing orders while a PIM program runs (docs/pim.md, Checking): of two cores to the same bytes of DRAM, and of a
// core to bytes of a message that may still be on its way. Messages and barriers order cores; a vector clock for each core says what has
// certainly ended.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "coxswain/isa/pim/configuration.h"
#include "sim/model/hazard/shadow.h"
#include "sim/model/pim/machine/listener.h"

namespace cox::tools::pim {

struct Hazard {
  enum class Kind : std::uint8_t {
    dram,         ///< two cores, the same bytes of DRAM
    destination,  ///< a core touches bytes that a message may still write
    source,       ///< a core changes bytes that a message may still read
  };
  Kind kind = Kind::dram;
  isa::pim::Position earlier, later;
  bool earlier_writes = false, later_writes = false;
  std::uint8_t space = 0;  ///< isa::pim::Place
  std::uint64_t first = 0, bytes = 0;
};

class MessageOrder final : public model::pim::Listener {
 public:
  explicit MessageOrder(const isa::pim::Configuration &configuration) : configuration_(configuration) {}

  void on_start(const model::pim::CoreEvent &event) override;
  void on_end(const model::pim::CoreEvent &event) override;
  void on_message(const model::pim::CoreMessageEvent &event) override;

  /// Each pair of instructions once.
  [[nodiscard]] const std::vector<Hazard> &hazards() const { return hazards_; }

 private:
  using Shadow = model::hazard::QueueShadow<unsigned, isa::pim::kMostCores>;
  using Clock = Shadow::Clock;

  /// A message of one side, until its core knows that the data has arrived.
  struct Open {
    bool send = false, synchronous = false, landed = false;
    std::uint32_t other = 0, id = 0;
    isa::pim::Position position;
    isa::pim::Place place;
    std::uint64_t bytes = 0;
    Clock before;  ///< what had ended when this side issued
    Clock learnt;  ///< what had ended when the other side issued, once landed
  };
  struct Core {
    std::uint32_t issued = 0;
    Clock clock;
    std::vector<Open> open;
    const isa::pim::Wait *waiting = nullptr;
    isa::pim::Wait wait;
  };

  void access(unsigned core, const model::pim::CoreEvent &event, const isa::pim::Access &access, std::uint32_t position);
  void check_open(const Core &core, const model::pim::CoreEvent &event, const isa::pim::Access &access);
  void open_message(unsigned core, const model::pim::CoreEvent &event, const isa::pim::Message &message);
  void arrive(unsigned core, const isa::pim::Barrier &barrier);
  void report(const Hazard &hazard);
  static Open *find_open(Core &core, bool send, std::uint32_t other, std::uint32_t id);

  const isa::pim::Configuration &configuration_;
  std::array<Core, isa::pim::kMostCores> cores_;
  std::array<Shadow, isa::pim::kWindows> dram_;
  std::vector<isa::pim::Position> touchers_;                 ///< of DRAM, by the number that the shadows have
  std::map<std::uint32_t, std::vector<unsigned>> barriers_;  ///< cores that have arrived, by the barrier's id
  std::set<std::pair<std::uint32_t, std::uint32_t>> reported_;
  std::vector<Hazard> hazards_;
};

}  // namespace cox::tools::pim
