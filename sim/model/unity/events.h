// SPDX-License-Identifier: MIT
// Tells the device's observers of the instructions of Unity units.
#pragma once

#include <vector>

#include "sim/model/observer.h"
#include "sim/model/unity/machine/listener.h"

namespace cox::model::unity {

/// InstructionEvent::opcode of an instruction that submits slots to another engine. Units have no such opcode of their own.
constexpr unsigned submit_opcode(isa::unity::Domain domain) { return 0x70U + static_cast<unsigned>(domain); }
static_assert(submit_opcode(isa::unity::Domain::pim) < kNoOpcode);

/// A unit is a core of the event. The position of an instruction is its packed isa::unity::Position.
class Events final : public Listener {
 public:
  explicit Events(const Observers &observers) : observers_(observers) {}

  /// `frame` has what all events of a container share.
  void begin(const InstructionEvent &frame) { frame_ = frame; }

  void on_start(const UnitEvent &event) override;
  void on_end(const UnitEvent &event) override;
  void on_keys(const KeyEvent &event) override;

 private:
  [[nodiscard]] InstructionEvent convert(const UnitEvent &event);
  void add_touches(const UnitEvent &event);

  const Observers &observers_;
  InstructionEvent frame_;
  isa::unity::MachineCode code_{};  ///< of the event
  std::vector<Touch> touches_;
};

}  // namespace cox::model::unity
