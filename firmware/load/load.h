// SPDX-License-Identifier: MIT
// A load of a task image in steps (docs/jobs.md, Long work): the checks of the image, the proof that its instructions can run, and the
// plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/firmware/image/loader.h"
#include "coxswain/firmware/load/container.h"
#include "coxswain/firmware/load/contents.h"
#include "coxswain/firmware/load/program_load.h"
#include "coxswain/firmware/verify/verifier.h"

namespace cox::firmware::load {

class Load {
 public:
  /// Begins a load. The arguments are those of image::load(); what they refer to must outlive the last step.
  void begin(std::span<const std::byte> image, const image::DeviceGeometry &geometry, std::span<std::byte> workspace,
             verify::Deadlock *waiting = nullptr, ProgramLoad *programs = nullptr);
  /// Works for about `instructions` instructions of the control core. Returns true if the load needs another step.
  [[nodiscard]] bool step(std::int32_t instructions = kStepInstructions);
  [[nodiscard]] bool done() const { return phase_ == Phase::done; }
  /// The outcome, when done() is true. Errors: those of image::load().
  [[nodiscard]] const Status &status() const { return status_; }
  /// The loaded task, if status() is ok.
  [[nodiscard]] image::LoadedTask task() const;

 private:
  enum class Phase : std::uint8_t { container, contents, proof, program, done };

  Status work(Budget &budget);
  Status begin_contents();
  Status begin_proof();
  Status begin_program(const image::Program &program);

  std::span<std::byte> workspace_;
  image::DeviceGeometry geometry_;
  verify::Deadlock *waiting_ = nullptr;
  Container container_;
  Contents contents_;
  verify::Verifier verifier_;
  ProgramLoad *programs_ = nullptr;
  bool has_program_ = false;  ///< the load is complete, and the image has a program of streams
  std::span<const isa::tile::MachineCode> instructions_;
  Status status_;
  Phase phase_ = Phase::done;
};

}  // namespace cox::firmware::load
