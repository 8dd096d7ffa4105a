// SPDX-License-Identifier: MIT
// A walk over the instructions of a stream, which proves that the engine will accept each of them and that each stays in its windows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/firmware/stream/program_kind.h"
#include "coxswain/isa/operand_memory.h"

namespace cox::firmware::stream {

/// `Set` is an instruction set, and `State` what its instructions leave for later ones (isa/operand_memory.h).
template <typename Set, typename State>
class Walk {
 public:
  void begin(std::span<const std::byte> code, const CheckWindows &windows, const State &state) {
    code_ = code;
    windows_ = windows;
    state_ = state;
    position_ = number_ = 0;
  }

  /// Checks instructions until the end of the stream or of the budget. Calls `prepare(position, fetched)` for each instruction before it
  /// resolves the instruction. prepare() may change the code in `fetched`, and may return an error.
  template <typename Prepare>
  [[gnu::always_inline]] Status step(load::Budget &budget, Prepare prepare) {
    while (!done() && budget.is_left()) {
      budget.spend(kInstructionCost);
      Result<typename Set::Fetched> fetched = Set::fetch(code_, position_);
      if (!fetched) return fetched.status().at(static_cast<std::int32_t>(number_));
      if (Status status = check(fetched.value(), prepare); !status) return status;
      position_ = fetched.value().next;
      ++number_;
    }
    return {};
  }

  [[nodiscard]] const CheckWindows &windows() const { return windows_; }
  [[nodiscard]] bool done() const { return position_ >= code_.size(); }
  [[nodiscard]] std::uint32_t instructions() const { return number_; }

 private:
  static constexpr std::int32_t kInstructionCost = 1500;  ///< estimated instructions of the control core

  template <typename Prepare>
  Status check(typename Set::Fetched &fetched, Prepare &prepare) {
    const auto number = static_cast<std::int32_t>(number_);
    if (Status status = Set::check(fetched.code); !status) return status.at(number);
    if (Status status = prepare(position_, fetched); !status) return status;
    const auto operation = resolve(fetched.code, state_, isa::kNoMemory);
    if (!operation) return operation.status().at(number);
    if (Status status = check_windows(footprint(operation.value()), std::span<const isa::Window>(windows_)); !status) {
      return status.at(number);
    }
    state_.apply(operation.value());
    return {};
  }

  std::span<const std::byte> code_;
  CheckWindows windows_{};
  State state_{};
  std::uint32_t position_ = 0, number_ = 0;
};

}  // namespace cox::firmware::stream
