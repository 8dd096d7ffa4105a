// SPDX-License-Identifier: MIT
// What the firmware must know of an engine to run its programs as jobs. Each engine that runs streams has a folder firmware/stream/KEY
// with its ProgramKind; KEY is the engine's key in device/engines.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/device/engines.h"
#include "coxswain/device/waiting_unit.h"
#include "coxswain/firmware/image/stream_program.h"
#include "coxswain/firmware/load/budget.h"
#include "coxswain/hal/context.h"
#include "coxswain/hal/stream_engine.h"
#include "coxswain/isa/instruction_set.h"
#include "coxswain/isa/window.h"

namespace cox::firmware::stream {

/// Windows for a check: each at kWindowSpacing times its number, with the size and the access that the program needs.
using CheckWindows = std::array<isa::Window, hal::kWindows>;
/// More than the largest window and the largest offset of an instruction together.
inline constexpr std::uint64_t kWindowSpacing = std::uint64_t{1} << 40;

class ProgramKind {
 public:
  explicit constexpr ProgramKind(registers::Engine engine) : engine_(engine) {}
  ProgramKind(const ProgramKind &) = delete;
  ProgramKind &operator=(const ProgramKind &) = delete;

  [[nodiscard]] registers::Engine engine() const { return engine_; }

  /// Begins the check of a program, which must outlive the check. There is one check at a time. Errors of this function and of check():
  /// image_malformed ("program.relocations", `index` the relocation) for a relocation without a place, out of order or outside of its
  /// window; those of the instruction set for an instruction, with its number as `index`; address_outside_window.
  virtual Status begin_check(const image::StreamProgram &program, const CheckWindows &windows) = 0;
  /// Works until the check is complete or the budget is used.
  virtual Status check(load::Budget &budget) = 0;
  [[nodiscard]] virtual bool is_checked() const = 0;
  /// Number of the program's instructions, when is_checked() is true.
  [[nodiscard]] virtual std::uint32_t instructions() const = 0;

  /// What the program submits to besides its own engine, when is_checked() is true.
  [[nodiscard]] virtual image::PeerNeeds peers() const { return {}; }

  /// Begins the check of a stream that a program of another engine submits. check() and is_checked() go on with it. Addresses in the stream
  /// are those of `windows` already. Errors: as begin_check().
  virtual Status begin_peer_check(std::span<const std::byte> stream, const CheckWindows &windows) = 0;
  /// Writes the registers that such a stream needs in `context`. Errors: those of the registers.
  virtual Status prepare_peer(std::span<const hal::Window, hal::kWindows> /*windows*/, const hal::Geometry & /*geometry*/,
                              unsigned /*context*/) const {
    return {};
  }

  /// Applies the relocations of a checked program to `windows`, for its next run in `context`. No stream of the program or of the context
  /// is in flight. Returns the stream to submit, which is in memory. Errors: those of the registers that the engine needs.
  [[nodiscard]] virtual Result<std::span<const std::byte>> bind(const image::StreamProgram &program,
                                                                std::span<const hal::Window, hal::kWindows> windows,
                                                                const hal::Geometry &geometry, unsigned context) const = 0;
  /// Returns instruction and field of a fault in `code`.
  [[nodiscard]] virtual isa::Location locate(std::span<const std::byte> code, const registers::EngineFaultDetail &fault) const = 0;
  /// Returns the error of a fault about which the engine's registers say more than the completion does. Called before the engine is reset.
  /// Returns success for all other faults: code, place and field are then the error.
  [[nodiscard]] virtual Status explain(const hal::StreamCompletion & /*completion*/) const { return {}; }

  using WaitingUnits = std::span<registers::WaitingUnit, registers::kMostWaitingUnits>;
  /// Writes the units of `code` that wait for keys, and returns their number. Called before the engine of a failed stream is reset.
  [[nodiscard]] virtual unsigned read_waiting(std::span<const std::byte> /*code*/, WaitingUnits /*units*/) const { return 0; }

 protected:
  ~ProgramKind() = default;

  /// Returns the error of a relocation that a check refuses.
  [[nodiscard]] static Status refused(std::size_t index, std::uint64_t value, std::uint64_t limit) {
    return {ErrorCode::image_malformed, "program.relocations", static_cast<std::int32_t>(index), signed_of(value), signed_of(limit)};
  }
  /// Error: image_malformed if the relocation names no window of the program, or an offset outside of it.
  [[nodiscard]] static Status check_target(const image::Relocation &relocation, std::size_t index, const CheckWindows &windows) {
    if (relocation.window >= windows.size()) return refused(index, relocation.window, windows.size() - 1);
    const isa::Window &window = windows[relocation.window];
    return relocation.offset < window.bytes ? Status() : refused(index, relocation.offset, window.bytes);
  }
  /// Returns the error of a relocation that has become wrong since the check, because the submitter has changed the image.
  [[nodiscard]] static Status changed(const image::StreamProgram &program, const image::Relocation &relocation) {
    return refused(static_cast<std::size_t>(&relocation - program.relocations.data()), relocation.place, program.code.size());
  }
  /// Returns the address that a relocation stands for.
  template <typename Windows>
  [[nodiscard]] static std::uint64_t target(const image::Relocation &relocation, const Windows &windows) {
    return windows[relocation.window].base + relocation.offset;
  }

 private:
  registers::Engine engine_;
};

/// The kinds that an image serves.
using ProgramKinds = std::span<ProgramKind *const>;
/// Returns the kinds of all engines whose folders are in the layers.
[[nodiscard]] ProgramKinds program_kinds();

}  // namespace cox::firmware::stream
