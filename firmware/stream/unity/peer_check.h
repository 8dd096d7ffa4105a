// SPDX-License-Identifier: MIT
// The check of what a container submits to other engines. The kind of each engine judges its own streams. Private to this folder.
#pragma once

#include <cstdint>
#include <span>

#include "coxswain/firmware/stream/program_kind.h"
#include "coxswain/isa/unity/program.h"

namespace cox::firmware::stream::unity {

class PeerCheck {
 public:
  /// Begins a container. `copy` holds its bytes, with addresses of `windows`, and outlives the check.
  void begin(std::span<const std::byte> copy, const CheckWindows &windows, bool is_relative);
  /// Begins the check of an instruction of another engine's domain; `position` is for errors. Errors, with the position as `index`:
  /// - those of isa::unity::resolve_submission() and isa::unity::check_slots();
  /// - unsupported: "flags" if the container is not relative, or the full name of an engine that the image has no kind for;
  /// - address_outside_window: "address" or "stream" if slots or a stream do not lie in the container.
  Status begin_instruction(const isa::unity::Stored &stored, std::int32_t position);
  /// Goes on until the instruction is checked or the budget is used. Errors: those of ProgramKind::check(), with the instruction's
  /// position.
  Status step(load::Budget &budget);
  /// The slots of the instruction that began last.
  [[nodiscard]] std::span<const std::byte> slots() const { return slots_; }
  [[nodiscard]] bool is_done() const { return slots_left_ == 0 && kind_ == nullptr; }
  [[nodiscard]] const image::PeerNeeds &needs() const { return needs_; }

 private:
  Status begin_stream();

  std::span<const std::byte> copy_;
  CheckWindows windows_{};
  bool is_relative_ = false;
  std::int32_t position_ = 0;
  std::span<const std::byte> slots_;  ///< of the instruction
  std::uint32_t slots_left_ = 0;      ///< whose streams have not been checked
  ProgramKind *engine_ = nullptr;     ///< the kind of the instruction's engine
  ProgramKind *kind_ = nullptr;       ///< checks a stream
  image::PeerNeeds needs_;
};

}  // namespace cox::firmware::stream::unity
